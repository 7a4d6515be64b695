// The explorer finds what depends on the schedule, and nothing else.

#include "testing/explore_schedules.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "framework/base/status_stop.h"
#include "framework/calculator_framework.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "testing/print_value.h"

namespace syncline {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// Sends 0 ... 5.
class ExploreSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(next_).At(Timestamp(next_)));
    return ++next_ > 5 ? tool::StatusStop() : absl::OkStatus();
  }

 private:
  int next_ = 0;
};
REGISTER_CALCULATOR(ExploreSource);

// Sums its inputs: does not depend on anything else.
class ExploreSum : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    int sum = 0;
    for (const auto& input : cc->Inputs()) {
      if (!input.IsEmpty()) sum += input.Get<int>();
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(sum).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExploreSum);

// Planted: all nodes of this type share a counter.
int shared_count = 0;
class ExploreGlobal : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(++shared_count).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExploreGlobal);

// Planted: a sum in the order of arrival; the result depends on the order.
class ExploreArrivalHash : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    int port = 0;
    for (const auto& input : cc->Inputs()) {
      if (!input.IsEmpty()) absl::StrAppend(&text_, port, input.Get<int>());
      ++port;
    }
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(text_).At(Timestamp(0)));
    return absl::OkStatus();
  }

 private:
  std::string text_;
};
REGISTER_CALCULATOR(ExploreArrivalHash);

constexpr char kDiamond[] = R"pb(
  node { calculator: "ExploreSource" output_stream: "a" }
  node { calculator: "$0" input_stream: "a" output_stream: "b" }
  node { calculator: "$0" input_stream: "a" output_stream: "c" }
  node {
    calculator: "$1"
    input_stream: "b"
    input_stream: "c"
    output_stream: "d"
  }
)pb";

CalculatorGraphConfig Diamond(const std::string& middle,
                              const std::string& join) {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(
      absl::Substitute(kDiamond, middle, join));
}

TEST(ExploreSchedulesTest, FindsNothingInAGraphThatIsDeterministic) {
  SYNCLINE_EXPECT_OK(ExploreSchedules(Diamond("ExploreSum", "ExploreSum"), {},
                                      {.schedules = 300}));
}

TEST(ExploreSchedulesTest, FindsAHiddenGlobal) {
  const absl::Status status = ExploreSchedules(
      Diamond("ExploreGlobal", "ExploreSum"), {},
      {.schedules = 1000, .before_run = [] { shared_count = 0; }});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("seed 0"));
  EXPECT_THAT(status.message(), HasSubstr("of stream \""));
}

TEST(ExploreSchedulesTest, FindsASumThatDependsOnTheOrderAndShrinksIt) {
  const absl::Status status = ExploreSchedules(
      Diamond("ExploreSum", "ExploreArrivalHash"), {}, {.schedules = 1000});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("stream \"d\""));
  EXPECT_THAT(std::string(status.message()),
              ContainsRegex("Shrunk to [1-9] steps"));
}

TEST(ExploreSchedulesTest, SaysWhenTheScheduleIsNotTheReason) {
  const absl::Status status =
      ExploreSchedules(Diamond("ExploreGlobal", "ExploreSum"), {});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("two runs with the same schedule"));
  EXPECT_THAT(status.message(), HasSubstr("before_run"));
}

TEST(ExploreSchedulesTest, TheSameSeedsGiveTheSameReport) {
  const auto explore = [] {
    return ExploreSchedules(Diamond("ExploreSum", "ExploreArrivalHash"), {},
                            {.schedules = 100, .first_seed = 77});
  };
  EXPECT_EQ(explore(), explore());
}

TEST(ExploreSchedulesTest, OrdersOfTheApplicationAreExploredToo) {
  const auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "x"
    input_stream: "y"
    node {
      calculator: "ExploreArrivalHash"
      input_stream: "x"
      input_stream: "y"
      output_stream: "d"
    }
  )pb");
  ScheduleInputs inputs;
  inputs.streams["x"] = {MakePacket<int>(1).At(Timestamp(1))};
  inputs.streams["y"] = {MakePacket<int>(2).At(Timestamp(2))};
  EXPECT_EQ(ExploreSchedules(config, inputs).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(ExploreSchedulesTest, SmallGraphsAreSearchedToTheEnd) {
  const auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "x"
    node { calculator: "ExploreSum" input_stream: "x" output_stream: "b" }
    node { calculator: "ExploreSum" input_stream: "x" output_stream: "c" }
    node {
      calculator: "ExploreSum"
      input_stream: "b"
      input_stream: "c"
      output_stream: "d"
    }
  )pb");
  ScheduleInputs inputs;
  inputs.streams["x"] = {MakePacket<int>(1).At(Timestamp(1)),
                         MakePacket<int>(2).At(Timestamp(2))};
  const auto result =
      Explore(config, inputs, {.schedules = 100000, .exhaustive = true});
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_TRUE(result->is_complete);
  EXPECT_GT(result->schedules, 10);
}

// Has no text and no bytes.
struct ExploreOpaque {};

TEST(ExploreSchedulesTest, SaysWhichTypeCannotBeCompared) {
  EXPECT_THAT(PrintValue(MakePacket<ExploreOpaque>()).status().message(),
              HasSubstr("ExploreOpaque"));
  EXPECT_EQ(*PrintValue(MakePacket<std::int64_t>(7)), "7");
}

}  // namespace
}  // namespace syncline
