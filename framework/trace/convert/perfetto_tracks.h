// PerfettoTracks: the tracks of a Perfetto trace that threads, nodes and the
// application have, and the numbers of all tracks.
//
// Thread rule: for one thread at a time.
// Tested by perfetto_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_TRACKS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_TRACKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/trace/convert/call_lanes.h"
#include "framework/trace/convert/perfetto_packets.h"
#include "framework/trace/trace.h"

namespace syncline {

class PerfettoTracks {
 public:
  // Adds the tracks to `packets`, which outlives this.
  PerfettoTracks(const Trace& trace, const CallLanes& lanes,
                 PerfettoPackets* packets);

  std::uint64_t process() const { return process_; }
  std::uint64_t application() const { return application_; }
  std::uint64_t OfThread(std::int32_t thread, std::int32_t lane) const {
    return threads_[thread][lane];
  }
  std::uint64_t OfNode(std::int32_t node, std::int32_t lane) const {
    return nodes_[node][lane];
  }
  // Where is shown what happens at a queue of this node, or of a poller, which
  // is no node.
  std::uint64_t OfReader(std::uint32_t node) const {
    return node == TraceEvent::kNoNode ? application_ : nodes_[node][0];
  }

  // Adds a track below those of the process that are there.
  std::uint64_t AddToProcess(absl::string_view name);
  std::uint64_t Add(const PerfettoPackets::Track& track);
  // Of the lanes of one owner: "NAME", "NAME (2)", "NAME (3)".
  static std::string LaneName(absl::string_view name, std::int32_t lane);

 private:
  void AddThreads(const Trace& trace, const CallLanes& lanes);

  PerfettoPackets& packets_;
  std::uint64_t last_;
  int rank_ = 0;
  std::uint64_t process_ = 0;
  std::uint64_t application_ = 0;
  std::vector<std::vector<std::uint64_t>> threads_;  // thread, lane
  std::vector<std::vector<std::uint64_t>> nodes_;    // node, lane
};

// The numbers of tracks, flows and calls of this process are above it, so that
// the traces of several processes can be looked at together.
inline std::uint64_t FirstPerfettoNumber(const Trace& trace) {
  return static_cast<std::uint64_t>(trace.header.pid()) << 32;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_TRACKS_H_
