// What a run does with the effects of calls, and the deliveries that few
// streams need: to observers and pollers, and with the times of packets.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/report/run_reports.h"
#include "framework/run/graph_run.h"
#include "framework/run/output_tap.h"
#include "framework/run/poller_queue.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_trace.h"
#include "framework/run/running_calls.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"
#include "glog/logging.h"

namespace syncline {

void GraphRun::ActOnAll(Effects* effects) {
  if (effects->HasReports()) ActOn(effects);
  if (!has_error() && !effects->ready.empty()) {
    if (ABSL_PREDICT_FALSE(effects->trace != nullptr)) {
      NoteReady(effects->ready, effects->trace);
    }
    if (queues_.size() == 1) {
      queues_[0]->Add(effects->ready);
    } else {
      queues_.KeepFor(nullptr, &effects->ready, ExecutorOf);
    }
  }
  effects->ready.clear();
}

void GraphRun::ActOn(Effects* effects) {
  while (effects->HasReports()) {
    if (ABSL_PREDICT_FALSE(!effects->gate_facts.empty()))
      ActOnGateFacts(effects);
    while (!effects->bounds.empty()) {
      const Effects::PassedBound passed = effects->bounds.back();
      effects->bounds.pop_back();
      if (ABSL_PREDICT_FALSE(effects->trace != nullptr)) {
        NoteSentApart(passed.stream, {}, passed.bound, effects->trace,
                      setup_.tracing.packets.get());
      }
      DeliverStream(passed.stream, {}, passed.bound, effects);
    }
    if (!effects->queue_facts.empty()) ActOnQueueFacts(effects);
    if (!effects->errors.empty()) RecordErrors(effects);
    std::exchange(effects->trash, {}).clear();
  }
}

void GraphRun::ActOnQueueFacts(Effects* effects) {
  std::vector<int> resumed;
  for (const Effects::QueueFact& fact : effects->queue_facts) {
    if (fact.change != 0) {
      if (ABSL_PREDICT_FALSE(effects->trace != nullptr)) {
        effects->trace->Note(
            fact.change > 0 ? TraceKind::kQueueFull : TraceKind::kQueueNotFull,
            fact.stream, 0, TraceNodeOrNone(fact.node));
      }
      if (fact.change < 0) {
        gated_nodes_.TellRoomWatchers(fact.stream, effects);
      }
      sources_.NoteFullQueue(plan().streams()[fact.stream].source_set,
                             fact.change, fact.is_node, &resumed);
    } else if (fact.long_port >= 0) {
      memory_.LookAtQueue(fact, effects);
    } else if (fact.matched >= 0) {
      LOG(WARNING) << FewMatchesWarning(plan(), fact.node, fact.stream,
                                        fact.size, fact.matched);
    } else {
      LOG(WARNING) << LongQueueWarning(
          plan(), fact.node, fact.stream, fact.size,
          look_.Stall(fact.node, nodes_[fact.node]->Snapshot()));
    }
  }
  effects->queue_facts.clear();
  Resumed(resumed, effects);
}

void GraphRun::OnFullChange(int stream, int change) {
  ApplicationCall call(this);
  if (call.is_running())
    call.effects.queue_facts.push_back({stream, change, false});
}

// The errors are recorded while the node is still busy. Otherwise another
// thread might call the node again before it knows of them.
void GraphRun::RecordErrors(Effects* effects) {
  for (const absl::Status& error : std::exchange(effects->errors, {})) {
    RecordError(error);
  }
}

void GraphRun::DeliverTimed(int stream, absl::Span<Packet> packets,
                            Timestamp bound,
                            absl::Span<const PacketTimes> given,
                            Effects* effects) {
  if (packets.empty()) return DeliverStream(stream, packets, bound, effects);
  const std::int64_t now_ns = setup_.clock->NowNs();
  absl::InlinedVector<PacketTimes, 2> times(packets.size());
  for (size_t i = 0; i < packets.size(); ++i) {
    PacketTimes& time = times[i];
    if (i < given.size()) time = given[i];
    if (time.publication_ns == PacketTimes::kNone) time.publication_ns = now_ns;
    if (time.acquisition_ns == PacketTimes::kNone) {
      time.acquisition_ns = time.publication_ns;
    }
    time.arrival_ns = now_ns;
  }
  // In the order that StreamReaders says.
  const StreamReaders& to = nodes_.ReadersOf(stream);
  auto reader = to.ports.begin();
  for (;
       !to.taps.empty() && reader != to.ports.end() && reader->goes_by_arrival;
       ++reader) {
    reader->node->DeliverTimed(reader->port, packets, /*may_move=*/false, bound,
                               times, effects);
  }
  for (OutputTap* const tap : to.taps) {
    absl::Status noted = tap->DeliverTimes(packets, times);
    if (!noted.ok()) effects->errors.push_back(std::move(noted));
    DeliverToTap(tap, packets, bound, effects);
  }
  for (; reader != to.ports.end(); ++reader) {
    const bool is_last = reader + 1 == to.ports.end();
    reader->node->DeliverTimed(reader->port, packets, /*may_move=*/is_last,
                               bound, times, effects);
  }
}

void GraphRun::DeliverToTap(OutputTap* tap, absl::Span<const Packet> packets,
                            Timestamp bound, Effects* effects) {
  if (ABSL_PREDICT_FALSE(!RunningCalls::IsIn(this))) {
    // A thread of the application, which delivers what it adds.
    const RunningCalls::Scope scope(this);
    return DeliverToTap(tap, packets, bound, effects);
  }
  const OutputTap::Facts facts = [&] {
    // The code of an observer may never return.
    const RunningCalls::Observing observing(tap->stream());
    return tap->Deliver(packets, bound);
  }();
  if (facts.full_change != 0) {
    effects->queue_facts.push_back({tap->stream(), facts.full_change, false});
  }
  if (facts.size_to_warn_of > 0) {
    LOG(WARNING) << LongPollerWarning(plan(), tap->stream(),
                                      facts.size_to_warn_of);
  }
  if (ABSL_PREDICT_FALSE(facts.has_grown)) {
    memory_.LookAtPoller(static_cast<const PollerQueue&>(*tap), effects);
  }
  if (!facts.status.ok()) effects->errors.push_back(facts.status);
  if (facts.has_seen) observed_.Note();
}

}  // namespace syncline
