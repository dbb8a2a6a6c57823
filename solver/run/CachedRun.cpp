#include "run/CachedRun.h"

#include <filesystem>
#include <utility>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "io/SequenceFile.h"
#include "io/SequenceWriter.h"
#include "parameters/SceneCheck.h"
#include "run/BodyPoints.h"
#include "run/ReportFile.h"
#include "simulation/Checkpoint.h"

namespace verve {
namespace fs = std::filesystem;

std::string as_run(const SceneFile& file, int last) {
  if (last == file.scene.last_frame) return file.json;
  Json json = Json::parse(file.json);
  json["frames"][1] = last;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

struct CachedRun::Files {
  Files(const SceneFile& file, const CachedRunSettings& s, int begin, bool resumed)
      : cache({s.folder, file.output.name, file.output.format, file.scene.fps, s.first,
               resumed ? begin + 1 : s.first}),
        report((fs::path(s.folder) / "report.csv").string(), resumed ? &begin : nullptr) {
    if (file.output.tets)
      tets = std::make_unique<SequenceWriter>(
          SequenceSettings{(fs::path(s.folder) / "tets").string(), file.output.name, file.output.format,
                           file.scene.fps, s.first, resumed ? begin + 1 : s.first});
    if (file.output.points)
      points = std::make_unique<BodyPoints>(file.scene, s.folder, file.output.name, s.first,
                                            file.output.every, resumed ? begin + 1 : s.first);
  }

  SequenceWriter cache;
  ReportFile report;
  std::unique_ptr<SequenceWriter> tets;  // beside the skin
  std::unique_ptr<BodyPoints> points;
};

CachedRun::CachedRun(const SceneFile& file, Simulation& simulation, CachedRunSettings settings)
    : file_(file), simulation_(simulation), settings_(std::move(settings)) {
  resumed_ = settings_.resume && fs::exists(checkpoint_path());
  if (resumed_) {
    const Checkpoint checkpoint = read_checkpoint(checkpoint_path());
    if (checkpoint.fingerprint != file.fingerprint)
      throw Error(checkpoint_path() +
                  " belongs to a different scene or different settings; run without --resume to begin anew");
    simulation.restore(checkpoint.frame, checkpoint.state);
  }
  std::error_code failed;
  fs::create_directories(settings_.folder, failed);
  if (failed) throw Error(settings_.folder + ": cannot make this folder: " + failed.message());
  // The checkpoint of an earlier run promises frames that are about to go.
  if (!resumed_) fs::remove(checkpoint_path(), failed);
  files_ = std::make_unique<Files>(file, settings_, simulation.frame(), resumed_);
  write_bytes((fs::path(settings_.folder) / "scene.json").string(), as_run(file, settings_.last));
}

CachedRun::~CachedRun() = default;

std::string CachedRun::checkpoint_path() const {
  return (fs::path(settings_.folder) / "checkpoint.verve").string();
}

void CachedRun::begin() {
  if (resumed_) return;
  keep(simulation_.report());
  save();
}

FrameReport CachedRun::advance() {
  const FrameReport r = simulation_.advance();
  keep(r);
  const int every = file_.output.checkpoint_every;
  if ((every > 0 && (r.frame - file_.scene.first_frame) % every == 0) || r.frame == settings_.last) save();
  return r;
}

void CachedRun::keep(const FrameReport& r) {
  files_->report.add(r);
  const OutputSettings& output = file_.output;
  if (r.frame < settings_.first || r.frame > settings_.last || (r.frame - settings_.first) % output.every)
    return;
  const State& state = simulation_.state();
  const PointQuantities quantities{output.quantities ? state.contact.touched : std::vector<int>()};
  const auto write = [&](SequenceWriter& cache, ExportSurface surface) {
    cache.write(r.frame, [this, surface, x = state.x, v = state.v, r, quantities,
                          inside = state.contact.intersecting] {
      return export_frame(file_.scene, x, v, r, surface, file_.output.quantities ? &quantities : nullptr,
                          inside);
    });
  };
  write(files_->cache, output.surface);
  if (files_->tets) write(*files_->tets, ExportSurface::cage);
  if (files_->points) files_->points->write(state.x);
  if (!is_sequence_file(output.format))
    written_.push_back(frame_path(settings_.folder, output.name, r.frame, output.format));
}

void CachedRun::save() {
  files_->cache.flush();
  if (files_->tets) files_->tets->flush();
  if (files_->points) files_->points->flush();
  write_checkpoint(checkpoint_path(), {file_.fingerprint, simulation_.frame(), simulation_.state()});
  told_.insert(told_.end(), written_.begin(), written_.end());
  written_.clear();
}

void CachedRun::finish() {
  files_->cache.finish();
  if (files_->tets) files_->tets->finish();
  const OutputSettings& output = file_.output;
  if (is_sequence_file(output.format))
    told_.push_back((fs::path(settings_.folder) / (output.name + "." + output.format)).string());
}

std::vector<std::string> CachedRun::take_new_files() {
  return std::exchange(told_, {});
}

}  // namespace verve
