// Which part is called when, and closed.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/invoke.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_part_state.h"
#include "framework/node/fused_parts.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/bound_after_call.h"
#include "framework/stream/input_queue.h"
#include "glog/logging.h"

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
  SYNCLINE_RETURN_IF_ERROR(LearnBounds(*cc));
  for (FusedPartState& run : runs_) {
    if (run.is_open) SYNCLINE_RETURN_IF_ERROR(RunPart(&run, cc));
  }
  if (has_ended_parts_) SYNCLINE_RETURN_IF_ERROR(CloseEndedParts(cc));
  SendBounds(cc);
  if (!has_inputs_ && !HasOpenSource()) return tool::StatusStop();
  return std::exchange(wants_stop_, false) ? tool::StatusStop()
                                           : absl::OkStatus();
}

absl::Status FusedNodeCalculator::Close(CalculatorContext* cc) {
  absl::Status status = cc->GraphStatus();
  if (status.ok()) status = LearnBounds(*cc);
  if (status.ok()) status = CloseParts(cc);
  if (!status.ok()) CloseAfterFailure(status);
  for (FusedPartState& run : runs_) run.CountWaiting();
  if (is_cut_short_ && PacketsWaiting() > 0) {
    LOG(WARNING) << "Parts of " << NodeText(cc->environment().contract())
                 << " sent packets to others in Close(), when the run was over "
                    "and nobody read any more. They reached these: "
                 << WhereTheyWait();
  }
  EndRun();
  return status;
}

// --- Process

absl::Status FusedNodeCalculator::RunPart(FusedPartState* run,
                                          CalculatorContext* cc) {
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
    const InputStream& outer = cc->Inputs().Get(input.outer_port);
    has_packet |= !outer.IsEmpty();
    is_over &= outer.IsDone();
    settled = std::min(settled, outer.Value().Timestamp());
    InputStream& stream = run->context->Inputs().Get(port++);
    stream.Fill(Packet(outer.Value()), outer.IsDone());
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

absl::Status FusedNodeCalculator::RunJoin(FusedPartState* run,
                                          CalculatorContext* cc) {
  if (!run->part->joins) return absl::OkStatus();
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
      return run->CheckWaiting();
    }
    run->join->Take(ready.timestamp, &run->context->Inputs());
    SYNCLINE_RETURN_IF_ERROR(
        CallProcess(run, ready.timestamp, cc, &wants_stop_));
  }
}

absl::Status FusedNodeCalculator::CallProcess(FusedPartState* run,
                                              Timestamp timestamp,
                                              CalculatorContext* cc,
                                              bool* stops) {
  run->BeginOutputs();
  run->context->BeginCall(CallPhase::kProcess, timestamp);
  absl::Status status =
      InvokeProcess(run->calculator.get(), run->context.get());
  if (tool::IsStatusStop(status)) {
    *stops = true;
  } else if (!status.ok()) {
    run->context->EndCall();
    return status;
  }
  return FinishCall(run, cc);
}

// --- Close

void FusedNodeCalculator::NoteEnd(FusedPartState* run) {
  run->is_over = true;
  has_ended_parts_ = true;
}

absl::Status FusedNodeCalculator::CloseEndedParts(CalculatorContext* cc) {
  has_ended_parts_ = false;
  for (FusedPartState& run : runs_) {
    if (!run.is_open) continue;
    SYNCLINE_RETURN_IF_ERROR(RunJoin(&run, cc));
    if (run.is_over) SYNCLINE_RETURN_IF_ERROR(ClosePart(&run, cc));
  }
  return absl::OkStatus();
}

absl::Status FusedNodeCalculator::CloseParts(CalculatorContext* cc) {
  for (FusedPartState& run : runs_) {
    if (!run.is_open) continue;
    if (run.part->joins && !is_cut_short_) {
      // Earlier parts are closed, and the inputs of the fused node are over.
      for (size_t port = 0; port < run.queues.size(); ++port) {
        SYNCLINE_RETURN_IF_ERROR(
            run.Deliver(static_cast<int>(port), {}, Timestamp::Done()));
      }
      SYNCLINE_RETURN_IF_ERROR(RunJoin(&run, cc));
    }
    SYNCLINE_RETURN_IF_ERROR(ClosePart(&run, cc));
  }
  return absl::OkStatus();
}

absl::Status FusedNodeCalculator::ClosePart(FusedPartState* run,
                                            CalculatorContext* cc) {
  run->is_open = false;
  run->BeginOutputs();
  run->context->BeginCall(CallPhase::kClose, Timestamp::Done());
  absl::Status status = InvokeClose(run->calculator.get(), run->context.get());
  if (!status.ok()) {
    run->context->EndCall();
    return status;
  }
  SYNCLINE_RETURN_IF_ERROR(FinishCall(run, cc));
  for (size_t port = 0; port < run->outputs.size(); ++port) {
    run->outputs[port].is_closed = true;
    SYNCLINE_RETURN_IF_ERROR(RaiseBound(run, port, Timestamp::Done()));
  }
  return absl::OkStatus();
}

void FusedNodeCalculator::CloseAfterFailure(const absl::Status& status) {
  for (FusedPartState& run : runs_) {
    if (!std::exchange(run.is_open, false)) continue;
    CalculatorContext* const context = run.context.get();
    context->EndCall();
    context->SetGraphStatus(status);
    run.BeginOutputs();
    context->BeginCall(CallPhase::kClose, Timestamp::Done());
    InvokeClose(run.calculator.get(), context).IgnoreError();
    context->EndCall();
  }
}

// --- What waits inside

std::int64_t FusedNodeCalculator::PacketsWaiting() const {
  std::int64_t sum = 0;
  for (const FusedPartState& run : runs_) sum += run.waiting;
  return sum;
}

std::string FusedNodeCalculator::WhereTheyWait() const {
  std::vector<std::string> places;
  for (const FusedPartState& run : runs_) {
    if (run.waiting == 0) continue;
    const CalculatorContract& contract = run.part->contract;
    std::string place =
        absl::StrCat(NodeText(contract), ": ", run.waiting.load());
    if (const int port = run.waits_for; port >= 0) {
      absl::StrAppend(&place, " (for stream \"",
                      contract.Inputs().layout().Names()[port], "\")");
    }
    places.push_back(std::move(place));
  }
  return absl::StrJoin(places, ", ");
}

void FusedNodeCalculator::DropWaiting() {
  is_cut_short_ = true;
  for (FusedPartState& run : runs_) {
    for (InputQueue& queue : run.queues) {
      while (!queue.empty()) queue.DropFront();
    }
  }
}

void FusedNodeCalculator::EndRun() {
  for (FusedPartState& run : runs_) run.EndRun();
  side_packets_.clear();
}

}  // namespace syncline
