#pragma once

#include <memory>

#include "../GU/GU_Detail.h"

class GU_ConstDetailHandle {
 public:
  GU_ConstDetailHandle(std::shared_ptr<const GU_Detail> detail = nullptr) : myDetail(std::move(detail)) {}
  const GU_Detail* gdp() const { return myDetail.get(); }

 private:
  std::shared_ptr<const GU_Detail> myDetail;
};

class GU_DetailHandle {
 public:
  GU_DetailHandle(std::shared_ptr<GU_Detail> detail = nullptr) : myDetail(std::move(detail)) {}
  GU_Detail* gdpNC() { return myDetail.get(); }
  const GU_Detail* gdp() const { return myDetail.get(); }
  bool isNull() const { return !myDetail; }
  std::shared_ptr<GU_Detail> myDetail;
};

class GU_DetailHandleAutoWriteLock {
 public:
  explicit GU_DetailHandleAutoWriteLock(const GU_DetailHandle& handle) : myHandle(handle) {}
  GU_Detail* getGdp() const { return myHandle.myDetail.get(); }

 private:
  GU_DetailHandle myHandle;
};

class GU_DetailHandleAutoReadLock {
 public:
  explicit GU_DetailHandleAutoReadLock(const GU_ConstDetailHandle& handle) : myHandle(handle) {}
  const GU_Detail* getGdp() const { return myHandle.gdp(); }

 private:
  GU_ConstDetailHandle myHandle;
};
