// The extension `verve._verve`: what the package's Python part builds on.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <filesystem>
#include <mutex>

#include "Arrays.h"
#include "Docs.h"
#include "base/Parallel.h"
#include "base/Text.h"
#include "io/GeometryFile.h"
#include "io/SequenceWriter.h"
#include "parameters/Documents.h"
#include "run/CachedRun.h"
#include "run/ReportFile.h"
#include "simulation/Checkpoint.h"
#include "simulation/ElementReport.h"

namespace verve {
namespace {

namespace py = pybind11;

SceneSources sources_from(const std::string& folder, const py::dict& given, int first_frame) {
  SceneSources sources(folder);
  for (const auto& [name, arrays] : given)
    sources.given[py::str(name)] = frames_from(py::cast<py::dict>(arrays), py::str(name), first_frame);
  return sources;
}

py::dict to_dict(const FrameReport& r) {
  py::dict d;
  for (const auto& [name, value] : report_values(r)) d[name.c_str()] = value;
  d["frame"] = r.frame;
  return d;
}

/// A simulation with the arrays that Python sees: they stay in their place and are refilled at every frame.
class PySimulation {
 public:
  PySimulation(SceneFile file, int threads)
      : file_(std::move(file)), threads_(threads), simulation_(file_.scene), last_(simulation_.report()) {
    x_ = simulation_.state().x;
    v_ = simulation_.state().v;
    simulation_.ask([this](double) { return interrupted(); });
  }

  FrameReport advance(CachedRun* run = nullptr) {
    const std::unique_lock<std::mutex> lock(busy_, std::try_to_lock);
    if (!lock) throw Error("this simulation is being advanced by another thread");
    cancel_ = false;
    FrameReport report;
    try {
      const py::gil_scoped_release released;
      const ThreadLimit limit(threads_);
      report = run ? run->advance() : simulation_.advance();
    } catch (const Cancelled&) {
      if (PyErr_Occurred()) throw py::error_already_set();
      throw;
    }
    refresh();
    last_ = report;
    return report;
  }
  void refresh() {
    x_ = simulation_.state().x;  // of the same size: the arrays stay where they are
    v_ = simulation_.state().v;
    last_ = simulation_.report();
  }
  void cancel() { cancel_ = true; }

  const SceneFile& file() const { return file_; }
  Simulation& simulation() { return simulation_; }
  Vector& x() { return x_; }
  Vector& v() { return v_; }
  const FrameReport& last() const { return last_; }

  std::pair<py::ssize_t, const Body*> body(const std::string& name) const {
    py::ssize_t first = 0;
    std::vector<std::string> names;
    for (const Body& b : file_.scene.bodies) {
      if (b.name == name) return {first, &b};
      names.push_back(b.name);
      first += py::ssize_t(b.rest.size());
    }
    throw Error("there is no body '" + name + "'" + suggestion(name, names));
  }

 private:
  bool interrupted() {
    if (cancel_) return true;
    const py::gil_scoped_acquire held;
    return PyErr_CheckSignals() != 0;
  }

  SceneFile file_;
  int threads_;
  Simulation simulation_;
  FrameReport last_;
  Vector x_, v_;
  std::mutex busy_;
  std::atomic<bool> cancel_{false};
};

/// A view without a copy, which keeps its owner alive and cannot be written to.
py::array view(const Vector& values, py::handle owner, py::ssize_t first, py::ssize_t count) {
  py::array_t<double> array({count, py::ssize_t(3)}, values.data() + 3 * first, owner);
  array.attr("setflags")(py::arg("write") = false);
  return std::move(array);
}

template <std::size_t N>
py::array indices(const std::vector<std::array<int, N>>& rows) {
  py::array_t<int> array({py::ssize_t(rows.size()), py::ssize_t(N)});
  if (!rows.empty())
    std::copy(rows.front().data(), rows.front().data() + N * rows.size(), array.mutable_data());
  return std::move(array);
}

py::array_t<float> floats(const std::vector<float>& values) {
  return py::array_t<float>(py::ssize_t(values.size()), values.data());
}

void bind_simulation(py::module_& m) {
  py::class_<PySimulation>(m, "Simulation")
      .def(py::init([](const std::string& text, const std::string& name, const std::string& folder,
                       const py::dict& given, int first_frame, const std::vector<std::string>& settings,
                       int threads) {
        const SceneSources sources = sources_from(folder, given, first_frame);
        const py::gil_scoped_release released;
        return std::make_unique<PySimulation>(make_scene(text, name, sources, settings), threads);
      }))
      .def(
          "advance", [](PySimulation& s) { return to_dict(s.advance()); }, docs::advance)
      .def(
          "report", [](PySimulation& s) { return to_dict(s.last()); }, docs::report)
      .def("cancel", &PySimulation::cancel, docs::cancel)
      .def_property_readonly(
          "frame", [](PySimulation& s) { return s.simulation().frame(); }, docs::frame)
      .def_property_readonly(
          "frames",
          [](PySimulation& s) { return std::pair(s.file().scene.first_frame, s.file().scene.last_frame); },
          docs::frames)
      .def_property_readonly(
          "time", [](PySimulation& s) { return s.simulation().state().time; }, docs::time)
      .def_property_readonly(
          "fps", [](PySimulation& s) { return s.file().scene.fps; }, docs::fps)
      .def_property_readonly(
          "positions",
          [](py::object self) {
            auto& s = self.cast<PySimulation&>();
            return view(s.x(), self, 0, s.x().size() / 3);
          },
          docs::positions)
      .def_property_readonly(
          "velocities",
          [](py::object self) {
            auto& s = self.cast<PySimulation&>();
            return view(s.v(), self, 0, s.v().size() / 3);
          },
          docs::velocities)
      .def_property_readonly(
          "bodies",
          [](PySimulation& s) {
            std::vector<std::string> names;
            for (const Body& b : s.file().scene.bodies) names.push_back(b.name);
            return names;
          },
          docs::bodies)
      .def_property_readonly(
          "warnings", [](PySimulation& s) { return s.file().warnings; }, docs::warnings)
      .def_property_readonly(
          "scene_json", [](PySimulation& s) { return s.file().json; }, docs::scene_json)
      .def(
          "body_positions",
          [](py::object self, const std::string& name) {
            auto& s = self.cast<PySimulation&>();
            const auto [first, body] = s.body(name);
            return view(s.x(), self, first, py::ssize_t(body->rest.size()));
          },
          py::arg("body"), docs::body_positions)
      .def(
          "tets", [](PySimulation& s, const std::string& name) { return indices(s.body(name).second->tets); },
          py::arg("body"), docs::tets)
      .def(
          "triangles",
          [](PySimulation& s, const std::string& name) { return indices(s.body(name).second->surface); },
          py::arg("body"), docs::triangles)
      .def(
          "skin",
          [](PySimulation& s, const std::string& name) {
            const auto [first, body] = s.body(name);
            const Vector x = s.x().segment(3 * first, 3 * Eigen::Index(body->rest.size()));
            const std::vector<Vec3> points = shown_points(*body, x);
            py::array_t<double> array({py::ssize_t(points.size()), py::ssize_t(3)});
            for (std::size_t i = 0; i < points.size(); ++i)
              for (int k = 0; k < 3; ++k) array.mutable_at(i, k) = points[i][k];
            return array;
          },
          py::arg("body"), docs::skin)
      .def(
          "quantities",
          [](PySimulation& s) {
            const ElementReport elements = report_elements(s.file().scene, s.x());
            std::vector<float> contact(std::size_t(s.x().size() / 3));
            for (int i : s.simulation().state().contact.touched) contact[std::size_t(i)] = 1.0f;
            py::dict d;
            d["stress"] = floats(elements.stress);
            d["energydensity"] = floats(elements.energy_density);
            d["contact"] = floats(contact);
            return d;
          },
          docs::quantities)
      .def(
          "save",
          [](PySimulation& s, const std::filesystem::path& path) {
            write_checkpoint(path.string(),
                             {s.file().fingerprint, s.simulation().frame(), s.simulation().state()});
          },
          py::arg("path"), docs::save)
      .def(
          "restore",
          [](PySimulation& s, const std::filesystem::path& path) {
            const Checkpoint c = read_checkpoint(path.string());
            if (c.fingerprint != s.file().fingerprint)
              throw Error(path.string() + " belongs to a different scene or different settings");
            s.simulation().restore(c.frame, c.state);
            s.refresh();
          },
          py::arg("path"), docs::restore)
      .def(
          "write",
          [](PySimulation& s, const std::filesystem::path& path) {
            write_geometry(path.string(),
                           export_frame(s.file().scene, s.x(), s.v(), s.last(), s.file().output.surface));
          },
          py::arg("path"), docs::write);
}

void bind_writers(py::module_& m) {
  struct PyRun {
    PySimulation& simulation;
    CachedRun run;
  };
  py::class_<PyRun>(m, "CachedRun")
      .def(py::init([](PySimulation& s, const std::string& folder, int first, int last, bool resume) {
             auto run = std::unique_ptr<PyRun>(
                 new PyRun{s, CachedRun(s.file(), s.simulation(), {folder, first, last, resume})});
             s.refresh();
             return run;
           }),
           py::keep_alive<1, 2>())
      .def("done", [](PyRun& r) { return r.run.done(); })
      .def(
          "begin", [](PyRun& r) { r.run.begin(); }, py::call_guard<py::gil_scoped_release>())
      .def("advance", [](PyRun& r) { return to_dict(r.simulation.advance(&r.run)); })
      .def(
          "save", [](PyRun& r) { r.run.save(); }, py::call_guard<py::gil_scoped_release>())
      .def(
          "finish", [](PyRun& r) { r.run.finish(); }, py::call_guard<py::gil_scoped_release>());

  py::class_<SequenceWriter>(m, "CacheWriter")
      .def(py::init([](const std::string& folder, const std::string& name, const std::string& format,
                       double fps, int first_frame, int resume_from) {
        return std::make_unique<SequenceWriter>(
            SequenceSettings{folder, name, format, fps, first_frame, resume_from});
      }))
      .def("write",
           [](SequenceWriter& w, int frame, const py::dict& arrays) {
             Geometry g = frames_from(arrays, "frame " + std::to_string(frame), frame)->read(0);
             const py::gil_scoped_release released;
             w.write(frame, std::move(g));
           })
      .def("finish", &SequenceWriter::finish, py::call_guard<py::gil_scoped_release>());
  m.def("write_arrays", [](const std::string& path, const std::string& name, const py::dict& arrays) {
    write_geometry(path, frames_from(arrays, name, 1)->read(0));
  });
}

}  // namespace

PYBIND11_MODULE(_verve, m) {
  m.doc() = "The compiled part of verve.";
  m.attr("__version__") = VERVE_VERSION;
  const auto error = py::register_exception<Error>(m, "Error", PyExc_ValueError);
  const auto failed = py::register_exception<SimulationError>(m, "SimulationError", PyExc_RuntimeError);
  py::register_exception<Cancelled>(m, "Cancelled", failed);
  bind_simulation(m);
  bind_writers(m);
  m.def("parameters_json", &json_table);
}

}  // namespace verve
