// A small Houdini around the plugin's nodes.
#pragma once

#include <gtest/gtest.h>

#include <CH/CH_Manager.h>
#include <OP/OP_Network.h>
#include <OP/OP_OperatorTable.h>

#include "HoudiniGeometry.h"
#include "Register.h"
#include "SOP_VerveSolver.h"
#include "mesh/Shapes.h"

namespace verve::test {

/// A block of tets as Houdini has it: wound the other way round.
inline GU_Detail houdini_block() {
  const TetMesh mesh = make_box({1, .25, .25}, {4, 1, 1});
  GU_Detail detail;
  std::vector<double> positions;
  for (const Vec3& p : mesh.points) positions.insert(positions.end(), p.data(), p.data() + 3);
  detail.setPoints(positions);
  for (const auto& t : mesh.tets) detail.addPrimitive(GEO_PRIMTETRAHEDRON, {t[0], t[1], t[3], t[2]});
  return detail;
}

/// Two triangles, 4 x 4 m, that face up as Houdini winds them.
inline GU_Detail houdini_floor(double height) {
  GU_Detail detail;
  detail.setPoints({-2, height, -2, 2, height, -2, 2, height, 2, -2, height, 2});
  detail.addPrimitive(GEO_PRIMPOLY, {0, 1, 2});
  detail.addPrimitive(GEO_PRIMPOLY, {0, 2, 3});
  return detail;
}

inline void set_everywhere(GU_Detail& detail, const char* name, double value) {
  GA_Attribute* a = detail.addFloatTuple(GA_ATTRIB_POINT, name, 1);
  for (double& v : a->myValues) v = float(value);
}

/// Marks the points at the left end.
inline void pin_left(GU_Detail& detail) {
  GA_Attribute* pin = detail.addIntTuple(GA_ATTRIB_POINT, "pintoanimation", 1);
  for (std::size_t i = 0; i < pin->myValues.size(); ++i)
    pin->myValues[i] = detail.getP()->myValues[3 * i] < -.49;
}

inline void shift(GU_Detail& detail, double y) {
  for (std::size_t i = 1; i < detail.getP()->myValues.size(); i += 3)
    detail.getP()->myValues[i] = float(detail.getP()->myValues[i] + y);
}

/// A SOP whose geometry is a function of the frame. Where it has further outputs, they have the others.
class InputSop : public SOP_Node {
 public:
  explicit InputSop(std::function<GU_Detail(int frame)> make)
      : SOP_Node(nullptr, "input", nullptr), myMake(std::move(make)) {}
  std::shared_ptr<const GU_Detail> outputGeo(int output) const override {
    return output == 0 ? myGdh.myDetail : std::make_shared<GU_Detail>(myOthers.at(output)(myFrame));
  }
  /// As when somebody edits the node.
  void edit(std::function<GU_Detail(int frame)> make) {
    myMake = std::move(make);
    opChanged(OP_PARM_CHANGED);
  }
  std::vector<int> myCooked;
  std::map<int, std::function<GU_Detail(int frame)>> myOthers;

 protected:
  OP_ERROR cookMySop(OP_Context& context) override {
    myFrame = int(std::lround(CHgetManager()->getSample(context.getTime())));
    myCooked.push_back(myFrame);
    myGdh = GU_DetailHandle(std::make_shared<GU_Detail>(myMake(myFrame)));
    return UT_ERROR_NONE;
  }

 private:
  std::function<GU_Detail(int frame)> myMake;
  int myFrame = 0;
};

/// The solver SOP with its inputs, made by the operator that the plugin registers.
struct Network {
  explicit Network(std::function<GU_Detail(int)> bodies, std::function<GU_Detail(int)> colliders = {},
                   std::function<GU_Detail(int)> targets = {}, OP_Network* parent = nullptr)
      : first(std::move(bodies)) {
    verve_new_sop_operator(&table);
    OP_Operator* op = table.myOperators.at(0).get();
    owner.reset(op->myConstructor(parent, "solver", op).get());
    solver = static_cast<SOP_VerveSolver*>(owner.get());
    solver->myValues["youngexp"].text = "0";  // the tests say Young's modulus in Pa
    solver->myValues["young"].number = [](int, fpreal) { return 1e5; };
    solver->myInputs = {&first, nullptr, nullptr};
    if (targets) solver->myInputs[1] = (second = std::make_unique<InputSop>(std::move(targets))).get();
    if (colliders) solver->myInputs[2] = (third = std::make_unique<InputSop>(std::move(colliders))).get();
    for (const OP_Node::Wire& wire : solver->myInputs)
      if (wire.node) wire.node->myOutputs.push_back(solver);
  }
  GU_Detail cook(double frame) {
    OP_Context context(CHgetManager()->getTime(frame));
    solver->myDirty = true;
    solver->getCookedGeoHandle(context);
    EXPECT_TRUE(solver->myLocked.empty()) << "every input that was locked is unlocked";
    return *solver->myGdh.gdp();
  }

  OP_OperatorTable table;
  InputSop first;
  std::unique_ptr<InputSop> second, third;
  std::unique_ptr<OP_Node> owner;
  SOP_VerveSolver* solver = nullptr;
};

inline std::vector<double> positions(const GU_Detail& detail) {
  return detail.getP()->myValues;
}
inline double at(const GU_Detail& detail, GA_AttributeOwner owner, const char* name, std::size_t i = 0) {
  return detail.findAttribute(owner, name)->myValues.at(i);
}

}  // namespace verve::test
