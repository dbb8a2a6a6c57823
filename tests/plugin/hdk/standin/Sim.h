// Stand-in for Houdini's simulation data: objects with named subdata that are copied, saved and loaded.
#pragma once

#include "Op.h"

class SIM_Time {
 public:
  SIM_Time(fpreal t = 0) : myTime(t) {}
  operator fpreal() const { return myTime; }

 private:
  fpreal myTime;
};
typedef UT_Options SIM_Options;
enum { SIM_MESSAGE = 0 };
enum { SIM_DATA_RETURN_EXISTING = 1, SIM_DATA_ADOPT_EXISTING_ON_DELETE = 4 };
#define SIM_GEOMETRY_DATANAME "Geometry"
#define SIM_FORCES_DATANAME "Forces"

class SIM_DopDescription {
 public:
  SIM_DopDescription(bool makeop, const char* opname, const char* english, const char* dataname,
                     const char* datatype, const PRM_Template* templates)
      : myMakeOp(makeop),
        myOpName(opname),
        myEnglish(english),
        myDataName(dataname),
        myDataType(datatype),
        myTemplates(templates) {}
  bool myMakeOp;
  std::string myOpName, myEnglish, myDataName, myDataType;
  const PRM_Template* myTemplates;
};

class SIM_Data;
class SIM_Engine {};
class SIM_DataFactory {
 public:
  std::function<SIM_Data*(const SIM_DataFactory*)> myMake;
  const SIM_DopDescription* myDescription = nullptr;
  static std::map<std::string, std::unique_ptr<SIM_DataFactory>>& all() {
    static std::map<std::string, std::unique_ptr<SIM_DataFactory>> factories;
    return factories;
  }
};

class SIM_RootData;
class SIM_Data {
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
  void filterConstSubData(UT_Array<const SIM_Data*>& out, void*, const class SIM_DataFilter& filter,
                          const char* startfrom, const class SIM_DataFilter&) const;
  void addError(const SIM_RootData*, int, const char* text, UT_ErrorSeverity severity) const {
    (severity >= UT_ERROR_ABORT ? myErrors : myWarnings).push_back(text);
  }

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

  std::map<std::string, std::shared_ptr<SIM_Data>> mySubData;
  SIM_Options myOptions;
  mutable std::vector<std::string> myErrors, myWarnings;

 protected:
  virtual void initializeSubclass() {}
  virtual void makeEqualSubclass(const SIM_Data* source) { myOptions = source->myOptions; }
  virtual void saveSubclass(std::ostream&) const {}
  virtual bool loadSubclass(UT_IStream&) { return true; }
  virtual int64 getMemorySizeSubclass() const { return 0; }
  static const SIM_DopDescription* getEmptyDopDescription() { return nullptr; }
};
typedef UT_Array<const SIM_Data*> SIM_ConstDataArray;

class SIM_DataFilter {
 public:
  explicit SIM_DataFilter(const char* type) : myType(type) {}
  std::string myType;
};
class SIM_DataFilterByType : public SIM_DataFilter {
 public:
  using SIM_DataFilter::SIM_DataFilter;
};
class SIM_DataFilterNone : public SIM_DataFilter {
 public:
  SIM_DataFilterNone() : SIM_DataFilter("") {}
};
inline void SIM_Data::filterConstSubData(SIM_ConstDataArray& out, void*, const SIM_DataFilter& filter,
                                         const char* startfrom, const SIM_DataFilter&) const {
  const auto from = mySubData.find(startfrom);
  if (from == mySubData.end()) return;
  for (const auto& [name, data] : from->second->mySubData)
    if (data->isOfType(filter.myType)) out.append(data.get());
}

class SIM_OptionsUser {
 public:
  explicit SIM_OptionsUser(SIM_Data* data) : myData(data) {}
  const SIM_Options& getOptions() const { return myData->myOptions; }

 private:
  SIM_Data* myData;
};

#define DECLARE_STANDARD_GETCASTTOTYPE()
#define DECLARE_DATAFACTORY(DataClass, SuperClass, Description, DopDescription)               \
 public:                                                                                      \
  typedef SuperClass BaseClass;                                                               \
  static const char* classname() {                                                            \
    return #DataClass;                                                                        \
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
class SIM_DataFactoryCreator {
 public:
  explicit SIM_DataFactoryCreator(void (*create)()) { create(); }
};
#define IMPLEMENT_DATAFACTORY(DataClass) \
  static SIM_DataFactoryCreator DataClass##Creator(DataClass::createDataFactory);
#define SIM_DATA_CREATE(Parent, Name, DataClass, Flags) \
  ((DataClass*)(static_cast<SIM_Data&>(Parent)).createNamedSubData(Name, #DataClass, Flags))
#define SIM_DATA_GETCONST(Parent, Name, DataClass) \
  SIM_DATA_CASTCONST((Parent).getConstNamedSubData(Name), DataClass)
#define SIM_DATA_CASTCONST(data, DataClass) dynamic_cast<const DataClass*>(static_cast<const SIM_Data*>(data))

class SIM_Geometry : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  bool isOfType(const std::string& type) const override {
    return type == "SIM_Geometry" || SIM_Data::isOfType(type);
  }
  void getTransform(UT_DMatrix4& transform) const { transform = myTransform; }
  std::shared_ptr<GU_Detail> myDetail;
  UT_DMatrix4 myTransform;
};

class SIM_GeometryCopy : public SIM_Geometry {
 public:
  using SIM_Geometry::SIM_Geometry;

 protected:
  void makeEqualSubclass(const SIM_Data* source) override {
    SIM_Geometry::makeEqualSubclass(source);
    const auto* other = dynamic_cast<const SIM_Geometry*>(source);
    myDetail = other->myDetail ? std::make_shared<GU_Detail>(*other->myDetail) : nullptr;
    myTransform = other->myTransform;
  }
  DECLARE_DATAFACTORY(SIM_GeometryCopy, SIM_Geometry, "Geometry Copy", nullptr)
};

enum SIM_DataIdStrategy { SIM_DATA_ID_BUMP, SIM_DATA_ID_PRESERVE };
class SIM_GeometryAutoReadLock {
 public:
  explicit SIM_GeometryAutoReadLock(const SIM_Geometry* geometry)
      : myDetail(geometry ? geometry->myDetail : nullptr) {}
  const GU_Detail* getGdp() const { return myDetail.get(); }

 private:
  std::shared_ptr<const GU_Detail> myDetail;
};
class SIM_GeometryAutoWriteLock {
 public:
  SIM_GeometryAutoWriteLock(SIM_GeometryCopy* geometry, SIM_DataIdStrategy = SIM_DATA_ID_BUMP)
      : myDetail(geometry->myDetail) {}
  GU_Detail& getGdp() { return *myDetail; }

 private:
  std::shared_ptr<GU_Detail> myDetail;
};

class SIM_RootData : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
};

class SIM_Object : public SIM_RootData {
 public:
  explicit SIM_Object(int id) : SIM_RootData(nullptr), myId(id) {}
  int getObjectId() const { return myId; }
  const SIM_Geometry* getGeometry() const {
    const auto at = mySubData.find(SIM_GEOMETRY_DATANAME);
    return at == mySubData.end() ? nullptr : dynamic_cast<const SIM_Geometry*>(at->second.get());
  }
  void getAffectors(UT_Array<SIM_Object*>& out, const char* type) {
    if (type == std::string("SIM_RelationshipCollide"))
      for (SIM_Object* o : myAffectors) out.append(o);
  }
  std::vector<SIM_Object*> myAffectors;

 private:
  int myId;
};
typedef UT_Array<SIM_Object*> SIM_ObjectArray;

class SIM_Force : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  bool isOfType(const std::string& type) const override {
    return type == "SIM_Force" || SIM_Data::isOfType(type);
  }
  void getForce(const SIM_Object& object, const UT_Vector3& position, const UT_Vector3& velocity,
                const UT_Vector3& angular, const fpreal mass, UT_Vector3& force, UT_Vector3& torque) const {
    getForceSubclass(object, position, velocity, angular, mass, force, torque);
  }

 protected:
  virtual void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                                const fpreal, UT_Vector3&, UT_Vector3&) const = 0;
};

class SIM_Solver : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  enum SIM_Result { SIM_SOLVER_SUCCESS, SIM_SOLVER_REPEAT, SIM_SOLVER_SUBSTEP, SIM_SOLVER_FAIL };
};

class SIM_SingleSolver : public SIM_Solver {
 public:
  using SIM_Solver::SIM_Solver;
  SIM_Result solveSingleObject(SIM_Engine& engine, SIM_Object& object, SIM_ObjectArray& feedback,
                               const SIM_Time& timestep, bool newobject) {
    return solveSingleObjectSubclass(engine, object, feedback, timestep, newobject);
  }

 protected:
  virtual SIM_Result solveSingleObjectSubclass(SIM_Engine&, SIM_Object&, SIM_ObjectArray&, const SIM_Time&,
                                               bool) = 0;
};
