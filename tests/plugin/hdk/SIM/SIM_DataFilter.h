#pragma once

#include "../SIM/SIM_Data.h"

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
