// The test calculators do what their page says.
#include "testing/test_calculators.h"

#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"
#include "testing/lifetimes.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TestCalculatorsTest : public LifetimesTest {
 protected:
  static std::vector<Packet> Ints(const LiteralStream<int>& literals) {
    std::vector<Packet> packets;
    for (const auto& [time, value] : literals) {
      packets.push_back(MakeCounted<int>(value).At(time.timestamp()));
    }
    return packets;
  }
};

TEST_F(TestCalculatorsTest, NumberSourceCountsAtItsPeriod) {
  CalculatorHarness harness(R"pb(
    calculator: "NumberSourceCalculator"
    output_stream: "a"
    output_stream: "b"
    options {
      [syncline.TestCalculatorOptions.ext] {
        count: 3
        first_timestamp: 5
        period: 10
        packets_per_call: 2
      }
    })pb");
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{5, 0}, {15, 1}, {25, 2}}));
  EXPECT_THAT(harness.Output(":1"), StreamIs({{5, 0}, {15, 1}, {25, 2}}));
}

TEST_F(TestCalculatorsTest, SumAndCount) {
  for (const bool counts : {false, true}) {
    CalculatorHarness harness(counts ? R"pb(calculator: "RunningCountCalculator"
                                            input_stream: "a"
                                            input_stream: "b"
                                            output_stream: "c")pb"
                                     : R"pb(calculator: "SumCalculator"
                                            input_stream: "a"
                                            input_stream: "b"
                                            output_stream: "c")pb");
    harness.Feed("", Ints({{0, 5}, {1, 6}}));
    harness.Feed(":1", Ints({{1, 7}}));
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_THAT(harness.Output(""), counts ? StreamIs({{0, 1}, {1, 3}})
                                           : StreamIs({{0, 5}, {1, 13}}));
  }
}

TEST_F(TestCalculatorsTest, DelaysAndFilters) {
  CalculatorHarness delay(R"pb(
    calculator: "DelayCalculator"
    input_stream: "a"
    output_stream: "b"
    options {
      [syncline.TestCalculatorOptions.ext] { shift: 3 promise_offset: true }
    })pb");
  delay.Feed("", Ints({{0, 5}, {1, 6}}));
  SYNCLINE_ASSERT_OK(delay.Run());
  EXPECT_THAT(delay.Output(""), StreamIs({{3, 5}, {4, 6}}));

  CalculatorHarness filter(R"pb(
    calculator: "FilterCalculator"
    input_stream: "a"
    output_stream: "b"
    options {
      [syncline.TestCalculatorOptions.ext] { multiples_of: 3 }
    })pb");
  filter.Feed("", Ints({{0, 5}, {1, 6}, {2, 9}}));
  SYNCLINE_ASSERT_OK(filter.Run());
  EXPECT_THAT(filter.Output(""), StreamIs({{1, 6}, {2, 9}}));
}

TEST_F(TestCalculatorsTest, AFilterOfMultiplesOfNothingIsRefused) {
  for (const char* const multiples_of : {"0", "-1"}) {
    CalculatorHarness filter(absl::StrCat(
        "calculator: 'FilterCalculator' input_stream: 'a' output_stream: 'b' "
        "options { [syncline.TestCalculatorOptions.ext] { multiples_of: ",
        multiples_of, " } }"));
    filter.Feed("", Ints({{0, 5}}));
    const absl::Status status = filter.Run();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("multiples_of must be at least 1"));
  }
}

TEST_F(TestCalculatorsTest, UnitDelayStartsWithItsValue) {
  CalculatorHarness harness(R"pb(
    calculator: "UnitDelayCalculator"
    input_stream: "a"
    output_stream: "b"
    options {
      [syncline.TestCalculatorOptions.ext] { value: 9 period: 10 }
    })pb");
  harness.Feed("", Ints({{0, 5}, {10, 6}}));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{0, 9}, {10, 5}, {20, 6}}));
}

TEST_F(TestCalculatorsTest, BoundsAreSentAndRecorded) {
  CalculatorHarness sender(R"pb(
    calculator: "BoundSenderCalculator"
    input_stream: "a"
    output_stream: "b"
    options {
      [syncline.TestCalculatorOptions.ext] { shift: 5 }
    })pb");
  sender.Feed("", Ints({{0, 5}}));
  SYNCLINE_ASSERT_OK(sender.Run());
  EXPECT_THAT(sender.Output(""), StreamIs({}));
  EXPECT_THAT(sender.OutputBounds(""),
              ElementsAre(Timestamp(5), Timestamp::Done()));

  CalculatorHarness recorder(R"pb(
    calculator: "BoundRecorderCalculator"
    input_stream: "a"
    output_stream: "b")pb");
  recorder.Feed(
      "", {MakeCounted<int>(1).At(Timestamp(0)), Packet().At(Timestamp(5))});
  SYNCLINE_ASSERT_OK(recorder.Run());
  EXPECT_THAT(recorder.Output(""), StreamIs({{0, 1}, {5, 0}}));
}

TEST_F(TestCalculatorsTest, SidePacketsAreMadeAndSummed) {
  CalculatorHarness harness(R"pb(
    calculator: "SidePacketSumCalculator"
    input_side_packet: "a"
    input_side_packet: "b"
    output_side_packet: "c"
    input_stream: "d"
    output_stream: "e"
    options {
      [syncline.TestCalculatorOptions.ext] { value: 100 }
    })pb");
  harness.SetSidePacket("", MakePacket<int>(1));
  harness.SetSidePacket(":1", MakePacket<int>(2));
  harness.Feed("", Ints({{0, 1000}}));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.OutputSidePacket("").Get<int>(), 103);
  EXPECT_THAT(harness.Output(""), StreamIs({{0, 1103}}));

  CalculatorHarness source(R"pb(
    calculator: "SidePacketSourceCalculator"
    output_side_packet: "a"
    options {
      [syncline.TestCalculatorOptions.ext] { value: 7 }
    })pb");
  SYNCLINE_ASSERT_OK(source.Run());
  EXPECT_EQ(source.OutputSidePacket("").Get<int>(), 7);
}

TEST_F(TestCalculatorsTest, FaultsHappenWhenOrdered) {
  const auto run = [](const char* options) {
    CalculatorHarness harness(absl::StrCat(
        R"pb(calculator: "FaultyCalculator"
             input_stream: "a"
             output_stream: "b"
             options {
               [syncline.TestCalculatorOptions.ext] {)pb",
        options, "} }"));
    harness.Feed("", Ints({{0, 5}, {1, 6}}));
    return harness.Run();
  };
  SYNCLINE_EXPECT_OK(run(""));
  SYNCLINE_EXPECT_OK(run("fault: STATUS fault_at: 3"));
  EXPECT_THAT(run("fault: STATUS fault_at: 2 message: 'x'"),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("x")));
  EXPECT_THAT(run("fault: STATUS fault_in: OPEN"),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("Open")));
  EXPECT_THAT(run("fault: STATUS fault_in: CLOSE"),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("Close")));
  EXPECT_THAT(run("fault: EXCEPTION"),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("as ordered")));
  EXPECT_EQ(run("fault: BAD_ALLOC").code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_FALSE(run("fault: ODD_EXCEPTION").ok());
  EXPECT_THAT(run("fault: MISUSE").message(), HasSubstr("string"));
  EXPECT_THAT(run("fault: LATE_PACKET").message(),
              HasSubstr("Current minimum expected timestamp is 1 but received "
                        "0"));
}

TEST_F(TestCalculatorsTest, BlockingWaitsForItsLatch) {
  Latch latch;
  CalculatorHarness harness(R"pb(
    calculator: "BlockingCalculator"
    input_side_packet: "LATCH:latch"
    input_stream: "a"
    output_stream: "b")pb");
  harness.SetSidePacket("LATCH", MakePacket<Latch*>(&latch));
  harness.Feed("", Ints({{0, 5}}));
  std::thread opener([&] {
    latch.WaitForArrivals(1);
    latch.Open();
  });
  SYNCLINE_EXPECT_OK(harness.Run());
  opener.join();
  EXPECT_THAT(harness.Output(""), StreamIs({{0, 5}}));
}

TEST_F(TestCalculatorsTest, LambdaDoesWhatItIsTold) {
  CalculatorHarness harness(R"pb(
    calculator: "LambdaCalculator"
    input_side_packet: "PROCESS:process"
    input_stream: "a"
    output_stream: "b")pb");
  harness.SetSidePacket(
      "PROCESS", MakePacket<LambdaFunction>([](CalculatorContext* cc) {
        cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
        return absl::OkStatus();
      }));
  harness.Feed("", Ints({{0, 5}}));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{0, 5}}));
}

}  // namespace
}  // namespace syncline
