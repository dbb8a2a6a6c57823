#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "../SIM/SIM_DataFactory.h"
#include "../SIM/SIM_Error.h"
#include "../SIM/SIM_Guide.h"
#include "../SIM/SIM_Options.h"
#include "../SIM/SIM_Time.h"
#include "../UT/UT_Error.h"
#include "../UT/UT_IStream.h"
#include "../UT/UT_Matrix4.h"
#include "../UT/UT_StringHolder.h"
#include "../UT/UT_ValArray.h"

#define SIM_DATA_RETURN_EXISTING 0x01
#define SIM_DATA_ADOPT_EXISTING_ON_DELETE 0x04

class SIM_RootData;
class SIM_Data {
  friend class SIM_Guide;

 public:
  explicit SIM_Data(const SIM_DataFactory*) {}
  virtual ~SIM_Data() = default;
  virtual const char* getDataType() const { return "SIM_Data"; }
  virtual bool isOfType(const std::string& type) const { return type == "SIM_Data"; }

  SIM_Data* createNamedSubData(const char* name, const char* type, int flags) {
    auto& slot = mySubData[name];
    if (slot && slot->getDataType() == std::string(type) && (flags & SIM_DATA_RETURN_EXISTING))
      return slot.get();
    const auto factory = SIM_DataFactory::all().find(type);
    if (factory == SIM_DataFactory::all().end()) return nullptr;
    const std::shared_ptr<SIM_Data> before = slot;
    slot.reset(factory->second->myMake(factory->second.get()));
    slot->initializeSubclass();
    if (before && (flags & SIM_DATA_ADOPT_EXISTING_ON_DELETE)) slot->makeEqualSubclass(before.get());
    return slot.get();
  }
  const SIM_Data* getConstNamedSubData(const char* name) const {
    const auto at = mySubData.find(name);
    return at == mySubData.end() ? nullptr : at->second.get();
  }
  void filterConstSubData(UT_ValArray<const SIM_Data*>& out, void*, const class SIM_DataFilter& filter,
                          const char* startfrom, const class SIM_DataFilter&) const;
  void addError(const SIM_RootData*, int, const char* text, UT_ErrorSeverity severity) const {
    (severity >= UT_ERROR_ABORT ? myErrors : myWarnings).push_back(text);
  }

  /// Has to be called after every change: what has not been modified may be shared between time steps.
  void pubHandleModification() { ++myModifications; }

  /// Equal with all its subdata.
  void makeEqual(const SIM_Data& source) {
    makeEqualSubclass(&source);
    mySubData.clear();
    for (const auto& [name, data] : source.mySubData) {
      SIM_Data* copy = createNamedSubData(name.c_str(), data->getDataType(), 0);
      if (copy)
        copy->makeEqual(*data);
      else
        mySubData[name] = data;
    }
  }
  void saveToStream(std::ostream& os) const {
    saveSubclass(os);
    for (const auto& [name, data] : mySubData) data->saveToStream(os);
  }
  bool loadFromStream(UT_IStream& is) {
    if (!loadSubclass(is)) return false;
    for (const auto& [name, data] : mySubData)
      if (!data->loadFromStream(is)) return false;
    return true;
  }

  /// As the viewport asks for it.
  GU_ConstDetailHandle guide(const SIM_RootData& root, const SIM_Time& t) {
    if (!myGuide) myGuide.reset(createGuideObjectSubclass());
    if (!myGuide) return {};
    UT_DMatrix4 xform;
    return myGuide->getGuideGeometry(root, xform, t);
  }

  std::shared_ptr<SIM_Guide> myGuide;
  SIM_Options myGuideOptions;
  std::map<std::string, std::shared_ptr<SIM_Data>> mySubData;
  SIM_Options myOptions;
  int myModifications = 0;
  mutable std::vector<std::string> myErrors, myWarnings;

 protected:
  virtual void initializeSubclass() {}
  virtual void makeEqualSubclass(const SIM_Data* source) { myOptions = source->myOptions; }
  virtual void saveSubclass(std::ostream&) const {}
  virtual bool loadSubclass(UT_IStream&) { return true; }
  virtual int64 getMemorySizeSubclass() const { return 0; }
  virtual SIM_Guide* createGuideObjectSubclass() const { return nullptr; }
  virtual void buildGuideGeometrySubclass(const SIM_RootData&, const SIM_Options&, const GU_DetailHandle&,
                                          UT_DMatrix4*, const SIM_Time&) const {}
  static const SIM_DopDescription* getEmptyDopDescription() { return nullptr; }
};
typedef UT_ValArray<const SIM_Data*> SIM_ConstDataArray;

inline void SIM_Guide::buildGuideGeometry(const SIM_RootData& root, const GU_DetailHandle& gdh,
                                          UT_DMatrix4* xform, const SIM_Time& t) const {
  myOwner->buildGuideGeometrySubclass(root, myOwner->myGuideOptions, gdh, xform, t);
}
