#include "parameters/Attributes.h"

#include <algorithm>

namespace verve {
namespace {

using Door = AttributeDoor;
using Form = AttributeForm;

const char* const titles[][2] = {
    {"of what is simulated",
     "They are read anew with every frame. Those of points may also stand on primitives (points take the "
     "mean) "
     "or on the detail (all points take it). One named like a parameter multiplies it; elements take the "
     "mean "
     "of their points'."},
    {"of colliders", "On the points of the collision geometry."},
    {"of constraints", "On the second input. Lines are as Vellum has them."},
    {"of DOP objects", "As POP nodes leave them."},
    {"written", "On what comes out."},
};

std::string title(Door door) {
  return titles[std::size_t(door)][0];
}

std::vector<AttributeEntry> make() {
  const auto b = [](const char* name, Form form, const char* unit, const char* help) {
    return AttributeEntry{name, Door::body, form, "point", unit, help};
  };
  const auto more_than_0 = [](AttributeEntry entry) {
    entry.above_low = true;
    return entry;
  };
  const auto at = [](Door door, const char* name, Form form, const char* owner, const char* unit,
                     const char* help) { return AttributeEntry{name, door, form, owner, unit, help}; };
  return {
      b("stiffness", Form::factor, "",
        "Multiplies the material's stiffness; 0 leaves an element without any, with its mass."),
      more_than_0(b("massdensity", Form::factor, "", "Multiplies the density.")),
      b("dampingratio", Form::factor, "", "Multiplies damping."),
      more_than_0(b("restscale", Form::factor, "",
                    "Multiplies lengths at rest; paint it over time to grow, shrink or inflate.")),
      b("friction", Form::factor, "", "Multiplies both frictions."),
      b("collisionstiffness", Form::factor, "", "Multiplies the stiffness of contacts."),
      more_than_0(b("mass", Form::amount, "kg", "Of the point, instead of what the density gives.")),
      b("v", Form::direction, "m/s", "Velocity at the start. It goes out as well."),
      b("rest", Form::shape, "m",
        "The shape without strain; P at the start frame if there is none. It goes out as well."),
      b("pintoanimation", Form::flag, "",
        "Not 0: the point follows the input's P (or targetP). It may come and go at any frame."),
      b("stopped", Form::flag, "", "1: the point stays where it is."),
      b("targetP", Form::place, "m", "Where pins and soft targets are, instead of P."),
      b("targetweight", Form::amount, "",
        "How strongly a target pulls (times Target Stiffness); 0: not at all."),
      b("force", Form::direction, "N", "On the point."),
      b("wind", Form::direction, "m/s", "With Air on: a wind at the point beside that of the parameters."),
      b("dragnormal", Form::factor, "", "With Air on: multiplies the drag across surfaces."),
      b("dragtangent", Form::factor, "", "With Air on: multiplies the drag along surfaces."),
      b("disableexternal", Form::flag, "",
        "Not 0: the point passes through colliders, and so does every edge and triangle that it is a corner "
        "of."),
      b("disableself", Form::flag, "",
        "Not 0: the point passes through bodies, its own and others, and so does every edge and triangle "
        "that "
        "it is a corner of."),
      b("collisiongroup", Form::words, "", "The name of the point's group."),
      b("collisionignore", Form::words, "",
        "The groups that it passes through: names with * and ?, of colliders with external/ in front "
        "(external/* is all colliders). It is enough that one of two ignores the other. An edge or triangle "
        "passes through what one of its corners passes through."),
      b("pscale", Form::amount, "m",
        "Radius of a point in contact; edges and triangles are as thick as their corners. It adds to "
        "Thickness "
        "at colliders and takes the place of half of Body Thickness between bodies."),
      b("release", Form::number, "s",
        "When attachments of the point let go, after the first frame; below 0: never."),
      at(Door::body, "restlength", Form::amount, "primitive", "m",
         "On poly lines: their rest length, shared out among their segments; 0: as they are at rest."),
      b("warp", Form::direction, "", "Where the warp of a fabric goes. It comes before uv."),
      at(Door::body, "uv", Form::coordinates, "vertex", "", "The warp of a fabric goes along u."),
      b("name", Form::words, "", "Names pieces in messages."),
      b("id", Form::number, "", "Matches the points of the second input, where both have it."),

      at(Door::collider, "collisionstiffness", Form::factor, "point", "",
         "Multiplies the stiffness of contacts there."),
      at(Door::collider, "stiffness", Form::factor, "point", "",
         "The same, where there is no collisionstiffness."),
      at(Door::collider, "friction", Form::factor, "point", "", "Multiplies both frictions there."),
      at(Door::collider, "dynamicfriction", Form::factor, "point", "",
         "Multiplies dynamic friction, by its mean over the collider."),
      at(Door::collider, "collisiongroup", Form::words, "point", "",
         "The collider's group: all points of a connected collider must be of one."),
      at(Door::collider, "collisionignore", Form::words, "point", "", "The groups that pass through it."),

      at(Door::constraint, "pintoanimation", Form::flag, "point", "", "As on bodies; here it comes first."),
      at(Door::constraint, "stopped", Form::flag, "point", "", "As on bodies; here it comes first."),
      at(Door::constraint, "targetweight", Form::amount, "point", "", "As on bodies; here it comes first."),
      at(Door::constraint, "id", Form::number, "point", "", "Matches the points of the first input."),
      at(Door::constraint, "type", Form::words, "primitive", "",
         "distance, attach or pin keep the length, stitch pulls to restlength (0: together)."),
      at(Door::constraint, "restlength", Form::amount, "primitive", "m",
         "The length that the line keeps. Without stiffness it must be the distance that the points have "
         "when "
         "the line comes."),
      at(Door::constraint, "stiffness", Form::amount, "primitive", "N/m",
         "Below 1e10 each segment is a spring, of which there may be thousands; without it the line holds "
         "exactly."),
      at(Door::constraint, "dampingratio", Form::amount, "primitive", "", "1 no longer swings."),
      at(Door::constraint, "release", Form::number, "primitive", "s",
         "When the line's springs let go, after the first frame; they also do where the line is gone."),
      at(Door::constraint, "breakthreshold", Form::amount, "primitive", "",
         "Beyond it a spring breaks: N, or what breaktype says."),
      at(Door::constraint, "breaktype", Form::words, "primitive", "",
         "What breakthreshold is: stretchstress (N), stretchdistance (m) or stretchratio (a share of the "
         "length)."),

      at(Door::dynamics, "airresist", Form::amount, "point", "kg/s", "Drag towards targetv."),
      at(Door::dynamics, "targetv", Form::direction, "point", "m/s", "The wind that airresist is against."),

      at(Door::written, "P", Form::place, "point", "m", "As simulated."),
      at(Door::written, "v", Form::direction, "point", "m/s", "As simulated."),
      at(Door::written, "rest", Form::shape, "point", "m", "The shape without strain."),
      at(Door::written, "stress", Form::number, "point", "",
         "Of tets von Mises' stress in Pa; of springs tension in N."),
      at(Door::written, "energydensity", Form::number, "point", "",
         "Of tets the stored energy in J/m^3; of springs in J/m."),
      at(Door::written, "contact", Form::flag, "point", "", "1 where a point touches something."),
      at(Door::written, "inverted", Form::flag, "primitive", "", "1 on tetrahedra that are inside out."),
      at(Door::written, "time", Form::number, "detail", "s", "Of the frame."),
      at(Door::written, "kinetic, elastic, gravity, contact, total", Form::number, "detail", "J",
         "Where the energy is."),
      at(Door::written, "dissipated, work", Form::number, "detail", "J",
         "What damping and friction took, and what pins and colliders brought, since the start."),
      at(Door::written, "ledger_error", Form::number, "detail", "", "What the ledger misses, as a share."),
      at(Door::written, "stale", Form::flag, "detail", "",
         "1 while cached frames are older than the parameters or inputs."),
  };
}

}  // namespace

const std::vector<AttributeEntry>& attributes() {
  static const std::vector<AttributeEntry> table = make();
  return table;
}

const AttributeEntry* find_attribute(AttributeDoor door, const std::string& name) {
  for (const AttributeEntry& entry : attributes())
    if (entry.door == door && entry.name == name) return &entry;
  return nullptr;
}

std::string attribute_names(AttributeDoor door) {
  std::vector<std::string> names;
  for (const AttributeEntry& entry : attributes())
    if (entry.door == door) names.push_back(entry.name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

std::string attribute_markdown() {
  std::string out = "| attribute | of | class | size | unit | what it does |\n|---|---|---|---|---|---|\n";
  for (const AttributeEntry& entry : attributes())
    out += "| `" + entry.name + "` | " + title(entry.door) + " | " + entry.owner + " | " +
           (entry.is_text() ? "text" : std::to_string(entry.size())) + " | " + entry.unit + " | " +
           entry.help + " |\n";
  return out;
}

std::string attribute_help() {
  std::string out = "@attributes\n";
  for (std::size_t d = 0; d < std::size(titles); ++d) {
    out += "\n== " + std::string(titles[d][0]) + " ==\n\n" + titles[d][1] + "\n";
    for (const AttributeEntry& entry : attributes()) {
      if (entry.door != AttributeDoor(d)) continue;
      out += "\n" + entry.name + ":\n    " + entry.help;
      if (!entry.unit.empty()) out += " In " + entry.unit + ".";
      if (entry.owner != "point") out += " On " + entry.owner + (entry.owner == "detail" ? "." : "s.");
      out += "\n";
    }
  }
  return out;
}

}  // namespace verve
