// For tests of fused nodes: parts that do what the test says, and a fused node
// that is called as a node calls it, without a graph.
//
//   FusedNodeDriver driver(R"pb(
//     fused_node { calculator: "PartA" input_stream: "in" output_stream: "out"
//     }
//   )pb");
//   driver.Open();
//   driver.Add("IN", 7);
//   driver.Process(10);
//   EXPECT_EQ(driver.Sent(), "OUT=7");
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_NODE_FUSED_NODE_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_NODE_FUSED_NODE_TEST_SUPPORT_H_

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/test_lambda_base.h"
#include "framework/config/calculator.pb.h"
#include "framework/node/fused_parts.h"
#include "framework/node/inner_queues.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {

// A calculator whose contract the test completes. Its calls are functions in
// side packets, see LambdaBase. By default it sends the sum of its packets to
// each output.
template <int number>
class Part : public LambdaBase<CalculatorBase> {
 public:
  static inline std::function<absl::Status(CalculatorContract*)> contract;
  // Called for each object that is made, and destroyed.
  static inline std::function<void()> made;
  static inline std::function<void()> destroyed;

  Part() {
    if (made != nullptr) made();
  }
  ~Part() override {
    if (destroyed != nullptr) destroyed();
  }
  static absl::Status GetContract(CalculatorContract* cc) {
    const absl::Status status = LambdaBase::GetContract(cc);
    return contract == nullptr ? status : contract(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (cc->InputSidePackets().HasTag("PROCESS")) {
      return LambdaBase::Process(cc);
    }
    int sum = 0;
    bool has_packet = false;
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) continue;
      has_packet = true;
      sum += input.Get<int>();
    }
    if (!has_packet) return absl::OkStatus();
    for (OutputStream& output : cc->Outputs()) {
      output.AddPacket(MakePacket<int>(sum).At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
class PartA final : public Part<0> {};
class PartB final : public Part<1> {};
class PartC final : public Part<2> {};

// Takes back what tests have set for the parts.
void ForgetContracts();

// Makes the node what the plan makes of it (expansion/lower_fused.h).
CalculatorGraphConfig::Node LoweredFusedNode(const std::string& node_text);

class FusedNodeDriver {
 public:
  // By the names in the node.
  using SidePackets = std::map<std::string, Packet>;

  // `inner` is a stream that does not leave the node: the graph around it left
  // the output open.
  explicit FusedNodeDriver(const std::string& node_text,
                           SidePackets side_packets = {},
                           const std::string& inner = "");
  ~FusedNodeDriver();

  // What the factory says of the contract.
  const absl::Status& status() const { return status_; }
  const CalculatorContract& contract() const { return contract_; }
  // Ends the run and begins another, in which the node is given what is in
  // `run` besides its side packets.
  void StartRun(NodeEnvironment::Run run = {});

  // Before Open: the node has queues and the default rule for all parts that
  // read earlier ones, and no part takes the packets of the node.
  void UseQueues();

  // For the next call: the packet of an input, the time up to which an input
  // without one is settled (if it is not the time of the call), its end.
  void Add(const std::string& tag, int value);
  void Settle(const std::string& tag, Timestamp settled);
  void End(const std::string& tag);

  // What the node has passed on between calls.
  void PassBound(const std::string& tag, Timestamp bound);
  // What the node passes on to all outputs where nothing comes in before
  // `input_bound`.
  void PassBounds(Timestamp input_bound);

  absl::Status Open();
  absl::Status Process(Timestamp timestamp);
  absl::Status Process(int timestamp) { return Process(Timestamp(timestamp)); }
  absl::Status Close(const absl::Status& graph_status = absl::OkStatus());

  // What the calls sent since this was last asked: "OUT=7" at the time of the
  // call, "OUT=7@9" at another one, "OUT<21" for a bound, "OUT!" for the end.
  std::string Sent();
  // Of the run; empty if it was not set.
  Packet SidePacket(const std::string& tag) const;

  // Looks at the context after a call, before the results are taken.
  std::function<void(CalculatorContext&)> before_end;

  InnerQueues& inner() { return dynamic_cast<InnerQueues&>(*calculator_); }
  CalculatorContext& context() { return *context_; }
  NodeEnvironment& environment() { return *environment_; }

 private:
  struct Input {
    absl::optional<int> value;
    absl::optional<Timestamp> settled;
    bool is_done = false;
  };
  struct Output {
    Timestamp bound = Timestamp::PreStream();
    bool is_closed = false;
    bool had_packets = false;
  };

  void Begin(CallPhase phase, Timestamp timestamp);
  // Takes what the call sent. Returns its first error.
  absl::Status Finish(const absl::Status& status);

  const CalculatorGraphConfig::Node node_;
  const SidePackets side_packets_;
  CalculatorContract contract_;
  std::unique_ptr<CalculatorBaseFactory> factory_;
  std::shared_ptr<const FusedParts> queued_parts_;  // made by UseQueues
  absl::Status status_;
  std::unique_ptr<NodeEnvironment> environment_;
  std::unique_ptr<CalculatorContext> context_;
  std::unique_ptr<CalculatorBase> calculator_;
  std::map<std::string, Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::string> sent_;
};

// A function of a part, as a side packet.
inline Packet Function(LambdaFunction function) {
  return MakePacket<LambdaFunction>(std::move(function));
}

inline Packet PacketAt(int timestamp, int value) {
  return MakePacket<int>(value).At(Timestamp(timestamp));
}

// B reads what A sends.
inline constexpr char kFusedChain[] = R"pb(
  name: "chain"
  fused_node { calculator: "PartA" input_stream: "in" output_stream: "mid" }
  fused_node { calculator: "PartB" input_stream: "mid" output_stream: "out" }
)pb";

// B joins what A sends with an input of the node.
inline constexpr char kFusedJoin[] = R"pb(
  fused_node {
    calculator: "PartA"
    input_stream: "in"
    input_side_packet: "PROCESS:f"
    output_stream: "mid"
  }
  fused_node {
    calculator: "PartB"
    input_stream: "mid"
    input_stream: "other"
    output_stream: "out"
  })pb";

// The node's contract, and the parts that are found for it.
class FusedPartsTest : public ::testing::Test {
 protected:
  ~FusedPartsTest() override { ForgetContracts(); }

  absl::Status Make(const std::string& node_text) {
    return MakeAs(LoweredFusedNode(node_text));
  }
  absl::Status MakeAs(CalculatorGraphConfig::Node node) {
    node_ = std::move(node);
    outer_ = std::make_unique<CalculatorContract>();
    EXPECT_EQ(outer_->Initialize(node_), absl::OkStatus());
    absl::StatusOr<std::shared_ptr<const FusedParts>> parts =
        FusedParts::Make(*outer_);
    if (!parts.ok()) return parts.status();
    parts_ = *std::move(parts);
    return absl::OkStatus();
  }
  // Make, then what the parts come to.
  absl::Status Describe(const std::string& node_text) {
    EXPECT_EQ(Make(node_text), absl::OkStatus());
    return parts_->Describe(outer_.get());
  }
  FusedPart& part(int i) { return *parts_->parts()[i]; }
  PacketType& input(const std::string& tag) {
    return outer_->Inputs().Tag(tag);
  }
  PacketType& output(const std::string& tag) {
    return outer_->Outputs().Tag(tag);
  }

  CalculatorGraphConfig::Node node_;
  std::unique_ptr<CalculatorContract> outer_;
  std::shared_ptr<const FusedParts> parts_;
};

// One suite for all files of the test.
class FusedNodeTest : public ::testing::Test {
 protected:
  ~FusedNodeTest() override { ForgetContracts(); }

  // A function that writes down that it was called, and when.
  Packet Noting(const std::string& what,
                const absl::Status& result = absl::OkStatus());
  std::vector<std::string> TakeNotes() { return std::exchange(notes_, {}); }
  // A node "trio" of the parts A, B and C with these ports. Its functions are
  // "o0", "p0", "c0" (Open, Process and Close of A), "o1", ...: the given ones,
  // or those that write down "open 0", "process 0", "close 0", ...
  FusedNodeDriver Trio(const std::array<std::string, 3>& ports,
                       FusedNodeDriver::SidePackets functions = {});

  std::vector<std::string> notes_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FUSED_NODE_TEST_SUPPORT_H_
