#include "SOP_VerveSolver.h"

#include <CH/CH_Manager.h>
#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_Network.h>
#include <OP/OP_NodeInfoParms.h>
#include <OP/OP_OpTypeId.h>
#include <PRM/PRM_Callback.h>
#include <SOP/SOP_Error.h>
#include <SOP/SOP_Guide.h>
#include <UT/UT_Error.h>
#include <UT/UT_Interrupt.h>

#include <algorithm>
#include <cmath>

#include "HoudiniGeometry.h"
#include "HoudiniParameters.h"
#include "SolverSummary.h"
#include "base/Error.h"
#include "base/Parallel.h"

const UT_StringHolder SOP_VerveSolver::theSOPTypeName("verve::solver");

namespace {

/// Reset Simulation: a value that the node has not seen yet begins it anew, also in other processes.
int resetSimulation(void* data, int, fpreal64 time, const PRM_Template*) {
  auto* node = static_cast<SOP_VerveSolver*>(data);
  node->setInt("reset", 0, time, node->evalInt("reset", 0, time) + 1);
  return 1;
}

int saveToDisk(void* data, int, fpreal64 time, const PRM_Template*) {
  static_cast<SOP_VerveSolver*>(data)->saveToDisk(time);
  return 1;
}

/// Inside a SOP Solver the input is what the step before has left, at whatever time one asks.
bool insideSimulation(const OP_Node& node) {
  for (const OP_Node* up = node.getParent(); up; up = up->getParent())
    if (up->getOpTypeID() == DOP_OPTYPE_ID) return true;
  return false;
}

}  // namespace

PRM_Template* SOP_VerveSolver::buildTemplates() {
  return verve::sop_templates(PRM_Callback(&resetSimulation), PRM_Callback(&::saveToDisk));
}

OP_Node* SOP_VerveSolver::myConstructor(OP_Network* net, const char* name, OP_Operator* op) {
  return new SOP_VerveSolver(net, name, op);
}

SOP_VerveSolver::SOP_VerveSolver(OP_Network* net, const char* name, OP_Operator* op)
    : SOP_Node(net, name, op) {
  mySopFlags.setManagesDataIDs(true);
  mySopFlags.setNeedGuide1(true);
}

SOP_VerveSolver::~SOP_VerveSolver() = default;

const char* SOP_VerveSolver::inputLabel(OP_InputIdx index) const {
  const char* const labels[] = {"Geometry", "Constraints and Targets", "Collision Geometry"};
  return unsigned(index) < 3 ? labels[index] : "";
}

void SOP_VerveSolver::getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) {
  SOP_Node::getNodeSpecificInfoText(context, parms);
  parms.append(mySummary.c_str());
}

/// What is upstream may have been edited at any frame, also where the present one stays as it is.
void SOP_VerveSolver::opChanged(OP_EventType reason, void* data) {
  SOP_Node::opChanged(reason, data);
  if (reason == OP_INPUT_CHANGED || reason == OP_INPUT_REWIRED) myInputsEdited = true;
  // A value, an expression or a key.
  if (reason == OP_PARM_CHANGED || reason == OP_PARM_ANIMATED || reason == OP_PARM_CHANNELS)
    myParmsEdited = true;
}

/// Parameters are cheap to look at: inputs are cooked at other frames only if that shows a difference.
void SOP_VerveSolver::noticeEdits() {
  if (myInputsEdited && !mySettings.empty()) mySolver.suspect(mySettings.begin()->first);
  if (myParmsEdited)
    for (const auto& [frame, settings] : mySettings)
      if (verve::node_settings(verve::values_at(*this, CHgetManager()->getTime(frame))).fingerprint !=
          settings) {
        mySolver.suspect(frame);
        break;
      }
  myInputsEdited = myParmsEdited = false;
}

/// Locked at the frame's own time: that cooks the input there, and follows the wire to the output it leaves.
std::shared_ptr<const verve::Geometry> SOP_VerveSolver::readInput(int index, int frame, OP_Context& context,
                                                                  std::vector<std::string>& warnings) {
  if (!getInput(OP_InputIdx(index))) return nullptr;
  OP_AutoLockInputs lock(this);
  const GU_Detail* detail =
      lock.lockInput(index, context) < UT_ERROR_ABORT ? inputGeo(OP_InputIdx(index)) : nullptr;
  if (!detail)
    throw verve::Error("frame " + std::to_string(frame) + ": input " + std::to_string(index + 1) +
                       " does not cook");
  return std::make_shared<verve::Geometry>(verve::read_detail(*detail, warnings));
}

verve::NodeFrame SOP_VerveSolver::readFrame(int frame, const OP_Context& context,
                                            std::vector<std::string>& warnings) {
  verve::NodeFrame result;
  result.frame = frame;
  result.fps = CHgetManager()->getSamplesPerSec();
  OP_Context then(context);
  then.setTime(CHgetManager()->getTime(frame));
  result.settings = verve::node_settings(verve::values_at(*this, then.getTime()));
  mySettings[frame] = result.settings.fingerprint;
  result.bodies = readInput(0, frame, then, warnings);
  result.targets = readInput(1, frame, then, warnings);
  result.colliders = readInput(2, frame, then, warnings);
  return result;
}

/// Its warnings and errors stand on the node after its next cook, which this asks for.
void SOP_VerveSolver::saveToDisk(fpreal time) {
  const int frame = int(std::lround(CHgetManager()->getSample(time)));
  const OP_Context context(time);
  std::vector<std::string> warnings;
  UT_AutoInterrupt boss("Saving Verve to disk");
  try {
    noticeEdits();
    verve::isolated([&] {
      const auto saved = mySolver.save_to_disk(
          frame, [&](int f) { return readFrame(f, context, warnings); },
          [&](double share) { return boss.wasInterrupted(int(100 * share)); });
      const std::string all = std::to_string(saved.first) + " to " + std::to_string(saved.last);
      if (saved.interrupted)
        myMessage = saved.last < saved.first ? "Save to Disk was interrupted before its first frame"
                                             : "Save to Disk was interrupted; frames " + all +
                                                   " are on the disk, press it again to go on";
      else
        myMessage = "frames " + all + " are on the disk" +
                    (saved.from > saved.last    ? ", as they were"
                     : saved.from > saved.first ? "; went on from frame " + std::to_string(saved.from)
                                                : "");
    });
  } catch (const std::exception& error) {
    myMessage = std::string("Save to Disk: ") + error.what();
  }
  opChanged(OP_PARM_CHANGED);
}

OP_ERROR SOP_VerveSolver::cookMyGuide1(OP_Context&) {
  myGuide1->clearAndDestroy();
  verve::append_lines(myLines, *myGuide1);
  return error();
}

OP_ERROR SOP_VerveSolver::cookMySop(OP_Context& context) {
  flags().setTimeDep(true);  // it moves although nothing that it reads may do so
  // A frame is whole up to the rounding of the time that stands for it.
  double frame = CHgetManager()->getSample(context.getTime());
  // Asked again for what it has cooked, and not told why: something further up has changed.
  if (myCookedAt == context.getTime() && !myParmsEdited) myInputsEdited = true;
  myCookedAt.reset();
  if (std::abs(frame - std::round(frame)) < 1e-5) frame = std::round(frame);
  std::vector<std::string> warnings;
  verve::NodeResult result;
  std::string failure;
  UT_AutoInterrupt boss("Simulating Verve");
  try {
    if (insideSimulation(*this))
      throw verve::Error(
          "the solver cannot be inside a SOP Solver or DOP network, where no other frames of the input can "
          "be "
          "had; put it behind the simulation, or use the DOP verve_solver");
    noticeEdits();
    verve::isolated([&] {
      result = mySolver.cook(
          frame, [&](int f) { return readFrame(f, context, warnings); },
          [&](double share) { return boss.wasInterrupted(int(100 * share)); });
    });
  } catch (const verve::Cancelled&) {
    failure = "interrupted" +
              (mySolver.cache().empty() ? "" : " at frame " + std::to_string(mySolver.cache().last())) +
              "; cook again to go on from there";
  } catch (const std::exception& error) {
    failure = error.what();
  }
  // Last, so that the inputs are left at the present time whatever frames were asked for.
  OP_AutoLockInputs inputs(this);
  OP_ERROR locked = UT_ERROR_NONE;
  verve::isolated([&] { locked = inputs.lock(context); });
  if (locked >= UT_ERROR_ABORT) return error();
  gdp->clearAndDestroy();
  if (failure.empty()) try {
      duplicateSource(0, context);
      verve::write_detail(result.geometry, *gdp);
      mySummary = verve::summary(result, mySolver.cache());
      if (!myMessage.empty()) mySummary += myMessage + "\n";
      myLines = result.guides;
      myCookedAt = context.getTime();
    } catch (const std::exception& error) {
      failure = error.what();
    }
  if (!failure.empty()) addError(SOP_MESSAGE, failure.c_str());
  for (const std::string& warning : result.warnings) warnings.push_back(warning);
  if (myMessage.rfind("Save to Disk", 0) == 0) warnings.push_back(myMessage);
  std::sort(warnings.begin(), warnings.end());
  warnings.erase(std::unique(warnings.begin(), warnings.end()), warnings.end());
  for (const std::string& warning : warnings) addWarning(SOP_MESSAGE, warning.c_str());
  return error();
}
