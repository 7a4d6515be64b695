// The calls of nodes, the packets that they sent, and what follows from those.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_outputs.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/run/graph_run.h"
#include "framework/run/inside_run.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_trace.h"
#include "framework/run/running_calls.h"
#include "framework/scheduler/core_use.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/wake_up_rule.h"
#include "framework/stream/drop_cause.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"

namespace syncline {
namespace {

// A call of Process for `sets` begins, and has returned. Nothing unless the run
// is traced.
template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void ProcessBegins(
    const Node& node, absl::Span<const InputSet> sets, Effects* effects) {
  if constexpr (!kTraced) return;
  NoteCallBegins(TraceKind::kProcessBegin, node, sets.back().timestamp, sets,
                 effects->trace);
}
template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void PlainProcessBegins(
    const Node& node, const InputSet& set, Effects* effects,
    bool follows_at_once = false) {
  if constexpr (kTraced) {
    NotePlainCallBegins(node, set, follows_at_once, effects->trace);
  }
}
template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void ProcessEnds(
    const Node& node, absl::Span<const InputSet> sets,
    const absl::Status& status, Effects* effects) {
  if constexpr (!kTraced) return;
  NoteCallEnds(TraceKind::kProcessBegin, node, sets.back().timestamp, status,
               effects->trace);
}

// Tracing was switched on or off, or goes on elsewhere.
template <bool kTraced>
bool IsTracedOtherwise(const TraceSwitch& events, const Effects& effects) {
  if constexpr (!kTraced) return IsTraced(events);
  return TraceLaneIfTraced(events) != effects.trace;
}

// A plain call has returned. What it sends is noted together with its end, or
// the end by itself: true if it is noted by now.
template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool PlainProcessEnds(
    const Node& node, const InputSet& set, const absl::Status& status,
    Effects* effects) {
  if constexpr (!kTraced) return true;
  if (ABSL_PREDICT_FALSE(!status.ok())) {
    ProcessEnds<kTraced>(node, {&set, 1}, status, effects);
    return true;
  }
  effects->trace->ReadClock();
  return false;
}
template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void NoteEndUnlessNoted(
    bool is_noted, const Node& node, const CalculatorContext& context,
    Effects* effects) {
  if constexpr (!kTraced) return;
  if (!is_noted) NoteEnd(node, context.InputTimestamp(), effects->trace);
}

// The call still has packets that it took, and did not send on. To let go of
// them may take long, as where it destroys an image; that is no time of the
// next call's.
template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool HasTakenForItself(
    CalculatorContext* context) {
  if constexpr (kTraced) {
    for (const InputStream& input : context->Inputs()) {
      if (!input.IsEmpty()) return true;
    }
  }
  return false;
}

// CalculatorContext::EndCallOfOnePacket, without its loop for the one input
// that most nodes have.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void EndCallOfOnePacket(
    CalculatorContext* context) {
  if (ABSL_PREDICT_FALSE(context->Inputs().NumEntries() != 1)) {
    return context->EndCallOfOnePacket();
  }
  context->Inputs().begin()->Clear();
  context->Outputs().begin()->EndOnePacket();
  context->EndGoodCall();
}

// What `queue` has next for this thread, and for the calls that are ready.
ABSL_ATTRIBUTE_NOINLINE Task* TakeNext(SchedulerQueue* queue,
                                       Effects* effects) {
  Task* const next = queue->Next(effects->ready);
  effects->ready.clear();
  return next;
}

}  // namespace

// --- The plain call. All of it is in one function, because each further
// function would save and restore the registers of its caller.

template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline Invocation* GraphRun::RunPlain(
    Invocation* invocation, bool* follows_at_once, Effects* effects) {
  // First, since what is read before a store may be read again after it.
  RunningCalls::Begin(invocation);
  Node* const node = invocation->node;
  const InputSet& inputs = *invocation->sets.data();
  CalculatorContext* const context = inputs.context;
  const StreamReaders* const to = nodes_.ReadersOfOnly(*node);
  if (ABSL_PREDICT_TRUE(to != nullptr)) {
    __builtin_prefetch(to);
  } else if (node->outputs().size() > 0) {
    __builtin_prefetch(&nodes_.ReadersOf(node->outputs().stream(0)));
  }
  bool is_noted = false;
  bool is_fine = false;
  {
    // The status ends here, where it is known to be OK, and needs no
    // destructor.
    PlainProcessBegins<kTraced>(*node, inputs, effects, *follows_at_once);
    const absl::Status status = node->ProcessPlain(invocation, inputs);
    is_noted = PlainProcessEnds<kTraced>(*node, inputs, status, effects);
    is_fine = CheckCall(status, node, effects);
  }
  Invocation* const next =
      is_fine ? SendPlain<kTraced>(node, context, to, is_noted, effects)
              : nullptr;
  *follows_at_once = !HasTakenForItself<kTraced>(context);
  // Only a packet that was moved to its reader has started a call there.
  if (ABSL_PREDICT_TRUE(next != nullptr)) {
    EndCallOfOnePacket(context);
  } else {
    context->EndCall();
  }
  if (ABSL_PREDICT_FALSE(!node->TryFinish())) {
    if (next != nullptr) effects->ready.push_back(next);
    node->FinishAndLookAgain(effects);
    return nullptr;
  }
  return next;
}

template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline Invocation* GraphRun::SendPlain(
    Node* node, CalculatorContext* context, const StreamReaders* to,
    bool is_noted, Effects* effects) {
  OutputStream* const stream = context->Outputs().begin();
  if (ABSL_PREDICT_FALSE(to == nullptr || !NodeOutputs::OnlySent(*stream) ||
                         !context->call().ok())) {
    NoteEndUnlessNoted<kTraced>(is_noted, *node, *context, effects);
    if (node->outputs().size() == 0 && context->call().ok()) return nullptr;
    SendResults(node, context, effects);
    return nullptr;
  }
  if (context->Inputs().NumEntries() == 1) {
    // Often what came is sent on.
    context->Inputs().begin()->Value().LetGoBeside(stream->packets()[0]);
  }
  return SendDirectly<kTraced>(node, /*port=*/0, *to, context, is_noted,
                               effects);
}

template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline Invocation* GraphRun::SendDirectly(
    Node* node, int port, const StreamReaders& to, CalculatorContext* context,
    bool is_noted, Effects* effects) {
  NodeOutputs& outputs = node->outputs();
  const NodeOutputs::Sent sent = outputs.Take(
      port, &context->Outputs().begin()[port], TimeOfPromises(*context));
  // Taken apart, so that all stays in registers.
  Packet* const first = sent.packets.data();
  const std::size_t count = sent.packets.size();
  const Timestamp bound = sent.bound;
  if constexpr (kTraced) {
    PacketPeek* const peek = setup_.tracing.packets.get();
    if (is_noted) {
      NoteSent(outputs.stream(port), {first, count}, bound, effects->trace,
               peek);
    } else {
      NoteEndAndSent(*node, context->InputTimestamp(), outputs.stream(port),
                     {first, count}, bound, effects->trace, peek);
    }
  }
  if (ABSL_PREDICT_TRUE(to.HasOneNodeOnly())) {
    const ReaderPort& reader = *to.ports.data();
    Invocation* const started =
        reader.node->StartDirectly({first, count}, /*may_move=*/true, bound);
    if (started != nullptr) return started;
    reader.node->Deliver(reader.port, {first, count}, /*may_move=*/true, bound,
                         effects);
  } else {
    DeliverStream(outputs.stream(port), {first, count}, bound, effects);
  }
  if (ABSL_PREDICT_FALSE(!effects->errors.empty())) RecordErrors(effects);
  return nullptr;
}

template <bool kTraced>
Invocation* GraphRun::RunPlainToSome(Invocation* invocation, Effects* effects) {
  RunningCalls::Begin(invocation);
  Node* const node = invocation->node;
  const InputSet& inputs = *invocation->sets.data();
  CalculatorContext* const context = inputs.context;
  const absl::Span<const int> ports = node->sent_ports();
  Invocation* next = nullptr;
  {
    PlainProcessBegins<kTraced>(*node, inputs, effects);
    const absl::Status status = node->ProcessPlainToSome(invocation, inputs);
    const bool is_noted =
        PlainProcessEnds<kTraced>(*node, inputs, status, effects);
    if (CheckCall(status, node, effects)) {
      next = SendPlainToSome<kTraced>(node, ports, context, is_noted, effects);
    }
  }
  if (ABSL_PREDICT_TRUE(context->call().ok())) {
    for (InputStream& input : context->Inputs()) input.Clear();
    for (const int port : ports) context->Outputs().begin()[port].Clear();
    context->EndGoodCall();
  } else {
    context->EndCall(ports);
  }
  if (ABSL_PREDICT_FALSE(!node->TryFinish())) {
    if (next != nullptr) effects->ready.push_back(next);
    node->FinishAndLookAgain(effects);
    return nullptr;
  }
  return next;
}

template <bool kTraced>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline Invocation* GraphRun::SendPlainToSome(
    Node* node, absl::Span<const int> ports, CalculatorContext* context,
    bool is_noted, Effects* effects) {
  if (ABSL_PREDICT_TRUE(
          ports.size() == 1 && context->call().ok() &&
          NodeOutputs::OnlySent(context->Outputs().begin()[ports[0]]))) {
    const int stream = node->outputs().stream(ports[0]);
    return SendDirectly<kTraced>(node, ports[0], nodes_.ReadersOf(stream),
                                 context, is_noted, effects);
  }
  NoteEndUnlessNoted<kTraced>(is_noted, *node, *context, effects);
  if (ports.empty() && context->call().ok()) return nullptr;
  SendToSome(node, context, effects);
  return nullptr;
}

// --- Tasks

void GraphRun::RunTasks(Task* task, SchedulerQueue* queue, int max_tasks) {
  const InsideRun inside(this);
  Effects effects;
  const RunningCalls::Scope running(this);
  const absl::Status status = CatchExceptions([&] {
    while (task != nullptr) {
      effects.trace = TraceLaneIfTraced(events());
      task = ABSL_PREDICT_TRUE(effects.trace == nullptr)
                 ? RunUntilLeft<false>(task, queue, max_tasks, &effects)
                 : RunTraced(task, queue, max_tasks, &effects);
    }
  });
  if (ABSL_PREDICT_TRUE(status.ok())) return;
  RecordFailure(status, &effects);
  queue->LeaveWith({});
}

Task* GraphRun::RunTraced(Task* task, SchedulerQueue* queue, int max_tasks,
                          Effects* effects) {
  TraceLane* const lane = effects->trace;
  const int executor = ExecutorOf(*task);
  lane->NoteNow(TraceKind::kThreadIn, executor, 0);
  Task* const next = RunUntilLeft<true>(task, queue, max_tasks, effects);
  lane->NoteNow(TraceKind::kThreadOut, executor, 0);
  return next;
}

template <bool kTraced>
Task* GraphRun::RunUntilLeft(Task* task, SchedulerQueue* queue, int max_tasks,
                             Effects* of_tasks) {
  Effects& effects = *of_tasks;
  const bool has_one_queue = queues_.size() == 1;
  // While more tasks than these are left, the call that is ready may run
  // without a look at what waits.
  const int kept_back = has_one_queue ? 1 : max_tasks;
  int left = max_tasks;
  // The last call has just ended, has sent what starts this one, and kept
  // nothing for itself.
  bool follows_at_once = false;
  while (task != nullptr) {
    auto* const invocation = static_cast<Invocation*>(task);
    Invocation* next = nullptr;
    if (ABSL_PREDICT_FALSE(IsLong(*task))) {
      RunningCalls::Begin(invocation);
      RunLong<kTraced>(invocation, queue, &effects);
      // A trace that was switched on begins soon: a thousand of these take
      // long.
      if (IsTracedOtherwise<kTraced>(events(), effects)) left = 1;
    } else if (ABSL_PREDICT_TRUE(invocation->kind ==
                                 Invocation::Kind::kPlain)) {
      next = RunPlain<kTraced>(invocation, &follows_at_once, &effects);
    } else if (invocation->kind == Invocation::Kind::kPlainToSome) {
      next = RunPlainToSome<kTraced>(invocation, &effects);
      follows_at_once = false;
    } else {
      RunningCalls::Begin(invocation);
      RunInvocation<kTraced>(invocation, &effects);
    }
    if (next != nullptr) {
      if (ABSL_PREDICT_TRUE(left > kept_back && !has_error() &&
                            queue->RunsNext(*next))) {
        --left;
        task = next;
        continue;
      }
      effects.ready.push_back(next);
    }
    follows_at_once = false;
    if (effects.HasReports()) ActOn(&effects);
    // After an error no further call starts.
    if (ABSL_PREDICT_FALSE(has_error())) effects.ready.clear();
    if constexpr (kTraced) NoteReady(effects.ready, effects.trace);
    if (!has_one_queue) queues_.KeepFor(queue, &effects.ready, ExecutorOf);
    if (ABSL_PREDICT_FALSE(--left == 0)) {
      left = max_tasks;
      if (queue->ShouldLeave()) {
        queue->LeaveWith(effects.ready);
        return nullptr;
      }
      if (IsTracedOtherwise<kTraced>(events(), effects)) {
        return TakeNext(queue, &effects);
      }
    }
    task = queue->Next(effects.ready);
    effects.ready.clear();
  }
  return nullptr;
}

template <bool kTraced>
void GraphRun::RunLong(Invocation* invocation, SchedulerQueue* queue,
                       Effects* effects) {
  if (!Sleeps(*invocation)) {
    return RunInvocation<kTraced>(invocation, effects);
  }
  const CoreUse::Sleeper sleeper(&queue->core_use());
  RunInvocation<kTraced>(invocation, effects);
}

// --- Calls

template <bool kTraced>
void GraphRun::RunInvocation(Invocation* invocation, Effects* effects) {
  switch (invocation->kind) {
    case Invocation::Kind::kProcess:
      if (invocation->node->is_source()) {
        return RunSource<kTraced>(invocation, effects);
      }
      if (invocation->node->overlaps()) {
        return RunOverlapping<kTraced>(invocation, effects);
      }
      return RunProcess<kTraced>(invocation, effects);
    case Invocation::Kind::kPlain:
      return RunProcess<kTraced>(invocation, effects);
    case Invocation::Kind::kToSome:
      return RunToSome<kTraced>(invocation, effects);
    case Invocation::Kind::kPlainToSome: {
      Invocation* const next = RunPlainToSome<kTraced>(invocation, effects);
      if (next != nullptr) effects->ready.push_back(next);
      return;
    }
    case Invocation::Kind::kOpen:
      return RunOpen(invocation, effects);
    case Invocation::Kind::kClose:
      return RunClose(invocation, effects);
  }
}

template <bool kTraced>
void GraphRun::RunProcess(Invocation* invocation, Effects* effects) {
  Node* const node = invocation->node;
  if (node->outputs().size() > 0) {
    __builtin_prefetch(&nodes_.ReadersOf(node->outputs().stream(0)));
  }
  if (ABSL_PREDICT_FALSE(node->calls_by_rules())) {
    if (invocation->takes_when_call_starts)
      node->TakeInputs(invocation, effects);
    if (node->batches_calls()) return RunBatch<kTraced>(invocation, effects);
  }
  bool is_fine = true;
  const InputSet* const sets = invocation->sets.data();
  for (int set = 0; set < invocation->num_sets; ++set) {
    CalculatorContext* const context = sets[set].context;
    // After a call with an error no packet of the node's later calls is sent,
    // so that no stream has a hole.
    if (is_fine) {
      ProcessBegins<kTraced>(*node, {&sets[set], 1}, effects);
      const absl::Status status = node->Process(invocation, sets[set]);
      ProcessEnds<kTraced>(*node, {&sets[set], 1}, status, effects);
      is_fine = CheckCall(status, node, effects) &&
                SendResults(node, context, effects);
      if (ABSL_PREDICT_FALSE(!is_fine)) {
        node->NoteUnprocessed(*invocation, set + 1, DropCause::kRunFailed,
                              effects->trace);
      }
    }
    context->EndCall();
  }
  node->Finish(effects);
}

template <bool kTraced>
void GraphRun::RunToSome(Invocation* invocation, Effects* effects) {
  Node* const node = invocation->node;
  if (invocation->takes_when_call_starts) node->TakeInputs(invocation, effects);
  bool is_fine = true;
  const InputSet* const sets = invocation->sets.data();
  for (int set = 0; set < invocation->num_sets; ++set) {
    CalculatorContext* const context = sets[set].context;
    if (is_fine) {
      ProcessBegins<kTraced>(*node, {&sets[set], 1}, effects);
      const absl::Status status = node->ProcessToSome(invocation, sets[set]);
      ProcessEnds<kTraced>(*node, {&sets[set], 1}, status, effects);
      is_fine = CheckCall(status, node, effects) &&
                SendToSome(node, context, effects);
      if (ABSL_PREDICT_FALSE(!is_fine)) {
        node->NoteUnprocessed(*invocation, set + 1, DropCause::kRunFailed,
                              effects->trace);
      }
    }
    context->EndCall(node->sent_ports());
  }
  node->Finish(effects);
}

template <bool kTraced>
void GraphRun::RunBatch(Invocation* invocation, Effects* effects) {
  Node* const node = invocation->node;
  // The batch is one call, with the context of the last input set. It sees the
  // other sets.
  const int last = invocation->num_sets - 1;
  const InputSet& inputs = invocation->sets[last];
  const auto sets = absl::MakeConstSpan(invocation->sets).first(last + 1);
  ProcessBegins<kTraced>(*node, sets, effects);
  const absl::Status status = node->Process(invocation, inputs);
  ProcessEnds<kTraced>(*node, sets, status, effects);
  if (CheckCall(status, node, effects)) {
    SendResults(node, inputs.context, effects);
  }
  for (int set = last; set >= 0; --set) {
    invocation->sets[set].context->EndCall();
  }
  node->Finish(effects);
}

template <bool kTraced>
void GraphRun::RunOverlapping(Invocation* invocation, Effects* effects) {
  Node* const node = invocation->node;
  if (ABSL_PREDICT_FALSE(invocation->takes_when_call_starts)) {
    node->TakeInputs(invocation, effects);
  }
  const InputSet& inputs = invocation->sets[0];
  PlainProcessBegins<kTraced>(*node, inputs, effects);
  const absl::Status status = node->Process(invocation, inputs);
  ProcessEnds<kTraced>(*node, {&inputs, 1}, status, effects);
  invocation->has_failed = !CheckCall(status, node, effects);
  Invocation* due = node->Complete(invocation);
  while (due != nullptr) {
    CalculatorContext* const context = due->sets[0].context;
    if constexpr (kTraced) {
      effects->trace->NoteNow(TraceKind::kResults, node->plan().id,
                              due->sets[0].timestamp.Value());
    }
    if (due->has_failed) node->StopSending();
    if (node->is_sending() && !SendResults(node, context, effects)) {
      node->StopSending();
    }
    context->EndCall();
    due = node->FinishInOrder(due, effects);
  }
}

template <bool kTraced>
void GraphRun::RunSource(Invocation* invocation, Effects* effects) {
  Node* const node = invocation->node;
  CalculatorContext* const context = invocation->sets[0].context;
  if (!sources_.is_stopping()) {
    InputSet& inputs = invocation->sets[0];
    inputs.timestamp = Timestamp(0);
    const bool is_plain = !node->overlaps() && !node->calls_by_rules() &&
                          !node->has_output_side_packets() &&
                          !node->outputs().keeps_times();
    PlainProcessBegins<kTraced>(*node, inputs, effects);
    const absl::Status status = is_plain
                                    ? node->ProcessPlain(invocation, inputs)
                                    : node->Process(invocation, inputs);
    ProcessEnds<kTraced>(*node, {&inputs, 1}, status, effects);
    const bool is_fine = CheckCall(status, node, effects);
    if (is_fine && is_plain) {
      Invocation* const started =
          SendPlain<kTraced>(node, context, nodes_.ReadersOfOnly(*node),
                             /*is_noted=*/true, effects);
      if (started != nullptr) effects->ready.push_back(started);
    } else if (is_fine) {
      SendResults(node, context, effects);
    }
    context->EndCall();
    if (!is_fine) return;
    // A queue that has become full holds the next call of the source back.
    if (effects->HasReports()) ActOn(effects);
    if (status.ok()) return ContinueSource(node, effects);
  }
  // The conditions were told of a call that does not come.
  if (node->conditions() != nullptr) node->conditions()->UndoDispatch();
  if (node->StartClose(/*is_end_of_run=*/false)) RunClose(invocation, effects);
}

void GraphRun::RunClose(Invocation* invocation, Effects* effects) {
  Node* const node = invocation->node;
  CalculatorContext* const context = invocation->sets[0].context;
  TraceLane* const lane = effects->trace;
  if (lane != nullptr) {
    NoteCallBegins(TraceKind::kCloseBegin, *node, Timestamp::Done(), {}, lane);
  }
  const absl::Status status = node->Close(invocation);
  if (lane != nullptr) {
    NoteCallEnds(TraceKind::kCloseBegin, *node, Timestamp::Done(), status,
                 lane);
  }
  if (CheckCall(status, node, effects)) SendResults(node, context, effects);
  context->EndCall();
  for (int port = 0; port < node->outputs().size(); ++port) {
    const Node::Output output = node->outputs().End(port);
    if (!output.tells_readers) continue;
    if (lane != nullptr) {
      NoteSentApart(node->outputs().stream(port), {}, output.bound, lane,
                    setup_.tracing.packets.get());
    }
    DeliverStream(node->outputs().stream(port), {}, output.bound, effects);
  }
  node->FinishClose(effects);
  if (node->is_source()) SourceClosed(*node);
}

// --- What a call sent

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void GraphRun::SendOutput(
    Node* node, CalculatorContext* context, int port, Effects* effects) {
  const Node::Output output = node->TakeOutput(context, port, &effects->errors);
  if (!output.tells_readers) return;
  if (ABSL_PREDICT_FALSE(node->outputs().KeepsTimes(port))) {
    DeliverTimed(node->outputs().stream(port), output.packets, output.bound,
                 context->Outputs().begin()[port].times(), effects);
  } else {
    DeliverInPlace(node->outputs().stream(port), output.packets, output.bound,
                   effects);
  }
}

bool GraphRun::SendResults(Node* node, CalculatorContext* context,
                           Effects* effects) {
  if (ABSL_PREDICT_FALSE(effects->trace != nullptr)) {
    NoteResults(*node, context, effects->trace, setup_.tracing.packets.get());
  }
  const int num_outputs = node->outputs().size();
  for (int port = 0; port < num_outputs;) {
    const int together = node->outputs().SentTogether(port);
    if (ABSL_PREDICT_FALSE(together > 1)) {
      SendTogether(node, context, port, together, effects);
    } else {
      SendOutput(node, context, port, effects);
    }
    port += together;
  }
  return FinishResults(node, context, effects);
}

void GraphRun::SendTogether(Node* node, CalculatorContext* context, int port,
                            int count, Effects* effects) {
  absl::InlinedVector<Arrival, NodeOutputs::kMostTogether> arrivals;
  Node* join = nullptr;
  NodeOutputs& outputs = node->outputs();
  OutputStream* const streams = context->Outputs().begin();
  // What Node::TakeOutput looks at for each output, once for all of them.
  const bool overlaps = node->overlaps();
  const Timestamp promised_from = TimeOfPromises(*context);
  for (const int end = port + count; port < end; ++port) {
    const Node::Output output =
        ABSL_PREDICT_TRUE(NodeOutputs::OnlySent(streams[port]) && !overlaps)
            ? outputs.Take(port, &streams[port], promised_from)
            : node->TakeOutput(context, port, &effects->errors);
    if (ABSL_PREDICT_FALSE(!output.tells_readers)) continue;
    const ReaderPort& reader =
        *nodes_.ReadersOf(outputs.stream(port)).ports.data();
    join = reader.node;
    arrivals.push_back({reader.port, output.packets, output.bound});
  }
  if (join != nullptr) join->DeliverTogether(arrivals, effects);
}

bool GraphRun::SendToSome(Node* node, CalculatorContext* context,
                          Effects* effects) {
  if (ABSL_PREDICT_FALSE(effects->trace != nullptr)) {
    NoteResults(*node, context, effects->trace, setup_.tracing.packets.get());
  }
  for (const int port : node->sent_ports()) {
    SendOutput(node, context, port, effects);
  }
  return FinishResults(node, context, effects);
}

bool GraphRun::FinishResults(Node* node, CalculatorContext* context,
                             Effects* effects) {
  for (const absl::Status& error : context->call().errors()) {
    effects->errors.push_back(error);
  }
  if (node->has_output_side_packets()) TakeSidePackets(node, effects);
  if (ABSL_PREDICT_TRUE(effects->errors.empty())) return true;
  RecordErrors(effects);
  return false;
}

void GraphRun::DeliverStream(int stream, absl::Span<Packet> packets,
                             Timestamp bound, Effects* effects) {
  const StreamReaders& to = nodes_.ReadersOf(stream);
  if (ABSL_PREDICT_TRUE(to.HasOneNodeOnly())) {
    const ReaderPort& reader = *to.ports.data();
    return reader.node->Deliver(reader.port, packets, /*may_move=*/true, bound,
                                effects);
  }
  if (ABSL_PREDICT_FALSE(!to.taps.empty())) {
    return DeliverToTapped(to, packets, bound, effects);
  }
  // The last reader may take the packets themselves; the others get copies.
  size_t left = to.ports.size();
  for (const ReaderPort& reader : to.ports) {
    reader.node->Deliver(reader.port, packets, /*may_move=*/--left == 0, bound,
                         effects);
  }
}

void GraphRun::DeliverToTapped(const StreamReaders& to,
                               absl::Span<Packet> packets, Timestamp bound,
                               Effects* effects) {
  auto reader = to.ports.begin();
  for (; reader != to.ports.end() && reader->goes_by_arrival; ++reader) {
    reader->node->Deliver(reader->port, packets, /*may_move=*/false, bound,
                          effects);
  }
  for (OutputTap* const tap : to.taps) {
    DeliverToTap(tap, packets, bound, effects);
  }
  for (; reader != to.ports.end(); ++reader) {
    const bool is_last = reader + 1 == to.ports.end();
    reader->node->Deliver(reader->port, packets, /*may_move=*/is_last, bound,
                          effects);
  }
}

}  // namespace syncline
