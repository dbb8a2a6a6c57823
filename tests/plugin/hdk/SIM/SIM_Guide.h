#pragma once

#include "../GU/GU_DetailHandle.h"
#include "../UT/UT_VectorTypes.h"

class SIM_Data;
class SIM_RootData;
class SIM_Time;

/// Of one piece of data: decides when its lines have to be built.
class SIM_Guide {
 public:
  explicit SIM_Guide(const SIM_Data* owner) : myOwner(owner) {}
  virtual ~SIM_Guide() = default;
  GU_ConstDetailHandle getGuideGeometry(const SIM_RootData& root, UT_DMatrix4& xform, const SIM_Time& t) {
    return getGuideGeometrySubclass(root, xform, t);
  }

 protected:
  virtual GU_ConstDetailHandle getGuideGeometrySubclass(const SIM_RootData& root, UT_DMatrix4& xform,
                                                        const SIM_Time& t) = 0;
  void buildGuideGeometry(const SIM_RootData& root, const GU_DetailHandle& gdh, UT_DMatrix4* xform,
                          const SIM_Time& t) const;
  void clear() { clearSubclass(); }
  virtual void clearSubclass() {}

 private:
  const SIM_Data* myOwner;
};
