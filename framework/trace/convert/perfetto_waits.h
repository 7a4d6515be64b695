// PerfettoWaits: what nodes and inputs of the graph wait for besides packets,
// as bars of a Perfetto trace: back-pressure and conditions.
//
// A bar has a track of its own below that of its node, or of the application. A
// wait whose begin is lost is an instant at its end, and says so.
//
// Thread rule: for one thread at a time.
// Tested by perfetto_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_WAITS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_WAITS_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/convert/perfetto_events.h"
#include "framework/trace/convert/perfetto_tracks.h"
#include "framework/trace/trace_event.h"

namespace syncline {

class PerfettoWaits {
 public:
  // All outlive this.
  PerfettoWaits(const TraceFileHeader& header, PerfettoTracks* tracks,
                PerfettoEvents* events);

  // kThrottled or kUnthrottled.
  void AddThrottled(const TraceEvent& event);
  // kCondition.
  void AddCondition(const TraceEvent& event);
  // Ends the bars that are open, at the last tick of the trace.
  void EndAll(std::uint64_t tick);

 private:
  struct Bar {
    std::uint64_t track = 0;  // 0: none yet
    bool is_open = false;
    // Of a condition.
    std::uint32_t state = 0;
  };

  void Open(std::uint64_t tick, std::uint64_t parent,
            absl::string_view track_name, absl::string_view name,
            absl::string_view category, Bar* bar);
  void Close(std::uint64_t tick, std::uint64_t parent,
             absl::string_view track_name, absl::string_view category,
             Bar* bar);

  const TraceFileHeader& header_;
  PerfettoTracks& tracks_;
  PerfettoEvents& events_;
  std::vector<Bar> sources_;     // by node
  std::vector<Bar> inputs_;      // of the graph, by stream
  std::vector<Bar> conditions_;  // by node
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_WAITS_H_
