#include "framework/node/node_test_support.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/node_environment.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/graph_text/test_graphs.h"
#include "framework/node/condition_gate.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/scheduler/task.h"
#include "gtest/gtest.h"

namespace syncline {

// --- The calculator

REGISTER_CALCULATOR(NodeTestCalculator);

absl::Status NodeTestCalculator::GetContract(CalculatorContract* cc) {
  for (PacketType& side_packet : cc->OutputSidePackets()) side_packet.SetAny();
  return LambdaBase::GetContract(cc);
}

// --- The node

namespace {

GraphPlan PlanOfNode(absl::string_view fields) {
  CompileOptions options;
  options.log_warnings = false;
  return Compile(ParseGraph(absl::StrCat(
                     "input_stream: 'a' input_stream: 'b' input_stream: 'c' "
                     "node { name: 'n' "
                     "calculator: 'NodeTestCalculator' ",
                     fields, "}")),
                 options)
      .value();
}

// The gate's facts, apart from the timer, as text.
absl::string_view FactText(Effects::GateFact::Kind kind) {
  using Kind = Effects::GateFact::Kind;
  switch (kind) {
    case Kind::kAsk:
      return "ask";
    case Kind::kSourceMayRun:
      return "source";
    case Kind::kUndo:
      return "undo";
    case Kind::kBatchBegun:
      return "batch";
    case Kind::kInputWaitBegun:
      return "wait";
    case Kind::kTimer:
      return "timer";
    case Kind::kRoom:
      return "room";
  }
  return "?";
}

}  // namespace

NodeUnderTest::NodeUnderTest(absl::string_view fields)
    : graph_(PlanOfNode(fields)) {
  plan = graph_.nodes()[0];
  if (!plan.inputs.empty()) policy = *FindInputPolicy(plan.handlers.input);
  settings.limits.resize(plan.inputs.size(), {.packets = 100});
  settings.kept_calculator = &calculator;
}

void NodeUnderTest::SetGate(int num_conditions) {
  gate_conditions_ = num_conditions;
}

Node& NodeUnderTest::node() {
  if (node_ != nullptr) return *node_;
  node_ = Node::Make(plan, policy, settings, &memory_);
  if (!gate_conditions_.has_value()) return *node_;
  ConditionGate::Setup setup = {
      .clock = &clock_, .holds = &holds, .time_passes_by_itself = true};
  if (*gate_conditions_ >= 0) {
    conditions_.emplace(*gate_conditions_);
    conditions_->made.watched_arrivals = watched_arrivals;
    if (*gate_conditions_ > 0) conditions_->made.needs[0] = needs;
    setup.conditions = conditions_->Make();
  }
  node_->SetGate(std::move(setup));
  return *node_;
}

NodeUnderTest::Told NodeUnderTest::Open() {
  node().Start(/*missing_side_packets=*/0, effects_.get());
  for (size_t port = 0; port < plan.inputs.size(); ++port) {
    node().HeaderArrived(static_cast<int>(port), Packet(), effects_.get());
  }
  EXPECT_EQ(TakeTold(), Told{"open"});
  return Run();
}

// --- Calls

NodeUnderTest::Told NodeUnderTest::Run() {
  Invocation* const invocation = Call();
  return node_->overlaps() && invocation->kind == Invocation::Kind::kProcess
             ? Return(invocation)
             : Finish(invocation);
}

Invocation* NodeUnderTest::Call() {
  Invocation* const invocation = ready_.front();
  ready_.pop_front();
  EXPECT_EQ(invocation->node, node_.get());
  absl::Status status;
  switch (invocation->kind) {
    case Invocation::Kind::kOpen:
      status = node_->Open(invocation, NodeEnvironment::Run());
      if (status.ok()) Send(invocation->sets[0].context);
      break;
    case Invocation::Kind::kClose:
      status = node_->Close(invocation);
      Send(invocation->sets[0].context);
      break;
    case Invocation::Kind::kPlain:
      status = node_->ProcessPlain(invocation, invocation->sets[0]);
      Send(invocation->sets[0].context);
      break;
    case Invocation::Kind::kToSome:
    case Invocation::Kind::kPlainToSome:
      status = node_->ProcessToSome(invocation, invocation->sets[0]);
      Send(invocation->sets[0].context);
      break;
    case Invocation::Kind::kProcess: {
      if (invocation->takes_when_call_starts) {
        node_->TakeInputs(invocation, effects_.get());
      }
      const int first = node_->batches_calls() ? invocation->num_sets - 1 : 0;
      for (int set = first; set < invocation->num_sets; ++set) {
        status.Update(node_->Process(invocation, invocation->sets[set]));
        // Results of overlapping calls are sent in order: see Return.
        if (!node_->overlaps()) Send(invocation->sets[set].context);
      }
    }
  }
  EXPECT_EQ(status, absl::OkStatus());
  return invocation;
}

NodeUnderTest::Told NodeUnderTest::Finish(Invocation* invocation) {
  const Invocation::Kind kind = invocation->kind;
  for (int set = 0; set < invocation->num_sets; ++set) {
    invocation->sets[set].context->EndCall();
  }
  switch (kind) {
    case Invocation::Kind::kOpen:
      node_->FinishOpen(invocation, effects_.get());
      break;
    case Invocation::Kind::kPlain:
    case Invocation::Kind::kToSome:
    case Invocation::Kind::kPlainToSome:
    case Invocation::Kind::kProcess:
      node_->Finish(effects_.get());
      break;
    case Invocation::Kind::kClose:
      node_->FinishClose(effects_.get());
  }
  return TakeTold();
}

NodeUnderTest::Told NodeUnderTest::Return(Invocation* invocation) {
  Invocation* due = node_->Complete(invocation);
  while (due != nullptr) {
    Send(due->sets[0].context);
    due->sets[0].context->EndCall();
    due = node_->FinishInOrder(due, effects_.get());
  }
  return TakeTold();
}

void NodeUnderTest::Send(CalculatorContext* context) {
  for (int port = 0; port < node_->outputs().size(); ++port) {
    const Node::Output output =
        node_->TakeOutput(context, port, &effects_->errors);
    if (!output.tells_readers) continue;
    std::string text = StreamName(node_->outputs().stream(port));
    for (const Packet& packet : output.packets) {
      absl::StrAppend(&text, " ", packet.Timestamp().DebugString());
    }
    sent_.push_back(absl::StrCat(text, " bound ", output.bound.DebugString()));
  }
  for (const absl::Status& error : context->call().errors()) {
    effects_->errors.push_back(error);
  }
}

// --- What arrives

NodeUnderTest::Told NodeUnderTest::Deliver(int port, absl::Span<Packet> packets,
                                           Timestamp bound) {
  node().Deliver(port, packets, /*may_move=*/true, bound, effects_.get());
  return TakeTold();
}

NodeUnderTest::Told NodeUnderTest::Add(int port, Packet packet) {
  const Timestamp bound = packet.Timestamp().NextAllowedInStream();
  return Deliver(port, absl::MakeSpan(&packet, 1), bound);
}

NodeUnderTest::Told NodeUnderTest::Add(int port, int time) {
  return Add(port, At(time));
}

NodeUnderTest::Told NodeUnderTest::AddAll(int port,
                                          const std::vector<int>& times) {
  std::vector<Packet> packets;
  for (const int time : times) packets.push_back(At(time));
  return Deliver(port, absl::MakeSpan(packets), Timestamp(times.back() + 1));
}

NodeUnderTest::Told NodeUnderTest::Bound(int port, int bound) {
  return Deliver(port, {}, Timestamp(bound));
}

NodeUnderTest::Told NodeUnderTest::End(int port) {
  return Deliver(port, {}, Timestamp::Done());
}

NodeUnderTest::Told NodeUnderTest::After(
    const std::function<void(Node*, Effects*)>& what) {
  what(&node(), effects_.get());
  return TakeTold();
}

NodeUnderTest::Told NodeUnderTest::Ask(const ConditionResult& result,
                                       std::int64_t now_ns) {
  NodeFacts* const facts = node().BeginAsk(now_ns);
  if (facts == nullptr) return {"nothing to ask"};
  const bool is_dispatched =
      result.state == ConditionState::kReady && facts->has_input_set;
  node().FinishAsk(result, is_dispatched, effects_.get());
  return TakeTold();
}

// --- What follows, as text

std::string NodeUnderTest::StreamName(int stream) const {
  return std::string(graph_.streams()[stream].name);
}

std::string NodeUnderTest::ReadyText(const Invocation& invocation) {
  switch (invocation.kind) {
    case Invocation::Kind::kOpen:
      return "open";
    case Invocation::Kind::kClose:
      return "close";
    case Invocation::Kind::kPlain:
    case Invocation::Kind::kToSome:
    case Invocation::Kind::kPlainToSome:
    case Invocation::Kind::kProcess:
      break;
  }
  std::string text = "process";
  for (int i = 0; i < invocation.num_sets; ++i) {
    const InputSet& set = invocation.sets[i];
    absl::StrAppend(&text, " ", set.timestamp.DebugString());
    if (invocation.takes_when_call_starts) {
      text += " later";
      continue;
    }
    std::vector<std::string> packets;
    for (const InputStream& input : set.context->Inputs()) {
      packets.push_back(
          input.IsEmpty() ? "-" : input.Value().Timestamp().DebugString());
    }
    absl::StrAppend(&text, " (", absl::StrJoin(packets, ", "), ")");
  }
  return text;
}

NodeUnderTest::Told NodeUnderTest::TakeTold() {
  const std::unique_ptr<Effects> told_of =
      std::exchange(effects_, std::make_unique<Effects>());
  const Effects& effects = *told_of;
  Told told;
  for (Task* const task : effects.ready) {
    ready_.push_back(static_cast<Invocation*>(task));
    told.push_back(ReadyText(*ready_.back()));
  }
  for (const Effects::GateFact& fact : effects.gate_facts) {
    told.push_back(std::string(FactText(fact.kind)));
    if (fact.kind == Effects::GateFact::Kind::kTimer) {
      absl::StrAppend(&told.back(), " ", fact.target_ns);
    }
  }
  for (const Effects::PassedBound& passed : effects.bounds) {
    told.push_back(absl::StrCat("bound of ", StreamName(passed.stream), ": ",
                                passed.bound.DebugString()));
  }
  for (const Effects::QueueFact& fact : effects.queue_facts) {
    if (fact.change == 0) continue;
    told.push_back(absl::StrCat(fact.change > 0 ? "full: " : "not full: ",
                                StreamName(fact.stream)));
  }
  for (const absl::Status& error : effects.errors) {
    told.push_back(absl::StrCat("error ", error.message()));
  }
  for (const Packet& packet : effects.trash) {
    if (packet.IsEmpty()) continue;
    told.push_back(absl::StrCat("dropped ", packet.Timestamp().DebugString()));
  }
  return told;
}

}  // namespace syncline
