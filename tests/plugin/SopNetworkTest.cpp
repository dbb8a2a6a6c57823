// The SOP among other nodes: wires from any output, edits at other frames, what is left upstream.
#include <UT/UT_Interrupt.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "Network.h"
#include "TemporaryFolder.h"
#include "load/Machine.h"

namespace verve {
namespace {

using test::Network;

GU_Detail pinned(int) {
  GU_Detail detail = test::houdini_block();
  test::pin_left(detail);
  return detail;
}

std::vector<double> fresh(const std::function<GU_Detail(int)>& bodies, int frame,
                          const std::function<GU_Detail(int)>& colliders = {}) {
  Network net(bodies, colliders);
  return test::positions(net.cook(frame));
}

TEST(SopNetwork, WiresMayLeaveFromAnyOutputAtEveryFrame) {
  // As Vellum's nodes: geometry, constraints and colliders leave from one node's three outputs.
  const auto targets = [](int frame) {
    GU_Detail detail = pinned(frame);
    test::shift(detail, .01 * frame);
    return detail;
  };
  const auto floor = [](int frame) { return test::houdini_floor(-.3 + .02 * frame); };
  Network net([](int) { return test::houdini_block(); });
  net.first.myOthers = {{1, targets}, {2, floor}};
  net.solver->myInputs = {{&net.first, 0}, {&net.first, 1}, {&net.first, 2}};
  Network apart([](int) { return test::houdini_block(); }, floor, targets);
  for (int frame : {9, 4, 12}) {
    EXPECT_EQ(test::positions(net.cook(frame)), test::positions(apart.cook(frame))) << frame;
    EXPECT_TRUE(net.solver->myErrors.empty());
  }
  EXPECT_EQ(test::positions(net.cook(12))[1], test::positions(targets(12))[1])
      << "the pins of the second output";
}

TEST(SopNetwork, AnEditAtAnEarlierFrameIsNoticed) {
  // The collider is the same at the frame that is shown, but comes up higher before.
  const auto wave = [](double height) {
    return [height](int frame) { return test::houdini_floor(frame > 3 && frame < 8 ? height : -.6); };
  };
  const auto bodies = [](int) { return test::houdini_block(); };
  Network net(bodies, wave(-.4));
  const std::vector<double> before = test::positions(net.cook(14));
  net.third->edit(wave(-.14));
  net.first.myCooked.clear();
  net.third->myCooked.clear();
  const std::vector<double> after = test::positions(net.cook(14));
  EXPECT_NE(after, before);
  EXPECT_EQ(after, fresh(bodies, 14, wave(-.14)));
  for (const auto* input : {&net.first, net.third.get()}) {
    std::map<int, int> times;
    for (int f : input->myCooked) ++times[f];
    for (const auto& [frame, count] : times) EXPECT_LE(count, frame == 14 ? 2 : 1) << "frame " << frame;
    EXPECT_EQ(input->myCooked.back(), 14) << "left at the present time";
  }
}

TEST(SopNetwork, AnEditThatNobodyTellsOfIsNoticedToo) {
  const auto wave = [](double height) {
    return [height](int frame) { return test::houdini_floor(frame > 3 && frame < 8 ? height : -.6); };
  };
  const auto bodies = [](int) { return test::houdini_block(); };
  Network net(bodies, wave(-.4));
  net.cook(14);
  net.third->myOutputs.clear();
  net.third->edit(wave(-.14));
  EXPECT_EQ(test::positions(net.cook(14)), fresh(bodies, 14, wave(-.14)));
}

TEST(SopNetwork, FramesThatLieAheadAreLookedAtWhenTheirTurnComes) {
  const auto rise = [](double step) {
    return [step](int frame) { return test::houdini_floor(frame < 10 ? -.5 : -.5 + step * (frame - 9)); };
  };
  const auto bodies = [](int) { return test::houdini_block(); };
  Network net(bodies, rise(.02));
  net.cook(16);
  net.third->edit(rise(.05));
  net.cook(5);
  net.third->myCooked.clear();
  EXPECT_EQ(test::positions(net.cook(16)), fresh(bodies, 16, rise(.05)));
  EXPECT_EQ(*std::min_element(net.third->myCooked.begin(), net.third->myCooked.end()), 6)
      << "those up to 5 have been looked at";
}

TEST(SopNetwork, ATweakCooksEachInputOnceAndNothingWhereOnlyTheOutputChanges) {
  Network net(pinned, [](int frame) { return test::houdini_floor(-.4 + .01 * frame); });
  net.cook(10);
  net.third->myCooked.clear();
  net.solver->setFloat("young", 0, 0, 30000);
  net.cook(10);
  EXPECT_EQ(net.third->myCooked.size(), 10u) << "9 frames, and back to the present";
  net.third->myCooked.clear();
  net.solver->setInt("dostress", 0, 0, 0);
  net.solver->setFloat("alpha", 0, 0, .2);  // of another integrator
  net.cook(10);
  EXPECT_TRUE(net.third->myCooked.empty());
}

TEST(SopNetwork, AnEditedKeyOfAParameterIsNoticed) {
  const auto keyed = [](double peak) {
    return [peak](int, fpreal time) { return time > 2.5 / 24 && time < 3.5 / 24 ? peak : 20000; };
  };
  Network net(pinned), other(pinned);
  net.solver->myValues["young"].number = keyed(20000);
  const std::vector<double> before = test::positions(net.cook(9));
  net.solver->myValues["young"].number = other.solver->myValues["young"].number = keyed(500);
  net.solver->parmChanged();
  const std::vector<double> after = test::positions(net.cook(9));
  EXPECT_NE(after, before);
  EXPECT_EQ(after, test::positions(other.cook(9)));
}

TEST(SopNetwork, EachPieceOfALoopIsSimulatedForItself) {
  // A for-each cooks the node at one frame with one piece after the other.
  const auto piece = [](double size) {
    return [size](int) {
      GU_Detail detail = pinned(1);
      for (double& v : detail.getP()->myValues) v = float(v * size);
      return detail;
    };
  };
  const auto same = [&](double size) {
    return [size, &piece](int frame) {
      GU_Detail detail = piece(size)(frame);
      GA_Attribute* pin = detail.addIntTuple(GA_ATTRIB_POINT, "pintoanimation", 1);
      for (std::size_t i = 0; i < pin->myValues.size(); ++i)
        pin->myValues[i] = detail.getP()->myValues[3 * i] < 0;
      return detail;
    };
  };
  Network net(same(1));
  for (double size : {1., .5, 1.}) {
    net.first.edit(same(size));
    EXPECT_EQ(test::positions(net.cook(6)), fresh(same(size), 6)) << size;
  }
}

TEST(SopNetwork, InsideASopSolverItSaysSo) {
  OP_Network dops(DOP_OPTYPE_ID), solver(SOP_OPTYPE_ID);
  solver.myParent = &dops;
  Network net(pinned, {}, {}, &solver);
  net.cook(3);
  ASSERT_EQ(net.solver->myErrors.size(), 1u);
  EXPECT_NE(net.solver->myErrors[0].find("SOP Solver"), std::string::npos) << net.solver->myErrors[0];
  EXPECT_EQ(net.solver->myGdh.gdp()->getNumPoints(), 0);
}

TEST(SopNetwork, AnInputThatDoesNotCookIsNamedWithItsFrame) {
  class Fails : public SOP_Node {
   public:
    Fails() : SOP_Node(nullptr, "fails", nullptr) {}

   protected:
    OP_ERROR cookMySop(OP_Context& context) override {
      *gdp = test::houdini_block();
      return CHgetManager()->getSample(context.getTime()) > 3.5 ? addError(0, "no file") : error();
    }
  } fails;
  Network net(pinned);
  net.solver->myInputs[0] = &fails;
  net.cook(3);
  EXPECT_TRUE(net.solver->myErrors.empty());
  net.cook(5);
  ASSERT_FALSE(net.solver->myErrors.empty());
}

TEST(SopNetwork, PositionsInSixtyFourBitsKeepTheirDigits) {
  // A kilometre from the origin single precision has steps of 6e-5 m, more than a frame's fall at its start.
  const auto far = [](bool precise) {
    return [precise](int) {
      GU_Detail detail = test::houdini_block();
      std::vector<double> positions = detail.getP()->myValues;
      for (std::size_t i = 0; i < positions.size(); i += 3) positions[i] += 1000.1, positions[i + 1] += 1e-7;
      if (precise) detail.setPrecise();
      detail.setPoints(positions);
      return detail;
    };
  };
  Network net(far(true)), coarse(far(false));
  const std::vector<double> start = test::positions(far(true)(1)), end = test::positions(net.cook(3)),
                            rough = test::positions(coarse.cook(3));
  const double fall = .5 * 9.81 * 4 / 24 / 24;
  double worst = 0;
  for (std::size_t i = 0; i < start.size(); i += 3) {
    // Free fall: nothing moves sideways but by the solver's tolerance.
    EXPECT_NEAR(end[i], start[i], 1e-7);
    EXPECT_NEAR(end[i + 1], start[i + 1] - fall, 1e-7);
    worst = std::max(worst, std::abs(rough[i] - start[i]));
  }
  EXPECT_GT(worst, 1e-6) << "which single precision cannot";
}

TEST(SopNetwork, OtherTasksDoNotStartInsideACook) {
  // Houdini cooks nodes from TBB tasks, and what is upstream has tasks of its own. A thread that waits for
  // these inside one cook must not begin another. Here both threads of an arena work for the input; while one
  // of them holds on to its part and the cook waits for it, a task comes that only the waiting thread could
  // take.
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena arena(2);
  std::thread::id cooking;
  std::atomic<int> working{0};
  std::atomic<bool> asked{false}, began{false}, cooks{false}, inside{false};
  const auto until = [](const std::atomic<bool>& flag) {
    for (int i = 0; i < 300 && !flag; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const auto other_task = [&] {
    inside = cooks && std::this_thread::get_id() == cooking;
    began = true;
  };
  const auto with_tasks = [&](int) {
    if (asked.exchange(true)) return test::houdini_block();
    std::atomic<bool> both{false};
    const auto part = [&](int) {
      both = ++working == 2 || both;
      until(both);
      if (std::this_thread::get_id() == cooking) return;
      std::thread([&] { arena.enqueue(other_task); }).join();
      until(began);
    };
    tbb::parallel_for(0, 2, 1, part, tbb::simple_partitioner());
    return test::houdini_block();
  };
  Network net(with_tasks);
  arena.execute([&] {
    cooking = std::this_thread::get_id();
    cooks = true;
    net.cook(3);
    cooks = false;
  });
  if (working < 2 || !asked) GTEST_SKIP() << "there was no second thread";
  while (!began) std::this_thread::yield();
  EXPECT_FALSE(inside);
}

/// Presses a button of the node.
void press(Network& net, const std::string& name, double frame) {
  for (const PRM_Template* t : net.solver->myTemplates)
    if (t->myParm.name == name) {
      PRM_Callback call = t->myCallback;
      ASSERT_TRUE(call.isNotNull());
      call(net.solver, 0, CHgetManager()->getTime(frame), t);
      return;
    }
  FAIL() << name << " is no button";
}

TEST(SopNetwork, SavesToDiskGoesOnInAnotherSessionAndShowsWhatItSaved) {
  const TemporaryFolder folder;
  const auto bodies = [](int) { return test::houdini_block(); };
  const auto floor = [](int frame) { return test::houdini_floor(-.4 + .01 * frame); };
  const auto set = [&](Network& net) {
    net.solver->setString(folder.path().c_str(), "cachefolder");
    net.solver->setString("block", "cachename");
    net.solver->setInt("endframe", 0, 0, 12);
    net.solver->setInt("checkpointevery", 0, 0, 4);
  };
  {
    Network net(bodies, floor);
    set(net);
    UT_AutoInterrupt::theCallsLeft = 60;
    press(net, "savetodisk", 3);
    UT_AutoInterrupt::theCallsLeft = -1;
    EXPECT_NE(net.solver->message().find("interrupted"), std::string::npos) << net.solver->message();
    net.cook(3);
    ASSERT_FALSE(net.solver->myWarnings.empty());
    EXPECT_NE(net.solver->myWarnings[0].find("press it again"), std::string::npos)
        << net.solver->myWarnings[0];
  }
  Network net(bodies, floor);
  set(net);
  press(net, "savetodisk", 3);
  EXPECT_EQ(net.solver->message().find("frames 1 to 12 are on the disk; went on from frame"), 0u)
      << net.solver->message();
  EXPECT_TRUE(std::ifstream(folder.path() + "/v1/block_v1.0012.bgeo").good());

  Network shows(bodies, floor), made(bodies, floor);
  set(shows);
  shows.solver->setInt("loadfromdisk", 0, 0, 1);
  shows.third->myCooked.clear();
  for (int frame : {12, 5, 1}) {
    EXPECT_EQ(test::positions(shows.cook(frame)), test::positions(made.cook(frame))) << frame;
    EXPECT_TRUE(shows.solver->myErrors.empty() && shows.solver->myWarnings.empty());
  }
  EXPECT_EQ(shows.third->myCooked.size(), 3u) << "only the frames that are shown";
  shows.solver->setFloat("young", 0, 0, 5e4);
  const GU_Detail stale = shows.cook(5);
  EXPECT_EQ(test::at(stale, GA_ATTRIB_DETAIL, "stale"), 1);
  EXPECT_EQ(test::positions(stale), test::positions(made.cook(5)));
  ASSERT_FALSE(shows.solver->myWarnings.empty());
  shows.cook(13);
  ASSERT_EQ(shows.solver->myErrors.size(), 1u);
  EXPECT_NE(shows.solver->myErrors[0].find("there are frames 1 to 12"), std::string::npos);
}

TEST(SopNetwork, GuidesShowPinsAndHowThickCollidersAre) {
  Network net(pinned, [](int) { return test::houdini_floor(-.4); });
  OP_Context context(CHgetManager()->getTime(3));
  net.cook(3);
  EXPECT_EQ(net.solver->guide(context).getNumPrimitives(), 0);
  net.solver->setString("all", "guides");
  net.solver->setFloat("thickness", 0, 0, .05);
  const GU_Detail shown = net.cook(3);
  const GU_Detail& guide = net.solver->guide(context);
  EXPECT_EQ(guide.getNumPrimitives(), 4 * 3 + 5)
      << "crosses at four pinned points, the edges of two triangles";
  double highest = -1e9;
  for (int i = 4 * 3 * 2; i < guide.getNumPoints(); ++i)
    highest = std::max(highest, guide.getP()->myValues[std::size_t(3 * i + 1)]);
  EXPECT_NEAR(highest, -.35, 1e-6);
  EXPECT_EQ(shown.getNumPrimitives(), test::houdini_block().getNumPrimitives())
      << "the geometry has none of it";
}

TEST(Machine, AnOlderProcessorGetsASentence) {
  EXPECT_EQ(refusal({true, true, true}), "");
  const std::string sentence = refusal({false, true, false});
  EXPECT_NE(sentence.find("AVX2 BMI2"), std::string::npos) << sentence;
  EXPECT_EQ(refusal(), "") << "the machine that tests it runs it";
}

}  // namespace
}  // namespace verve
