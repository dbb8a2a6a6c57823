#include "SOP_VerveSolver.h"

#include <CH/CH_Manager.h>
#include <OP/OP_NodeInfoParms.h>
#include <SOP/SOP_NodeParmsOptions.h>
#include <UT/UT_Interrupt.h>

#include <algorithm>
#include <cmath>

#include "HoudiniGeometry.h"
#include "HoudiniParameters.h"
#include "SolverSummary.h"

const UT_StringHolder SOP_VerveSolver::theSOPTypeName("verve::solver");
const SOP_NodeVerb::Register<SOP_VerveSolverVerb> SOP_VerveSolverVerb::theVerb;

namespace {

/// Reset Simulation: a value that the node has not seen yet begins it anew, also in other processes.
int resetSimulation(void* data, int, fpreal64 time, const PRM_Template*) {
  auto* node = static_cast<SOP_VerveSolver*>(data);
  node->setInt("reset", 0, time, node->evalInt("reset", 0, time) + 1);
  return 1;
}

/// The inputs and parameters of the frame that is cooked come with the verb; those of other frames are cooked
/// through the node, where there is one.
class FrameSource {
 public:
  FrameSource(const SOP_NodeVerb::CookParms& cookparms, int frame, std::vector<std::string>& warnings)
      : myCook(cookparms), myFrame(frame), myWarnings(warnings) {}

  verve::NodeFrame operator()(int frame) const {
    verve::NodeFrame result;
    result.frame = frame;
    result.fps = CHgetManager()->getSamplesPerSec();
    OP_Context context(myCook.getContext());
    if (frame != myFrame) {
      if (!myCook.getNode())
        throw verve::Error(
            "frame " + std::to_string(frame) +
            " has to be simulated first, but inside a compiled block only the present frame can be "
            "had; play from the start frame, or take the solver out of the block");
      context.setTime(CHgetManager()->getTime(frame));
    }
    result.settings =
        verve::node_settings(frame == myFrame ? verve::values_of(myCook.parms<SOP_NodeParmsOptions>())
                                              : verve::values_at(*myCook.getNode(), context.getTime()));
    result.bodies = geometry(0, frame, context);
    result.targets = geometry(1, frame, context);
    result.colliders = geometry(2, frame, context);
    return result;
  }

 private:
  std::shared_ptr<const verve::Geometry> geometry(int index, int frame, OP_Context& context) const {
    if (!myCook.hasInput(index)) return nullptr;
    if (frame == myFrame) return read(myCook.inputGeo(index));
    SOP_Node* input = CAST_SOPNODE(myCook.getNode()->getInput(OP_InputIdx(index)));
    if (!input) return nullptr;
    const GU_ConstDetailHandle handle = input->getCookedGeoHandle(context);
    const GU_DetailHandleAutoReadLock lock(handle);
    if (!lock.getGdp())
      throw verve::Error("frame " + std::to_string(frame) + ": input " + std::to_string(index + 1) +
                         " does not cook");
    return read(lock.getGdp());
  }
  std::shared_ptr<const verve::Geometry> read(const GU_Detail* detail) const {
    return detail ? std::make_shared<verve::Geometry>(verve::read_detail(*detail, myWarnings)) : nullptr;
  }

  const SOP_NodeVerb::CookParms& myCook;
  int myFrame;
  std::vector<std::string>& myWarnings;
};

}  // namespace

PRM_Template* SOP_VerveSolver::buildTemplates() {
  return verve::sop_templates(PRM_Callback(&resetSimulation));
}

OP_Node* SOP_VerveSolver::myConstructor(OP_Network* net, const char* name, OP_Operator* op) {
  return new SOP_VerveSolver(net, name, op);
}

SOP_VerveSolver::SOP_VerveSolver(OP_Network* net, const char* name, OP_Operator* op)
    : SOP_Node(net, name, op) {
  mySopFlags.setManagesDataIDs(true);
}

SOP_VerveSolver::~SOP_VerveSolver() = default;

const SOP_NodeVerb* SOP_VerveSolver::cookVerb() const {
  return SOP_VerveSolverVerb::theVerb.get();
}

const char* SOP_VerveSolver::inputLabel(OP_InputIdx index) const {
  const char* const labels[] = {"Geometry", "Constraints and Targets", "Collision Geometry"};
  return unsigned(index) < 3 ? labels[index] : "";
}

OP_ERROR SOP_VerveSolver::cookMySop(OP_Context& context) {
  flags().setTimeDep(true);  // it moves although nothing that it reads may do so
  return cookMyselfAsVerb(context);
}

void SOP_VerveSolver::getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) {
  SOP_Node::getNodeSpecificInfoText(context, parms);
  parms.append(mySummary.c_str());
}

int64 SOP_VerveSolverCache::getMemoryUsage(bool inclusive) const {
  return SOP_NodeCache::getMemoryUsage(inclusive) + int64(node.cache().bytes());
}

SOP_NodeParms* SOP_VerveSolverVerb::allocParms() const {
  return new SOP_NodeParmsOptions(SOP_VerveSolver::buildTemplates());
}

void SOP_VerveSolverVerb::cook(const CookParms& cookparms) const {
  auto* cache = static_cast<SOP_VerveSolverCache*>(cookparms.cache());
  auto* sop = cookparms.getCookNode<SOP_VerveSolver>();
  // A frame is whole up to the rounding of the time that stands for it.
  double frame = CHgetManager()->getSample(cookparms.getContext().getTime());
  if (std::abs(frame - std::round(frame)) < 1e-5) frame = std::round(frame);
  std::vector<std::string> warnings;
  const FrameSource source(cookparms, int(std::floor(frame)), warnings);
  UT_AutoInterrupt boss("Simulating Verve");
  try {
    const verve::NodeResult result =
        cache->node.cook(frame, source, [&](double share) { return boss.wasInterrupted(int(100 * share)); });
    verve::write_detail(result.geometry, *cookparms.gdh().gdpNC());
    for (const std::string& warning : result.warnings) warnings.push_back(warning);
    if (sop) sop->setSummary(verve::summary(result, cache->node.cache()));
  } catch (const verve::Cancelled&) {
    warnings.push_back("interrupted at frame " + std::to_string(cache->node.cache().last()) +
                       "; cook again to go on from there");
  } catch (const std::exception& error) {
    cookparms.sopAddError(SOP_MESSAGE, error.what());
  }
  std::sort(warnings.begin(), warnings.end());
  warnings.erase(std::unique(warnings.begin(), warnings.end()), warnings.end());
  for (const std::string& warning : warnings) cookparms.sopAddWarning(SOP_MESSAGE, warning.c_str());
}
