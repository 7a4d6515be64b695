// Typed calculators in graphs: every kind of port, and the contract that
// follows from the ports.

#include "framework/api2/node.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace api2 {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TypedNodeTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(TypedNodeTest);

// Sends value * BY + PLUS.
class ScaleCalculator : public Node {
 public:
  static constexpr Input<float> kIn{"IN"};
  static constexpr SideInput<float> kBy{"BY"};
  static constexpr SideInput<float>::Optional kPlus{"PLUS"};
  static constexpr Output<float> kOut{"OUT"};
  static constexpr Output<bool>::Optional kIsNegative{"IS_NEGATIVE"};
  SYNCLINE_NODE_CONTRACT(kIn, kBy, kPlus, kOut, kIsNegative);

  absl::Status Process(CalculatorContext* cc) override {
    const float result = *kIn(cc) * *kBy(cc) + kPlus(cc).GetOr(0.f);
    kOut(cc).Send(result);
    kIsNegative(cc).Send(result < 0);
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(ScaleCalculator);

TEST_P(TypedNodeTest, ReadsAndWritesStreamsAndSidePackets) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_side_packet: "by"
                       input_side_packet: "plus"
                       node {
                         calculator: "ScaleCalculator"
                         input_stream: "IN:in"
                         input_side_packet: "BY:by"
                         input_side_packet: "PLUS:plus"
                         output_stream: "OUT:out"
                         output_stream: "IS_NEGATIVE:negative"
                       })pb",
                     GetParam());
  graph.SetSidePacket("by", ::syncline::MakePacket<float>(2.f));
  graph.SetSidePacket("plus", ::syncline::MakePacket<float>(-1.f));
  graph.Feed<float>("in", {{0, 0.f}, {10, 3.f}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect<float>("out", {{0, -1.f}, {10, 5.f}});
  graph.Expect<bool>("negative", {{0, true}, {10, false}});
}

TEST_P(TypedNodeTest, OptionalPortsMayBeLeftOut) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_side_packet: "by"
                       node {
                         calculator: "ScaleCalculator"
                         input_stream: "IN:in"
                         input_side_packet: "BY:by"
                         output_stream: "OUT:out"
                       })pb",
                     GetParam());
  graph.SetSidePacket("by", ::syncline::MakePacket<float>(2.f));
  graph.Feed<float>("in", {{0, 1.f}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect<float>("out", {{0, 2.f}});
}

TEST(NodeContractTest, OthersMayNotBeLeftOut) {
  CalculatorHarness harness(R"pb(
    calculator: "ScaleCalculator"
    input_stream: "IN:in"
    output_stream: "OUT:out")pb");
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      AllOf(HasSubstr("ScaleCalculator"),
                                            HasSubstr("\"BY\""))));
}

TEST(NodeContractTest, APortThatIsNotInTheListMayNotBeConnected) {
  CalculatorHarness harness(R"pb(
    calculator: "ScaleCalculator"
    input_stream: "IN:in"
    input_stream: "MORE:m"
    input_side_packet: "BY:by"
    output_stream: "OUT:out")pb");
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("\"MORE\"")));
}

// Writes the values of all inputs into a text, and sends their sum to all
// outputs.
class ManyCalculator : public Node {
 public:
  static constexpr Input<int>::Multiple kIn{""};
  static constexpr Output<int>::Multiple kSum{"SUM"};
  static constexpr Output<std::string> kText{"TEXT"};
  SYNCLINE_NODE_CONTRACT(kIn, kSum, kText);

  // Requires at least two inputs. It is private, and the framework finds it all
  // the same.
 private:
  static absl::Status UpdateContract(CalculatorContract* cc) {
    RET_CHECK_GE(kIn(cc).Count(), 2) << "nothing to add";
    return absl::OkStatus();
  }

 public:
  absl::Status Process(CalculatorContext* cc) override {
    int sum = 0;
    std::string text;
    for (const auto& in : kIn(cc)) {
      sum += in.GetOr(0);
      absl::StrAppend(&text, in.IsEmpty() ? "-" : absl::StrCat(*in), " ");
    }
    for (int i = 0; i < kSum(cc).Count(); ++i) kSum(cc)[i].Send(sum + i);
    kText(cc).Send(text);
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(ManyCalculator);

TEST_P(TypedNodeTest, MultiplePortsAreCountedAndIterated) {
  GraphHarness graph(R"pb(
                       input_stream: "a"
                       input_stream: "b"
                       input_stream: "c"
                       node {
                         calculator: "ManyCalculator"
                         input_stream: "a"
                         input_stream: "b"
                         input_stream: "c"
                         output_stream: "SUM:0:d"
                         output_stream: "SUM:1:e"
                         output_stream: "TEXT:f"
                       })pb",
                     GetParam());
  graph.Feed("a", {{0, 1}, {1, 2}});
  graph.Feed("b", {{0, 10}});
  graph.Feed("c", {{0, 100}, {1, 200}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("d", {{0, 111}, {1, 202}});
  graph.Expect("e", {{0, 112}, {1, 203}});
  graph.Expect<std::string>("f", {{0, "1 10 100 "}, {1, "2 - 200 "}});
}

TEST(NodeContractTest, UpdateContractComesAfterTheListAndMayRefuse) {
  CalculatorHarness harness(R"pb(
    calculator: "ManyCalculator"
    input_stream: "a"
    output_stream: "TEXT:f")pb");
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInternal,
                                      AllOf(HasSubstr("ManyCalculator"),
                                            HasSubstr("nothing to add"))));
}

// Sends numbers of each type as float, and the packets unchanged.
class ToFloatCalculator : public Node {
 public:
  static constexpr Input<OneOf<int, float>> kIn{"IN"};
  static constexpr Output<float> kOut{"OUT"};
  static constexpr Output<SameType<kIn>>::Optional kSame{"SAME"};
  SYNCLINE_NODE_CONTRACT(kIn, kOut, kSame);

  absl::Status Process(CalculatorContext* cc) override {
    kIn(cc).Visit([cc](auto value) { kOut(cc).Send(value); });
    kSame(cc).Send(kIn(cc));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(ToFloatCalculator);

TEST_P(TypedNodeTest, OneOfIsVisited) {
  GraphHarness graph(R"pb(
                       input_stream: "a"
                       input_stream: "b"
                       node {
                         calculator: "ToFloatCalculator"
                         input_stream: "IN:a"
                         output_stream: "OUT:c"
                         output_stream: "SAME:same"
                       }
                       node {
                         calculator: "ToFloatCalculator"
                         input_stream: "IN:b"
                         output_stream: "OUT:d"
                       })pb",
                     GetParam());
  graph.Feed("a", {{0, 1}});
  graph.Feed<float>("b", {{0, 2.5f}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect<float>("c", {{0, 1.f}});
  graph.Expect<float>("d", {{0, 2.5f}});
  graph.Expect("same", {{0, 1}});
}

// Sends all inputs unchanged.
class PassCalculator : public Node {
 public:
  static constexpr Input<AnyType>::Multiple kIn{""};
  static constexpr Output<SameType<kIn>>::Multiple kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  absl::Status Process(CalculatorContext* cc) override {
    for (int i = 0; i < kIn(cc).Count(); ++i) kOut(cc)[i].Send(kIn(cc)[i]);
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(PassCalculator);

TEST_P(TypedNodeTest, AnyTypeAndSameTypePassEveryTypeThrough) {
  GraphHarness graph(R"pb(
                       input_stream: "a"
                       input_stream: "b"
                       node {
                         calculator: "PassCalculator"
                         input_stream: "a"
                         input_stream: "b"
                         output_stream: "c"
                         output_stream: "d"
                       })pb",
                     GetParam());
  graph.Feed("a", {{0, 1}, {1, 2}});
  graph.Feed<std::string>("b", {{1, "two"}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("c", {{0, 1}, {1, 2}});
  graph.Expect<std::string>("d", {{1, "two"}});
}

TEST(NodeContractTest, TypesThatDoNotMeetAreFoundThroughSameType) {
  GraphHarness graph(R"pb(
    input_stream: "in"
    node {
      calculator: "ToFloatCalculator"
      input_stream: "IN:in"
      output_stream: "OUT:a"
    }
    node { calculator: "PassCalculator" input_stream: "a" output_stream: "b" }
    node {
      calculator: "ManyCalculator"
      input_stream: "b"
      input_stream: "b"
      output_stream: "TEXT:c"
    })pb");
  EXPECT_THAT(graph.Initialize(),
              StatusIs(absl::StatusCode::kUnknown,
                       AllOf(HasSubstr("expects packets of type \"int\""),
                             HasSubstr("will contain packets of type "
                                       "\"float\""))));
}

// At each tick, sends the value of an input that is a stream or a side packet.
class FallbackCalculator : public Node {
 public:
  static constexpr Input<int> kTick{"TICK"};
  static constexpr Input<int>::SideFallback kIn{"IN"};
  static constexpr Input<int>::SideFallback::Optional kMaybe{"MAYBE"};
  static constexpr Output<std::string> kOut{"OUT"};
  SYNCLINE_NODE_CONTRACT(kTick, kIn, kMaybe, kOut);

  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(absl::StrCat(kIn(cc).IsStream() ? "stream " : "side ",
                               kIn(cc).GetOr(-1), " ",
                               kMaybe(cc).IsConnected()));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(FallbackCalculator);

TEST_P(TypedNodeTest, ASideFallbackMayBeAStream) {
  GraphHarness graph(R"pb(
                       input_stream: "tick"
                       input_stream: "in"
                       node {
                         calculator: "FallbackCalculator"
                         input_stream: "TICK:tick"
                         input_stream: "IN:in"
                         output_stream: "OUT:out"
                       })pb",
                     GetParam());
  graph.Feed("tick", {{0, 0}, {1, 0}});
  graph.Feed("in", {{1, 7}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect<std::string>("out", {{0, "stream -1 0"}, {1, "stream 7 0"}});
}

TEST_P(TypedNodeTest, ASideFallbackMayBeASidePacket) {
  GraphHarness graph(R"pb(
                       input_stream: "tick"
                       input_side_packet: "in"
                       node {
                         calculator: "FallbackCalculator"
                         input_stream: "TICK:tick"
                         input_side_packet: "IN:in"
                         input_side_packet: "MAYBE:in"
                         output_stream: "OUT:out"
                       })pb",
                     GetParam());
  graph.SetSidePacket("in", ::syncline::MakePacket<int>(8));
  graph.Feed("tick", {{0, 0}, {1, 0}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect<std::string>("out", {{0, "side 8 1"}, {1, "side 8 1"}});
}

TEST(NodeContractTest, ASideFallbackThatIsNeededHasToBeGiven) {
  GraphHarness graph(R"pb(
    input_stream: "tick"
    input_side_packet: "in"
    node {
      calculator: "FallbackCalculator"
      input_stream: "TICK:tick"
      input_side_packet: "IN:in"
      output_stream: "OUT:out"
    })pb");
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("\"in\"")));
}

TEST(NodeContractTest, ASideFallbackIsEitherAndNotBoth) {
  CalculatorHarness both(R"pb(
    calculator: "FallbackCalculator"
    input_stream: "TICK:t"
    input_stream: "IN:a"
    input_side_packet: "IN:b"
    output_stream: "OUT:o")pb");
  EXPECT_THAT(both.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                   HasSubstr("but not both")));
  CalculatorHarness neither(R"pb(
    calculator: "FallbackCalculator"
    input_stream: "TICK:t"
    output_stream: "OUT:o")pb");
  EXPECT_THAT(neither.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("must be connected")));
}

// Sets side packets in Open and Close.
class CountCalculator : public Node {
 public:
  static constexpr Input<AnyType> kIn{""};
  static constexpr SideOutput<std::string> kName{"NAME"};
  static constexpr SideOutput<int> kCount{"COUNT"};
  static constexpr SideOutput<int>::Optional kTwice{"TWICE"};
  SYNCLINE_NODE_CONTRACT(kIn, kName, kCount, kTwice);

  absl::Status Open(CalculatorContext* cc) override {
    kName(cc).Set(cc->NodeName());
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    ++count_;
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    kCount(cc).Set(count_);
    kTwice(cc).Set(std::make_unique<int>(2 * count_));
    EXPECT_FALSE(kTwice(cc).IsConnected());
    return absl::OkStatus();
  }

 private:
  int count_ = 0;
};
SYNCLINE_REGISTER_NODE(CountCalculator);

TEST_P(TypedNodeTest, SideOutputsAreSet) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "CountCalculator"
                         input_stream: "in"
                         output_side_packet: "NAME:name"
                         output_side_packet: "COUNT:count"
                       })pb",
                     GetParam());
  graph.Feed("in", {{0, 1}, {1, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const ::syncline::Packet name,
                                graph.graph().GetOutputSidePacket("name"));
  EXPECT_EQ(name.Get<std::string>(), "CountCalculator");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const ::syncline::Packet count,
                                graph.graph().GetOutputSidePacket("count"));
  EXPECT_EQ(count.Get<int>(), 2);
}
}  // namespace
}  // namespace api2
}  // namespace syncline
