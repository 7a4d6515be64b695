// The nodes that the switch containers of the tests contain: they send x, 3x,
// or 100 + x, in different ways.
#include <cstdint>
#include <string>

#include "framework/calculator_framework.h"
#include "framework/config/switch_container.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/subgraph.h"

namespace syncline {
namespace {

// Sends 3x with a timestamp offset, so that it passes bounds. It triples side
// packets too.
class TripleIntCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
      cc->Inputs().Index(i).Set<int>();
      cc->Outputs().Index(i).SetSameAs(&cc->Inputs().Index(i));
    }
    for (int i = 0; i < cc->InputSidePackets().NumEntries(); ++i) {
      cc->InputSidePackets().Index(i).Set<int>();
      cc->OutputSidePackets().Index(i).Set<int>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    for (int i = 0; i < cc->InputSidePackets().NumEntries(); ++i) {
      cc->OutputSidePackets().Index(i).Set(
          MakePacket<int>(cc->InputSidePackets().Index(i).Get<int>() * 3));
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
      if (cc->Inputs().Index(i).IsEmpty()) continue;
      cc->Outputs().Index(i).AddPacket(
          MakePacket<int>(cc->Inputs().Index(i).Get<int>() * 3)
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TripleIntCalculator);

// Sends 3x without a timestamp offset: its outputs settle only with its
// packets.
class AddHundredCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(cc->Inputs().Index(0).Get<int>() + 100)
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(AddHundredCalculator);

// Sends 1000 + x three later, with a timestamp offset of 3.
class ThreeLaterCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(3));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(cc->Inputs().Index(0).Get<int>() + 1000)
            .At(cc->InputTimestamp() + 3));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ThreeLaterCalculator);

// Sends x, and -x two later, although its timestamp offset promises nothing so
// late.
class TwiceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int value = cc->Inputs().Index(0).Get<int>();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(cc->InputTimestamp()));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(-value).At(cc->InputTimestamp() + 2));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TwiceCalculator);

// Sends x one later, but only when a later time has settled.
class BehindCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetProcessTimestampBounds(true);
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& input = cc->Inputs().Index(0).Value();
    OutputStream& output = cc->Outputs().Index(0);
    if (!held_.IsEmpty() && held_.Timestamp() < cc->InputTimestamp()) {
      output.AddPacket(held_.At(held_.Timestamp() + 1));
      held_ = Packet();
    }
    if (!input.IsEmpty()) held_ = input;
    const Timestamp bound = held_.IsEmpty()
                                ? cc->InputTimestamp().NextAllowedInStream()
                                : held_.Timestamp() + 1;
    if (bound > output.NextTimestampBound()) {
      output.SetNextTimestampBound(bound);
    }
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    if (held_.IsEmpty()) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(held_.At(held_.Timestamp() + 1));
    return absl::OkStatus();
  }

 private:
  Packet held_;
};
REGISTER_CALCULATOR(BehindCalculator);

// Its output side packet MODEL is a constant from its options.
class NumberSidePacketCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("MODEL").Set<int>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    cc->OutputSidePackets().Tag("MODEL").Set(
        MakePacket<int>(cc->Options<SwitchContainerOptions>().select()));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(NumberSidePacketCalculator);

// One calculator after the other.
CalculatorGraphConfig InARow(const std::string& first,
                             const std::string& second) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    output_stream: "out"
    node { input_stream: "in" output_stream: "mid" }
    node { input_stream: "mid" output_stream: "out" }
  )pb");
  config.mutable_node(0)->set_calculator(first);
  config.mutable_node(1)->set_calculator(second);
  return config;
}

class NineFoldSubgraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions&) override {
    return InARow("TripleIntCalculator", "TripleIntCalculator");
  }
};
REGISTER_SYNCLINE_GRAPH(NineFoldSubgraph);

// A calculator without a timestamp offset passes no bounds to those after it.
class SilentInTheMiddleSubgraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions&) override {
    return InARow("AddHundredCalculator", "TripleIntCalculator");
  }
};
REGISTER_SYNCLINE_GRAPH(SilentInTheMiddleSubgraph);

}  // namespace
}  // namespace syncline
