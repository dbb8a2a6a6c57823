"""Whether times mean anything at the moment."""
import os

from experiment import NOT_JUDGED, Judged


def load():
    return os.getloadavg()[0]


def unless_busy(judged):
    """The verdict on a time; none if more is running than our one timed program leaves room for."""
    if load() <= os.cpu_count() + 0.5:
        return judged
    return Judged(NOT_JUDGED, judged.measured, judged.wanted, f"The machine was busy (load {load():.1f}).")
