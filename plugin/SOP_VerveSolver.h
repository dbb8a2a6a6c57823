// The SOP verve::solver. Translates between Houdini and verve::SolverNode, nothing more. It keeps simulated
// frames from cook to cook and asks its inputs for other frames than the present one, so it has no verb:
// compiled blocks, which drop what a node keeps and have the present frame only, do not take it.
#pragma once

#include <OP/OP_Context.h>
#include <OP/OP_DataTypes.h>
#include <OP/OP_Error.h>
#include <OP/OP_Node.h>
#include <OP/OP_Value.h>
#include <PRM/PRM_Template.h>
#include <SOP/SOP_Node.h>
#include <SYS/SYS_Types.h>
#include <SYS/SYS_Version.h>
#include <UT/UT_StringHolder.h>

#include <optional>

#include "node/SolverNode.h"

#if SYS_VERSION_MAJOR_INT < 21
using OP_InputIdx = unsigned;  // from Houdini 21 on OP_DataTypes.h has it, as an int
#endif

class OP_Network;
class OP_NodeInfoParms;
class OP_Operator;

class SOP_VerveSolver : public SOP_Node {
 public:
  static const UT_StringHolder theSOPTypeName;
  static PRM_Template* buildTemplates();
  static OP_Node* myConstructor(OP_Network* net, const char* name, OP_Operator* op);

  const char* inputLabel(OP_InputIdx index) const override;
  void getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) override;
  void opChanged(OP_EventType reason, void* data = nullptr) override;

  const verve::SolverNode& solver() const { return mySolver; }

  /// Save to Disk: simulates and writes frame by frame; what comes of it is said by message().
  void saveToDisk(fpreal time);
  const std::string& message() const { return myMessage; }

 protected:
  SOP_VerveSolver(OP_Network* net, const char* name, OP_Operator* op);
  ~SOP_VerveSolver() override;
  OP_ERROR cookMySop(OP_Context& context) override;
  OP_ERROR cookMyGuide1(OP_Context& context) override;

 private:
  verve::NodeFrame readFrame(int frame, const OP_Context& context, std::vector<std::string>& warnings);
  std::shared_ptr<const verve::Geometry> readInput(int index, int frame, OP_Context& context,
                                                   std::vector<std::string>& warnings);
  void noticeEdits();

  verve::SolverNode mySolver;
  std::map<int, std::uint64_t> mySettings;  ///< of the frames that were asked for: their fingerprints
  bool myInputsEdited = false, myParmsEdited = false;
  std::optional<fpreal> myCookedAt;  ///< the time of the last cook that went well
  std::string mySummary, myMessage;
  verve::Geometry myLines;  ///< of the guide
};
