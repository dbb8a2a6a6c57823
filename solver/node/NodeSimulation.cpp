#include "node/NodeSimulation.h"

#include <algorithm>

#include "contact/Contacts.h"
#include "contact/Shape.h"
#include "node/NodeLinks.h"
#include "simulation/ChangingBodies.h"
#include "term/ClosedVolume.h"

namespace verve {
namespace {

Vec3 between(const Vec3& from, const Vec3& to, double s) {
  return s == 1.0 ? to : Vec3(from + s * (to - from));
}

}  // namespace

/// What moves during the present frame, by points of the system.
struct NodeSimulation::Drive {
  double start = 0.0, end = 1.0;  ///< seconds
  struct Held {
    int point;
    Vec3 from, to;
  };
  struct Drawn : Held {
    double stiffness, damping;
  };
  std::vector<Held> pins;
  std::vector<Drawn> targets;
  Vector force;
  struct Moved {
    std::shared_ptr<const TriangleMesh> from, to;
  };
  std::vector<Moved> colliders;

  double share(double time) const { return std::clamp((time - start) / (end - start), 0.0, 1.0); }
};

class NodeSimulation::FrameDrivers final : public Drivers {
 public:
  explicit FrameDrivers(std::shared_ptr<const Drive> drive) : drive_(std::move(drive)) {}

  void pins(double time, std::vector<Pin>& out) const override {
    out.clear();
    const double s = drive_->share(time);
    for (const auto& pin : drive_->pins) out.push_back({pin.point, between(pin.from, pin.to, s)});
  }
  void targets(double time, std::vector<Target>& out) const override {
    out.clear();
    const double s = drive_->share(time);
    for (const auto& t : drive_->targets)
      out.push_back({t.point, between(t.from, t.to, s), t.stiffness, t.damping});
  }
  void add_forces(double, Vector& force) const override {
    if (drive_->force.size()) force += drive_->force;
  }

 private:
  std::shared_ptr<const Drive> drive_;
};

std::size_t NodeState::bytes() const {
  const Eigen::Index numbers = state.x.size() + state.v.size() + state.x_before.size() +
                               state.v_before.size() + state.constraint_force.size();
  return sizeof *this + sizeof(double) * std::size_t(numbers) +
         sizeof(int) * (state.held.size() + state.contact.touched.size()) +
         sizeof(ContactMemory) * state.contact.memories.size() + 8 * state.contact.coupled.size() +
         sizeof(float) * (elements.stress.size() + elements.energy_density.size());
}

NodeSimulation::NodeSimulation(NodeInputs start)
    : inputs_(std::move(start)),
      rest_(rest_positions(*inputs_.geometry, inputs_.attributes)),
      start_(inputs_.geometry->positions()) {
  build(nullptr);
  aim(inputs_);  // so that pins and targets are known
  simulation_->prepare();
  report_ = simulation_->report();
}

NodeSimulation::~NodeSimulation() = default;

const Scene& NodeSimulation::scene() const {
  return *scene_;
}

std::vector<std::string> NodeSimulation::notes() const {
  std::vector<std::string> all = simulation_->notes();
  if (const auto& contacts = simulation_->system().contacts)
    all.insert(all.end(), contacts->warnings().begin(), contacts->warnings().end());
  return all;
}

/// Where the system's points are at present is where constraints have to hold; at the start, where they
/// stand.
std::unique_ptr<Simulation> NodeSimulation::build(const State* present) {
  auto scene = std::make_shared<Scene>(inputs_.settings.scene);
  const bool animated_rest = !inputs_.attributes.rest.empty();
  imported_ = import_bodies(*inputs_.geometry, animated_rest ? inputs_.attributes.rest : rest_,
                            inputs_.attributes, inputs_.settings.materials);
  imported_.warnings.insert(imported_.warnings.end(), inputs_.notes.begin(), inputs_.notes.end());
  scene->bodies = imported_.bodies;
  int holding = 0;
  for (Body& body : scene->bodies) {
    scale_rest(body, inputs_.settings.rest_scale);
    if (inputs_.settings.stiffness_scale != 1.0) scale_stiffness(body, inputs_.settings.stiffness_scale);
    if (knows_plasticity(body))
      body.plastic = body.tets.empty() ? inputs_.settings.bend_plastic : inputs_.settings.plastic;
    if (!inputs_.settings.pressure || !body.tets.empty() ||
        closed_pieces(body.surface, body.rest).closed.empty())
      continue;
    body.pressure = inputs_.settings.pressure;
    ++holding;
  }
  if (inputs_.settings.pressure && holding == 0)
    imported_.warnings.push_back(
        "no piece of cloth is closed, so that Pressure has nothing to fill; close its holes and "
        "fuse the points of its seams");
  int first = 0;
  for (Body& body : scene->bodies)
    for (Vec3& x : body.x)
      if (present) x = point(present->x, first++);
  system_point_.assign(std::size_t(inputs_.geometry->point_count), -1);
  for (std::size_t i = 0; i < imported_.geometry_point.size(); ++i)
    system_point_[std::size_t(imported_.geometry_point[i])] = int(i);
  const NodeLinks links{inputs_.links, start_, system_point_};
  scene->constraints = constraints_of(links);
  scene->attachments = springs_of(links, *scene);
  join_welds(*scene, rounding_of(start_));
  scene->first_frame = inputs_.settings.start_frame;
  scene->fps = inputs_.fps / inputs_.settings.time_scale;
  auto drive = std::make_shared<Drive>();
  for (std::size_t i = 0; i < inputs_.colliders.size(); ++i) {
    drive->colliders.push_back({inputs_.colliders[i].mesh, inputs_.colliders[i].mesh});
    scene->colliders.push_back(inputs_.colliders[i]);
    scene->colliders.back().deform = [drive = drive.get(), i](double time, std::vector<Vec3>& points) {
      const auto& [from, to] = drive->colliders[i];
      const double s = drive->share(time);
      points.resize(from->points.size());
      for (std::size_t p = 0; p < points.size(); ++p) points[p] = between(from->points[p], to->points[p], s);
    };
  }
  scene->collider_kinds = inputs_.collider_kinds;
  if (inputs_.settings.ground) {
    ColliderSpec ground = inputs_.settings.collider;
    ground.name = "ground plane";
    ground.shape = plane_shape(Vec3::UnitY(), inputs_.settings.ground_height);
    scene->colliders.push_back(std::move(ground));
    if (!scene->collider_kinds.empty()) scene->collider_kinds.emplace_back();
  }
  for (Body& body : scene->bodies) {
    body.settle = inputs_.settings.settle, body.sag_free = inputs_.settings.sag_free;
    if (!present && (body.settle || body.sag_free)) std::fill(body.v.begin(), body.v.end(), Vec3::Zero());
  }
  auto simulation =
      std::make_unique<Simulation>(std::shared_ptr<const Scene>(scene), Simulation::Begin::given);
  simulation->drive(std::make_unique<FrameDrivers>(drive));
  simulation_.swap(simulation);
  scene_ = std::move(scene);
  drive_ = std::move(drive);
  return simulation;
}

NodeState NodeSimulation::state() const {
  NodeState s;
  s.state = simulation_->state();
  s.report = report_;
  s.elements = report_elements(*scene_, s.state.x);
  for (int& tet : s.elements.inverted) tet = imported_.tet_primitive[std::size_t(tet)];
  return s;
}

/// Sets where pins, targets and colliders go until the frame of inputs_, from where they were with `from`.
void NodeSimulation::aim(const NodeInputs& from) {
  const Vector& x = simulation_->state().x;
  Drive& drive = *drive_;
  drive.start = simulation_->state().time;
  drive.end = drive.start + 1.0 / scene_->fps;
  drive.pins.clear();
  drive.targets.clear();
  for (int i : inputs_.attributes.stopped)
    if (const int p = system_point_[std::size_t(i)]; p >= 0)
      drive.pins.push_back({p, point(x, p), point(x, p)});
  for (const Goal& goal : inputs_.pins)
    if (const int p = system_point_[std::size_t(goal.point)]; p >= 0)
      drive.pins.push_back({p, point(x, p), goal.position});
  // Where a point is both stopped and pinned, the animation has it.
  std::stable_sort(drive.pins.begin(), drive.pins.end(),
                   [](const Drive::Held& a, const Drive::Held& b) { return a.point < b.point; });
  const auto same = [](const Drive::Held& a, const Drive::Held& b) { return a.point == b.point; };
  drive.pins.erase(drive.pins.begin(), std::unique(drive.pins.rbegin(), drive.pins.rend(), same).base());

  auto before = from.targets.begin();
  for (const Goal& goal : inputs_.targets) {
    const int p = system_point_[std::size_t(goal.point)];
    if (p < 0) continue;
    while (before != from.targets.end() && before->point < goal.point) ++before;
    const bool known = before != from.targets.end() && before->point == goal.point;
    Drive::Drawn drawn;
    drawn.point = p;
    drawn.from = known ? before->position : goal.position;
    drawn.to = goal.position;
    drawn.stiffness = goal.weight * inputs_.settings.target_stiffness;
    drawn.damping = goal.weight * inputs_.settings.target_damping;
    drive.targets.push_back(drawn);
  }
  std::sort(drive.targets.begin(), drive.targets.end(),
            [](const Drive::Drawn& a, const Drive::Drawn& b) { return a.point < b.point; });

  drive.force.resize(0);
  if (!inputs_.attributes.force.empty()) {
    drive.force.setZero(x.size());
    for (std::size_t i = 0; i < system_point_.size(); ++i)
      if (system_point_[i] >= 0) point(drive.force, system_point_[i]) = inputs_.attributes.force[i];
  }
  for (std::size_t i = 0; i < drive.colliders.size(); ++i)
    drive.colliders[i] = {from.colliders[i].mesh, inputs_.colliders[i].mesh};
}

/// What the terms of the last build remember, for those of the same name in the present one. Springs are
/// known by their ends: those that broke stay so, and new ones begin to hold.
std::vector<TermMemory> NodeSimulation::carried(Simulation& last, const std::vector<Link>& links) const {
  std::vector<TermMemory> memories = simulation_->state().terms;
  const auto& terms = simulation_->system().terms;
  const auto& old = last.system().terms;
  const std::vector<TermMemory>& remembered = last.state().terms;
  memories.resize(terms.size());
  std::vector<char> taken(remembered.size(), 0);
  for (std::size_t k = 0; k < terms.size(); ++k)
    for (std::size_t j = 0; j < remembered.size(); ++j) {
      if (taken[j] || std::string(old[j]->name()) != terms[k]->name()) continue;
      taken[j] = 1;
      const bool springs = std::string(terms[k]->name()) == "attachments" && !remembered[j].empty();
      if (springs)
        memories[k] = carried_springs(links, inputs_.links, remembered[j]);
      else if (memories[k].empty() || memories[k].size() == remembered[j].size())
        memories[k] = remembered[j];
      break;
    }
  return memories;
}

/// Goes on from a state under the present build. What that did to the energy since it was `total` is work.
void NodeSimulation::take_up(int frame, State& state, std::optional<double> total) {
  simulation_->restore(frame, state);
  if (!total) return;
  state.ledger.work += measure(simulation_->system(), state).total() - *total;
  simulation_->restore(frame, state);
}

void NodeSimulation::advance(NodeInputs next, const Interrupt& interrupted) {
  const std::string at = "frame " + std::to_string(next.frame) + ": ";
  if (next.topology != inputs_.topology)
    throw Error(at + "the points or primitives of the geometry or the colliders are others than at frame " +
                std::to_string(inputs_.frame) + "; keep the topology constant while it is simulated");
  const NodeInputs before = std::move(inputs_);
  inputs_ = std::move(next);
  try {
    if (inputs_.build != before.build) {
      State state = simulation_->state();
      const double total = measure(simulation_->system(), state).total();
      const std::unique_ptr<Simulation> last = build(&state);
      state.terms = carried(*last, before.links);
      take_up(before.frame, state, total);
    }
    aim(before);
    simulation_->ask([&](double time) { return interrupted && interrupted(drive_->share(time)); });
    report_ = simulation_->advance();
    simulation_->ask({});
  } catch (const Cancelled&) {
    inputs_ = before;
    throw;
  } catch (const Error& error) {
    inputs_ = before;
    throw Error(at + error.what());
  } catch (...) {
    inputs_ = before;
    throw;
  }
}

void NodeSimulation::restore(NodeInputs at, State state, std::optional<double> total) {
  if (at.topology != inputs_.topology)
    throw Error("frame " + std::to_string(at.frame) + ": the geometry does not fit the saved state");
  inputs_ = std::move(at);
  build(&state);
  take_up(inputs_.frame, state, total);
  report_ = simulation_->report();
}

}  // namespace verve
