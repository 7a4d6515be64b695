// Which channels of a switch can be waited for.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/config/switch_container.pb.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The pass knows switches by the names of their types.
class AnyPorts : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.SetAny();
    for (PacketType& output : cc->Outputs()) output.SetAny();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};

class SwitchDemuxCalculator : public AnyPorts {};
REGISTER_CALCULATOR(SwitchDemuxCalculator);
class SwitchMuxCalculator : public AnyPorts {};
REGISTER_CALCULATOR(SwitchMuxCalculator);

// The channels of "mux" that pass bounds on. PassNode has an offset, IntNode
// has none.
std::vector<std::string> Settled(const std::string& nodes,
                                 const std::string& graph = "") {
  const GraphPlan plan = PlanOf(absl::StrCat(
      graph, " input_stream: 'tick' input_stream: 'select' ", nodes));
  const auto& options = NodeNamed(plan, "mux")
                            .config()
                            .options()
                            .GetExtension(SwitchContainerOptions::ext);
  return {options.settled_input_stream().begin(),
          options.settled_input_stream().end()};
}

constexpr char kDemux[] = R"pb(
  node {
    calculator: "SwitchDemuxCalculator"
    input_stream: "TICK:tick"
    input_stream: "SELECT:select"
    output_stream: "C0__TICK:c0"
    output_stream: "C1__TICK:c1"
    output_stream: "C1__SELECT:other"
  }
)pb";

std::string Mux(const std::string& c0, const std::string& c1) {
  return absl::StrCat(
      "node { name: 'mux' calculator: 'SwitchMuxCalculator' "
      "input_stream: 'TICK:tick' input_stream: 'C0__OUT:",
      c0, "' input_stream: 'C1__OUT:", c1, "' output_stream: 'OUT:out' }");
}

std::string Node(const std::string& type, const std::string& in,
                 const std::string& out, const std::string& more = "") {
  return absl::StrCat("node { calculator: '", type, "' input_stream: '", in,
                      "' output_stream: '", out, "' ", more, " }");
}

TEST(TraceBoundsTest, ChannelsPassBoundsWhoseNodesHaveAnOffset) {
  EXPECT_THAT(Settled(kDemux + Node("PassNode", "c0", "d0") +
                      Node("IntNode", "c1", "d1") + Mux("d0", "d1")),
              ElementsAre("C0__OUT:0"));
}

TEST(TraceBoundsTest, EachNodeOfAChannelHasToPassThem) {
  EXPECT_THAT(Settled(kDemux + Node("PassNode", "c0", "a") +
                      Node("IntNode", "a", "d0") + Node("PassNode", "c1", "b") +
                      Node("PassNode", "b", "d1") + Mux("d0", "d1")),
              ElementsAre("C1__OUT:0"));
}

TEST(TraceBoundsTest, AStreamOfTheDemultiplexerItselfIsSettled) {
  EXPECT_THAT(Settled(kDemux + Mux("c0", "c1")),
              ElementsAre("C0__OUT:0", "C1__OUT:0"));
}

TEST(TraceBoundsTest, OnlyRoutesOfATickCount) {
  EXPECT_THAT(Settled(kDemux + Mux("c0", "other")), ElementsAre("C0__OUT:0"));
}

TEST(TraceBoundsTest, AllInputsOfANodeHaveToPassThem) {
  const std::string join =
      "node { calculator: 'PassNode' input_stream: 'c0' input_stream: 'b' "
      "output_stream: 'd0' }";
  EXPECT_THAT(
      Settled(kDemux + Node("IntNode", "c1", "b") + join + Mux("d0", "c1")),
      ElementsAre("C1__OUT:0"));
  EXPECT_THAT(
      Settled(kDemux + Node("PassNode", "c1", "b") + join + Mux("d0", "c1")),
      ElementsAre("C0__OUT:0", "C1__OUT:0"));
}

TEST(TraceBoundsTest, ATickMayGoIntoAChannelByItself) {
  EXPECT_THAT(Settled(Node("PassNode", "tick", "d0") +
                      Node("PassNode", "select", "d1") + Mux("d0", "d1")),
              ElementsAre("C0__OUT:0"));
}

TEST(TraceBoundsTest, AnotherHandlerDoesNotJoinByBounds) {
  EXPECT_THAT(Settled(kDemux +
                      Node("PassNode", "c0", "d0",
                           "input_stream_handler { input_stream_handler: "
                           "'ImmediateInputStreamHandler' }") +
                      Mux("d0", "c1")),
              ElementsAre("C1__OUT:0"));
}

TEST(TraceBoundsTest, ANodeThatIsCalledForBoundsPassesThem) {
  // Whatever its handler.
  EXPECT_THAT(
      Settled(kDemux + Node("ChoosyNode", "c0", "d0") + Mux("d0", "c1")),
      ElementsAre("C0__OUT:0", "C1__OUT:0"));
}

TEST(TraceBoundsTest, ADeterministicGraphWaitsForAll) {
  EXPECT_THAT(Settled(kDemux + Node("IntNode", "c0", "d0") + Mux("d0", "c1"),
                      "deterministic: true"),
              ElementsAre("C0__OUT:0", "C1__OUT:0"));
}

TEST(TraceBoundsTest, WithoutATickEverythingIsWaitedForAnyway) {
  EXPECT_THAT(
      Settled("node { name: 'mux' calculator: 'SwitchMuxCalculator' "
              "input_stream: 'C0__OUT:tick' output_stream: 'OUT:out' }"),
      IsEmpty());
}

TEST(TraceBoundsTest, WhatAnotherCompilationFoundIsReplaced) {
  const std::string mux =
      "node { name: 'mux' calculator: 'SwitchMuxCalculator' "
      "input_stream: 'TICK:tick' input_stream: 'C0__OUT:select' "
      "output_stream: 'OUT:out' options { "
      "[syncline.SwitchContainerOptions.ext] { "
      "settled_input_stream: 'C0__OUT:0' } } }";
  EXPECT_THAT(Settled(mux), IsEmpty());
}

}  // namespace
}  // namespace syncline
