// A typed port that is used wrongly ends the run with an error that names node,
// port and type. Ports that are not connected are no error.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/api2/node.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace api2 {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A packet that nobody shares, so that it can be consumed.
template <typename T>
::syncline::Packet Value(T value, int timestamp) {
  return ::syncline::MakePacket<T>(std::move(value)).At(Timestamp(timestamp));
}

// Makes the mistake that its option names.
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
