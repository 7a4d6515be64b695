#include "framework/run/run_trace.h"

#include <cstdint>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/node_outputs.h"
#include "framework/plan/graph_plan.h"
#include "framework/scheduler/task.h"

namespace syncline {
namespace {

// NoteCallEnds counts on it.
static_assert(static_cast<int>(TraceKind::kOpenEnd) ==
              static_cast<int>(TraceKind::kOpenBegin) + 1);
static_assert(static_cast<int>(TraceKind::kProcessEnd) ==
              static_cast<int>(TraceKind::kProcessBegin) + 1);
static_assert(static_cast<int>(TraceKind::kCloseEnd) ==
              static_cast<int>(TraceKind::kCloseBegin) + 1);

// As TraceKind::kReady has it.
std::uint32_t PhaseOf(const Invocation& invocation) {
  switch (invocation.kind) {
    case Invocation::Kind::kOpen:
      return 1;
    case Invocation::Kind::kClose:
      return 2;
    default:
      return 0;
  }
}

}  // namespace

ABSL_ATTRIBUTE_NOINLINE TraceLane* TraceLaneIn(TraceRecorder* recorder) {
  TraceLane* const lane = recorder->LaneOfThisThread();
  if (lane != nullptr) lane->ReadClock();
  return lane;
}

void NoteThrottling(TraceKind kind, const GraphPlan& plan, int source,
                    TraceLane* lane) {
  if (ABSL_PREDICT_TRUE(lane == nullptr)) return;
  const PlanSource& plan_source = plan.sources()[source];
  const int stream = plan_source.node >= 0
                         ? 0
                         : plan.graph_inputs()[plan_source.graph_input].stream;
  lane->NoteNow(kind, static_cast<int>(TraceNodeOrNone(plan_source.node)), 0,
                static_cast<std::uint32_t>(stream));
}

void NoteResults(const Node& node, CalculatorContext* context, TraceLane* lane,
                 PacketPeek* peek) {
  int port = 0;
  for (OutputStream& output : context->Outputs()) {
    const int stream = node.outputs().stream(port);
    Timestamp bound = Timestamp::Unset();
    bool is_due = !output.packets().empty();
    // An offset may take the bound further than the packets do.
    if (!NodeOutputs::OnlySent(output) || node.outputs().has_offset()) {
      // Its mistakes are reported when the output is taken.
      std::vector<absl::Status> ignored;
      const NodeOutputs::Change change = node.outputs().Examine(
          port, &output, TimeOfPromises(*context), node.overlaps(), &ignored);
      // The first bound of a stream says nothing.
      if (change.is_due && change.sent.bound > Timestamp::PreStream()) {
        bound = change.sent.bound;
        is_due = true;
      }
    }
    if (is_due) NoteSent(stream, output.packets(), bound, lane, peek);
    ++port;
  }
}

void NoteSentApart(int stream, absl::Span<const Packet> packets,
                   Timestamp bound, TraceLane* lane, PacketPeek* peek) {
  NoteSent(stream, packets, bound, lane, peek);
}

void NoteReady(const Effects::Ready& ready, TraceLane* lane) {
  for (const Task* const task : ready) {
    const auto& invocation = static_cast<const Invocation&>(*task);
    const int node = invocation.node->plan().id;
    const std::uint32_t phase = PhaseOf(invocation);
    if (phase != 0 || invocation.takes_when_call_starts ||
        invocation.node->is_source()) {
      lane->Note(TraceKind::kReady, node, Timestamp::Unset().Value(), phase);
      continue;
    }
    for (int set = 0; set < invocation.num_sets; ++set) {
      lane->Note(TraceKind::kReady, node,
                 invocation.sets[set].timestamp.Value());
    }
  }
}

}  // namespace syncline
