// The state of the objects that are simulated together, beside the geometry of the first of them: copied,
// cached and saved by the DOP network. Whoever changes it calls pubHandleModification().
#pragma once

#include <SIM/SIM_Data.h>
#include <SIM/SIM_DataUtils.h>
#include <SIM/SIM_DopDescription.h>
#include <SYS/SYS_Types.h>
#include <UT/UT_StringHolder.h>

#include "node/StepNode.h"

class SIM_DataFactory;
class UT_IStream;

class SIM_VerveState : public SIM_Data {
 public:
  verve::StepNode node;
  std::vector<int> members;  ///< the ids of the objects, ascending
  verve::Geometry guides;    ///< lines in world space; every step makes them anew, so they are not saved

 protected:
  explicit SIM_VerveState(const SIM_DataFactory* factory) : SIM_Data(factory) {}
  ~SIM_VerveState() override = default;

  void initializeSubclass() override;
  void makeEqualSubclass(const SIM_Data* source) override;
  void saveSubclass(std::ostream& os) const override;
  bool loadSubclass(UT_IStream& is) override;
  int64 getMemorySizeSubclass() const override;

 private:
  DECLARE_STANDARD_GETCASTTOTYPE();
  DECLARE_DATAFACTORY(SIM_VerveState, SIM_Data, "Verve State", getEmptyDopDescription());
};
