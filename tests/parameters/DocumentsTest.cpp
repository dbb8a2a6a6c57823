// One table: scene checks, dialog, help card and README say the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "DialogReader.h"
#include "base/Error.h"
#include "node/NodeSettings.h"
#include "parameters/Dialog.h"
#include "parameters/Documents.h"
#include "parameters/NodeParameters.h"
#include "parameters/SceneCheck.h"

namespace verve {
namespace {

TEST(Dialog, HasEveryEntryWithItsDefaultMenuAndRange) {
  const std::vector<test::DialogParm> parms = test::read_dialog(dialog_script());
  std::map<std::string, test::DialogParm> by_name;
  for (const auto& p : parms) EXPECT_TRUE(by_name.emplace(p.name, p).second) << p.name << " stands twice";
  EXPECT_EQ(by_name.at("resimulate").type, "button");
  EXPECT_EQ(by_name.at("savetodisk").type, "button");
  EXPECT_EQ(parms.size(), dialog_entries().size() + 2);
  for (const DialogEntry& entry : dialog_entries()) {
    ASSERT_TRUE(by_name.count(entry.parm)) << entry.parm;
    const test::DialogParm& p = by_name.at(entry.parm);
    EXPECT_EQ(p.label, entry.label);
    EXPECT_EQ(p.menu, entry.parameter->menu);
    EXPECT_NE(p.help.find(entry.parameter->help), std::string::npos) << p.help;
    EXPECT_TRUE(p.menu.empty() || std::count(p.menu.begin(), p.menu.end(), p.defaults.at(0))) << p.name;
    const auto fallback = Json::parse(entry.fallback);
    EXPECT_NO_THROW(check_value(*entry.parameter, fallback, entry.parm));
    if (fallback.is_number()) {
      EXPECT_EQ(std::stod(p.defaults.at(0)), fallback.get<double>()) << p.name;
      EXPECT_LE(p.low, fallback.get<double>()) << p.name;
      EXPECT_GE(p.high, fallback.get<double>()) << p.name;
      EXPECT_GE(p.low, entry.parameter->low) << p.name;
      EXPECT_LE(p.high, entry.parameter->high) << p.name;
    }
    if (entry.when.empty()) continue;
    std::istringstream words(entry.when);
    std::string parm, relation, word;
    words >> parm >> relation >> word;
    ASSERT_TRUE(by_name.count(parm)) << entry.when;
    const std::vector<std::string>& menu = by_name.at(parm).menu;
    if (menu.empty())
      EXPECT_NO_THROW(std::stod(word)) << entry.when;
    else
      EXPECT_TRUE(std::count(menu.begin(), menu.end(), word)) << entry.when;
  }
}

TEST(Dialog, OfTheDopHasTheSameParametersAndHidesThoseWithoutEffect) {
  const auto sop = test::read_dialog(dialog_script("sop")), dop = test::read_dialog(dialog_script("dop"));
  ASSERT_EQ(sop.size(), dop.size());
  std::set<std::string> only_sop, only_dop;
  for (std::size_t i = 0; i < sop.size(); ++i) {
    EXPECT_EQ(sop[i].name, dop[i].name);
    EXPECT_EQ(sop[i].defaults, dop[i].defaults);
    if (!sop[i].invisible && dop[i].invisible) only_sop.insert(sop[i].name);
    if (sop[i].invisible && !dop[i].invisible) only_dop.insert(sop[i].name);
  }
  EXPECT_EQ(only_sop, (std::set<std::string>{"resimulate", "startframe", "timescale", "gravity", "cachesize",
                                             "onchange", "savetodisk", "loadfromdisk", "cachefolder",
                                             "cachename", "cacheversion", "endframe", "checkpointevery"}));
  EXPECT_EQ(only_dop, std::set<std::string>{"constraintdata"});
}

TEST(Dialog, ShowsEveryKeyOfTheSceneThatStandsOutsideLists) {
  std::set<std::string> shown;
  for (const DialogEntry& entry : dialog_entries()) shown.insert(entry.parameter->path);
  for (const Parameter& p : parameters()) {
    const bool setting = p.path.find("[]") == std::string::npos && p.kind != ParameterKind::object &&
                         p.kind != ParameterKind::list && p.folder() != "output" && !p.fallback.empty() &&
                         p.path != "integrator.max_events";  // more than a dialog's integers hold
    EXPECT_TRUE(!setting || p.of_node() || p.path == "frames" || p.path == "fps" ||
                (p.path == "substeps" && shown.count("node.substeps")) || p.path == "contact.surface" ||
                shown.count(p.path))
        << p.path;
  }
}

TEST(Dialog, TheReaderRefusesWhatIsNotBalanced) {
  std::string script = dialog_script();
  EXPECT_THROW(test::read_dialog(script.substr(0, script.size() - 3)), Error);
  EXPECT_THROW(test::read_dialog(script + "}"), Error);
  script.replace(script.find("label"), 5, "lable");
  EXPECT_THROW(test::read_dialog(script), Error);
}

TEST(Table, NodeRowsAreNoKeysOfAScene) {
  Json scene = Json::object();
  scene["node"] = {{"startframe", 3}};
  EXPECT_THROW(check_scene(scene, "test"), Error);
  scene = Json::object();
  EXPECT_THROW(apply_setting(scene, "node.startframe=3"), Error);
}

TEST(Table, DefaultsOfTheNodeAreThoseOfTheScene) {
  Json scene = Json::object();
  check_scene(scene, "test");
  const NodeSettings s = node_settings({});
  EXPECT_EQ(s.scene.gravity[1], scene["gravity"][1].get<double>());
  EXPECT_EQ(scene["quality"], "final");
  EXPECT_FALSE(scene["solver"].contains("tolerance"));
  EXPECT_EQ(s.scene.integrator.newton.tolerance, 1e-4) << "what that stands for";
  EXPECT_EQ(s.scene.contact.thickness, scene["contact"]["thickness"].get<double>());
}

TEST(HelpCard, TellsEveryParameterAndIsWellFormed) {
  for (const char* context : {"sop", "dop"}) {
    const std::string card = help_card(context);
    EXPECT_EQ(card.find("= Verve Solver =\n"), 0u);
    EXPECT_NE(card.find(std::string("#context: ") + context), std::string::npos);
    EXPECT_NE(card.find("Which integrator when"), std::string::npos);
    EXPECT_NE(card.find("Example network"), std::string::npos);
    EXPECT_NE(card.find("@parameters"), std::string::npos);
    for (const DialogEntry& entry : dialog_entries())
      if (entry.shown_in(context)) {
        EXPECT_NE(card.find("#id: " + entry.parm + "\n"), std::string::npos) << entry.parm;
        EXPECT_NE(card.find(entry.parameter->help), std::string::npos) << entry.parm;
      }
    for (const char* attribute : {"stiffness", "pintoanimation", "targetweight", "ledger_error"})
      EXPECT_NE(card.find(attribute), std::string::npos);
  }
}

TEST(Readme, HasTheTableAsItIs) {
  std::ifstream file(VERVE_README);
  std::stringstream text;
  text << file.rdbuf();
  const std::string readme = text.str();
  const std::size_t begin = readme.find(readme_begin), end = readme.find(readme_end);
  ASSERT_NE(begin, std::string::npos) << "put '" << readme_begin << "' where the table belongs";
  ASSERT_NE(end, std::string::npos);
  const std::size_t first = begin + std::string(readme_begin).size();
  EXPECT_EQ(readme.substr(first, end - first), "\n" + markdown_table())
      << "run: verve params --markdown, and paste it between the two lines";
}

TEST(Settings, ReachIntoMotions) {
  const Json given = Json::parse(R"({"bodies": [{"pins": [{"motion": {"keys": [[0, {}], [1, {}]]}}, {}]}]})");
  Json scene = given;
  apply_setting(scene, "bodies[0].pins[0].motion.keys[1][1].translate=[0,2,0]");
  apply_setting(scene, "bodies.0.pins.0.motion.keys.1.0=.5");
  apply_setting(scene, "bodies.0.pins.0.motion.keys.1.1.translate.1=3");
  EXPECT_EQ(scene["bodies"][0]["pins"][0]["motion"]["keys"],
            Json::parse(R"([[0, {}], [0.5, {"translate": [0, 3, 0]}]])"));
  apply_setting(scene, "bodies.0.pins.1.motion.keys=[[0,{}]]");
  EXPECT_EQ(scene["bodies"][0]["pins"][1]["motion"]["keys"], Json::parse("[[0, {}]]"));

  scene = given;
  for (const char* wrong :
       {"bodies.0.pins.0.motion.keys.2=[2,{}]", "bodies.0.pins.0.motion.keys.0.0.translate=1",
        "bodies.0.pins.1.motion.0=1", "bodies.0.geometry.cells.0=3"})
    EXPECT_THROW(apply_setting(scene, wrong), Error) << wrong;
}

TEST(Settings, TakeNumbersAsPeopleTypeThem) {
  for (const char* text : {".5", "0.5", "+.5", "5e-1"}) {
    Json scene = Json::object();
    apply_setting(scene, std::string("damping.delta=") + text);
    EXPECT_EQ(scene["damping"]["delta"], 0.5) << text;
  }
  for (const char* text : {"inf", "nan", "5x", "+", "."}) {
    Json scene = Json::object();
    apply_setting(scene, std::string("damping.delta=") + text);
    EXPECT_TRUE(scene["damping"]["delta"].is_string()) << text;
  }
}

}  // namespace
}  // namespace verve
