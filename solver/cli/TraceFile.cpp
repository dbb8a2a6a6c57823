#include "cli/TraceFile.h"

#include "base/Error.h"
#include "base/Text.h"

namespace verve {

TraceFile::TraceFile(const std::string& path) : path_(path), file_(path) {
  file_ << "frame,time,h,event,iteration,norm,energy,length,filter,evaluations,contacts,changed,refreshed\n";
  if (!file_) throw Error(path + ": cannot write the trace there");
}

void TraceFile::add(int frame, const NewtonRecord& r) {
  static const char* const names[] = {"start", "step", "refresh", "close", "foresee", "stuck", "end"};
  file_ << frame << ',' << shortest(r.time) << ',' << shortest(r.h) << ',' << names[int(r.event)] << ','
        << r.iteration << ',' << shortest(r.norm) << ',' << shortest(r.energy) << ',' << shortest(r.length)
        << ',' << shortest(r.filter) << ',' << r.evaluations << ',' << r.contacts << ',' << r.changed << ','
        << r.refreshed << '\n';
  if (!file_) throw SimulationError(path_ + ": cannot write (is the disk full?)");
}

}  // namespace verve
