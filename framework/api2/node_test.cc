// Typed calculators in graphs: every kind of port, the ways to define a
// calculator, and what happens when one is used wrongly.

#include "framework/api2/node.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/subgraph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace api2 {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Of its own, so that it can be consumed.
template <typename T>
::syncline::Packet Value(T value, int timestamp) {
  return ::syncline::MakePacket<T>(std::move(value)).At(Timestamp(timestamp));
}

class TypedNodeTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(TypedNodeTest);

// --- Ports

// value * BY + PLUS.
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

// Writes down what all inputs have, and passes the sum to all outputs.
class ManyCalculator : public Node {
 public:
  static constexpr Input<int>::Multiple kIn{""};
  static constexpr Output<int>::Multiple kSum{"SUM"};
  static constexpr Output<std::string> kText{"TEXT"};
  SYNCLINE_NODE_CONTRACT(kIn, kSum, kText);

  // At least two inputs. Private: the framework finds it all the same.
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

// Sends numbers of every type as float, and the packets as they came.
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

// Passes everything through.
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

// The input, from a stream or a side packet, at each tick.
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

// Gives side packets in Open and Close.
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

// --- Packets of ports

// Takes its inputs over and sends them on, where nobody else has them.
class ConsumeCalculator : public Node {
 public:
  static constexpr Input<std::string> kText{"TEXT"};
  static constexpr Input<AnyType> kAny{"ANY"};
  static constexpr Input<OneOf<int, float>> kNumber{"NUMBER"};
  static constexpr Output<std::string> kOut{"OUT"};
  SYNCLINE_NODE_CONTRACT(kText, kAny, kNumber, kOut);

  absl::Status Process(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<std::string> text,
                              kText(cc).Consume());
    SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<int> any,
                              kAny(cc).Consume<int>());
    SYNCLINE_ASSIGN_OR_RETURN(const std::string number,
                              kNumber(cc).ConsumeAndVisit([](auto value) {
                                return absl::StrCat(*value);
                              }));
    // The inputs are empty now.
    EXPECT_TRUE(kText(cc).IsEmpty());
    EXPECT_TRUE(kAny(cc).IsEmpty());
    EXPECT_TRUE(kNumber(cc).IsEmpty());
    EXPECT_EQ(kText(cc).timestamp(), cc->InputTimestamp());
    absl::StrAppend(text.get(), " ", *any, " ", number);
    kOut(cc).Send(std::move(text));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(ConsumeCalculator);

constexpr char kConsume[] = R"pb(
  input_stream: "text"
  input_stream: "any"
  input_stream: "number"
  node {
    calculator: "ConsumeCalculator"
    input_stream: "TEXT:text"
    input_stream: "ANY:any"
    input_stream: "NUMBER:number"
    output_stream: "OUT:out"
  })pb";

TEST_P(TypedNodeTest, TheOnlyConsumerOfAPacketMayTakeItsValue) {
  // Without the harness, which keeps a copy of every packet.
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kConsume)));
  std::vector<std::string> texts;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream(
      "out", [&texts](const ::syncline::Packet& packet) {
        texts.push_back(packet.Get<std::string>());
        return absl::OkStatus();
      }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_EXPECT_OK(
      graph.AddPacketToInputStream("text", Value<std::string>("a", 0)));
  SYNCLINE_EXPECT_OK(graph.AddPacketToInputStream("any", Value(1, 0)));
  SYNCLINE_EXPECT_OK(graph.AddPacketToInputStream("number", Value(2.5f, 0)));
  SYNCLINE_EXPECT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  EXPECT_THAT(texts, ::testing::ElementsAre("a 1 2.5"));
}

// Tries to take what others have too.
class TryToConsumeCalculator : public Node {
 public:
  static constexpr Input<int> kIn{""};
  static constexpr Output<int> kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  absl::Status Process(CalculatorContext* cc) override {
    EXPECT_THAT(kIn(cc).Consume(),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    kOut(cc).Send(kIn(cc).packet().At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(TryToConsumeCalculator);

TEST_P(TypedNodeTest, ASharedPacketIsNotConsumedAndStays) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "TryToConsumeCalculator"
                         input_stream: "in"
                         output_stream: "out"
                       })pb",
                     GetParam());
  graph.Feed("in", {{0, 1}, {5, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("out", {{0, 1}, {5, 2}});
}

// Passes A on, if B has something; says up to when each is settled.
class JoinCalculator : public Node {
 public:
  static constexpr Input<int> kA{"A"};
  static constexpr Input<int> kB{"B"};
  static constexpr Output<std::string> kOut{"OUT"};
  SYNCLINE_NODE_CONTRACT(kA, kB, kOut);

  absl::Status Process(CalculatorContext* cc) override {
    EXPECT_GE(kA(cc).timestamp(), cc->InputTimestamp());
    EXPECT_GE(kB(cc).timestamp(), cc->InputTimestamp());
    kOut(cc).Send(absl::StrCat(kA(cc).GetOr(-1), "/", kB(cc).GetOr(-1)));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(JoinCalculator);

// Drops odd numbers, and says nothing of it: the offset does.
class EvenCalculator : public Node {
 public:
  static constexpr Input<int> kIn{""};
  static constexpr Output<int> kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  absl::Status Process(CalculatorContext* cc) override {
    if (*kIn(cc) % 2 == 0) kOut(cc).Send(kIn(cc));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(EvenCalculator);

TEST_P(TypedNodeTest, BoundsPassThroughByDefault) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "EvenCalculator"
                         input_stream: "in"
                         output_stream: "even"
                       }
                       node {
                         calculator: "JoinCalculator"
                         input_stream: "A:in"
                         input_stream: "B:even"
                         output_stream: "OUT:out"
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 2}, {1, 3}});
  graph.Idle();
  // The join knows at once that there is no even number at 1.
  graph.Expect<std::string>("out", {{0, "2/2"}, {1, "3/-1"}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

// Sends each number twice, at times of its own, and moves the bound on.
class TwiceCalculator : public Node {
 public:
  static constexpr Input<int> kIn{""};
  static constexpr Output<int> kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut, TimestampChange::Arbitrary());

  absl::Status Process(CalculatorContext* cc) override {
    const Timestamp twice(2 * cc->InputTimestamp().Value());
    EXPECT_LE(kOut(cc).NextTimestampBound(), twice);
    kOut(cc).Send(*kIn(cc), twice);
    kOut(cc).Send(kIn(cc).packet().At(twice + 1));
    kOut(cc).SetNextTimestampBound(twice + 2);
    EXPECT_EQ(kOut(cc).NextTimestampBound(), twice + 2);
    if (*kIn(cc) < 0) kOut(cc).Close();
    EXPECT_EQ(kOut(cc).IsClosed(), *kIn(cc) < 0);
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(TwiceCalculator);

TEST_P(TypedNodeTest, ArbitraryTimestampsAreTheCalculatorsOwn) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "TwiceCalculator"
                         input_stream: "in"
                         output_stream: "out"
                       })pb",
                     GetParam());
  graph.Feed("in", {{0, 5}, {10, -6}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("out", {{0, 5}, {1, 5}, {20, -6}, {21, -6}});
}

// Adds the header of its input to its packets, and hands it on.
class HeaderCalculator : public Node {
 public:
  static constexpr Input<int> kIn{"IN"};
  static constexpr Output<std::string> kOut{"OUT"};
  static constexpr Output<int>::Optional kUnused{"UNUSED"};
  SYNCLINE_NODE_CONTRACT(kIn, kOut, kUnused);

  absl::Status Open(CalculatorContext* cc) override {
    const PacketBase header = kIn(cc).Header();
    RET_CHECK(!header.IsEmpty());
    kOut(cc).SetHeader(header);
    kUnused(cc).SetHeader(header);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(absl::StrCat(kIn(cc).Header().Get<std::string>(), *kIn(cc)));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(HeaderCalculator);

TEST(NodePortsTest, HeadersAreReadAndWritten) {
  CalculatorHarness harness(R"pb(
    calculator: "HeaderCalculator"
    input_stream: "IN:a"
    output_stream: "OUT:b"
  )pb");
  harness.SetHeader("IN", ::syncline::MakePacket<std::string>("n="));
  harness.Feed("IN", {Value(3, 0)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("OUT"), StreamIs<std::string>({{0, "n=3"}}));
  EXPECT_EQ(harness.OutputHeader("OUT").Get<std::string>(), "n=");
}

// Takes packets as they come; ends with its first input.
class AsTheyComeCalculator : public Node {
 public:
  static constexpr Input<int>::Multiple kIn{""};
  static constexpr Output<std::string> kOut{"OUT"};
  SYNCLINE_NODE_CONTRACT(kIn, kOut,
                         StreamHandler("ImmediateInputStreamHandler"),
                         TimestampChange::Arbitrary());

  absl::Status Process(CalculatorContext* cc) override {
    std::string text;
    for (const auto& in : kIn(cc)) {
      absl::StrAppend(&text, in.IsDone() ? "done" : in.IsEmpty() ? "-" : "x");
    }
    kOut(cc).Send(text, Timestamp(next_++));
    return absl::OkStatus();
  }

 private:
  int next_ = 0;
};
SYNCLINE_REGISTER_NODE(AsTheyComeCalculator);

TEST_P(TypedNodeTest, AStreamHandlerStandsInTheContract) {
  GraphHarness graph(R"pb(
                       input_stream: "a"
                       input_stream: "b"
                       node {
                         calculator: "AsTheyComeCalculator"
                         input_stream: "a"
                         input_stream: "b"
                         output_stream: "OUT:out"
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("b", {{5, 1}});
  graph.Idle();
  // A default handler would wait for "a".
  graph.Expect<std::string>("out", {{0, "-x"}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

// A source: its packets, and the end.
class CountToThreeCalculator : public Node {
 public:
  static constexpr Output<int> kOut{""};
  SYNCLINE_NODE_CONTRACT(kOut);

  absl::Status Process(CalculatorContext* cc) override {
    if (next_ > 3) return tool::StatusStop();
    kOut(cc).Send(next_, Timestamp(next_));
    ++next_;
    return absl::OkStatus();
  }

 private:
  int next_ = 1;
};
SYNCLINE_REGISTER_NODE(CountToThreeCalculator);

TEST_P(TypedNodeTest, ASourceSaysWhen) {
  GraphHarness graph(
      R"pb(
        node { calculator: "CountToThreeCalculator" output_stream: "out" })pb",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("out", {{1, 1}, {2, 2}, {3, 3}});
}

// --- Ways to define a calculator

// Adds one. What it looks like ...
class AddOne : public NodeIntf {
 public:
  static constexpr Input<int> kIn{"IN"};
  static constexpr Output<int> kOut{"OUT"};
  SYNCLINE_NODE_INTERFACE(AddOneCalculator, kIn, kOut);
};
// ... and what it does.
class AddOneImpl : public NodeImpl<AddOne, AddOneImpl> {
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(*kIn(cc) + 1);
    return absl::OkStatus();
  }
};

// The same interface under another name, twice: a class that another line
// registers, and a subgraph.
class AddTwo : public AddOne {
 public:
  static constexpr char kCalculatorName[] = "AddTwoCalculator";
};
class AddTwoImpl : public NodeImpl<AddTwo> {
 public:
  static absl::Status UpdateContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(1);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(*kIn(cc) + 2, cc->InputTimestamp() + 1);
    return absl::OkStatus();
  }
};
SYNCLINE_NODE_IMPLEMENTATION(AddTwoImpl);

class AddThree : public AddOne {
 public:
  static constexpr char kCalculatorName[] = "AddThreeSubgraph";
};
class AddThreeImpl : public SubgraphImpl<AddThree, AddThreeImpl> {
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      SubgraphContext* context) override {
    return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
      input_stream: "IN:in"
      output_stream: "OUT:out"
      node {
        calculator: "AddOneCalculator"
        input_stream: "IN:in"
        output_stream: "OUT:one"
      }
      node {
        calculator: "AddTwoCalculator"
        input_stream: "IN:one"
        output_stream: "OUT:out"
      })pb");
  }
};

class AddSix : public AddOne {
 public:
  static constexpr char kCalculatorName[] = "AddSixSubgraph";
};
class AddSixImpl : public SubgraphImpl<AddSix> {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options) override {
    return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
      input_stream: "IN:in"
      output_stream: "OUT:out"
      node {
        calculator: "AddThreeSubgraph"
        input_stream: "IN:in"
        output_stream: "OUT:three"
      }
      node {
        calculator: "AddThreeSubgraph"
        input_stream: "IN:three"
        output_stream: "OUT:out"
      })pb");
  }
};
SYNCLINE_SUBGRAPH_IMPLEMENTATION(AddSixImpl);

TEST(NodeContractTest, MayBeAskedForByItsClass) {
  const auto node = ParseTextProtoOrDie<CalculatorGraphConfig::Node>(
      R"pb(input_stream: "IN:a" output_stream: "OUT:b")pb");
  CalculatorContract cc;
  SYNCLINE_ASSERT_OK(cc.Initialize(node));
  SYNCLINE_EXPECT_OK(AddOneImpl::Contract::GetContract(&cc));
  EXPECT_EQ(cc.Inputs().Tag("IN").DebugTypeName(), "int");
}

TEST(NodeInterfaceTest, HasTheNameThatGraphsUse) {
  EXPECT_EQ(AddOne::GetCalculatorName(), "AddOneCalculator");
  EXPECT_EQ(std::string(AddOne::kCalculatorName), "AddOneCalculator");
}

TEST_P(TypedNodeTest, InterfacesAreImplementedByNodesAndSubgraphs) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "AddOneCalculator"
                         input_stream: "IN:in"
                         output_stream: "OUT:one"
                       }
                       node {
                         calculator: "AddSixSubgraph"
                         input_stream: "IN:one"
                         output_stream: "OUT:seven"
                       })pb",
                     GetParam());
  graph.Feed("in", {{0, 10}, {10, 20}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("one", {{0, 11}, {10, 21}});
  graph.Expect("seven", {{2, 17}, {12, 27}});
}

// Registered as calculators always were, and with a context at construction.
class ByHandCalculator : public Node {
 public:
  static constexpr Input<int> kIn{""};
  static constexpr Output<std::string> kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  explicit ByHandCalculator(CalculatorContext* cc) : name_(cc->NodeName()) {}
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(name_);
    return absl::OkStatus();
  }

 private:
  const std::string name_;
};
REGISTER_CALCULATOR(ByHandCalculator);

// An untyped calculator may use typed ports.
class UntypedCalculator : public CalculatorBase {
 public:
  static constexpr Input<std::string> kIn{""};
  static constexpr Output<int> kOut{""};
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(kIn.AddToContract(cc));
    SYNCLINE_RETURN_IF_ERROR(kOut.AddToContract(cc));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(kIn(cc)->size());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(UntypedCalculator);

TEST_P(TypedNodeTest, TypedAndUntypedCalculatorsMix) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "ByHandCalculator"
                         name: "five5"
                         input_stream: "in"
                         output_stream: "name"
                       }
                       node {
                         calculator: "UntypedCalculator"
                         input_stream: "name"
                         output_stream: "out"
                       })pb",
                     GetParam());
  graph.Feed("in", {{0, 10}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("out", {{0, 5}});
}

// --- Misuse

// Does what its option says, wrongly.
class WrongCalculator : public Node {
 public:
  static constexpr Input<int>::Optional kInt{"INT"};
  static constexpr Input<AnyType>::Optional kAny{"ANY"};
  static constexpr Input<OneOf<int, float>>::Optional kNumber{"NUMBER"};
  static constexpr Input<int>::Multiple kMany{"MANY"};
  static constexpr SideInput<std::string> kHow{"HOW"};
  static constexpr SideInput<int>::Optional kSide{"SIDE"};
  static constexpr Output<int>::Optional kOut{"OUT"};
  static constexpr SideOutput<int>::Optional kSideOut{"SIDE"};
  SYNCLINE_NODE_CONTRACT(kInt, kAny, kNumber, kMany, kHow, kSide, kOut,
                         kSideOut);

  absl::Status Open(CalculatorContext* cc) override {
    if (*kHow(cc) == "send in Open") kOut(cc).Send(1);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    static constexpr Input<int> kNotListed{"NOT_LISTED"};
    const std::string& how = *kHow(cc);
    if (how == "get empty") kInt(cc).Get();
    if (how == "star empty") static_cast<void>(*kInt(cc));
    if (how == "arrow empty") kInt(cc).operator->();
    if (how == "get any") kAny(cc).Get<std::string>();
    if (how == "get one of") kNumber(cc).Get<float>();
    if (how == "visit") kNumber(cc).Visit([](auto) {});
    if (how == "index") kMany(cc)[2].IsEmpty();
    if (how == "get side") kSide(cc).Get();
    if (how == "not listed") kNotListed(cc).IsEmpty();
    if (how == "unset") kOut(cc).Send(MakePacket<int>(1));
    if (how == "closed") {
      kOut(cc).Close();
      kOut(cc).Send(1);
    }
    if (how == "side twice") {
      kSideOut(cc).Set(1);
      kSideOut(cc).Set(2);
    }
    if (how == "all of an output") {
      kOut(cc).Send(1);
      kOut(cc).Send(MakePacket<int>(1));
      kOut(cc).SetNextTimestampBound(Timestamp::Unset());
      kOut(cc).SetHeader(MakePacket<int>(1));
      kOut(cc).Close();
      EXPECT_TRUE(kOut(cc).IsClosed());
      EXPECT_FALSE(kOut(cc).IsConnected());
      EXPECT_EQ(kOut(cc).NextTimestampBound(), Timestamp::Unset());
      kSideOut(cc).Set(1);
      kSideOut(cc).Set(1);
      EXPECT_FALSE(kInt(cc).IsConnected());
      EXPECT_FALSE(kInt(cc).IsDone());
      EXPECT_TRUE(kInt(cc).IsEmpty());
      EXPECT_TRUE(kInt(cc).Header().IsEmpty());
      EXPECT_EQ(kInt(cc).GetOr(3), 3);
      EXPECT_FALSE(kSide(cc).IsConnected());
    }
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(WrongCalculator);

absl::Status Misuse(const std::string& how, const std::string& ports) {
  CalculatorHarness harness(absl::StrCat(
      "calculator: 'WrongCalculator' name: 'wrong' ",
      "input_stream: 'MANY:m' input_side_packet: 'HOW:how' ", ports));
  harness.SetSidePacket("HOW", ::syncline::MakePacket<std::string>(how));
  harness.Feed("MANY", {Value(1, 7)});
  if (ports.find("ANY:") != std::string::npos) {
    harness.Feed("ANY", {Value(1, 7)});
  }
  if (ports.find("NUMBER:") != std::string::npos && how != "visit") {
    harness.Feed("NUMBER", {Value(1, 7)});
  }
  return harness.Run();
}

// Every error names the node.
auto MisuseSays(absl::StatusCode code,
                const ::testing::Matcher<std::string>& text) {
  return StatusIs(code, AllOf(HasSubstr("\"wrong\" (WrongCalculator)"), text));
}

TEST(NodeMisuseTest, GetOfAnEmptyInputNamesPortAndType) {
  for (const char* how : {"get empty", "star empty", "arrow empty"}) {
    EXPECT_THAT(Misuse(how, "input_stream: 'INT:a'"),
                MisuseSays(absl::StatusCode::kFailedPrecondition,
                           AllOf(HasSubstr("Get() on the input stream \"INT\""),
                                 HasSubstr("\"int\""), HasSubstr("no packet"))))
        << how;
  }
}

TEST(NodeMisuseTest, GetOfAPortThatIsNotConnectedSaysSo) {
  EXPECT_THAT(
      Misuse("get empty", ""),
      MisuseSays(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr("\"INT\""), HasSubstr("is not connected"))));
  EXPECT_THAT(Misuse("get side", ""),
              MisuseSays(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr("input side packet \"SIDE\""),
                               HasSubstr("is not connected"))));
}

TEST(NodeMisuseTest, GetOfAnotherTypeNamesBoth) {
  EXPECT_THAT(Misuse("get any", "input_stream: 'ANY:a'"),
              MisuseSays(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("\"ANY\""), HasSubstr("string"),
                               HasSubstr("holds \"int\""), HasSubstr("at 7"))));
  EXPECT_THAT(Misuse("get one of", "input_stream: 'NUMBER:a'"),
              MisuseSays(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("\"NUMBER\""), HasSubstr("\"float\""),
                               HasSubstr("holds \"int\""))));
}

TEST(NodeMisuseTest, VisitOfAnEmptyInputNamesThePort) {
  EXPECT_THAT(Misuse("visit", "input_stream: 'NUMBER:a'"),
              MisuseSays(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("Visit() on the input stream \"NUMBER\"")));
}

TEST(NodeMisuseTest, AnIndexBeyondTheLastNamesThePort) {
  EXPECT_THAT(
      Misuse("index", ""),
      MisuseSays(absl::StatusCode::kOutOfRange,
                 AllOf(HasSubstr("\"MANY:2\""), HasSubstr("Count() is 1"))));
}

TEST(NodeMisuseTest, APortThatIsNotInTheContractIsNamed) {
  EXPECT_THAT(Misuse("not listed", ""),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"NOT_LISTED\""), HasSubstr("wrong"))));
}

TEST(NodeMisuseTest, SendingWithoutATimestampNamesTheStream) {
  for (const char* how : {"unset", "send in Open"}) {
    EXPECT_THAT(Misuse(how, "output_stream: 'OUT:out'"),
                MisuseSays(absl::StatusCode::kInvalidArgument,
                           AllOf(HasSubstr("\"out\""),
                                 HasSubstr("timestamp not specified"))))
        << how;
  }
}

TEST(NodeMisuseTest, SendingAfterCloseNamesTheStream) {
  EXPECT_THAT(Misuse("closed", "output_stream: 'OUT:out'"),
              MisuseSays(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("closed stream \"out\"")));
}

TEST(NodeMisuseTest, ASideOutputIsSetOnce) {
  EXPECT_THAT(
      Misuse("side twice", "output_side_packet: 'SIDE:side'"),
      MisuseSays(absl::StatusCode::kAlreadyExists, HasSubstr("\"side\"")));
}

TEST(NodePortsTest, PortsThatAreNotConnectedTakeEverythingAndGiveNothing) {
  SYNCLINE_EXPECT_OK(Misuse("all of an output", ""));
}

}  // namespace
}  // namespace api2
}  // namespace syncline
