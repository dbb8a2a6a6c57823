#include "HoudiniParameters.h"

#include <OP/OP_Parameters.h>
#include <PRM/PRM_TemplateBuilder.h>
#include <UT/UT_String.h>
#include <UT/UT_StringHolder.h>
#include <UT/UT_Vector3.h>
#include <UT/UT_VectorTypes.h>

#include <algorithm>

#include "parameters/Dialog.h"
#include "parameters/NodeParameters.h"

namespace verve {

PRM_Template* sop_templates(PRM_Callback reset, PRM_Callback save) {
  static const std::string script = dialog_script("sop");
  static PRM_TemplateBuilder builder("verve_solver_sop", script.c_str());
  if (builder.justBuilt()) {
    builder.setCallback("resimulate", reset);
    builder.setCallback("savetodisk", save);
  }
  return builder.templates();
}

PRM_Template* dop_templates() {
  static const std::string script = dialog_script("dop");
  static PRM_TemplateBuilder builder("verve_solver_dop", script.c_str());
  return builder.templates();
}

PRM_Template* guide_templates() {
  static PRM_TemplateBuilder builder("verve_solver_guide", R"({
    name    verve_solver_guide
    parm {
        name    "showguide"
        label   "Show Guide Geometry"
        type    toggle
        default { "1" }
        help    "Shows the lines that the parameter Guides asks for."
    }
})");
  return builder.templates();
}

bool shows_guides(const UT_Options& options) {
  return options.hasOption("showguide") && options.getOptionB("showguide");
}

NodeValues values_at(const OP_Parameters& node, fpreal time) {
  NodeValues values;
  for (const DialogEntry& entry : dialog_entries()) {
    ParameterValue& value = values[entry.parm];
    const char* name = entry.parm.c_str();
    switch (entry.parameter->kind) {
      case ParameterKind::menu:
      case ParameterKind::text: {
        UT_String text;
        node.evalString(text, name, 0, time);
        value.text = text.toStdString();
        break;
      }
      case ParameterKind::integer:
      case ParameterKind::toggle:
        value.numbers = {double(node.evalInt(name, 0, time))};
        break;
      default:
        for (int i = 0; i < std::max(1, entry.parameter->size); ++i)
          value.numbers.push_back(node.evalFloat(name, i, time));
    }
  }
  return values;
}

NodeValues values_of(const UT_Options& options) {
  NodeValues values;
  for (const DialogEntry& entry : dialog_entries()) {
    if (!options.hasOption(entry.parm.c_str())) continue;
    ParameterValue& value = values[entry.parm];
    switch (entry.parameter->kind) {
      case ParameterKind::menu:
      case ParameterKind::text:
        value.text = options.getOptionS(entry.parm.c_str()).toStdString();
        break;
      case ParameterKind::integer:
        value.numbers = {double(options.getOptionI(entry.parm.c_str()))};
        break;
      case ParameterKind::toggle:
        value.numbers = {options.getOptionB(entry.parm.c_str()) ? 1.0 : 0.0};
        break;
      case ParameterKind::vector: {
        const UT_Vector3D v = options.getOptionV3(entry.parm.c_str());
        value.numbers = {v(0), v(1), v(2)};
        break;
      }
      default:
        value.numbers = {options.getOptionF(entry.parm.c_str())};
    }
  }
  return values;
}

}  // namespace verve
