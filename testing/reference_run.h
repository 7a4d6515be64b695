// The reference run: what a graph does, computed as simply as possible.
//
//   SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan, Compile(config));
//   ReferenceInputs inputs;
//   inputs.events = {GraphInputEvent::OfPacket("in", MakePacket<int>(7).At(t)),
//                    GraphInputEvent::OfClose("in")};
//   SYNCLINE_ASSIGN_OR_RETURN(ReferenceResult result,
//                             RunReference(plan, inputs));
//   result.streams["out"].packets ...
//
// This is the oracle that the engine is compared with. It has no threads, no
// queues and no incremental anything: every stream keeps all that was ever sent
// on it, and after each call everything is looked at again to find one that is
// due. It shares the values, the calculator layer and the arithmetic of bounds
// (framework/stream/bound_after_call.h) with the engine, and nothing else.
//
// What it does, in this order, until nothing is left to do:
//   1. open the first node whose side packets are there and whose producers,
//      those behind back edges apart, are open;
//   2. call or close the first node with inputs for which that is due; nodes
//      that wait pass bounds on;
//   3. call a source of the lowest layer that is not over.
// The graph inputs are there from the beginning, completely. At the end nodes
// that are still open are closed; what they send then goes nowhere.
//
// A call that returns an error sends nothing. One that only made mistakes at
// its outputs sends what was right. The node does nothing more, but it may have
// passed on earlier, with an offset, that nothing comes before the time of that
// call. With `stop_at_error` the run ends there. Without it, all other nodes go
// on, so that the result is the most that any schedule can reach before it
// stops.
//
// Queue limits, max_in_flight and executors do not matter and are ignored. The
// result says nothing about schedules, so graphs whose output depends on them
// have no reference: nodes that emit on mere bounds, several sync sets whose
// order counts, sources that a node stops, TimestampAlign where the base may
// begin before the others do.
//
// Thread rule: a pure function, as far as the calculators are.
// Tested by reference_run_test.

#ifndef SYNCLINE_TESTING_REFERENCE_RUN_H_
#define SYNCLINE_TESTING_REFERENCE_RUN_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/call.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

// What an application does to a graph input.
struct GraphInputEvent {
  enum class Kind { kPacket, kBound, kClose };

  static GraphInputEvent OfPacket(std::string stream, Packet packet) {
    return {std::move(stream), Kind::kPacket, std::move(packet), {}};
  }
  static GraphInputEvent OfBound(std::string stream, Timestamp bound) {
    return {std::move(stream), Kind::kBound, {}, bound};
  }
  static GraphInputEvent OfClose(std::string stream) {
    return {std::move(stream), Kind::kClose, {}, {}};
  }

  std::string stream;
  Kind kind = Kind::kClose;
  Packet packet;
  Timestamp bound;
};

struct ReferenceInputs {
  // In the order in which the application does them. What is not closed is
  // closed at the end.
  std::vector<GraphInputEvent> events;
  std::map<std::string, Packet> side_packets;
};

struct ReferenceOptions {
  bool stop_at_error = true;
  // Calls of all nodes together; then RESOURCE_EXHAUSTED.
  int max_calls = 1000000;
};

struct ReferenceResult {
  struct Stream {
    std::vector<Packet> packets;
    // Its producer closed it, before the end of the run.
    bool is_closed = false;
  };
  // A packet that a call took or sent, by the port of the node.
  struct CallPacket {
    int port = 0;
    Timestamp timestamp;
  };
  // A call of Process, or of Open or Close, that returned OK.
  struct Call {
    int node = 0;
    CallPhase phase = CallPhase::kProcess;
    Timestamp timestamp;
    std::vector<CallPacket> taken;
    std::vector<CallPacket> sent;
  };

  // All streams of the plan, by name.
  std::map<std::string, Stream> streams;
  // In the order in which this run makes them.
  std::vector<Call> calls;
  // Those of the plan that have a value.
  std::map<std::string, Packet> side_packets;
  // The first error.
  absl::Status status;
  // All of them.
  std::vector<absl::Status> errors;
};

// An error here means that there is no reference: UNIMPLEMENTED for a handler
// that it does not know, INVALID_ARGUMENT for inputs that no graph would take,
// RESOURCE_EXHAUSTED for a run that does not end.
absl::StatusOr<ReferenceResult> RunReference(
    const GraphPlan& plan, const ReferenceInputs& inputs,
    const ReferenceOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_TESTING_REFERENCE_RUN_H_
