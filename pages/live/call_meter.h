// CallMeter: how long calls of nodes take and packets are on their way, out of
// what a run notes anyway when it is traced.
//
// Nothing is measured for it. It reads the events of the flight recorder that
// have come since it read last: of each thread the newest, so that a read costs
// little however fast the run is and however long nobody has looked. Calls that
// it misses thereby are missing from the sums, so what it says is of the recent
// past, and is right for calls on average.
//
// Thread rule: belongs to one thread.
// Tested by call_meter_test.

#ifndef SYNCLINE_PAGES_LIVE_CALL_METER_H_
#define SYNCLINE_PAGES_LIVE_CALL_METER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "framework/config/trace_file.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_recorder.h"

namespace syncline {

// Calls of Process of a node that have ended lately.
struct NodeCalls {
  std::int64_t num = 0;
  std::int64_t total_ns = 0;
  std::int64_t longest_ns = 0;
  // The share of the time in which the node was in a call; above 1 if its calls
  // overlap.
  double busy = 0;
  double per_second = 0;
};

// Packets that have arrived at a sink lately.
struct SinkLatency {
  // A stream; or a node that has no outputs.
  std::string name;
  bool is_node = false;
  std::int64_t num = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t longest_ns = 0;
};

class CallMeter {
 public:
  // Calls of the last so many nanoseconds are summed up.
  static constexpr std::int64_t kRecentNs = 1'000'000'000;
  // A read takes so many events of a thread at most.
  static constexpr std::uint64_t kMostOfThread = 8192;
  // For latencies, so many events are kept, and none for longer than this.
  static constexpr std::size_t kMostKept = 16 * 1024;
  static constexpr std::int64_t kLongestKeptNs = 10'000'000'000;

  // Borrowed. REQUIRES: initialized.
  explicit CallMeter(const CalculatorGraph* graph);

  // Reads what has come.
  void Read();
  // The run is another one: nothing is known of it.
  void Forget();

  // Something was ever read.
  bool has_events() const { return has_events_; }
  // By node of the plan.
  std::vector<NodeCalls> Calls() const;
  // Nodes in calls of Process that had not ended when it was read, in no order.
  std::vector<int> NodesInCalls() const;
  // Takes time: goes over all events that are kept.
  std::vector<SinkLatency> SinkLatencies() const;

 private:
  // What was read at a time.
  struct Part {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    // Of nodes that ended calls.
    struct OfNode {
      int node = 0;
      NodeCalls calls;
    };
    std::vector<OfNode> calls;
    Trace trace;
    std::size_t num_events = 0;
  };
  // A call that has not ended.
  struct OpenCall {
    int node = 0;
    std::uint64_t begin = 0;
  };

  void AddCalls(const Trace& trace, Part* part);
  void DropOldParts();
  Trace KeptTrace() const;

  const CalculatorGraph* const graph_;
  TraceCursor cursor_;
  // What the numbers of events stand for, without the config.
  TraceFileHeader header_;
  bool has_events_ = false;
  std::int64_t last_read_ns_ = 0;
  // By lane.
  std::vector<std::vector<OpenCall>> open_;
  // The newest last; without events once there are too many.
  std::deque<Part> parts_;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_CALL_METER_H_
