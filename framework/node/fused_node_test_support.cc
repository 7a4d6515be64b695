#include "framework/node/fused_node_test_support.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/calculator/call.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/test_support.h"
#include "framework/expansion/lower_fused.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_parts.h"
#include "framework/stream/bound_after_call.h"
#include "gtest/gtest.h"

namespace syncline {

REGISTER_CALCULATOR(PartA);
REGISTER_CALCULATOR(PartB);
REGISTER_CALCULATOR(PartC);

void ForgetContracts() {
  PartA::contract = nullptr;
  PartB::contract = nullptr;
  PartC::contract = nullptr;
  PartA::made = PartA::destroyed = nullptr;
  PartB::made = PartB::destroyed = nullptr;
  PartC::made = PartC::destroyed = nullptr;
}

CalculatorGraphConfig::Node LoweredFusedNode(const std::string& node_text) {
  CalculatorGraphConfig::Node node = ParseNode(node_text);
  for (const absl::Status& error : LowerFused(
           "", [](const std::string&) { return false; }, &node)) {
    ADD_FAILURE() << error;
  }
  return node;
}

namespace {

CalculatorGraphConfig::Node WithoutOutput(const std::string& name,
                                          CalculatorGraphConfig::Node node) {
  google::protobuf::RepeatedPtrField<std::string>& outputs =
      *node.mutable_output_stream();
  outputs.erase(std::remove(outputs.begin(), outputs.end(),
                            absl::StrCat(FusedTag(name), ":", name)),
                outputs.end());
  return node;
}

}  // namespace

FusedNodeDriver::FusedNodeDriver(const std::string& node_text,
                                 SidePackets side_packets,
                                 const std::string& inner)
    : node_(WithoutOutput(inner, LoweredFusedNode(node_text))),
      side_packets_(std::move(side_packets)),
      factory_(CalculatorBaseRegistry::CreateByName("FusedNode").value()) {
  status_ = contract_.Initialize(node_);
  if (status_.ok()) status_ = InvokeGetContract(*factory_, &contract_);
  if (status_.ok()) StartRun();
}

// A context belongs to a calculator that still lives.
FusedNodeDriver::~FusedNodeDriver() { calculator_.reset(); }

void FusedNodeDriver::StartRun(NodeEnvironment::Run run) {
  if (!contract_.IsPersistent()) calculator_.reset();
  context_.reset();
  run.input_side_packets =
      FillInputSidePackets(contract_.InputSidePackets(), [&](const std::string&
                                                                 name) {
        const auto found = side_packets_.find(name);
        return found == side_packets_.end() ? Packet() : found->second;
      }).value();
  environment_ = std::make_unique<NodeEnvironment>(contract_, std::move(run));
  context_ = std::make_unique<CalculatorContext>(*environment_);
  inputs_.clear();
  outputs_.assign(contract_.Outputs().NumEntries(), Output());
  if (calculator_ != nullptr) return;
  calculator_ = InvokeCreate(*factory_, context_.get()).value();
}

void FusedNodeDriver::UseQueues() {
  if (queued_parts_ == nullptr) {
    queued_parts_ = FusedParts::Make(contract_).value();
    for (const std::unique_ptr<FusedPart>& part : queued_parts_->parts()) {
      part->takes_each = part->is_called_for_packets = false;
      for (FusedPart::Input& input : part->inputs) input.is_last_reader = false;
    }
  }
  calculator_ = std::make_unique<FusedNodeCalculator>(queued_parts_);
}

void FusedNodeDriver::Add(const std::string& tag, int value) {
  inputs_[tag].value = value;
}

void FusedNodeDriver::Settle(const std::string& tag, Timestamp settled) {
  inputs_[tag].settled = settled;
}

void FusedNodeDriver::End(const std::string& tag) {
  inputs_[tag].is_done = true;
}

void FusedNodeDriver::PassBound(const std::string& tag, Timestamp bound) {
  outputs_[contract_.Outputs().GetId(tag, 0).value()].bound = bound;
}

void FusedNodeDriver::PassBounds(Timestamp input_bound) {
  int port = 0;
  for (const OutputStream& stream : context_->Outputs()) {
    Output& output = outputs_[port];
    StreamProgress* const unread = environment_->output_port(port++).unread;
    const Timestamp bound = BoundPassedOn(input_bound, stream.Offset());
    if (output.is_closed) continue;
    output.bound = std::max(output.bound, bound);
    if (unread != nullptr) {
      unread->bound = std::max(unread->bound.load(), bound);
    }
  }
}

void FusedNodeDriver::Begin(CallPhase phase, Timestamp timestamp) {
  int port = 0;
  for (OutputStream& stream : context_->Outputs()) {
    const Output& output = outputs_[port++];
    stream.Begin(output.bound, output.is_closed, output.had_packets);
  }
  context_->BeginCall(phase, timestamp);
}

absl::Status FusedNodeDriver::Finish(const absl::Status& status) {
  if (before_end != nullptr) before_end(*context_);
  const absl::Status error = status.ok() ? context_->call().status() : status;
  int port = 0;
  for (OutputStream& stream : context_->Outputs()) {
    const std::string& tag =
        contract_.Outputs().layout().TagAndIndex(port).first;
    Output& output = outputs_[port++];
    Timestamp last;
    for (const Packet& packet : stream.packets()) {
      last = packet.Timestamp();
      const bool is_now = last == context_->InputTimestamp();
      sent_.push_back(
          absl::StrCat(tag, "=", packet.Get<int>(),
                       is_now ? "" : absl::StrCat("@", last.DebugString())));
      output.had_packets = true;
    }
    const Timestamp bound =
        std::max(output.bound,
                 BoundAfterCall({.bound = output.bound,
                                 .input_timestamp = context_->InputTimestamp(),
                                 .offset = stream.Offset(),
                                 .explicit_bound = stream.explicit_bound(),
                                 .last_packet = last}));
    const bool is_known =
        last != Timestamp() && bound == last.NextAllowedInStream();
    if (bound > output.bound && !is_known) {
      sent_.push_back(absl::StrCat(tag, "<", bound.DebugString()));
    }
    output.bound = bound;
    if (stream.IsClosed() && !output.is_closed) {
      output.is_closed = true;
      sent_.push_back(absl::StrCat(tag, "!"));
    }
  }
  context_->EndCall();
  return error;
}

absl::Status FusedNodeDriver::Open() {
  Begin(CallPhase::kOpen, Timestamp::Unstarted());
  return Finish(InvokeOpen(calculator_.get(), context_.get()));
}

absl::Status FusedNodeDriver::Process(Timestamp timestamp) {
  for (int port = 0; port < context_->Inputs().NumEntries(); ++port) {
    Input& input = inputs_[contract_.Inputs().layout().TagAndIndex(port).first];
    Packet packet = input.value.has_value()
                        ? MakePacket<int>(*input.value).At(timestamp)
                        : Packet().At(input.settled.value_or(
                              input.is_done ? Timestamp::Max() : timestamp));
    context_->Inputs().Get(port).Fill(std::move(packet), input.is_done);
    input.value.reset();
    input.settled.reset();
  }
  Begin(CallPhase::kProcess, timestamp);
  return Finish(InvokeProcess(calculator_.get(), context_.get()));
}

absl::Status FusedNodeDriver::Close(const absl::Status& graph_status) {
  context_->SetGraphStatus(graph_status);
  Begin(CallPhase::kClose, Timestamp::Done());
  return Finish(InvokeClose(calculator_.get(), context_.get()));
}

std::string FusedNodeDriver::Sent() {
  return absl::StrJoin(std::exchange(sent_, {}), " ");
}

Packet FusedNodeTest::Noting(const std::string& what,
                             const absl::Status& result) {
  return Function([this, what, result](CalculatorContext* cc) {
    notes_.push_back(
        absl::StrCat(what, " ", cc->InputTimestamp().DebugString()));
    return result;
  });
}

FusedNodeDriver FusedNodeTest::Trio(const std::array<std::string, 3>& ports,
                                    FusedNodeDriver::SidePackets functions) {
  std::string text = "name: \"trio\"";
  for (int i = 0; i < 3; ++i) {
    absl::StrAppend(&text, "fused_node { calculator: \"Part",
                    std::string(1, static_cast<char>('A' + i)),
                    "\" input_side_packet: [ \"OPEN:o", i, "\", \"PROCESS:p", i,
                    "\", \"CLOSE:c", i, "\" ] ", ports[i], "}");
    functions.try_emplace(absl::StrCat("o", i),
                          Noting(absl::StrCat("open ", i)));
    functions.try_emplace(absl::StrCat("p", i),
                          Noting(absl::StrCat("process ", i)));
    functions.try_emplace(absl::StrCat("c", i),
                          Noting(absl::StrCat("close ", i)));
  }
  return FusedNodeDriver(text, std::move(functions));
}

Packet FusedNodeDriver::SidePacket(const std::string& tag) const {
  const CollectionItemId id = contract_.OutputSidePackets().GetId(tag, 0);
  return environment_->node_output_side_packets()[id.value()]->packet();
}

}  // namespace syncline
