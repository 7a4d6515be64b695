// Lanes: on which track each call of a trace is drawn, and in which order.
//
// A viewer draws a call as a bar, and finds where it ends by a stack: the bars
// of one track have to nest. So a thread and a node get several lanes, each
// with a track of its own, where one is not enough:
//
//   a thread    its calls nest, and one lane is enough, unless events are lost
//   a node      calls that overlap are on different lanes, the first free one
//
// A call whose begin is lost begins where its thread's events begin, or go on
// after a gap. A call whose end is not known ends with the call around it, at
// the gap, or at the end of the trace.
//
// Thread rule: values; const functions any thread.
// Tested by call_lanes_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_CALL_LANES_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_CALL_LANES_H_

#include <cstdint>
#include <vector>

#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"

namespace syncline {

// What is drawn as one bar.
struct LaneSpan {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  // The position of what it is.
  std::int32_t item = 0;
};

// The begin or the end of a bar.
struct LaneEnd {
  std::uint64_t tick = 0;
  std::int32_t item = 0;
  bool is_end = false;
};

// For each span a lane, from 0: the first that is free. On a lane, no span
// begins before the one before has ended. The spans are in the order of their
// begins. Appends their ends to `ends`, lane by lane.
std::vector<std::int32_t> LanesApart(const std::vector<LaneSpan>& spans,
                                     std::vector<LaneEnd>* ends);
// Keeps the order of those at one tick.
void SortByTick(std::vector<LaneEnd>* ends);

class CallLanes {
 public:
  struct Place {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::int32_t thread_lane = 0;
    std::int32_t node_lane = 0;
  };

  CallLanes(const Trace& trace, const TraceCalls& calls);

  // By call.
  const std::vector<Place>& places() const { return places_; }
  // Of the bars of threads, and of those of nodes; an item is a call. In the
  // order of time. Of those at one tick, those of each lane are in the order
  // that lets bars nest.
  const std::vector<LaneEnd>& thread_ends() const { return thread_ends_; }
  const std::vector<LaneEnd>& node_ends() const { return node_ends_; }
  // How many lanes they have: one for a thread or a node without calls.
  const std::vector<std::int32_t>& lanes_of_threads() const {
    return lanes_of_threads_;
  }
  const std::vector<std::int32_t>& lanes_of_nodes() const {
    return lanes_of_nodes_;
  }

 private:
  // Each places calls of one thread or node, and returns how many lanes it has.
  std::int32_t PlaceOnThread(const std::vector<TracedCall>& calls,
                             std::vector<std::int32_t>* of_thread);
  std::int32_t PlaceOnNode(const std::vector<std::int32_t>& of_node);

  std::vector<Place> places_;
  std::vector<LaneEnd> thread_ends_;
  std::vector<LaneEnd> node_ends_;
  std::vector<std::int32_t> lanes_of_threads_;
  std::vector<std::int32_t> lanes_of_nodes_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_CALL_LANES_H_
