// Which part is called when.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_part_state.h"
#include "framework/node/fused_parts.h"
#include "framework/node/node_outputs.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/bound_after_call.h"
#include "framework/stream/input_queue.h"

namespace syncline {

FusedNodeCalculator::FusedNodeCalculator(
    std::shared_ptr<const FusedParts> parts)
    : parts_(std::move(parts)), runs_(parts_->parts().size()) {
  for (size_t i = 0; i < runs_.size(); ++i) {
    runs_[i].part = parts_->parts()[i].get();
    for (const FusedPart::Input& input : runs_[i].part->inputs) {
      has_inputs_ |= input.part < 0;
    }
  }
}

FusedNodeCalculator::~FusedNodeCalculator() {
  while (!runs_.empty()) runs_.pop_back();
}

absl::Status FusedNodeCalculator::Open(CalculatorContext* cc) {
  wants_stop_ = has_ended_parts_ = is_cut_short_ = false;
  absl::Status status = OpenParts(cc);
  for (FusedPartState& run : runs_) run.CountWaiting();
  if (!status.ok()) {
    // The engine calls Close of those whose Open was good only.
    CloseAfterFailure(status);
    EndRun();
  }
  return status;
}

absl::Status FusedNodeCalculator::Process(CalculatorContext* cc) {
  ProcessGuard guard;
  guard_ = &guard;
  absl::Status status = guard.Run([&] { return RunParts(cc); });
  guard_ = nullptr;
  if (ABSL_PREDICT_FALSE(guard.interrupted() != nullptr)) {
    guard.interrupted()->EndCall();
  }
  return status;
}

// --- A call. It is all in one function where it is most common, as it is
// short.

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status
FusedNodeCalculator::TakeResults(FusedPartState* run, CalculatorContext* cc) {
  const Timestamp timestamp = run->context->InputTimestamp();
  OutputStream* stream = run->context->Outputs().begin();
  size_t port = 0;
  for (FusedPartState::Output& output : run->outputs) {
    if (ABSL_PREDICT_TRUE(output.outer_port < 0 &&
                          NodeOutputs::OnlySent(*stream))) {
      // BoundAfterCall, where nothing but packets counts.
      const absl::Span<Packet> packets = stream->packets();
      const Timestamp sent = stream->NextTimestampBound();
      const Timestamp bound = BoundAfterPackets(std::max(output.bound, sent),
                                                packets.back().Timestamp(),
                                                stream->Offset(), timestamp);
      // Else the stream is where the next call begins already.
      if (bound != sent || output.packets_added == 0) run->MoveOutputs();
      output.bound = bound;
      output.packets_added += static_cast<std::int64_t>(packets.size());
      if (ABSL_PREDICT_FALSE(output.reader == nullptr || packets.size() > 1 ||
                             !output.reader->HandOver(&packets[0], bound))) {
        SYNCLINE_RETURN_IF_ERROR(
            DeliverToReaders(run->part->outputs[port], packets, bound));
      }
    } else {
      SYNCLINE_RETURN_IF_ERROR(TakeOutput(run, port, cc));
    }
    ++port;
    ++stream;
  }
  if (!run->environment->node_output_side_packets().empty()) {
    return TakeSidePackets(run, cc);
  }
  return absl::OkStatus();
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status
FusedNodeCalculator::FinishInline(FusedPartState* run, CalculatorContext* cc) {
  CalculatorContext* const context = run->context.get();
  absl::Status status;
  if (ABSL_PREDICT_FALSE(!context->call().ok())) {
    status = context->call().status();
  } else {
    status = TakeResults(run, cc);
  }
  context->EndCall();
  return status;
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status
FusedNodeCalculator::CallInline(FusedPartState* run, Timestamp timestamp,
                                CalculatorContext* cc, bool* stops) {
  if (ABSL_PREDICT_FALSE(!run->has_begun)) run->BeginOutputs();
  CalculatorContext* const context = run->context.get();
  CalculatorBase* const calculator = run->calculator.get();
  context->BeginCall(CallPhase::kProcess, timestamp);
  absl::Status status;
  if (ABSL_PREDICT_TRUE(guard_ != nullptr)) {
    guard_->Succeeds(calculator, context, &status);
  } else {
    status = InvokeProcess(calculator, context);
  }
  if (ABSL_PREDICT_FALSE(!status.ok())) {
    if (!tool::IsStatusStop(status)) {
      context->EndCall();
      return status;
    }
    *stops = true;
  }
  return FinishInline(run, cc);
}

absl::Status FusedNodeCalculator::FinishCall(FusedPartState* run,
                                             CalculatorContext* cc) {
  return FinishInline(run, cc);
}

absl::Status FusedNodeCalculator::CallProcess(FusedPartState* run,
                                              Timestamp timestamp,
                                              CalculatorContext* cc,
                                              bool* stops) {
  return CallInline(run, timestamp, cc, stops);
}

namespace {

// TakePlain where the packet goes to nobody, to several parts, or out of the
// fused node.
bool HandOverToMany(FusedPartState* run, Packet* packet, Timestamp after,
                    CalculatorContext* cc) {
  const Timestamp timestamp = packet->Timestamp();
  const auto takes = [&](const FusedPartState::Reader& reader) {
    return reader.part->slot == FusedPartState::Slot::kFree ||
           reader.part->Gathers(timestamp);
  };
  const bool has_readers = run->plain.last_reader.part != nullptr;
  if (has_readers && !takes(run->plain.last_reader)) return false;
  for (const FusedPartState::Reader& reader : run->plain.other_readers) {
    if (!takes(reader)) return false;
  }
  if (const int port = run->outputs[0].outer_port; port >= 0) {
    OutputStream& outer = cc->Outputs().begin()[port];
    if (has_readers) {
      outer.AddPacket(*packet);
    } else {
      outer.AddPacket(std::move(*packet));
    }
  }
  for (const FusedPartState::Reader& reader : run->plain.other_readers) {
    Packet copy = *packet;
    FusedPartState::HandOverPlain(reader, &copy, after);
  }
  if (has_readers) {
    FusedPartState::HandOverPlain(run->plain.last_reader, packet, after);
  }
  *packet = Packet();
  return true;
}

// Whether what the call at `timestamp` sent is what a plain part usually sends:
// one packet, and nothing that raises the bound further. Then it is on its way.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool TakePlain(FusedPartState* run,
                                                   OutputStream* stream,
                                                   Timestamp timestamp,
                                                   CalculatorContext* cc) {
  const Timestamp after = stream->packet_bound();
  if (!stream->HasOnePacketOnly() || after <= timestamp ||
      after >= Timestamp::OneOverPostStream()) {
    return false;
  }
  Packet* const packet = stream->packets().data();
  // Often it is the packet that came.
  run->input->Value().LetGoBeside(*packet);
  if (ABSL_PREDICT_FALSE(run->plain.has_many_readers)) {
    if (!HandOverToMany(run, packet, after, cc)) return false;
  } else if (!FusedPartState::HandOverPlain(run->plain.last_reader, packet,
                                            after)) {
    return false;
  }
  stream->EndOnePacket();
  FusedPartState::Output& output = *run->outputs.data();
  output.bound = after;
  const std::int64_t packets_added = ++output.packets_added;
  StreamProgress* const progress = run->plain.progress;
  progress->bound.store(after, std::memory_order_relaxed);
  progress->packets_added.store(packets_added, std::memory_order_relaxed);
  return true;
}

}  // namespace

ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool FusedNodeCalculator::CallPlain(
    FusedPartState* run, CalculatorContext* cc) {
  if (OutputStream* const stream = run->plain.output; stream != nullptr) {
    const Timestamp passed =
        run->plain.progress->bound.load(std::memory_order_relaxed);
    if (ABSL_PREDICT_FALSE(passed != stream->packet_bound())) {
      if (!CatchUp(run, *cc)) return false;
    }
  }
  CalculatorContext* const context = run->context.get();
  Packet& packet = run->input->Value();
  const Timestamp timestamp = packet.Timestamp();
  run->slot = run->empty_slot;
  if (ABSL_PREDICT_FALSE(run->gathering.has_many_inputs))
    run->PassQueues(timestamp);
  context->BeginCall(CallPhase::kProcess, timestamp);
  if (ABSL_PREDICT_FALSE(
          !guard_->Succeeds(run->calculator.get(), context, &failure_) ||
          !context->call().ok())) {
    return false;
  }
  OutputStream* const stream = run->plain.output;
  if (stream != nullptr && !TakePlain(run, stream, timestamp, cc)) return false;
  packet = Packet();
  if (ABSL_PREDICT_FALSE(run->gathering.has_many_inputs)) {
    for (InputStream& input : context->Inputs()) input.Value() = Packet();
  }
  context->EndGoodCall();
  return true;
}

bool FusedNodeCalculator::CatchUp(FusedPartState* run,
                                  const CalculatorContext& cc) {
  failure_ = LearnBounds(run, cc);
  if (!failure_.ok()) return false;
  run->BeginOutputs();
  return true;
}

absl::Status FusedNodeCalculator::FinishByRules(FusedPartState* run,
                                                CalculatorContext* cc) {
  absl::Status status = std::exchange(failure_, absl::OkStatus());
  if (tool::IsStatusStop(status)) {
    wants_stop_ = true;
  } else if (!status.ok()) {
    run->context->EndCall();
    return status;
  }
  return FinishCall(run, cc);
}

// --- Process

absl::Status FusedNodeCalculator::RunParts(CalculatorContext* cc) {
  for (FusedPartState* const run : plain_senders_) {
    const OutputStream& outer =
        cc->Outputs().begin()[run->outputs[0].outer_port];
    run->plain.own_progress.bound.store(outer.packet_bound(),
                                        std::memory_order_relaxed);
  }
  bool is_done = true;
  for (FusedPartState& run : runs_) {
    if (ABSL_PREDICT_TRUE(run.slot == FusedPartState::Slot::kDirect) ||
        (!run.outer_inputs.empty() && run.TakeOuter(cc))) {
      if (ABSL_PREDICT_TRUE(CallPlain(&run, cc))) continue;
      is_done = false;
      SYNCLINE_RETURN_IF_ERROR(FinishByRules(&run, cc));
    } else if (run.is_open) {
      is_done = false;
      SYNCLINE_RETURN_IF_ERROR(LearnBounds(&run, *cc));
      SYNCLINE_RETURN_IF_ERROR(RunPart(&run, cc));
    }
  }
  if (ABSL_PREDICT_TRUE(is_done)) return absl::OkStatus();
  return FinishTurns(cc);
}

absl::Status FusedNodeCalculator::FinishTurns(CalculatorContext* cc) {
  if (has_ended_parts_) SYNCLINE_RETURN_IF_ERROR(CloseEndedParts(cc));
  SendBounds(cc);
  if (!has_inputs_ && !HasOpenSource()) return tool::StatusStop();
  return std::exchange(wants_stop_, false) ? tool::StatusStop()
                                           : absl::OkStatus();
}

absl::Status FusedNodeCalculator::RunPart(FusedPartState* run,
                                          CalculatorContext* cc) {
  if (run->takes_each()) return RunForEach(run, cc);
  if (run->part->joins) {
    SYNCLINE_RETURN_IF_ERROR(FillQueues(run, *cc));
    return RunJoin(run, cc);
  }
  if (run->part->inputs.empty()) {
    if (!run->part->is_source) return absl::OkStatus();
    bool stops = false;
    SYNCLINE_RETURN_IF_ERROR(
        CallProcess(run, cc->InputTimestamp(), cc, &stops));
    if (stops) NoteEnd(run);
    return absl::OkStatus();
  }
  return RunDirectly(run, cc);
}

absl::Status FusedNodeCalculator::RunDirectly(FusedPartState* run,
                                              CalculatorContext* cc) {
  bool has_packet = false;
  bool is_over = true;
  Timestamp settled = Timestamp::Done();
  int port = 0;
  for (const FusedPart::Input& input : run->part->inputs) {
    InputStream& outer = cc->Inputs().Get(input.outer_port);
    has_packet |= !outer.IsEmpty();
    is_over &= outer.IsDone();
    settled = std::min(settled, outer.Value().Timestamp());
    InputStream& stream = run->context->Inputs().Get(port++);
    stream.Fill(
        input.is_last_reader ? std::move(outer.Value()) : Packet(outer.Value()),
        outer.IsDone());
    if (outer.KeepsMessageTimes()) {
      stream.SetMessageTimes(outer.MessageTimes());
    }
  }
  if (has_packet || run->part->contract.GetProcessTimestampBounds()) {
    SYNCLINE_RETURN_IF_ERROR(
        CallProcess(run, cc->InputTimestamp(), cc, &wants_stop_));
  } else {
    run->context->EndCall();
    if (settled.IsAllowedInStream()) {
      SYNCLINE_RETURN_IF_ERROR(PassBound(run, [&](TimestampDiff offset) {
        return BoundByOffset(settled, offset);
      }));
    }
  }
  if (is_over) NoteEnd(run);
  return absl::OkStatus();
}

absl::Status FusedNodeCalculator::FillQueues(FusedPartState* run,
                                             const CalculatorContext& cc) {
  int port = -1;
  for (const FusedPart::Input& input : run->part->inputs) {
    ++port;
    if (input.part >= 0) continue;
    const InputStream& outer = cc.Inputs().Get(input.outer_port);
    const Timestamp time = outer.Value().Timestamp();
    const Timestamp bound = outer.IsDone() ? Timestamp::Done()
                            : time.IsAllowedInStream()
                                ? time.NextAllowedInStream()
                                : Timestamp::PreStream();
    SYNCLINE_RETURN_IF_ERROR(
        run->Deliver(port, {&outer.Value(), outer.IsEmpty() ? 0u : 1u}, bound));
  }
  return absl::OkStatus();
}

absl::Status FusedNodeCalculator::RunForEach(FusedPartState* run,
                                             CalculatorContext* cc) {
  const bool has_changed = std::exchange(run->has_changed, false);
  if (!has_changed && !run->HasNext()) return absl::OkStatus();
  Timestamp last = Timestamp::Done();
  while (run->TakeNext()) {
    last = run->input->Value().Timestamp();
    SYNCLINE_RETURN_IF_ERROR(CallInline(run, last, cc, &wants_stop_));
  }
  return FinishTurn(run, last);
}

absl::Status FusedNodeCalculator::FinishTurn(FusedPartState* run,
                                             Timestamp last) {
  const Timestamp bound = run->queues[0].bound();
  if (ABSL_PREDICT_FALSE(bound >= Timestamp::OneOverPostStream())) {
    NoteEnd(run);
    return absl::OkStatus();
  }
  // The last call has raised the outputs as far as that already.
  if (ABSL_PREDICT_TRUE(bound == last.NextAllowedInStream())) {
    return absl::OkStatus();
  }
  return PassBound(run, [bound](TimestampDiff offset) {
    return BoundPassedOn(bound, offset);
  });
}

absl::Status FusedNodeCalculator::RunJoin(FusedPartState* run,
                                          CalculatorContext* cc) {
  if (!run->part->joins) return absl::OkStatus();
  if (run->takes_each()) return RunForEach(run, cc);
  run->UseQueues();
  for (;;) {
    const Readiness ready = run->join->Evaluate();
    if (ready.state == Readiness::State::kClose) {
      run->CountWaiting();
      NoteEnd(run);
      return absl::OkStatus();
    }
    if (ready.state == Readiness::State::kWait) {
      SYNCLINE_RETURN_IF_ERROR(PassBound(run, [&](TimestampDiff offset) {
        return BoundPassedOn(ready.timestamp, offset);
      }));
      SYNCLINE_RETURN_IF_ERROR(run->CheckWaiting());
      if (run->waiting.packets == 0) run->UseInputs();
      return absl::OkStatus();
    }
    run->join->Take(ready.timestamp, &run->context->Inputs());
    SYNCLINE_RETURN_IF_ERROR(
        CallProcess(run, ready.timestamp, cc, &wants_stop_));
  }
}

}  // namespace syncline
