// Calls, what they sent, and what follows from it.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/packet_times.h"
#include "framework/graph/graph_run.h"
#include "framework/graph/inside_run.h"
#include "framework/graph/output_tap.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/turn.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/task.h"
#include "framework/stream/drop_cause.h"

namespace syncline {

// --- Tasks

SchedulerQueue* GraphRun::QueueOf(const Task& task) const {
  const auto& invocation = static_cast<const Invocation&>(task);
  return queues_[invocation.node->plan().executor];
}

void GraphRun::RunTasks(Task* task, SchedulerQueue* queue, int max_tasks) {
  const InsideRun inside(this);
  Turn turn;
  const absl::Status status = CatchExceptions([&] {
    RunRow(task, queue, max_tasks, &turn);
    return absl::OkStatus();
  });
  if (ABSL_PREDICT_TRUE(status.ok())) return;
  RecordFailure(status, &turn);
  queue->LeaveWith({});
}

void GraphRun::RecordFailure(const absl::Status& status, Turn* turn) {
  RecordError(status);
  turn->ready.clear();
  // Among what is left may be that somebody keeps the run busy no more.
  CatchExceptions([&] {
    if (turn->HasNews()) Settle(turn);
    return absl::OkStatus();
  }).IgnoreError();
  turn->ready.clear();
}

void GraphRun::RunRow(Task* task, SchedulerQueue* queue, int max_tasks,
                      Turn* row) {
  Turn& turn = *row;
  int left = max_tasks;
  while (task != nullptr) {
    RunInvocation(static_cast<Invocation*>(task), &turn);
    if (turn.HasNews()) Settle(&turn);
    // After an error nothing new starts.
    if (ABSL_PREDICT_FALSE(has_error())) turn.ready.clear();
    if (queues_.size() > 1) KeepFor(queue, &turn.ready);
    if (ABSL_PREDICT_FALSE(--left == 0)) {
      left = max_tasks;
      if (queue->ShouldLeave()) {
        queue->LeaveWith(turn.ready);
        return;
      }
    }
    task = queue->Next(turn.ready);
    turn.ready.clear();
  }
}

void GraphRun::KeepFor(const SchedulerQueue* queue, Turn::Ready* ready) {
  size_t kept = 0;
  for (Task* const task : *ready) {
    SchedulerQueue* const its_queue = QueueOf(*task);
    if (its_queue == queue) {
      (*ready)[kept++] = task;
    } else {
      its_queue->Add({&task, 1});
    }
  }
  ready->resize(kept);
}

void GraphRun::FinishTurn(Turn* turn) {
  if (turn->HasNews()) Settle(turn);
  if (!has_error() && !turn->ready.empty()) {
    if (queues_.size() == 1) {
      queues_[0]->Add(turn->ready);
    } else {
      KeepFor(nullptr, &turn->ready);
    }
  }
  turn->ready.clear();
}

void GraphRun::Settle(Turn* turn) {
  while (turn->HasNews()) {
    if (ABSL_PREDICT_FALSE(!turn->gate_facts.empty())) ActOnGateFacts(turn);
    while (!turn->bounds.empty()) {
      const Turn::PassedBound passed = turn->bounds.back();
      turn->bounds.pop_back();
      DeliverStream(passed.stream, {}, passed.bound, turn);
    }
    if (!turn->full_edges.empty()) {
      std::vector<int> resumed;
      for (const Turn::FullEdge& edge : turn->full_edges) {
        if (edge.change == 0) {
          if (edge.long_port >= 0) {
            LookAtLongQueue(edge, turn);
          } else if (edge.matched >= 0) {
            WarnOfFewMatches(edge);
          } else {
            WarnOfLongQueue(edge);
          }
          continue;
        }
        if (edge.change < 0) LookAtRoomWatchers(edge.stream, turn);
        sources_.NoteFullQueue(plan().streams()[edge.stream].source_set,
                               edge.change, edge.is_node, &resumed);
      }
      turn->full_edges.clear();
      Resumed(resumed, turn);
    }
    for (const absl::Status& error : std::exchange(turn->errors, {})) {
      RecordError(error);
    }
    std::exchange(turn->trash, {}).clear();
  }
}

void GraphRun::OnQueueEdge(int stream, int change) {
  ApplicationCall call(this);
  if (call.is_running())
    call.turn.full_edges.push_back({stream, change, false});
}

// --- Calls

void GraphRun::RunInvocation(Invocation* invocation, Turn* turn) {
  switch (invocation->kind) {
    case Invocation::Kind::kProcess:
      if (invocation->node->is_source()) {
        RunSource(invocation, turn);
      } else if (invocation->node->overlaps()) {
        RunOverlapping(invocation, turn);
      } else {
        RunProcess(invocation, turn);
      }
      break;
    case Invocation::Kind::kOpen:
      RunOpen(invocation, turn);
      break;
    case Invocation::Kind::kClose:
      RunClose(invocation, turn);
      break;
  }
}

bool GraphRun::CheckCall(const absl::Status& status, Node* node, Turn* turn) {
  if (ABSL_PREDICT_TRUE(status.ok())) return true;
  if (tool::IsStatusStop(status)) {
    if (!node->plan().is_source) StopSources(turn);
    return true;
  }
  RecordError(status);
  return false;
}

void GraphRun::RunProcess(Invocation* invocation, Turn* turn) {
  Node* const node = invocation->node;
  if (node->num_outputs() > 0) {
    __builtin_prefetch(&nodes_.ReadersOf(node->output_stream(0)));
  }
  if (ABSL_PREDICT_FALSE(node->calls_unusually())) {
    if (invocation->takes_late) node->TakeInputs(invocation, turn);
    if (node->batches_calls()) return RunBatch(invocation, turn);
  }
  bool is_fine = true;
  const InputSet* const sets = invocation->sets.data();
  for (int set = 0; set < invocation->num_sets; ++set) {
    CalculatorContext* const context = sets[set].context;
    // After a call that went wrong nothing more of the node is sent, so that no
    // stream has a hole.
    if (is_fine) {
      is_fine = CheckCall(node->Process(invocation, sets[set]), node, turn) &&
                SendResults(node, context, turn);
      if (ABSL_PREDICT_FALSE(!is_fine)) {
        node->NoteUnprocessed(*invocation, set + 1, DropCause::kRunFailed);
      }
    }
    context->EndCall();
  }
  node->Finish(turn);
}

void GraphRun::RunBatch(Invocation* invocation, Turn* turn) {
  Node* const node = invocation->node;
  // The call is that of the last set, and sees the others.
  const int last = invocation->num_sets - 1;
  const InputSet& inputs = invocation->sets[last];
  if (CheckCall(node->Process(invocation, inputs), node, turn)) {
    SendResults(node, inputs.context, turn);
  }
  for (int set = last; set >= 0; --set) {
    invocation->sets[set].context->EndCall();
  }
  node->Finish(turn);
}

void GraphRun::RunOverlapping(Invocation* invocation, Turn* turn) {
  Node* const node = invocation->node;
  if (ABSL_PREDICT_FALSE(invocation->takes_late)) {
    node->TakeInputs(invocation, turn);
  }
  invocation->has_failed =
      !CheckCall(node->Process(invocation, invocation->sets[0]), node, turn);
  Invocation* due = node->Complete(invocation);
  while (due != nullptr) {
    CalculatorContext* const context = due->sets[0].context;
    if (due->has_failed) node->StopSending();
    if (node->is_sending() && !SendResults(node, context, turn)) {
      node->StopSending();
    }
    context->EndCall();
    due = node->FinishInOrder(due, turn);
  }
}

void GraphRun::RunSource(Invocation* invocation, Turn* turn) {
  Node* const node = invocation->node;
  CalculatorContext* const context = invocation->sets[0].context;
  if (!sources_.is_stopping()) {
    InputSet& inputs = invocation->sets[0];
    inputs.timestamp = Timestamp(0);
    const absl::Status status = node->Process(invocation, inputs);
    const bool is_fine = CheckCall(status, node, turn);
    if (is_fine) SendResults(node, context, turn);
    context->EndCall();
    if (!is_fine) return;
    // A queue that is full now holds the next call back.
    if (turn->HasNews()) Settle(turn);
    if (status.ok()) return ContinueSource(node, turn);
  }
  // The call that it was dispatched for does not come.
  if (node->conditions() != nullptr) node->conditions()->UndoDispatch();
  if (node->StartClose(/*is_end_of_run=*/false)) RunClose(invocation, turn);
}

void GraphRun::RunClose(Invocation* invocation, Turn* turn) {
  Node* const node = invocation->node;
  CalculatorContext* const context = invocation->sets[0].context;
  if (CheckCall(node->Close(invocation), node, turn)) {
    SendResults(node, context, turn);
  }
  context->EndCall();
  for (int port = 0; port < node->num_outputs(); ++port) {
    const Node::Output output = node->EndOutput(port);
    if (!output.is_news) continue;
    DeliverStream(node->output_stream(port), {}, output.bound, turn);
  }
  node->FinishClose(turn);
  if (node->is_source()) SourceClosed(*node);
}

// --- What a call sent

bool GraphRun::SendResults(Node* node, CalculatorContext* context, Turn* turn) {
  const int num_outputs = node->num_outputs();
  for (int port = 0; port < num_outputs; ++port) {
    const Node::Output output = node->TakeOutput(context, port, &turn->errors);
    if (!output.is_news) continue;
    if (ABSL_PREDICT_FALSE(node->OutputIsTimed(port))) {
      DeliverTimed(node->output_stream(port), output.packets, output.bound,
                   context->Outputs().begin()[port].times(), turn);
    } else {
      DeliverStream(node->output_stream(port), output.packets, output.bound,
                    turn);
    }
  }
  for (const absl::Status& error : context->call().errors()) {
    turn->errors.push_back(error);
  }
  if (node->has_output_side_packets()) TakeSidePackets(node, turn);
  if (ABSL_PREDICT_TRUE(turn->errors.empty())) return true;
  // Now, while the node is busy: else another thread might call it once more
  // before anybody knows.
  for (const absl::Status& error : std::exchange(turn->errors, {})) {
    RecordError(error);
  }
  return false;
}

void GraphRun::DeliverStream(int stream, absl::Span<Packet> packets,
                             Timestamp bound, Turn* turn) {
  const StreamReaders& to = nodes_.ReadersOf(stream);
  if (ABSL_PREDICT_FALSE(!to.taps.empty())) {
    for (OutputTap* const tap : to.taps) {
      DeliverToTap(tap, packets, bound, turn);
    }
  }
  // The last one may have the packets themselves.
  size_t left = to.ports.size();
  for (const ReaderPort& reader : to.ports) {
    reader.node->Deliver(reader.port, packets, /*may_move=*/--left == 0, bound,
                         turn);
  }
}

void GraphRun::DeliverTimed(int stream, absl::Span<Packet> packets,
                            Timestamp bound,
                            absl::Span<const PacketTimes> given, Turn* turn) {
  if (packets.empty()) return DeliverStream(stream, packets, bound, turn);
  const std::int64_t now_ns = setup_.clock->NowNs();
  absl::InlinedVector<PacketTimes, 2> times(packets.size());
  for (size_t i = 0; i < packets.size(); ++i) {
    PacketTimes& its = times[i];
    if (i < given.size()) its = given[i];
    if (its.publication_ns == PacketTimes::kNone) its.publication_ns = now_ns;
    if (its.acquisition_ns == PacketTimes::kNone) {
      its.acquisition_ns = its.publication_ns;
    }
    its.arrival_ns = now_ns;
  }
  const StreamReaders& to = nodes_.ReadersOf(stream);
  for (OutputTap* const tap : to.taps) {
    absl::Status noted = tap->DeliverTimes(packets, times);
    if (!noted.ok()) turn->errors.push_back(std::move(noted));
    DeliverToTap(tap, packets, bound, turn);
  }
  size_t left = to.ports.size();
  for (const ReaderPort& reader : to.ports) {
    reader.node->DeliverTimed(reader.port, packets, /*may_move=*/--left == 0,
                              bound, times, turn);
  }
}

void GraphRun::DeliverToTap(OutputTap* tap, absl::Span<const Packet> packets,
                            Timestamp bound, Turn* turn) {
  const OutputTap::Facts facts = tap->Deliver(packets, bound);
  if (facts.full_edge != 0) {
    turn->full_edges.push_back({tap->stream(), facts.full_edge, false});
  }
  if (facts.size_to_warn_of > 0) {
    WarnOfLongPoller(tap->stream(), facts.size_to_warn_of);
  }
  if (ABSL_PREDICT_FALSE(facts.has_grown)) {
    LookAtPoller(static_cast<const PollerQueue&>(*tap), turn);
  }
  if (!facts.status.ok()) turn->errors.push_back(facts.status);
  if (facts.has_seen) observed_.Note();
}

}  // namespace syncline
