#include "mesh/MeshSummary.h"

#include "mesh/MeshGeometry.h"
#include "mesh/MeshQuality.h"
#include "mesh/MeshTopology.h"
#include "mesh/ShapeSize.h"

namespace verve {
namespace {

std::string line(const std::string& name, const std::string& value) {
  return name + ": " + value + "\n";
}

std::string defect(const MeshReport::Entry& entry, const std::string& what, const char* offender) {
  if (entry.count == 0) return "";
  return line(what,
              std::to_string(entry.count) + " (first: " + offender + " " + std::to_string(entry.first) + ")");
}

std::string sizes(const std::vector<Vec3>& points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points)
    if (p.allFinite()) box.extend(p);
  if (box.isEmpty()) return "";
  const auto triple = [](const Vec3& v) {
    return short_number(v[0]) + " " + short_number(v[1]) + " " + short_number(v[2]);
  };
  return line("size", triple(box.sizes())) + line("centre", triple(box.center()));
}

std::string defects(const MeshReport& report, const char* element) {
  std::string text;
  for (int k = 0; k < defect_kinds; ++k) {
    const Defect kind = Defect(k);
    const char* offender = offender_is_point(kind) ? "point" : element;
    text += defect(report[kind], std::string("a ") + offender + " " + describe(kind), offender);
  }
  return text;
}

std::string connections(const TopologyReport& report, const char* element, const char* triangle) {
  std::string text = line("pieces", std::to_string(report.pieces));
  if (report.pieces > 1)
    text += line("smallest piece", std::to_string(report.smallest_piece) + " (first: " + element + " " +
                                       std::to_string(report.first_of_smallest) + ")");
  text += defect(report.duplicate_points, "points at the place of an earlier one", "point");
  text += defect(report.non_manifold_edges, "edges with more than two triangles", triangle);
  text += defect(report.flipped_edges, "edges whose triangles wind against each other", triangle);
  text += defect(report.open_edges, "edges with one triangle only", triangle);
  return text;
}

std::string histogram(const MeshQuality& quality) {
  std::string text =
      line("dihedral angles", short_number(quality.smallest_dihedral) + " to " +
                                  short_number(quality.largest_dihedral) + " degrees (worst: tet " +
                                  std::to_string(quality.worst_tet) + ")");
  long all = 0;
  for (long count : quality.dihedral_histogram) all += count;
  for (int bin = 0; bin < MeshQuality::bins; ++bin) {
    const double share = 100.0 * double(quality.dihedral_histogram[bin]) / double(all);
    if (quality.dihedral_histogram[bin] > 0)
      text += line("  " + std::to_string(10 * bin) + " to " + std::to_string(10 * bin + 10),
                   short_number(share) + " %");
  }
  return text;
}

// Shapes of elements mean something only when their points do.
bool has_sound_elements(const MeshReport& report) {
  return report.elements > 0 && report[Defect::out_of_range].count == 0 &&
         report[Defect::not_finite].count == 0;
}

}  // namespace

std::string summarize(const TetMesh& mesh) {
  const MeshReport report = check(mesh);
  std::string text = line("points", std::to_string(report.points)) +
                     line("tets", std::to_string(report.elements)) + sizes(mesh.points) +
                     defects(report, "tet");
  if (!has_sound_elements(report)) return text;
  const MeshQuality quality = measure(mesh);
  text += connections(topology(mesh), "tet", "surface triangle");
  text += line("volume", short_number(quality.volume)) +
          line("edges", short_number(quality.shortest_edge) + " to " + short_number(quality.longest_edge));
  if (quality.slivers > 0)
    text += line("slivers", std::to_string(quality.slivers) + " (first: tet " +
                                std::to_string(quality.first_sliver) + ")");
  return text + histogram(quality);
}

std::string summarize(const TriangleMesh& mesh) {
  const MeshReport report = check(mesh);
  std::string text = line("points", std::to_string(report.points)) +
                     line("triangles", std::to_string(report.elements)) + sizes(mesh.points) +
                     defects(report, "triangle");
  if (!has_sound_elements(report)) return text;
  const TopologyReport connected = topology(mesh);
  text += connections(connected, "triangle", "triangle") + line("area", short_number(area(mesh)));
  if (connected.open_edges.count == 0) text += line("enclosed volume", short_number(enclosed_volume(mesh)));
  return text;
}

}  // namespace verve
