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

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/test_lambda_base.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

// A calculator whose contract the test completes. Its calls are functions in
// side packets, see LambdaBase. By default it sends the sum of its packets to
// each output.
template <int number>
class Part : public LambdaBase<CalculatorBase> {
 public:
  static inline std::function<absl::Status(CalculatorContract*)> contract;
  // Called for each object that is made.
  static inline std::function<void()> made;

  Part() {
    if (made != nullptr) made();
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

  explicit FusedNodeDriver(const std::string& node_text,
                           SidePackets side_packets = {});
  ~FusedNodeDriver();

  // What the factory says of the contract.
  const absl::Status& status() const { return status_; }
  const CalculatorContract& contract() const { return contract_; }
  // Ends the run and begins another.
  void StartRun();

  // For the next call: the packet of an input, the time up to which an input
  // without one is settled (if it is not the time of the call), its end.
  void Add(const std::string& tag, int value);
  void Settle(const std::string& tag, Timestamp settled);
  void End(const std::string& tag);

  // What the node has passed on between calls.
  void PassBound(const std::string& tag, Timestamp bound);

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
  absl::Status status_;
  std::unique_ptr<NodeEnvironment> environment_;
  std::unique_ptr<CalculatorContext> context_;
  std::unique_ptr<CalculatorBase> calculator_;
  std::map<std::string, Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::string> sent_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FUSED_NODE_TEST_SUPPORT_H_
