#pragma once

#include <map>

#include "../SIM/SIM_Data.h"
#include "../SIM/SIM_Guide.h"

/// Keeps what it has built for an object until it is cleared.
class SIM_GuidePerObject : public SIM_Guide {
 public:
  using SIM_Guide::SIM_Guide;

 protected:
  GU_ConstDetailHandle getGuideGeometrySubclass(const SIM_RootData& root, UT_DMatrix4& xform,
                                                const SIM_Time& t) override {
    GU_DetailHandle& handle = myGeometries[&root];
    if (handle.isNull()) {
      handle = GU_DetailHandle(std::make_shared<GU_Detail>());
      buildGuideGeometry(root, handle, &xform, t);
    }
    return GU_ConstDetailHandle(handle.myDetail);
  }
  void clearSubclass() override { myGeometries.clear(); }

 private:
  std::map<const SIM_RootData*, GU_DetailHandle> myGeometries;
};
