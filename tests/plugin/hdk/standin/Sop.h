// Stand-in for Houdini's SOPs and their verbs.
#pragma once

#include "Op.h"

typedef UT_ErrorSeverity OP_ERROR;
enum { SOP_MESSAGE = 0 };

class SOP_NodeVerb;
class SOP_NodeCache {
 public:
  virtual ~SOP_NodeCache() = default;
  virtual int64 getMemoryUsage(bool inclusive) const { return inclusive ? int64(sizeof(*this)) : 0; }
};

class SOP_NodeParms {
 public:
  virtual ~SOP_NodeParms() = default;
  enum ParmType {
    PARM_INTEGER,
    PARM_FLOAT,
    PARM_VECTOR2,
    PARM_VECTOR3,
    PARM_VECTOR4,
    PARM_MATRIX2,
    PARM_MATRIX3,
    PARM_MATRIX4,
    PARM_STRING,
    PARM_RAMP,
    PARM_DATA,
    PARM_MULTIPARM,
    PARM_UNSUPPORTED
  };
  exint getNumParms() const { return exint(myValues.size()); }
  const char* getParmName(exint i) const { return at(i).name.c_str(); }
  ParmType getParmType(exint i) const { return at(i).type; }
  void getParmValue(exint i, exint& value) const { value = exint(at(i).numbers[0]); }
  void getParmValue(exint i, fpreal& value) const { value = at(i).numbers[0]; }
  void getParmValue(exint i, UT_Vector3D& v) const {
    v.assign(at(i).numbers[0], at(i).numbers[1], at(i).numbers[2]);
  }
  void getParmValue(exint i, UT_StringHolder& value) const { value = at(i).text; }

  struct Value {
    std::string name, text;
    ParmType type;
    std::vector<double> numbers;
  };
  std::vector<Value> myValues;

 private:
  const Value& at(exint i) const { return myValues.at(std::size_t(i)); }
};

/// Takes its structure from templates and its values from a node, at one time.
class SOP_NodeParmsOptions : public SOP_NodeParms {
 public:
  explicit SOP_NodeParmsOptions(const PRM_Template* templates) : myTemplates(templates) {}
  void loadFromOp(const OP_Parameters& node, fpreal time) {
    for (const PRM_Template* t = myTemplates; !t->isEnd(); ++t) {
      const std::string& type = t->myParm.type;
      Value value{t->myParm.name, "", PARM_INTEGER, {}};
      if (type == "string") {
        UT_String text;
        node.evalString(text, value.name.c_str(), 0, time);
        value.text = text.toStdString();
      }
      value.type = type == "string"   ? PARM_STRING
                   : type == "vector" ? PARM_VECTOR3
                   : type == "float"  ? PARM_FLOAT
                                      : PARM_INTEGER;
      for (int i = 0; type != "string" && i < int(t->myParm.defaults.size()); ++i)
        value.numbers.push_back(node.evalFloat(value.name.c_str(), i, time));
      myValues.push_back(value);
    }
  }

 private:
  const PRM_Template* myTemplates;
};

class SOP_Node;
class SOP_NodeVerb {
 public:
  virtual ~SOP_NodeVerb() = default;
  template <class T>
  class Register {
   public:
    Register() : myVerb(new T) {}
    const T* get() const { return myVerb.get(); }

   private:
    std::unique_ptr<T> myVerb;
  };
  enum CookMode {
    COOK_INPLACE,
    COOK_DUPLICATE,
    COOK_GENERATOR,
    COOK_INSTANCE,
    COOK_GENERIC,
    COOK_PASSTHROUGH
  };

  class CookParms {
   public:
    CookParms(GU_DetailHandle& gdh, const UT_Array<GU_ConstDetailHandle>& inputs, SOP_Node* node,
              bool compiled, const OP_Context& context, const SOP_NodeParms* parms, SOP_NodeCache* cache)
        : myGdh(gdh),
          myInputs(inputs),
          myNode(node),
          myCompiled(compiled),
          myContext(context),
          myParms(parms),
          myCache(cache) {}
    GU_DetailHandle& gdh() const { return myGdh; }
    SOP_Node* getNode() const { return myCompiled ? nullptr : myNode; }
    SOP_Node* getSrcNode() const { return myNode; }
    template <class T>
    T* getCookNode() const {
      return dynamic_cast<T*>(getNode());
    }
    const OP_Context& getContext() const { return myContext; }
    exint nInputs() const { return myInputs.entries(); }
    bool hasInput(exint i) const { return i < nInputs() && myInputs(i).gdp(); }
    const GU_Detail* inputGeo(exint i) const { return myInputs(i).gdp(); }
    template <class T>
    const T& parms() const {
      return dynamic_cast<const T&>(*myParms);
    }
    SOP_NodeCache* cache() const { return myCache; }
    UT_ErrorSeverity sopAddError(int, const char* text = nullptr) const;
    UT_ErrorSeverity sopAddWarning(int, const char* text = nullptr) const;

   private:
    GU_DetailHandle& myGdh;
    const UT_Array<GU_ConstDetailHandle>& myInputs;
    SOP_Node* myNode;
    bool myCompiled;
    OP_Context myContext;
    const SOP_NodeParms* myParms;
    SOP_NodeCache* myCache;
  };

  virtual SOP_NodeParms* allocParms() const = 0;
  virtual SOP_NodeCache* allocCache() const { return new SOP_NodeCache; }
  virtual UT_StringHolder name() const = 0;
  virtual CookMode cookMode(const SOP_NodeParms* parms) const = 0;
  virtual void cook(const CookParms& cookparms) const = 0;
};

class SOP_Flags {
 public:
  void setManagesDataIDs(bool on) { myManages = on; }
  bool getManagesDataIDs() const { return myManages; }

 private:
  bool myManages = false;
};

class SOP_Node : public OP_Node {
 public:
  SOP_Node(OP_Network*, const char*, OP_Operator* op) {
    if (op) addParms(op->myTemplates);
  }
  virtual const SOP_NodeVerb* cookVerb() const { return nullptr; }
  virtual const char* inputLabel(StandinInputIdx) const { return ""; }
  virtual void getNodeSpecificInfoText(OP_Context&, OP_NodeInfoParms&) {}
  GU_ConstDetailHandle getCookedGeoHandle(OP_Context& context) {
    myErrors.clear();
    myWarnings.clear();
    return cookMySop(context) < UT_ERROR_ABORT ? GU_ConstDetailHandle(myGdh.myDetail)
                                               : GU_ConstDetailHandle();
  }

  std::vector<std::string> myErrors, myWarnings;
  GU_DetailHandle myGdh;
  std::unique_ptr<SOP_NodeCache> myCache;  ///< a test may take it away, as Houdini may
  bool myCompiled = false;                 ///< cook as inside a compiled block
  SOP_Flags mySopFlags;

 protected:
  virtual OP_ERROR cookMySop(OP_Context& context) = 0;

  OP_ERROR cookMyselfAsVerb(OP_Context& context) {
    const SOP_NodeVerb* verb = cookVerb();
    if (!myCache) myCache.reset(verb->allocCache());
    UT_Array<GU_ConstDetailHandle> inputs;
    std::shared_ptr<const GU_Detail> first;
    for (OP_Node* input : myInputs) {
      OP_Context same(context);
      auto* sop = dynamic_cast<SOP_Node*>(input);
      inputs.append(sop ? sop->getCookedGeoHandle(same) : GU_ConstDetailHandle());
      if (!first && sop) first = sop->myGdh.myDetail;
    }
    myGdh = GU_DetailHandle(first ? std::make_shared<GU_Detail>(*first) : std::make_shared<GU_Detail>());
    const std::unique_ptr<SOP_NodeParms> parms(verb->allocParms());
    dynamic_cast<SOP_NodeParmsOptions&>(*parms).loadFromOp(*this, context.getTime());
    verb->cook(SOP_NodeVerb::CookParms(myGdh, inputs, this, myCompiled, context, parms.get(), myCache.get()));
    return myErrors.empty() ? UT_ERROR_NONE : UT_ERROR_ABORT;
  }
};
#define CAST_SOPNODE(op) dynamic_cast<SOP_Node*>(op)

inline UT_ErrorSeverity SOP_NodeVerb::CookParms::sopAddError(int, const char* text) const {
  return myNode->myErrors.push_back(text), UT_ERROR_ABORT;
}
inline UT_ErrorSeverity SOP_NodeVerb::CookParms::sopAddWarning(int, const char* text) const {
  return myNode->myWarnings.push_back(text), UT_ERROR_WARNING;
}
