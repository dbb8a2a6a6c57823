// The table of attributes: what stands in it is complete, and all that speak of attributes speak of these.
#include "parameters/Attributes.h"

#include <gtest/gtest.h>

#include <set>

#include "parameters/Documents.h"
#include "parameters/Parameters.h"

namespace verve {
namespace {

TEST(Attributes, StandOnceAtEachDoorAndSayWhatTheyAre) {
  std::set<std::pair<AttributeDoor, std::string>> known;
  for (const AttributeEntry& entry : attributes()) {
    EXPECT_TRUE(known.emplace(entry.door, entry.name).second) << entry.name;
    ASSERT_FALSE(entry.help.empty()) << entry.name;
    EXPECT_EQ(entry.help.back(), '.') << entry.name;
    const std::set<std::string> owners = {"point", "vertex", "primitive", "detail"};
    EXPECT_EQ(owners.count(entry.owner), 1u) << entry.name;
  }
}

TEST(Attributes, OfParametersAreInTheTable) {
  for (const Parameter& p : parameters())
    if (!p.attribute.empty()) {
      const bool there = find_attribute(AttributeDoor::body, p.attribute) ||
                         find_attribute(AttributeDoor::collider, p.attribute);
      EXPECT_TRUE(there) << p.path << ": " << p.attribute;
    }
}

TEST(Attributes, AreToldByEveryDocument) {
  const std::string card = help_card("sop"), table = markdown_table();
  const std::string& file = find_parameter("bodies[].geometry.file")->help;
  for (const AttributeEntry& entry : attributes()) {
    EXPECT_NE(card.find("\n" + entry.name + ":\n    " + entry.help), std::string::npos) << entry.name;
    EXPECT_NE(table.find("| `" + entry.name + "` |"), std::string::npos) << entry.name;
    if (entry.door == AttributeDoor::body) {
      EXPECT_NE(file.find(entry.name), std::string::npos) << entry.name;
    }
  }
}

}  // namespace
}  // namespace verve
