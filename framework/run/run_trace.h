// What a run notes in a trace: the facts that calls, arrivals and full queues
// leave behind, as events (trace/trace_event.h says which and in which order).
//
// Thread rule: pure functions; each is called on the thread of the lane.
// Tested by run_trace_test and, in graphs, by trace_graph_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_TRACE_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_TRACE_H_

#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/stream/packet_peek.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"
#include "framework/trace/trace_packing.h"
#include "framework/trace/trace_recorder.h"
#include "framework/trace/trace_switch.h"

namespace syncline {

// Whether something is noted at all.
inline bool IsTraced(const TraceSwitch& events) {
  return events.recorder() != nullptr;
}
// Where this thread notes what happens, at the present time; null: the run is
// not traced.
TraceLane* TraceLaneIn(TraceRecorder* recorder);
inline TraceLane* TraceLaneIfTraced(const TraceSwitch& events) {
  TraceRecorder* const recorder = events.recorder();
  return ABSL_PREDICT_TRUE(recorder == nullptr) ? nullptr
                                                : TraceLaneIn(recorder);
}

// A call that has begun takes the packets of `set`.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void NoteTaken(const PlanNode& plan,
                                                   const InputSet& set,
                                                   TraceLane* lane) {
  const PlanInput* const inputs = plan.inputs.data();
  std::uint32_t port = 0;
  for (const InputStream& input : set.context->Inputs()) {
    if (!input.IsEmpty()) {
      lane->Note(TraceKind::kTaken, inputs[port].stream,
                 input.Value().Timestamp().Value(), port);
    }
    ++port;
  }
}
// A call begins, and takes the packets of `sets`. Nothing for Open and Close,
// which take none.
inline void NoteCallBegins(TraceKind kind, const Node& node,
                           Timestamp timestamp, absl::Span<const InputSet> sets,
                           TraceLane* lane) {
  lane->MakeRoom();
  lane->NoteNow(kind, node.plan().id, timestamp.Value(),
                static_cast<std::uint32_t>(sets.size()));
  for (const InputSet& set : sets) NoteTaken(node.plan(), set, lane);
}
// The same for Process with one set. `follows_at_once`: the thread comes from
// the end of another call, and did nothing but hand on what that call has sent;
// it destroyed no packet that the call had taken. Then the call begins at the
// time of that end, some tens of nanoseconds early: to read the clock once more
// would take as long.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void NotePlainCallBegins(
    const Node& node, const InputSet& set, bool follows_at_once,
    TraceLane* lane) {
  if (!follows_at_once) lane->ReadClock();
  lane->MakeRoom();
  // Of a source there is none to point to.
  const InputStream* const first = set.context->Inputs().begin();
  if (ABSL_PREDICT_TRUE(set.context->Inputs().NumEntries() == 1 &&
                        !first->IsEmpty() &&
                        first->Value().Timestamp() == set.timestamp)) {
    lane->Note(kPackedBegin, node.plan().id, set.timestamp.Value(),
               static_cast<std::uint32_t>(node.plan().inputs[0].stream));
    return;
  }
  lane->Note(TraceKind::kProcessBegin, node.plan().id, set.timestamp.Value(),
             /*extra=*/1);
  NoteTaken(node.plan(), set, lane);
}
// The call has returned. `kind`: the kind of its begin; that of the end is the
// number behind it.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void NoteCallEnds(
    TraceKind kind, const Node& node, Timestamp timestamp,
    const absl::Status& status, TraceLane* lane) {
  lane->NoteNow(static_cast<TraceKind>(static_cast<std::uint8_t>(kind) + 1),
                node.plan().id, timestamp.Value(),
                ABSL_PREDICT_TRUE(status.ok())
                    ? 0
                    : static_cast<std::uint32_t>(status.raw_code()));
}
// The end of a call of Process that was OK, at the time that was read last.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void NoteEnd(const Node& node,
                                                 Timestamp timestamp,
                                                 TraceLane* lane) {
  lane->Note(TraceKind::kProcessEnd, node.plan().id, timestamp.Value());
}
// What a call is about to send.
void NoteResults(const Node& node, CalculatorContext* context, TraceLane* lane,
                 PacketPeek* peek);
// Packets and a bound that go to the readers of a stream. The bound is noted
// only where it says more than the last packet does.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void NoteSent(
    int stream, absl::Span<const Packet> packets, Timestamp bound,
    TraceLane* lane, PacketPeek* peek) {
  peek->See(stream, packets);
  for (const Packet& packet : packets) {
    lane->Note(TraceKind::kSent, stream, packet.Timestamp().Value());
  }
  if (!packets.empty()) {
    const Timestamp last = packets.back().Timestamp();
    // The usual bound first, for which one comparison does.
    if (ABSL_PREDICT_TRUE(bound.Value() == last.Value() + 1) ||
        bound <= last.NextAllowedInStream()) {
      return;
    }
  }
  lane->Note(TraceKind::kBound, stream, bound.Value());
}
// NoteEnd, and then NoteSent.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void NoteEndAndSent(
    const Node& node, Timestamp timestamp, int stream,
    absl::Span<const Packet> packets, Timestamp bound, TraceLane* lane,
    PacketPeek* peek) {
  if (ABSL_PREDICT_FALSE(packets.size() != 1 ||
                         packets[0].Timestamp() != timestamp ||
                         bound.Value() != timestamp.Value() + 1)) {
    NoteEnd(node, timestamp, lane);
    NoteSent(stream, packets, bound, lane, peek);
    return;
  }
  peek->See(stream, packets);
  lane->Note(kPackedEnd, node.plan().id, timestamp.Value(),
             static_cast<std::uint32_t>(stream));
}
// NoteSent as a function of its own, for code that is seldom traced.
void NoteSentApart(int stream, absl::Span<const Packet> packets,
                   Timestamp bound, TraceLane* lane, PacketPeek* peek);
// Calls that can begin now.
void NoteReady(const Effects::Ready& ready, TraceLane* lane);

// Full queues pause a source of the plan, or no longer do. Nothing if `lane` is
// null.
void NoteThrottling(TraceKind kind, const GraphPlan& plan, int source,
                    TraceLane* lane);

// Where these stand in TraceEvent::extra.
inline std::uint32_t TraceNodeOrNone(int node) {
  return node < 0 ? TraceEvent::kNoNode : static_cast<std::uint32_t>(node);
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_TRACE_H_
