// The SOP verve::solver. Translates between Houdini and verve::SolverNode, nothing more.
#pragma once

#include <SOP/SOP_Node.h>
#include <SOP/SOP_NodeVerb.h>
#include <SYS/SYS_Version.h>

#include "node/SolverNode.h"

#if SYS_VERSION_MAJOR_INT < 21
using OP_InputIdx = unsigned;  // from Houdini 21 on OP_DataTypes.h has it, as an int
#endif

class SOP_VerveSolver : public SOP_Node {
 public:
  static const UT_StringHolder theSOPTypeName;
  static PRM_Template* buildTemplates();
  static OP_Node* myConstructor(OP_Network* net, const char* name, OP_Operator* op);

  const SOP_NodeVerb* cookVerb() const override;
  const char* inputLabel(OP_InputIdx index) const override;
  void getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) override;
  void setSummary(const std::string& summary) { mySummary = summary; }

 protected:
  SOP_VerveSolver(OP_Network* net, const char* name, OP_Operator* op);
  ~SOP_VerveSolver() override;
  OP_ERROR cookMySop(OP_Context& context) override;

 private:
  std::string mySummary;
};

/// Cooks may come from any order of frames; what the cache holds is made again when Houdini has dropped it.
class SOP_VerveSolverCache : public SOP_NodeCache {
 public:
  int64 getMemoryUsage(bool inclusive) const override;
  verve::SolverNode node;
};

class SOP_VerveSolverVerb : public SOP_NodeVerb {
 public:
  static const SOP_NodeVerb::Register<SOP_VerveSolverVerb> theVerb;

  SOP_NodeParms* allocParms() const override;
  SOP_NodeCache* allocCache() const override { return new SOP_VerveSolverCache; }
  UT_StringHolder name() const override { return SOP_VerveSolver::theSOPTypeName; }
  CookMode cookMode(const SOP_NodeParms*) const override { return COOK_DUPLICATE; }
  void cook(const CookParms& cookparms) const override;
};
