#pragma once

#include "../SIM/SIM_Guide.h"
#include "../SIM/SIM_Time.h"

/// Another kind of guide that is built anew when the time is another.
template <class GuideBase>
class SIM_GuideTimeDep : public GuideBase {
 public:
  explicit SIM_GuideTimeDep(const SIM_Data* owner) : GuideBase(owner) {}

 protected:
  GU_ConstDetailHandle getGuideGeometrySubclass(const SIM_RootData& root, UT_DMatrix4& xform,
                                                const SIM_Time& t) override {
    if (fpreal(t) != fpreal(myTime)) this->clear();
    myTime = t;
    return GuideBase::getGuideGeometrySubclass(root, xform, t);
  }

 private:
  SIM_Time myTime = -1;
};
