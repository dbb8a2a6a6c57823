#include "node/StepNode.h"

#include <cstring>

#include "node/NodeExport.h"
#include "node/NodeGuides.h"

namespace verve {
namespace {

constexpr char magic[] = "VERVEST2";
constexpr char without_links[] = "VERVEST1";  ///< of the time before DOP objects had constraints

template <class T>
void put(std::string& bytes, const T* values, std::size_t count) {
  const std::uint64_t size = count;
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
std::vector<T> take(const std::string& bytes, std::size_t& at) {
  std::uint64_t count = 0;
  const auto left = [&] { return bytes.size() - at; };
  if (left() < sizeof count) throw Error("the saved state is cut short");
  std::memcpy(&count, bytes.data() + at, sizeof count);
  at += sizeof count;
  if (count > left() / sizeof(T)) throw Error("the saved state is cut short");
  std::vector<T> values(count);
  if (count) std::memcpy(values.data(), bytes.data() + at, count * sizeof(T));
  at += count * sizeof(T);
  return values;
}

/// Goals and links without gaps between their fields.
struct PackedGoal {
  double point, x, y, z, weight;
};
struct PackedLink {
  double a, b, length;
};

}  // namespace

int StepNode::frame() const {
  return snapshot_ ? snapshot_->frame : 0;
}

NodeResult StepNode::begin(NodeFrame now) {
  now.frame = now.settings.start_frame = 0;
  NodeInputs inputs(now, true);
  snapshot_.reset();
  measure_links(inputs);
  live_ = std::make_shared<NodeSimulation>(inputs);
  live_at_.reset();
  return keep(inputs);
}

NodeResult StepNode::step(NodeFrame now, const NodeSimulation::Interrupt& interrupted) {
  if (!snapshot_) throw Error("the simulation has not begun");
  now.settings.start_frame = 0;
  now.frame = snapshot_->frame + 1;
  NodeInputs inputs(now, false);
  measure_links(inputs);
  if (!live_ || *live_at_ != snapshot_.get()) {
    // Another copy has gone on with the simulation, or it was loaded: begin it where this one stands.
    NodeInputs before = inputs;
    before.frame = snapshot_->frame;
    before.targets = snapshot_->targets;
    if (before.colliders.size() != snapshot_->colliders.size())
      throw Error("there are other colliders than in the step before; keep them while it is simulated");
    for (std::size_t i = 0; i < before.colliders.size(); ++i) {
      auto mesh = std::make_shared<TriangleMesh>(*before.colliders[i].mesh);
      if (mesh->points.size() != snapshot_->colliders[i].size())
        throw Error("collider '" + before.colliders[i].name +
                    "' has other points than in the step before; keep its topology constant");
      mesh->points = snapshot_->colliders[i];
      before.colliders[i].mesh = std::move(mesh);
    }
    auto live = std::make_shared<NodeSimulation>(before);
    live->restore(std::move(before), snapshot_->state, snapshot_->total);
    live_ = std::move(live);
    live_at_ = std::make_shared<const Snapshot*>();
  }
  *live_at_ = nullptr;  // for all copies, and should it fail half-way
  live_->advance(inputs, interrupted);
  return keep(inputs);
}

/// Links that say no length keep the one that they had when they came: the geometry is where they have got
/// to.
void StepNode::measure_links(NodeInputs& now) const {
  if (snapshot_)
    for (Link& link : now.links)
      for (const Link& known : snapshot_->links)
        if (link.length < 0.0 && known.points == link.points) link.length = known.length;
  measure(now.links, now.geometry->positions());
}

NodeResult StepNode::keep(const NodeInputs& now) {
  const NodeState state = live_->state();
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->frame = now.frame;
  snapshot->total = state.report.levels.total();
  snapshot->state = state.state;
  snapshot->targets = now.targets;
  snapshot->links = now.links;
  for (const ColliderSpec& c : now.colliders) snapshot->colliders.push_back(c.mesh->points);
  if (!live_at_) live_at_ = std::make_shared<const Snapshot*>();
  *live_at_ = snapshot.get();
  snapshot_ = std::move(snapshot);

  NodeResult result;
  result.geometry = export_node(*live_, now, state);
  if (now.settings.guides != "none") result.guides = guide_lines(now, state, live_->geometry_point());
  result.report = state.report;
  result.warnings = live_->warnings();
  result.notes = live_->notes();
  return result;
}

std::vector<double> StepNode::point_masses(const NodeFrame& now) {
  const PointAttributes attributes = point_attributes(*now.bodies);
  const ImportedBodies made =
      import_bodies(*now.bodies, rest_positions(*now.bodies, attributes), attributes, now.settings.materials);
  std::vector<double> masses(std::size_t(now.bodies->point_count));
  std::size_t i = 0;
  for (const Body& body : made.bodies)
    for (double mass : body.mass) masses[std::size_t(made.geometry_point[i++])] = mass;
  return masses;
}

std::size_t StepNode::bytes() const {
  return snapshot_ ? sizeof(Snapshot) + 32 * std::size_t(snapshot_->state.x.size()) : 0;
}

std::string StepNode::save() const {
  if (!snapshot_) return {};
  std::string bytes(magic, 8);
  const std::string state = to_bytes({0, snapshot_->frame, snapshot_->state});
  put(bytes, state.data(), state.size());
  put(bytes, &snapshot_->total, 1);
  std::vector<PackedGoal> goals;
  for (const Goal& g : snapshot_->targets)
    goals.push_back({double(g.point), g.position[0], g.position[1], g.position[2], g.weight});
  put(bytes, goals.data(), goals.size());
  std::vector<PackedLink> links;
  for (const Link& l : snapshot_->links)
    links.push_back({double(l.points[0]), double(l.points[1]), l.length});
  put(bytes, links.data(), links.size());
  const std::uint64_t count = snapshot_->colliders.size();
  put(bytes, &count, 1);
  for (const std::vector<Vec3>& points : snapshot_->colliders)
    put(bytes, reinterpret_cast<const double*>(points.data()), 3 * points.size());
  return bytes;
}

void StepNode::load(const std::string& bytes) {
  const bool old = bytes.compare(0, 8, without_links, 8) == 0;
  if (!old && bytes.compare(0, 8, magic, 8) != 0)
    throw Error("the saved state is not one of this version; simulate again from the start");
  std::size_t at = 8;
  const std::vector<char> state = take<char>(bytes, at);
  Checkpoint checkpoint;
  try {
    checkpoint = checkpoint_from(std::string(state.begin(), state.end()));
  } catch (const Error& error) {
    throw Error(std::string("the saved state ") + error.what());
  }
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->frame = checkpoint.frame;
  snapshot->state = std::move(checkpoint.state);
  const std::vector<double> total = take<double>(bytes, at);
  for (const PackedGoal& g : take<PackedGoal>(bytes, at))
    snapshot->targets.push_back({int(g.point), {g.x, g.y, g.z}, g.weight});
  if (!old)
    for (const PackedLink& l : take<PackedLink>(bytes, at))
      snapshot->links.push_back({{int(l.a), int(l.b)}, l.length});
  const std::vector<std::uint64_t> count = take<std::uint64_t>(bytes, at);
  if (total.size() != 1 || count.size() != 1) throw Error("the saved state is damaged");
  snapshot->total = total[0];
  for (std::uint64_t i = 0; i < count[0]; ++i) {
    const std::vector<double> points = take<double>(bytes, at);
    auto& list = snapshot->colliders.emplace_back();
    for (std::size_t k = 0; k + 2 < points.size(); k += 3)
      list.emplace_back(points[k], points[k + 1], points[k + 2]);
  }
  snapshot_ = std::move(snapshot);
  live_.reset();
  live_at_.reset();
}

}  // namespace verve
