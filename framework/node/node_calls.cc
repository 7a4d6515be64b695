// The calls of a node: Open, Process and Close, what they sent, and their end.

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "framework/base/clock.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/call_times.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/node/overlapping_calls.h"
#include "framework/packet/timestamp.h"
#include "framework/scheduler/task_priority.h"
#include "framework/stream/drop_cause.h"

namespace syncline {
namespace {

std::int64_t NowUs() {
  return absl::ToUnixMicros(Clock::RealClock()->TimeNow());
}

}  // namespace

// --- Calls

void Node::MakeContexts(Invocation* invocation) {
  invocation->node = this;
  if (!traits_.is_source)
    invocation->priority = TaskPriority::ForNode(plan_.id);
  invocation->sets.resize(batch_size_);
  for (InputSet& set : invocation->sets) {
    set.context = contexts_.Make(*owned_.environment);
  }
  invocation->num_sets = 1;
}

Invocation* Node::NextInvocation() {
  if (!traits_.overlaps) return first_invocation();
  Invocation* const free = overlapping_->Next();
  if (free != nullptr) return free;
  auto made = std::make_unique<Invocation>();
  MakeContexts(made.get());
  made->sets[0].context->CopyOpenResults(*first_.sets[0].context);
  made->kind = Invocation::Kind::kProcess;
  return overlapping_->Add(std::move(made));
}

absl::Status Node::Open(Invocation* invocation, NodeEnvironment::Run run) {
  owned_.environment =
      std::make_unique<NodeEnvironment>(*plan_.contract, std::move(run));
  int port = 0;
  for (OutputPort& output : owned_.environment->output_ports()) {
    if (output.accepts_any) {
      TakeResolvedType(plan_.outputs[port].type, &output);
    }
    if (outputs_.ignores_order(port)) output.checks_order = false;
    ++port;
  }
  {
    MutexLock lock(&mutex_);
    MakeContexts(invocation);
  }
  CalculatorContext* const context = invocation->sets[0].context;
  if (calculator_ == nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<CalculatorBase> calculator,
                              InvokeCreate(*plan_.factory, context));
    calculator_ = calculator.release();
  }
  OfferUnread();
  BeginOutputs(context);
  context->BeginCall(CallPhase::kOpen, Timestamp::Unstarted());
  SYNCLINE_RETURN_IF_ERROR(InvokeOpen(calculator_, context));
  FindSentPorts();
  for (InputSet& set : invocation->sets) {
    if (set.context != context) set.context->CopyOpenResults(*context);
  }
  port = 0;
  for (const OutputStream& output : context->Outputs()) {
    outputs_.SetOffset(port++, output.Offset());
  }
  return absl::OkStatus();
}

void Node::TakeResolvedType(const PacketType* resolved, OutputPort* output) {
  // An output that is the same as an input sends what was looked at before.
  if (output->type->GetSameAs() != output->type || resolved->IsAny()) return;
  *output = OutputPort(*output->stream_name, *output->contract, resolved);
}

void Node::OfferUnread() {
  if (traits_.is_source || traits_.overlaps || traits_.batches_calls) return;
  for (int port = 0; port < outputs_.size(); ++port) {
    owned_.environment->output_ports()[port].unread =
        outputs_.UnreadProgress(port);
  }
}

void Node::FindSentPorts() {
  const auto is_sent = [](const OutputPort& output) {
    return output.unread == nullptr || !output.unread->is_noted;
  };
  const auto& ports = owned_.environment->output_ports();
  // Of most nodes all are, and these need no memory for the list.
  if (absl::c_all_of(ports, is_sent)) return;
  std::vector<int> sent;
  for (int port = 0; port < outputs_.size(); ++port) {
    if (is_sent(ports[port])) sent.push_back(port);
  }
  owned_.environment->SetSentPorts(std::move(sent));
}

bool Node::OffsetMayGoBack() const {
  if (!outputs_.has_offset()) return false;
  MutexLock lock(&mutex_);
  return !inputs_.HasOneOrder();
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline absl::Status Node::CallProcess(
    Invocation* invocation, const InputSet& inputs) {
  CalculatorContext* const context = inputs.context;
  context->BeginCall(CallPhase::kProcess, inputs.timestamp);
  if (ABSL_PREDICT_FALSE(traits_.calls_by_rules)) {
    if (traits_.batches_calls) ShowBatch(invocation, context);
    if (conditions() != nullptr) return CallConditioned(invocation, context);
  }
  if (ABSL_PREDICT_FALSE(--invocation->calls_to_measure < 0)) {
    return CallMeasured(invocation, context);
  }
  return InvokeProcess(calculator_, context);
}

absl::Status Node::Process(Invocation* invocation, const InputSet& inputs) {
  CalculatorContext* const context = inputs.context;
  if (ABSL_PREDICT_FALSE(traits_.overlaps)) {
    MutexLock lock(&mutex_);
    BeginOutputs(context);
  } else {
    BeginOutputs(context);
  }
  return CallProcess(invocation, inputs);
}

absl::Status Node::ProcessToSome(Invocation* invocation,
                                 const InputSet& inputs) {
  OutputStream* const outputs = inputs.context->Outputs().begin();
  for (const int port : sent_ports()) outputs_.Begin(port, &outputs[port]);
  return CallProcess(invocation, inputs);
}

void Node::ShowBatch(Invocation* invocation, CalculatorContext* context) {
  std::vector<BatchedInputs>& batch = owned_.extras->batch;
  batch.clear();
  for (int set = 0; set < invocation->num_sets; ++set) {
    const InputSet& inputs = invocation->sets[set];
    batch.emplace_back(inputs.timestamp, &inputs.context->Inputs());
  }
  context->SetBatch(batch);
}

absl::Status Node::CallMeasured(Invocation* invocation,
                                CalculatorContext* context) {
  using Stopwatch = std::chrono::steady_clock;
  CallTimes* const times =
      owned_.extras == nullptr ? nullptr : owned_.extras->call_times.get();
  if (times != nullptr) times->Begin(NowUs());
  const bool asks_for_sleep = AsksForSleep(*invocation);
  const ThreadUse before = asks_for_sleep ? ThreadUse::Now() : ThreadUse();
  const Stopwatch::time_point start = Stopwatch::now();
  absl::Status status = InvokeProcess(calculator_, context);
  const std::int64_t elapsed_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Stopwatch::now() -
                                                           start)
          .count();
  if (times != nullptr) times->End(NowUs(), elapsed_ns);
  NoteCost(elapsed_ns, /*always=*/times != nullptr, invocation);
  if (asks_for_sleep) {
    NoteSleep(before, ThreadUse::Now(), elapsed_ns, invocation);
  }
  return status;
}

absl::Status Node::Close(Invocation* invocation) {
  CalculatorContext* const context = invocation->sets[0].context;
  BeginOutputs(context);
  context->BeginCall(CallPhase::kClose, Timestamp::Done());
  return InvokeClose(calculator_, context);
}

Node::Output Node::TakeOutputByRules(CalculatorContext* context, int port,
                                     std::vector<absl::Status>* errors) {
  const NodeOutputs::Change change =
      outputs_.Examine(port, &context->Outputs().begin()[port],
                       TimeOfPromises(*context), traits_.overlaps, errors);
  if (traits_.overlaps) {
    MutexLock lock(&mutex_);
    outputs_.Apply(port, change);
  } else {
    outputs_.Apply(port, change);
  }
  return change.sent;
}

// --- After calls

bool Node::CallsArePlain() const {
  return !traits_.is_source && !traits_.overlaps && !traits_.calls_by_rules &&
         batch_size_ == 1 && !traits_.has_output_side_packets &&
         !outputs_.keeps_times();
}

void Node::FinishOpen(Invocation* invocation, Effects* effects) {
  MutexLock lock(&mutex_);
  ChangeState(NodeState::kOpening, NodeState::kOpen, &state_);
  using Kind = Invocation::Kind;
  const bool is_plain = CallsArePlain();
  if (owned_.environment->sent_ports() != nullptr) {
    invocation->kind = is_plain ? Kind::kPlainToSome : Kind::kToSome;
  } else {
    invocation->kind = is_plain ? Kind::kPlain : Kind::kProcess;
  }
  if (plan_.inputs.empty()) return;
  Schedule(effects);
  if (conditions() != nullptr) AskForEnd(effects);
}

void Node::FinishAndLookAgain(Effects* effects) {
  MutexLock lock(&mutex_);
  call_.End();
  ScheduleIfOpen(effects);
  if (ABSL_PREDICT_FALSE(conditions() != nullptr)) AskForEnd(effects);
}

bool Node::StartClose(bool is_end_of_run) {
  MutexLock lock(&mutex_);
  if (state_ == NodeState::kClosing) return is_end_of_run;
  if (state_ != NodeState::kOpen) return false;
  if (!traits_.overlaps) call_.Arrived();  // the node is not free any more
  BeginClose();
  return true;
}

void Node::FinishClose(Effects* effects, DropCause cause) {
  MutexLock lock(&mutex_);
  if (state_ == NodeState::kClosed) return;
  ChangeState(state_, NodeState::kClosed, &state_);
  inputs_.Close(cause, effects);
}

Invocation* Node::Complete(Invocation* invocation) {
  MutexLock lock(&mutex_);
  return overlapping_->Complete(invocation);
}

Invocation* Node::FinishInOrder(Invocation* invocation, Effects* effects) {
  MutexLock lock(&mutex_);
  Invocation* const due = overlapping_->Finish(invocation);
  ScheduleIfOpen(effects);
  if (conditions() != nullptr) AskForEnd(effects);
  return due;
}

}  // namespace syncline
