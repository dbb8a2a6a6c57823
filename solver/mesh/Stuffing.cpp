#include "mesh/Stuffing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/Parallel.h"
#include "mesh/MeshGeometry.h"

namespace verve {
namespace {

// A cut nearer to a node than these shares of its edge's length pulls the node onto the surface (table 1 of
// the paper, "safe" values for the widest guarantee on angles).
constexpr double snap_long = 0.24999;
constexpr double snap_short = 0.41189;

std::uint64_t key_of(int a, int b) {
  return a < b ? std::uint64_t(a) << 32 | std::uint64_t(b) : std::uint64_t(b) << 32 | std::uint64_t(a);
}

// Where the field changes its sign between an inner and an outer point, as a share of the way: the Illinois
// variant of false position, which also brackets the jumps that open surfaces have.
double crossing(const Implicit& solid, const Vec3& inside, double in, const Vec3& outside, double out) {
  constexpr double precision = 1e-3;  // of the edge, far below what flat triangles miss of a round surface
  const double close = precision * (outside - inside).norm();
  double low = 0, high = 1;
  int last = 0;
  double t = 0.5;
  for (int i = 0; i < 30 && high - low > precision; ++i) {
    t = std::min(std::max((low * out - high * in) / (out - in), low + 0.01 * (high - low)),
                 high - 0.01 * (high - low));
    const double value = solid.value(inside + t * (outside - inside));
    if (std::abs(value) < close) break;
    if (value > 0) {
      low = t, in = value;
      if (last > 0) out /= 2;
      last = 1;
    } else {
      high = t, out = value;
      if (last < 0) in /= 2;
      last = -1;
    }
  }
  return t;
}

struct Cut {
  std::uint64_t edge;
  double share;  // of the way from the lower to the higher node
};

class Stuffer {
 public:
  Stuffer(const Lattice& lattice, const Implicit& solid) : lattice_(lattice), solid_(solid) {
    sign_.resize(lattice.values.size());
    for (std::size_t i = 0; i < sign_.size(); ++i)
      sign_[i] = char((lattice.values[i] > 0) - (lattice.values[i] < 0));
    find_cuts();
    snap();
  }

  TetMesh fill() {
    constexpr int grain = 4096;
    const int count = int(lattice_.tets.size());
    std::vector<std::vector<std::array<int, 4>>> pieces((count + grain - 1) / grain);
    parallel_pieces(count, grain, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) carve(lattice_.tets[i], pieces[begin / grain]);
    });
    return number(pieces);
  }

 private:
  static int low(std::uint64_t edge) { return int(edge >> 32); }
  static int high(std::uint64_t edge) { return int(edge & 0xffffffff); }

  bool is_long(int a, int b) const {
    const auto &p = lattice_.nodes[a], &q = lattice_.nodes[b];
    return (p[0] == q[0]) + (p[1] == q[1]) + (p[2] == q[2]) == 2;
  }

  void find_cuts() {
    std::vector<std::uint64_t> edges;
    for (const auto& t : lattice_.tets)
      for (const auto& e : tet_edges)
        if (sign_[t[e[0]]] * sign_[t[e[1]]] < 0) edges.push_back(key_of(t[e[0]], t[e[1]]));
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    cuts_.resize(edges.size());
    parallel_pieces(int(edges.size()), 64, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        int inner = low(edges[i]), outer = high(edges[i]);
        const bool swapped = sign_[inner] < 0;
        if (swapped) std::swap(inner, outer);
        const double t = crossing(solid_, lattice_.position(inner), lattice_.values[inner],
                                  lattice_.position(outer), lattice_.values[outer]);
        cuts_[i] = {edges[i], swapped ? 1 - t : t};
      }
    });
  }

  Vec3 position(const Cut& cut) const {
    const Vec3 from = lattice_.position(low(cut.edge));
    return from + cut.share * (lattice_.position(high(cut.edge)) - from);
  }

  // Each node goes to the nearest of the cuts that are too near to it, and lies on the surface from then on;
  // its other cuts are forgotten.
  void snap() {
    nearest_.assign(sign_.size(), -1);
    std::vector<double> distance(sign_.size());
    for (int i = 0; i < int(cuts_.size()); ++i) {
      const int ends[2] = {low(cuts_[i].edge), high(cuts_[i].edge)};
      const bool length = is_long(ends[0], ends[1]);
      const double shares[2] = {cuts_[i].share, 1 - cuts_[i].share};
      for (int e = 0; e < 2; ++e) {
        if (shares[e] >= (length ? snap_long : snap_short)) continue;
        const double d = shares[e] * (length ? 1.0 : std::sqrt(0.75));
        int& best = nearest_[ends[e]];
        if (best < 0 || d < distance[ends[e]]) best = i, distance[ends[e]] = d;
      }
    }
    for (std::size_t n = 0; n < sign_.size(); ++n)
      if (nearest_[n] >= 0) sign_[n] = 0;
  }

  // Points are numbered nodes first, then cuts.
  int cut(int a, int b) const {
    const std::uint64_t key = key_of(a, b);
    const auto it = std::lower_bound(cuts_.begin(), cuts_.end(), key,
                                     [](const Cut& c, std::uint64_t k) { return c.edge < k; });
    return int(sign_.size()) + int(it - cuts_.begin());
  }

  // The faces with two inner nodes p, q and an outer node m are cut into a triangle and a quadrilateral,
  // which both tets at the face must split along the same diagonal. It is the one at p when this says so, the
  // one at q otherwise: on faces whose cut edges are a long and a short one it ends in the long edge's cut;
  // on the symmetric ones the "parity rule" makes the two faces at a tet's long edge differ.
  bool diagonal_at_first(int p, int q, int m) const {
    if (!is_long(p, q)) return is_long(q, m);
    const auto &a = lattice_.nodes[p], &b = lattice_.nodes[m];
    return ((a[0] > b[0]) + (a[1] > b[1]) + (a[2] > b[2])) % 2 == 0;
  }

  // Output tets take the place of the lattice tet with some of its corners replaced by cuts on the edges to
  // other corners, which keeps their orientation.
  void carve(const std::array<int, 4>& tet, std::vector<std::array<int, 4>>& out) const {
    int inner[4], outer[4], inside = 0, outside = 0;
    for (int c = 0; c < 4; ++c) {
      if (sign_[tet[c]] > 0) inner[inside++] = c;
      if (sign_[tet[c]] < 0) outer[outside++] = c;
    }
    if (inside == 0) return;
    if (outside == 0) {
      out.push_back(tet);
    } else if (inside == 1) {
      std::array<int, 4> corner = tet;
      for (int i = 0; i < outside; ++i) corner[outer[i]] = cut(tet[inner[0]], tet[outer[i]]);
      out.push_back(corner);
    } else if (inside == 2 && outside == 1) {
      carve_pyramid(tet, inner[0], inner[1], outer[0], out);
    } else if (inside == 2) {
      carve_wedge(tet, inner[0], inner[1], outer[0], outer[1], out);
    } else {
      carve_prism(tet, {inner[0], inner[1], inner[2]}, outer[0], out);
    }
  }

  // The fourth corner lies on the surface.
  void carve_pyramid(const std::array<int, 4>& tet, int p, int q, int m,
                     std::vector<std::array<int, 4>>& out) const {
    if (!diagonal_at_first(tet[p], tet[q], tet[m])) std::swap(p, q);
    std::array<int, 4> base = tet, rest = tet;
    base[m] = rest[q] = cut(tet[q], tet[m]);
    rest[m] = cut(tet[p], tet[m]);
    out.push_back(base);
    out.push_back(rest);
  }

  void carve_wedge(const std::array<int, 4>& tet, int p, int q, int m, int n,
                   std::vector<std::array<int, 4>>& out) const {
    // The two faces at the inner edge always have their diagonals at different ends.
    if (!diagonal_at_first(tet[p], tet[q], tet[m])) std::swap(p, q);
    const int pm = cut(tet[p], tet[m]), pn = cut(tet[p], tet[n]);
    const int qm = cut(tet[q], tet[m]), qn = cut(tet[q], tet[n]);
    std::array<int, 4> first = tet, middle = tet, last = tet;
    first[q] = qm, first[m] = pm, first[n] = pn;
    middle[m] = qm, middle[n] = pn;
    last[p] = pn, last[m] = qm, last[n] = qn;
    for (const auto& t : {first, middle, last}) out.push_back(t);
  }

  void carve_prism(const std::array<int, 4>& tet, std::array<int, 3> v, int m,
                   std::vector<std::array<int, 4>>& out) const {
    // From the corner with two diagonals to the one with none; the rules never make a circle.
    std::sort(v.begin(), v.end(),
              [&](int a, int b) { return a != b && diagonal_at_first(tet[a], tet[b], tet[m]); });
    int c[3];
    for (int i = 0; i < 3; ++i) c[i] = cut(tet[v[i]], tet[m]);
    std::array<int, 4> base = tet, middle = tet, top = tet;
    base[m] = c[2];
    middle[v[2]] = c[2], middle[m] = c[1];
    top[v[1]] = c[1], top[v[2]] = c[2], top[m] = c[0];
    for (const auto& t : {base, middle, top}) out.push_back(t);
  }

  TetMesh number(const std::vector<std::vector<std::array<int, 4>>>& pieces) const {
    TetMesh mesh;
    for (const auto& piece : pieces) mesh.tets.insert(mesh.tets.end(), piece.begin(), piece.end());
    const int nodes = int(sign_.size());
    std::vector<int> renumbered(nodes + cuts_.size(), -1);
    for (const auto& t : mesh.tets)
      for (int p : t) renumbered[p] = 0;
    for (int i = 0; i < int(renumbered.size()); ++i) {
      if (renumbered[i] < 0) continue;
      renumbered[i] = int(mesh.points.size());
      if (i >= nodes)
        mesh.points.push_back(position(cuts_[i - nodes]));
      else
        mesh.points.push_back(nearest_[i] < 0 ? lattice_.position(i) : position(cuts_[nearest_[i]]));
    }
    for (auto& t : mesh.tets)
      for (int& p : t) p = renumbered[p];
    return mesh;
  }

  const Lattice& lattice_;
  const Implicit& solid_;
  std::vector<char> sign_;
  std::vector<Cut> cuts_;     // ascending by edge
  std::vector<int> nearest_;  // the cut that a node went to, or -1
};

}  // namespace

TetMesh stuff(const Lattice& lattice, const Implicit& solid) {
  return Stuffer(lattice, solid).fill();
}

}  // namespace verve
