// How parts are closed, and what waits inside.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/invoke.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_part_state.h"
#include "framework/node/fused_parts.h"
#include "framework/packet/timestamp.h"
#include "glog/logging.h"

namespace syncline {

absl::Status FusedNodeCalculator::Close(CalculatorContext* cc) {
  absl::Status status = cc->GraphStatus();
  for (FusedPartState& run : runs_) {
    run.SendToAll();
    if (status.ok()) status = LearnBounds(&run, *cc);
  }
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
    run.slot = FusedPartState::Slot::kShut;
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
  for (const FusedPartState& run : runs_) sum += run.waiting.packets;
  return sum;
}

std::string FusedNodeCalculator::WhereTheyWait() const {
  std::vector<std::string> places;
  for (const FusedPartState& run : runs_) {
    if (run.waiting.packets == 0) continue;
    const CalculatorContract& contract = run.part->contract;
    std::string place =
        absl::StrCat(NodeText(contract), ": ", run.waiting.packets.load());
    if (const int port = run.waiting.port; port >= 0) {
      absl::StrAppend(&place, " (for stream \"",
                      contract.Inputs().layout().Names()[port], "\")");
    }
    places.push_back(std::move(place));
  }
  return absl::StrJoin(places, ", ");
}

void FusedNodeCalculator::DropWaiting() {
  is_cut_short_ = true;
  for (FusedPartState& run : runs_) run.DropWaiting();
}

std::string FusedNodeCalculator::PartInCall() const {
  MutexLock lock(&contexts_mutex_);
  for (const FusedPartState& run : runs_) {
    if (run.context != nullptr &&
        run.context->InputTimestampNow() != Timestamp::Unset()) {
      return NodeText(run.part->contract);
    }
  }
  return "";
}

void FusedNodeCalculator::EndRun() {
  std::vector<std::unique_ptr<CalculatorContext>> contexts;
  {
    MutexLock lock(&contexts_mutex_);
    for (FusedPartState& run : runs_) {
      contexts.push_back(std::move(run.context));
    }
  }
  // With the packets in them, which are not destroyed under the lock.
  contexts.clear();
  for (FusedPartState& run : runs_) run.EndRun();
  side_packets_.clear();
}

}  // namespace syncline
