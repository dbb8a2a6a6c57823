#pragma once

#include "../SIM/SIM_DataUtils.h"
#include "../SIM/SIM_Geometry.h"

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

class SIM_GeometryAutoWriteLock {
 public:
  SIM_GeometryAutoWriteLock(SIM_GeometryCopy* geometry, SIM_DataIdStrategy = SIM_DATA_ID_BUMP)
      : myDetail(geometry->myDetail) {}
  GU_Detail& getGdp() { return *myDetail; }

 private:
  std::shared_ptr<GU_Detail> myDetail;
};
