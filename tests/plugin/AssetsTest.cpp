// The digital assets, dialog, package and shelf, as far as they can be checked without Houdini.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "DialogReader.h"
#include "energy/Fabrics.h"
#include "parameters/Dialog.h"
#include "parameters/MaterialPresets.h"
#include "parameters/NodeParameters.h"

namespace verve {
namespace {

namespace fs = std::filesystem;
const fs::path library = fs::path(VERVE_SOURCE) / "otls" / "verve.hda";

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The pairs of file and section of a Sections.list, after its first line.
std::map<std::string, std::string> sections(const fs::path& folder) {
  std::map<std::string, std::string> result;
  std::istringstream lines(text_of(folder / "Sections.list"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "\"\"");
  while (std::getline(lines, line)) {
    const std::size_t tab = line.find('\t');
    EXPECT_NE(tab, std::string::npos) << line;
    result[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return result;
}

/// A section's name as its file is called: ':' is _8, '/' is _1, '_' is doubled.
std::string file_name(const std::string& section) {
  std::string name;
  for (char c : section) name += c == ':' ? "_8" : c == '/' ? "_1" : c == '_' ? "__" : std::string(1, c);
  return name;
}

std::vector<std::string> operators() {
  std::vector<std::string> names;
  for (const auto& [file, section] : sections(library))
    if (section.find("::Sop/") != std::string::npos) names.push_back(section);
  return names;
}

TEST(Assets, MaterialsAreTheSolversOwn) {
  const std::string cook = text_of(library / "verve_8_8Sop_1material" / "PythonCook");
  const auto expect = [&](const std::string& name, double stiffness, double density) {
    std::smatch found;
    const std::regex row("\"" + name + "\": \\(([0-9.]+), ([0-9.]+),");
    ASSERT_TRUE(std::regex_search(cook, found, row)) << name;
    EXPECT_NEAR(std::stod(found[1]) / stiffness, 1, .001) << name;
    EXPECT_NEAR(std::stod(found[2]) / density, 1, .001) << name;
  };
  for (const SoftPreset& p : soft_presets()) expect(p.name, p.young / 1e5, p.density / 100);
  const Fabric& usual = fabric("cotton");
  for (const Fabric& f : fabrics())
    expect(f.name == std::string("rubber") ? "rubber_sheet" : f.name, f.warp / usual.warp,
           f.density / usual.density);
}

TEST(Assets, ListWhatIsThere) {
  const auto listed = sections(library);
  for (const auto& [file, section] : listed) {
    EXPECT_TRUE(fs::exists(library / file)) << file;
    EXPECT_TRUE(section.find("Sop/") == std::string::npos || file == file_name(section)) << file;
  }
  for (const auto& entry : fs::directory_iterator(library))
    EXPECT_TRUE(entry.path().filename() == "Sections.list" || listed.count(entry.path().filename()))
        << entry.path();
  EXPECT_EQ(operators().size(), 4u);
  const std::string index = text_of(library / "INDEX__SECTION");
  for (const std::string& op : operators()) {
    const std::string name = "verve::" + op.substr(op.rfind('/') + 1);
    EXPECT_NE(index.find("Operator:     " + name + "\n"), std::string::npos) << name;
    EXPECT_NE(index.find("Path:         oplib:/" + op + "?" + op + "\n"), std::string::npos) << name;
    const fs::path folder = library / file_name(op);
    const auto own = sections(folder);
    for (const auto& [file, section] : own) EXPECT_TRUE(fs::exists(folder / file)) << file;
    for (const char* needed : {"DialogScript", "Help", "PythonCook", "Tools.shelf", "TypePropertiesOptions"})
      EXPECT_TRUE(own.count(needed)) << op << " " << needed;
  }
}

TEST(Assets, DialogsAreWholeAndTheirDefaultsInRange) {
  for (const std::string& op : operators()) {
    const fs::path folder = library / file_name(op);
    const std::vector<test::DialogParm> parms = test::read_dialog(text_of(folder / "DialogScript"));
    const std::string help = text_of(folder / "Help"), cook = text_of(folder / "PythonCook");
    std::set<std::string> names;
    for (const test::DialogParm& p : parms) {
      EXPECT_TRUE(names.insert(p.name).second) << op << " " << p.name;
      EXPECT_FALSE(p.help.empty()) << op << " " << p.name;
      EXPECT_NE(help.find("#id: " + p.name + "\n"), std::string::npos) << op << " " << p.name;
      if (p.type == "float" || p.type == "integer") {
        EXPECT_LE(p.low, std::stod(p.defaults.at(0))) << op << " " << p.name;
        EXPECT_GE(p.high, std::stod(p.defaults.at(0))) << op << " " << p.name;
      }
      EXPECT_TRUE(p.menu.empty() || std::count(p.menu.begin(), p.menu.end(), p.defaults.at(0)))
          << op << " " << p.name;
    }
    EXPECT_EQ(help.rfind("= Verve ", 0), 0u) << op;
    // Every parameter that the code evaluates is there.
    const std::regex evaluated("evalParm(?:Tuple)?\\(\"([a-z_]+)\"\\)");
    for (std::sregex_iterator it(cook.begin(), cook.end(), evaluated), end; it != end; ++it)
      EXPECT_TRUE(names.count((*it)[1])) << op << " evaluates " << (*it)[1];
    for (const char* pair : {"()", "[]", "{}"})
      EXPECT_EQ(std::count(cook.begin(), cook.end(), pair[0]), std::count(cook.begin(), cook.end(), pair[1]))
          << op << pair;
  }
}

TEST(Assets, HaveAllMaterials) {
  const std::string cook = text_of(library / "verve_8_8Sop_1material" / "PythonCook");
  for (const auto& p : test::read_dialog(text_of(library / "verve_8_8Sop_1material" / "DialogScript"))) {
    if (p.name != "preset") continue;
    EXPECT_EQ(p.menu, (std::vector<std::string>{"rubber", "jelly", "flesh", "foam", "silk", "cotton", "denim",
                                                "wool", "leather", "paper", "rubber_sheet", "steel_rod"}));
    for (const std::string& word : p.menu)
      EXPECT_NE(cook.find("\"" + word + "\": ("), std::string::npos) << word;
  }
}

/// The parameters that scripts set on the solver, as name=value or setParms keys, are in the dialog, and
/// words in its menus.
TEST(Examples, SetParametersThatTheSolverHas) {
  std::map<std::string, std::vector<std::string>> known = {
      {"colliders", {}}, {"targets", {}}, {"resimulate", {}}, {"savetodisk", {}}};
  for (const DialogEntry& entry : dialog_entries()) {
    known[entry.parm] = entry.parameter->menu;
    for (const char* k : {"x", "y", "z"})
      if (entry.parameter->kind == ParameterKind::vector) known[entry.parm + k] = {};
  }
  const std::string text = text_of(fs::path(VERVE_SOURCE) / "examples" / "houdini" / "networks.py");
  int found = 0;
  const auto check = [&](const std::string& name, const std::string& word) {
    ++found;
    ASSERT_TRUE(known.count(name)) << name;
    const std::vector<std::string>& menu = known[name];
    EXPECT_TRUE(menu.empty() || std::count(menu.begin(), menu.end(), word)) << name << " " << word;
  };
  const std::regex call("_solver\\(parent,([^()]*)\\)"), keyword("([a-z]+)=(?:\"(\\w+)\")?"),
      set("solver\\.setParms\\(\\{([^}]*)\\}"), key("\"([a-z]+)\": (?:\"(\\w+)\")?"),
      parm("solver\\.parm\\(\"([a-z]+)\"\\)()");
  const auto each = [](const std::string& in, const std::regex& what, const auto& body) {
    for (std::sregex_iterator it(in.begin(), in.end(), what), end; it != end; ++it) body(*it);
  };
  each(text, call,
       [&](const std::smatch& c) { each(c[1], keyword, [&](const std::smatch& k) { check(k[1], k[2]); }); });
  each(text, set,
       [&](const std::smatch& s) { each(s[1], key, [&](const std::smatch& k) { check(k[1], k[2]); }); });
  each(text, parm, [&](const std::smatch& p) { check(p[1], p[2]); });
  EXPECT_GT(found, 20);
}

TEST(Package, NamesWhatTheInstallLeaves) {
  const fs::path houdini = fs::path(VERVE_SOURCE) / "plugin" / "houdini";
  EXPECT_NE(text_of(houdini / "packages" / "verve.json.in").find("\"hpath\""), std::string::npos);
  EXPECT_NE(text_of(houdini / "config" / "Icons" / "verve_solver.svg").find("<svg"), std::string::npos);
  const std::string shelf = text_of(houdini / "toolbar" / "verve.shelf");
  const std::regex made("createNode\\(\"(verve::[a-z_]+)\"");
  std::set<std::string> known = {"verve::solver"};
  for (const std::string& op : operators()) known.insert("verve::" + op.substr(op.rfind('/') + 1));
  for (std::sregex_iterator it(shelf.begin(), shelf.end(), made), end; it != end; ++it)
    EXPECT_TRUE(known.count((*it)[1])) << (*it)[1];
}

/// "A reviewer should find only translation": small node files, nothing of the solver's inside.
TEST(Plugin, IsThin) {
  for (const auto& entry : fs::directory_iterator(fs::path(VERVE_SOURCE) / "plugin")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    const std::string text = text_of(entry.path());
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 300) << entry.path();
    for (const char* room : {"energy/", "integrator/", "minimize/", "linear/", "damping/", "contact/"})
      EXPECT_EQ(text.find(std::string("#include \"") + room), std::string::npos)
          << entry.path() << " " << room;
  }
}

}  // namespace
}  // namespace verve
