#pragma once

class SIM_Engine {};
