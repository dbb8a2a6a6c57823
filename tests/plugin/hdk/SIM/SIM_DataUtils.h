#pragma once

#include <memory>

#include "../SIM/SIM_Data.h"

#define DECLARE_STANDARD_GETCASTTOTYPE()
#define DECLARE_DATAFACTORY(DataClass, SuperClass, Description, DopDescription)               \
 public:                                                                                      \
  typedef SuperClass BaseClass;                                                               \
  static const UT_StringHolder& classname() {                                                 \
    static const UT_StringHolder name(#DataClass);                                            \
    return name;                                                                              \
  }                                                                                           \
  const char* getDataType() const override {                                                  \
    return #DataClass;                                                                        \
  }                                                                                           \
  bool isOfType(const std::string& type) const override {                                     \
    return type == #DataClass || BaseClass::isOfType(type);                                   \
  }                                                                                           \
  static void createDataFactory() {                                                           \
    auto factory = std::make_unique<SIM_DataFactory>();                                       \
    factory->myMake = [](const SIM_DataFactory* f) -> SIM_Data* { return new DataClass(f); }; \
    factory->myDescription = DopDescription;                                                  \
    SIM_DataFactory::all()[#DataClass] = std::move(factory);                                  \
  }                                                                                           \
                                                                                              \
 private:
#define IMPLEMENT_DATAFACTORY(DataClass) \
  static SIM_DataFactoryCreator DataClass##Creator(DataClass::createDataFactory);
