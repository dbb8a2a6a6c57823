#pragma once

#include "../GU/GU_Detail.h"
#include "../SIM/SIM_Data.h"
#include "../UT/UT_Matrix4.h"

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

class SIM_GeometryAutoReadLock {
 public:
  explicit SIM_GeometryAutoReadLock(const SIM_Geometry* geometry)
      : myDetail(geometry ? geometry->myDetail : nullptr) {}
  const GU_Detail* getGdp() const { return myDetail.get(); }

 private:
  std::shared_ptr<const GU_Detail> myDetail;
};
