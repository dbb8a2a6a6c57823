#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

class SIM_DopDescription;

class SIM_Data;
class SIM_DataFactory {
 public:
  std::function<SIM_Data*(const SIM_DataFactory*)> myMake;
  const SIM_DopDescription* myDescription = nullptr;
  static std::map<std::string, std::unique_ptr<SIM_DataFactory>>& all() {
    static std::map<std::string, std::unique_ptr<SIM_DataFactory>> factories;
    return factories;
  }
};
class SIM_DataFactoryCreator {
 public:
  explicit SIM_DataFactoryCreator(void (*create)()) { create(); }
};
