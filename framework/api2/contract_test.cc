// What the list of a typed calculator writes into its contract, and the
// arguments of the functions of a FunctionNode.

#include "framework/api2/contract.h"

#include <memory>
#include <string>
#include <tuple>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/api2/node.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace api2 {
namespace {

using ::testing::HasSubstr;

static constexpr Input<int> kIn{"IN"};
static constexpr Output<float> kOut{"OUT"};
static constexpr SideInput<int> kSideIn{"IN"};

// The contract of a node that connects IN and OUT.
class ContractItemsTest : public ::testing::Test {
 protected:
  ContractItemsTest() {
    node_ = ParseTextProtoOrDie<CalculatorGraphConfig::Node>(
        R"pb(input_stream: "IN:a" output_stream: "OUT:b")pb");
    SYNCLINE_EXPECT_OK(cc_.Initialize(node_, "Test"));
  }

  CalculatorGraphConfig::Node node_;
  CalculatorContract cc_;
};

TEST_F(ContractItemsTest, PortsSayWhatTheyCarry) {
  static constexpr auto kContract = internal::MakeContract(kIn, kOut);
  SYNCLINE_EXPECT_OK(kContract.GetContract(&cc_));
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc_.Inputs()));
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc_.Outputs()));
  EXPECT_EQ(cc_.Inputs().Tag("IN").DebugTypeName(), "int");
  EXPECT_EQ(cc_.Outputs().Tag("OUT").DebugTypeName(), "float");
}

TEST_F(ContractItemsTest, TheOffsetIsZeroUnlessTheListSaysOtherwise) {
  SYNCLINE_EXPECT_OK(internal::MakeContract(kIn, kOut).GetContract(&cc_));
  EXPECT_EQ(cc_.GetTimestampOffset(), TimestampDiff(0));
  SYNCLINE_EXPECT_OK(
      internal::MakeContract(kIn, kOut, TimestampChange::Offset(5))
          .GetContract(&cc_));
  EXPECT_EQ(cc_.GetTimestampOffset(), TimestampDiff(5));
  SYNCLINE_EXPECT_OK(
      internal::MakeContract(TimestampChange::Arbitrary(), kIn, kOut)
          .GetContract(&cc_));
  EXPECT_EQ(cc_.GetTimestampOffset(), TimestampDiff::Unset());
  SYNCLINE_EXPECT_OK(internal::MakeContract().GetContract(&cc_));
  EXPECT_EQ(cc_.GetTimestampOffset(), TimestampDiff(0));
}

TEST_F(ContractItemsTest, ATupleStandsForItsItems) {
  static constexpr std::tuple kPorts(kIn, kOut);
  static constexpr auto kContract =
      internal::MakeContract(std::tuple(kPorts, TimestampChange::Offset(5)),
                             StreamHandler("ImmediateInputStreamHandler"));
  SYNCLINE_EXPECT_OK(kContract.GetContract(&cc_));
  EXPECT_EQ(cc_.Inputs().Tag("IN").DebugTypeName(), "int");
  EXPECT_EQ(cc_.Outputs().Tag("OUT").DebugTypeName(), "float");
  EXPECT_EQ(cc_.GetTimestampOffset(), TimestampDiff(5));
  EXPECT_EQ(cc_.GetInputStreamHandler(), "ImmediateInputStreamHandler");
}

TEST_F(ContractItemsTest, AStreamHandlerIsTheNodesWish) {
  SYNCLINE_EXPECT_OK(
      internal::MakeContract(kIn, StreamHandler("ImmediateInputStreamHandler"))
          .GetContract(&cc_));
  EXPECT_EQ(cc_.GetInputStreamHandler(), "ImmediateInputStreamHandler");
}

TEST_F(ContractItemsTest, TheFirstItemThatCannotBeIsTheError) {
  static constexpr Input<int>::SideFallback kMissing{"MISSING"};
  EXPECT_THAT(internal::MakeContract(kIn, kMissing, kOut).GetContract(&cc_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"MISSING\" must be connected")));
}

TEST(ContractTest, FindsPortsThatStandTwice) {
  static constexpr Output<int> kOtherOut{"OUT"};
  static constexpr Input<int>::SideFallback kFallback{"IN"};
  static_assert(internal::AreOnePort(kOut, kOtherOut));
  static_assert(!internal::AreOnePort(kIn, kOut));
  static_assert(!internal::AreOnePort(kIn, kSideIn));
  static_assert(internal::AreOnePort(kFallback, kIn));
  static_assert(internal::AreOnePort(kSideIn, kFallback));
  static_assert(internal::AreOnePort(kFallback, kFallback));
  static_assert(!internal::AreOnePort(kIn, TimestampChange::Arbitrary()));
}

// --- ProcessFn

// Multiplies two streams with one function, and makes a text of their values
// with another.
class Multiply : public FunctionNode<Multiply> {
 public:
  static constexpr Input<int> kA{"A"};
  static constexpr Input<int> kB{"B"};
  static constexpr Output<int> kProduct{"PRODUCT"};
  static constexpr Output<std::string> kText{"TEXT"};

  static int Product(int a, int b) { return a * b; }

  SYNCLINE_NODE_INTERFACE(Multiply, kA, kB, kProduct, kText,
                          ProcessFn(Product, kA, kB, kProduct),
                          ProcessFn(
                              [](const Packet<int>& a, const Packet<int>& b) {
                                return std::to_string(a.GetOr(-1)) + "*" +
                                       std::to_string(b.GetOr(-1));
                              },
                              kA, kB, kText));
};

TEST(ProcessFnTest, TakesValuesOrHandlesAndReturnsWhatItSends) {
  CalculatorHarness harness(R"pb(
    calculator: "Multiply"
    input_stream: "A:a"
    input_stream: "B:b"
    output_stream: "PRODUCT:c"
    output_stream: "TEXT:d"
  )pb");
  harness.Feed("A", {::syncline::MakePacket<int>(2).At(Timestamp(0)),
                     ::syncline::MakePacket<int>(3).At(Timestamp(1))});
  harness.Feed("B", {::syncline::MakePacket<int>(5).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("PRODUCT"), StreamIs<int>({{1, 15}}));
  EXPECT_THAT(harness.Output("TEXT"),
              StreamIs<std::string>({{0, "2*-1"}, {1, "3*5"}}));
  // No packet is sent at 0, and 0 is settled.
  EXPECT_EQ(harness.OutputBounds("PRODUCT").front(), Timestamp(1));
}

// A value of one stream beside the packet, or the handle, of another.
class ScaleIfAsked : public FunctionNode<ScaleIfAsked> {
 public:
  static constexpr Input<int> kValue{"VALUE"};
  static constexpr Input<int> kBy{"BY"};
  static constexpr Output<int> kScaled{"SCALED"};
  static constexpr Output<int> kSeen{"SEEN"};

  static int Scale(int value, Packet<int> by) { return value * by.GetOr(1); }
  static int Seen(const InputShardAccess<int>& value, const int& by) {
    return value.IsEmpty() ? -by : by;
  }

  SYNCLINE_NODE_INTERFACE(ScaleIfAsked, kValue, kBy, kScaled, kSeen,
                          ProcessFn(Scale, kValue, kBy, kScaled),
                          ProcessFn(Seen, kValue, kBy, kSeen));
};

TEST(ProcessFnTest, MixesValuesWithPacketsAndHandles) {
  CalculatorHarness harness(R"pb(
    calculator: "ScaleIfAsked"
    input_stream: "VALUE:a"
    input_stream: "BY:b"
    output_stream: "SCALED:c"
    output_stream: "SEEN:d"
  )pb");
  harness.Feed("VALUE", {::syncline::MakePacket<int>(2).At(Timestamp(0)),
                         ::syncline::MakePacket<int>(3).At(Timestamp(1))});
  harness.Feed("BY", {::syncline::MakePacket<int>(5).At(Timestamp(1)),
                      ::syncline::MakePacket<int>(7).At(Timestamp(2))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("SCALED"), StreamIs<int>({{0, 2}, {1, 15}}))
      << "at 2 there is no value";
  EXPECT_THAT(harness.Output("SEEN"), StreamIs<int>({{1, 5}, {2, -7}}));
}

// Every other form of result and argument.
class ManyForms : public FunctionNode<ManyForms> {
 public:
  static constexpr Input<int> kNumber{"NUMBER"};
  static constexpr Input<int>::Multiple kMany{"MANY"};
  static constexpr SideInput<int> kSide{"SIDE"};
  static constexpr Output<int> kSum{"SUM"};
  static constexpr Output<int> kHalf{"HALF"};
  static constexpr Output<std::string> kWord{"WORD"};
  static constexpr Output<int> kTwice{"TWICE"};

  static absl::StatusOr<std::tuple<int, std::unique_ptr<std::string>>> HalfWord(
      int number) {
    if (number % 2 != 0) return absl::InvalidArgumentError("odd");
    return std::make_tuple(number / 2, std::make_unique<std::string>("even"));
  }
  static void Twice(int number, int side, const OutputShardAccess<int>& out) {
    out.Send(number * side, Timestamp(2 * number));
    out.Send(number * side, Timestamp(2 * number + 1));
  }

  SYNCLINE_NODE_INTERFACE(ManyForms, kNumber, kMany, kSide, kSum, kHalf, kWord,
                          kTwice,
                          ProcessFn(
                              [](const auto& many) {
                                int sum = 0;
                                for (const auto& packet : many) {
                                  sum += packet.GetOr(0);
                                }
                                return sum;
                              },
                              kMany, kSum),
                          ProcessFn(HalfWord, kNumber, kHalf, kWord),
                          ProcessFn(Twice, kNumber, kSide, kTwice));
};

constexpr char kManyForms[] = R"pb(
  calculator: "ManyForms"
  input_stream: "NUMBER:a"
  input_stream: "MANY:0:b"
  input_stream: "MANY:1:c"
  input_side_packet: "SIDE:d"
  output_stream: "SUM:e"
  output_stream: "HALF:f"
  output_stream: "WORD:g"
  output_stream: "TWICE:h"
)pb";

TEST(ProcessFnTest, ReturnsTuplesStatusesOrNothing) {
  CalculatorHarness harness(kManyForms);
  harness.SetSidePacket("SIDE", ::syncline::MakePacket<int>(10));
  harness.Feed("NUMBER", {::syncline::MakePacket<int>(4).At(Timestamp(8))});
  harness.Feed("MANY", {::syncline::MakePacket<int>(1).At(Timestamp(8))});
  harness.Feed("MANY:1", {::syncline::MakePacket<int>(2).At(Timestamp(8))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("SUM"), StreamIs<int>({{8, 3}}));
  EXPECT_THAT(harness.Output("HALF"), StreamIs<int>({{8, 2}}));
  EXPECT_THAT(harness.Output("WORD"), StreamIs<std::string>({{8, "even"}}));
  EXPECT_THAT(harness.Output("TWICE"), StreamIs<int>({{8, 40}, {9, 40}}));
}

TEST(ProcessFnTest, AnErrorIsTheNodes) {
  CalculatorHarness harness(kManyForms);
  harness.SetSidePacket("SIDE", ::syncline::MakePacket<int>(10));
  harness.Feed("NUMBER", {::syncline::MakePacket<int>(3).At(Timestamp(8))});
  EXPECT_THAT(
      harness.Run(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               ::testing::AllOf(HasSubstr("\"ManyForms\""), HasSubstr("odd"))));
  EXPECT_TRUE(harness.Output("HALF").empty());
}

}  // namespace
}  // namespace api2
}  // namespace syncline
