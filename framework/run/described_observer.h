// DescribedObserver: an observer of a stream that says what it is, for those
// who tell of a run.
//
//   graph.ObserveOutputStream(
//       "out", DescribedObserver{.name = "--output=out=words.txt",
//                                .callback = WriteLine});
//
// Whoever looks at the observers of a graph knows them by their type.
//
// Thread rule: as std::function.
// Tested by output_tap_test, standstill_calls_test and trace_graph_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_DESCRIBED_OBSERVER_H_
#define SYNCLINE_FRAMEWORK_RUN_DESCRIBED_OBSERVER_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "framework/packet/packet.h"

namespace syncline {

struct DescribedObserver {
  absl::Status operator()(const Packet& packet) const {
    return callback(packet);
  }

  // Where the packets go, as texts name it.
  std::string name;
  // It looks at any stream, as a recording does: that it observes a stream does
  // not make the stream an output of the graph.
  bool only_looks_on = false;
  std::function<absl::Status(const Packet&)> callback;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_DESCRIBED_OBSERVER_H_
