// Typed ports in a call: consuming, bounds and timestamps, headers, and the
// order of packets.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/api2/node.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace api2 {
namespace {

// A packet that nobody shares, so that it can be consumed.
template <typename T>
::syncline::Packet Value(T value, int timestamp) {
  return ::syncline::MakePacket<T>(std::move(value)).At(Timestamp(timestamp));
}

class TypedNodeCallTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(TypedNodeCallTest);

// Consumes its inputs and sends them on, if nobody shares them.
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
    // Consume left the inputs empty.
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

TEST_P(TypedNodeCallTest, TheOnlyConsumerOfAPacketMayTakeItsValue) {
  // GraphHarness is not used here, since it keeps a copy of every packet.
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

// Tries to consume packets that others share.
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

TEST_P(TypedNodeCallTest, ASharedPacketIsNotConsumedAndStays) {
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

// Sends A's value if B has a packet, with the time up to which each is settled.
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

// Drops odd numbers without a bound: the timestamp offset settles their
// timestamps.
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

TEST_P(TypedNodeCallTest, BoundsPassThroughByDefault) {
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

// Sends each number twice, at other timestamps than the input's, and raises the
// bound.
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

TEST_P(TypedNodeCallTest, ArbitraryTimestampsAreTheCalculatorsOwn) {
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

// Adds the header of its input to its packets, and passes the header on.
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

TEST(NodeCallTest, HeadersAreReadAndWritten) {
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

// Takes packets as they arrive; ends with its first input.
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

TEST_P(TypedNodeCallTest, AStreamHandlerStandsInTheContract) {
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
  // With the default handler, the node would wait for "a".
  graph.Expect<std::string>("out", {{0, "-x"}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

// A source that sends three packets and ends.
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

TEST_P(TypedNodeCallTest, ASourceSaysWhen) {
  GraphHarness graph(
      R"pb(
        node { calculator: "CountToThreeCalculator" output_stream: "out" })pb",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("out", {{1, 1}, {2, 2}, {3, 3}});
}
}  // namespace
}  // namespace api2
}  // namespace syncline
