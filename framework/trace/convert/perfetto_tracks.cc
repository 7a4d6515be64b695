#include "framework/trace/convert/perfetto_tracks.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "framework/base/hash_map.h"

namespace syncline {

PerfettoTracks::PerfettoTracks(const Trace& trace, const CallLanes& lanes,
                               PerfettoPackets* packets)
    : packets_(*packets), last_(FirstPerfettoNumber(trace)) {
  process_ = ++last_;
  const std::string& program = trace.header.program();
  packets_.AddProcess(process_, trace.header.pid(),
                      program.empty() ? "graph" : absl::string_view(program));
  AddThreads(trace, lanes);
  application_ = AddToProcess("application");
  for (int node = 0; node < trace.header.node_size(); ++node) {
    std::vector<std::uint64_t>& tracks = nodes_.emplace_back();
    for (std::int32_t lane = 0; lane < lanes.lanes_of_nodes()[node]; ++lane) {
      tracks.push_back(
          AddToProcess(LaneName(trace.header.node(node).name(), lane)));
    }
  }
}

void PerfettoTracks::AddThreads(const Trace& trace, const CallLanes& lanes) {
  HashSet<std::int64_t> used = {0};
  for (const TraceThread& thread : trace.threads) used.insert(thread.tid);
  std::int64_t stand_in = 0;
  for (std::size_t i = 0; i < trace.threads.size(); ++i) {
    const TraceThread& thread = trace.threads[i];
    const std::string name =
        thread.name.empty() ? absl::StrCat("thread ", i) : thread.name;
    std::int64_t tid = thread.tid;
    if (tid == 0) {
      // Viewers take threads with the same id for one thread.
      do {
        tid = ++stand_in;
      } while (!used.insert(tid).second);
    }
    std::vector<std::uint64_t>& tracks = threads_.emplace_back();
    tracks.push_back(++last_);
    packets_.AddThread(tracks[0], process_, trace.header.pid(), tid, name);
    for (std::int32_t lane = 1; lane < lanes.lanes_of_threads()[i]; ++lane) {
      tracks.push_back(AddToProcess(LaneName(name, lane)));
    }
  }
}

std::uint64_t PerfettoTracks::AddToProcess(absl::string_view name) {
  return Add({.parent = process_, .name = name, .rank = ++rank_});
}

std::uint64_t PerfettoTracks::Add(const PerfettoPackets::Track& track) {
  packets_.AddTrack(++last_, track);
  return last_;
}

std::string PerfettoTracks::LaneName(absl::string_view name,
                                     std::int32_t lane) {
  return lane == 0 ? std::string(name)
                   : absl::StrCat(name, " (", lane + 1, ")");
}

}  // namespace syncline
