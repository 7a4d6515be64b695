// Calculators of side packets, between side packets and streams, and the source
// that counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}

// --- SidePacketToStreamCalculator

std::string ToStream(const std::string& ports) {
  return absl::StrCat("calculator: \"SidePacketToStreamCalculator\" ", ports);
}

TEST(SidePacketToStreamTest, SendsOnceWithoutTicks) {
  const std::vector<std::pair<std::string, Timestamp>> cases = {
      {"AT_PRESTREAM", Timestamp::PreStream()},
      {"AT_POSTSTREAM", Timestamp::PostStream()},
      {"AT_ZERO", Timestamp(0)}};
  for (const auto& [tag, time] : cases) {
    CalculatorHarness harness(ToStream(absl::StrCat(
        "input_side_packet: \"a\" input_side_packet: \"b\" output_stream: \"",
        tag, ":0:c\" output_stream: \"", tag, ":1:d\"")));
    harness.SetSidePacket(":0", MakePacket<int>(1));
    harness.SetSidePacket(":1", MakePacket<std::string>("x"));
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_THAT(harness.Output(tag), StreamIs({{time, 1}}));
    EXPECT_THAT(harness.Output(tag + ":1"),
                StreamIs<std::string>({{time, "x"}}));
  }
}

TEST(SidePacketToStreamTest, SendsAtATimestampThatIsASidePacket) {
  CalculatorHarness harness(
      ToStream("input_side_packet: \"a\" input_side_packet: \"TIMESTAMP:t\" "
               "output_stream: \"AT_TIMESTAMP:b\""));
  harness.SetSidePacket("", MakePacket<int>(1));
  harness.SetSidePacket("TIMESTAMP", MakePacket<std::int64_t>(42));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("AT_TIMESTAMP"), StreamIs({{42, 1}}));
  harness.SetSidePacket("TIMESTAMP",
                        MakePacket<std::int64_t>(Timestamp::Unset().Value()));
  EXPECT_THAT(harness.Run().message(), HasSubstr("no packet of a stream"));
}

TEST(SidePacketToStreamTest, SendsAtTicks) {
  const std::string ports =
      "input_stream: \"TICK:tick\" input_side_packet: \"a\" output_stream: ";
  CalculatorHarness each(ToStream(ports + "\"AT_TICK:b\""));
  each.SetSidePacket("", MakePacket<int>(1));
  each.Feed("TICK", {At(10, 'x'), At(20, 'y')});
  SYNCLINE_ASSERT_OK(each.Run());
  EXPECT_THAT(each.Output("AT_TICK"), StreamIs({{10, 1}, {20, 1}}));

  CalculatorHarness first(ToStream(ports + "\"AT_FIRST_TICK:b\""));
  first.SetSidePacket("", MakePacket<int>(1));
  first.Feed("TICK", {At(10, 'x'), At(20, 'y')});
  SYNCLINE_ASSERT_OK(first.Run());
  EXPECT_THAT(first.Output("AT_FIRST_TICK"), StreamIs({{10, 1}}));
  EXPECT_THAT(first.OutputBounds("AT_FIRST_TICK"),
              ElementsAre(Timestamp(11), Timestamp::Done()))
      << "closed with the first";
}

TEST(SidePacketToStreamTest, RefusesPortsThatDoNotGoTogether) {
  const std::string side = "input_side_packet: \"a\" ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {side + "output_stream: \"b\"", "outputs of one tag"},
      {side + "output_stream: \"AT_ZERO:b\" output_stream: \"AT_TICK:c\"",
       "outputs of one tag"},
      {side + "output_stream: \"AT_TICK:b\"", "the input TICK"},
      {side + "output_stream: \"AT_ZERO:b\" input_stream: \"TICK:t\"",
       "the input TICK"},
      {side + "output_stream: \"AT_TIMESTAMP:b\"", "side packet TIMESTAMP"},
      {side + "output_stream: \"AT_ZERO:0:b\" output_stream: \"AT_ZERO:1:c\"",
       "for each side packet"}};
  for (const auto& [ports, says] : cases) {
    CalculatorHarness harness(ToStream(ports));
    EXPECT_THAT(harness.Run().message(), HasSubstr(says)) << ports;
  }
}

// --- StreamToSidePacketCalculator

TEST(StreamToSidePacketTest, TakesTheTimestampOff) {
  CalculatorHarness harness(R"pb(
    calculator: "StreamToSidePacketCalculator"
    input_stream: "in"
    output_side_packet: "out"
  )pb");
  harness.Feed("", {At(10, 1)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.OutputSidePacket("").Get<int>(), 1);
  EXPECT_EQ(harness.OutputSidePacket("").Timestamp(), Timestamp::Unset());
  harness.Feed("", {At(20, 2)});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kAlreadyExists,
                                      HasSubstr("was already set")));
}

// --- ConstantSidePacketCalculator

std::string Constant(int outputs, const std::string& packets) {
  std::string text = "calculator: \"ConstantSidePacketCalculator\"";
  for (int i = 0; i < outputs; ++i) {
    absl::StrAppend(&text, " output_side_packet: \"PACKET:", i, ":p", i, "\"");
  }
  return absl::StrCat(
      text, " options { [syncline.ConstantSidePacketCalculatorOptions.ext] {",
      packets, "} }");
}

TEST(ConstantSidePacketTest, EachFieldHasItsType) {
  CalculatorHarness harness(Constant(
      8,
      "packet { int_value: 1 } packet { float_value: 0.5 } "
      "packet { bool_value: true } packet { string_value: 'x' } "
      "packet { uint64_value: 18446744073709551615 } "
      "packet { double_value: 0.25 } "
      "packet { classification_list_value { classification { index: 3 } } } "
      "packet { int_vector_value { int_value: [ 1, 2 ] } }"));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.OutputSidePacket("PACKET").Get<int>(), 1);
  EXPECT_EQ(harness.OutputSidePacket("PACKET:1").Get<float>(), 0.5f);
  EXPECT_EQ(harness.OutputSidePacket("PACKET:2").Get<bool>(), true);
  EXPECT_EQ(harness.OutputSidePacket("PACKET:3").Get<std::string>(), "x");
  EXPECT_EQ(harness.OutputSidePacket("PACKET:4").Get<std::uint64_t>(),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(harness.OutputSidePacket("PACKET:5").Get<double>(), 0.25);
  EXPECT_EQ(harness.OutputSidePacket("PACKET:6")
                .Get<ClassificationList>()
                .classification(0)
                .index(),
            3);
  EXPECT_THAT(harness.OutputSidePacket("PACKET:7").Get<std::vector<int>>(),
              ElementsAre(1, 2));
}

TEST(ConstantSidePacketTest, OtherTagsGetNoValue) {
  CalculatorHarness harness(
      absl::StrCat(Constant(1, "packet { int_value: 5 }"),
                   " output_side_packet: \"other\" "
                   "output_side_packet: \"OTHER:0:another\""));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.OutputSidePacket("PACKET").Get<int>(), 5);
  EXPECT_TRUE(harness.OutputSidePacket("").IsEmpty());
  EXPECT_TRUE(harness.OutputSidePacket("OTHER").IsEmpty());
}

TEST(ConstantSidePacketTest, RefusesValuesWithoutOutputsAndOutputsWithout) {
  CalculatorHarness too_few(Constant(2, "packet { int_value: 1 }"));
  EXPECT_THAT(too_few.Run().message(), HasSubstr("has 1 and 2"));
  CalculatorHarness nothing(Constant(1, "packet {}"));
  EXPECT_THAT(nothing.Run().message(), HasSubstr("sets no value"));
}

// --- DefaultSidePacketCalculator

TEST(DefaultSidePacketTest, TheDefaultIsForWhatIsNotGiven) {
  CalculatorHarness given(R"pb(
    calculator: "DefaultSidePacketCalculator"
    input_side_packet: "OPTIONAL_VALUE:a"
    input_side_packet: "DEFAULT_VALUE:b"
    output_side_packet: "VALUE:c"
  )pb");
  given.SetSidePacket("DEFAULT_VALUE", MakePacket<int>(0));
  given.SetSidePacket("OPTIONAL_VALUE", MakePacket<int>(1));
  SYNCLINE_ASSERT_OK(given.Run());
  EXPECT_EQ(given.OutputSidePacket("VALUE").Get<int>(), 1);

  CalculatorHarness missing(R"pb(
    calculator: "DefaultSidePacketCalculator"
    input_side_packet: "DEFAULT_VALUE:b"
    output_side_packet: "VALUE:c"
  )pb");
  missing.SetSidePacket("DEFAULT_VALUE", MakePacket<int>(0));
  SYNCLINE_ASSERT_OK(missing.Run());
  EXPECT_EQ(missing.OutputSidePacket("VALUE").Get<int>(), 0);
}

// --- StringToIntCalculator

TEST(StringToIntTest, ReadsNumbersThatFit) {
  const auto run = [](const std::string& calculator, const std::string& text) {
    CalculatorHarness harness(
        absl::StrCat("calculator: \"", calculator,
                     "\" input_side_packet: \"a\" output_side_packet: \"b\""));
    harness.SetSidePacket("", MakePacket<std::string>(text));
    const absl::Status status = harness.Run();
    return std::make_pair(status, harness.OutputSidePacket(""));
  };
  EXPECT_EQ(run("StringToIntCalculator", "-12").second.Get<int>(), -12);
  EXPECT_EQ(
      run("StringToUint32Calculator", "4294967295").second.Get<std::uint32_t>(),
      4294967295u);
  EXPECT_EQ(
      run("StringToInt64Calculator", "-5000000000").second.Get<std::int64_t>(),
      -5000000000);
  EXPECT_EQ(run("StringToUint64Calculator", "7").second.Get<std::uint64_t>(),
            7u);
  for (const std::string bad : {"", "x", "1.5", "5000000000", "12 13"}) {
    EXPECT_THAT(run("StringToInt32Calculator", bad).first,
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("fits in 32 bits")))
        << bad;
  }
  EXPECT_THAT(run("StringToUintCalculator", "-1").first.message(),
              HasSubstr("unsigned"));
}

// --- NonZeroCalculator

TEST(NonZeroTest, SaysWhetherANumberIsNotZero) {
  CalculatorHarness harness(R"pb(
    calculator: "NonZeroCalculator"
    input_stream: "INPUT:in"
    output_stream: "OUTPUT:out"
    output_stream: "OUTPUT_BOOL:out_bool"
  )pb");
  harness.Feed("INPUT", {At(10, 0), At(20, -3)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("OUTPUT"), StreamIs({{10, 0}, {20, 1}}));
  EXPECT_THAT(harness.Output("OUTPUT_BOOL"),
              StreamIs<bool>({{10, false}, {20, true}}));
}

TEST(NonZeroTest, TheNumberMayBeASidePacket) {
  CalculatorHarness harness(R"pb(
    calculator: "NonZeroCalculator"
    input_side_packet: "INPUT:in"
    output_stream: "OUTPUT:out"
  )pb");
  harness.SetSidePacket("INPUT", MakePacket<int>(5));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("OUTPUT"), StreamIs({{0, 1}}));
}

// --- CountingSourceCalculator

TEST(CountingSourceTest, CountsInBatches) {
  CalculatorHarness harness(R"pb(
    calculator: "CountingSourceCalculator"
    output_stream: "out"
    input_side_packet: "MAX_COUNT:a"
    input_side_packet: "BATCH_SIZE:b"
    input_side_packet: "INITIAL_VALUE:c"
    input_side_packet: "INCREMENT:d"
  )pb");
  harness.SetSidePacket("MAX_COUNT", MakePacket<int>(3));
  harness.SetSidePacket("BATCH_SIZE", MakePacket<int>(2));
  harness.SetSidePacket("INITIAL_VALUE", MakePacket<int>(-10));
  harness.SetSidePacket("INCREMENT", MakePacket<int>(10));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{-10, -10}, {0, 0}, {10, 10}}));
  harness.SetSidePacket("INCREMENT", MakePacket<int>(0));
  EXPECT_THAT(harness.Run().message(), HasSubstr("INCREMENT is at least 1"));
}

TEST(CountingSourceTest, FailsWhereAskedTo) {
  CalculatorHarness harness(R"pb(
    calculator: "CountingSourceCalculator"
    output_stream: "out"
    input_side_packet: "ERROR_COUNT:a"
  )pb");
  harness.SetSidePacket("ERROR_COUNT", MakePacket<int>(2));
  EXPECT_THAT(harness.Run().message(), HasSubstr("ERROR_COUNT reached"));
  EXPECT_THAT(harness.Output(""), StreamIs({{0, 0}, {1, 1}}));

  // ERROR_COUNT may be reached in the middle of a batch.
  CalculatorHarness batches(R"pb(
    calculator: "CountingSourceCalculator"
    output_stream: "out"
    input_side_packet: "ERROR_COUNT:a"
    input_side_packet: "BATCH_SIZE:b"
  )pb");
  batches.SetSidePacket("ERROR_COUNT", MakePacket<int>(3));
  batches.SetSidePacket("BATCH_SIZE", MakePacket<int>(2));
  EXPECT_THAT(batches.Run().message(), HasSubstr("ERROR_COUNT reached"));
  EXPECT_THAT(batches.Output(""), StreamIs({{0, 0}, {1, 1}, {2, 2}}));

  CalculatorHarness endless(R"pb(
    calculator: "CountingSourceCalculator"
    output_stream: "out"
  )pb");
  EXPECT_THAT(endless.Run().message(), HasSubstr("would never end"));
}

}  // namespace
}  // namespace syncline
