// Packets as lines: each type that has a text reads back what it wrote, and a
// line that is no packet says why.
#include "tools/packet_lines.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

template <typename T>
PacketType Type() {
  PacketType type;
  type.Set<T>();
  return type;
}

template <typename T>
std::string LineOf(T value) {
  const auto line = PacketLine(MakePacket<T>(value).At(Timestamp(20)));
  SYNCLINE_EXPECT_OK(line.status());
  return line.ok() ? *line : "";
}

template <typename T>
void ExpectReadsBack(T value) {
  std::string line = LineOf<T>(value);
  ASSERT_FALSE(line.empty());
  EXPECT_EQ(line.back(), '\n');
  line.pop_back();
  const absl::StatusOr<Packet> packet = ParsePacketLine(Type<T>(), line);
  SYNCLINE_ASSERT_OK(packet.status());
  EXPECT_EQ(packet->Timestamp(), Timestamp(20));
  EXPECT_EQ(packet->Get<T>(), value);
}

TEST(PacketLinesTest, WhatIsWrittenReadsBack) {
  ExpectReadsBack<bool>(true);
  ExpectReadsBack<int>(-7);
  ExpectReadsBack<unsigned int>(7);
  ExpectReadsBack<std::int64_t>(std::numeric_limits<std::int64_t>::min());
  ExpectReadsBack<std::uint64_t>(std::numeric_limits<std::uint64_t>::max());
  ExpectReadsBack<float>(0.1F);
  ExpectReadsBack<double>(0.1);
  ExpectReadsBack<double>(std::numeric_limits<double>::infinity());
  for (const char* text :
       {"", " ", "three", "a b  c", "#", "two\nlines\r", "C:\\new", "Grüße",
        "\x01\xff", "\"quoted\" and 'so'\\\"", "'", "tab\there"}) {
    ExpectReadsBack<std::string>(text);
  }
}

TEST(PacketLinesTest, LinesReadAsAPersonWouldWriteThem) {
  EXPECT_EQ(LineOf<std::string>("four words on it"), "20 four words on it\n");
  EXPECT_EQ(LineOf<std::string>("it's \"it\""), "20 it's \"it\"\n");
  EXPECT_EQ(LineOf<bool>(false), "20 false\n");
  EXPECT_EQ(LineOf<double>(0.1), "20 0.1\n");
  EXPECT_EQ(LineOf<float>(0.1F), "20 0.1\n");
}

TEST(PacketLinesTest, MessagesAreInTextForm) {
  ExecutorConfig message;
  message.set_name("a \"name\"");
  message.set_type("T");
  const std::string line = LineOf<ExecutorConfig>(message);
  EXPECT_EQ(line, "20 name: \"a \\\"name\\\"\" type: \"T\"\n");
  const absl::StatusOr<Packet> packet =
      ParsePacketLine(Type<ExecutorConfig>(), line.substr(0, line.size() - 1));
  SYNCLINE_ASSERT_OK(packet.status());
  EXPECT_EQ(packet->Get<ExecutorConfig>().name(), "a \"name\"");
  EXPECT_THAT(
      ParsePacketLine(Type<ExecutorConfig>(), "20 nam: \"a\"").status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"name\"")));
}

TEST(PacketLinesTest, TimestampsHaveNames) {
  for (const Timestamp timestamp :
       {Timestamp::PreStream(), Timestamp::Min(), Timestamp::Max(),
        Timestamp::PostStream(), Timestamp(-5), Timestamp(0)}) {
    const auto line = PacketLine(MakePacket<int>(1).At(timestamp));
    SYNCLINE_ASSERT_OK(line.status());
    const auto packet =
        ParsePacketLine(Type<int>(), line->substr(0, line->size() - 1));
    SYNCLINE_ASSERT_OK(packet.status());
    EXPECT_EQ(packet->Timestamp(), timestamp);
  }
  EXPECT_EQ(*PacketLine(MakePacket<int>(1).At(Timestamp::PreStream())),
            "PreStream 1\n");
}

TEST(PacketLinesTest, SpacesBeforeATimestampAndALineEndOfWindowsDoNotCount) {
  const auto packet = ParsePacketLine(Type<int>(), "  20\t7\r");
  SYNCLINE_ASSERT_OK(packet.status());
  EXPECT_EQ(packet->Get<int>(), 7);
}

TEST(PacketLinesTest, OfSeveralTypesTheFirstCountsAndAnyIsAString) {
  PacketType one_of;
  one_of.SetOneOf<std::vector<int>, double, int>();
  EXPECT_EQ(ParseValue(one_of, "7")->Get<double>(), 7);
  PacketType any;
  any.SetAny();
  EXPECT_EQ(ParseValue(any, "7")->Get<std::string>(), "7");
}

TEST(PacketLinesTest, ALineThatIsNoPacketSaysWhy) {
  const auto error = [](const std::string& line) {
    return ParsePacketLine(Type<int>(), line).status();
  };
  EXPECT_THAT(error("20 seven"), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("\"seven\" is no int")));
  EXPECT_THAT(error("20 99999999999"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"99999999999\" is no int")));
  EXPECT_THAT(error("twenty 7"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"twenty\" is no timestamp")));
  EXPECT_THAT(error("9223372036854775807 7"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is no timestamp")));
  EXPECT_THAT(error("20"), StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("there is no value")));
  EXPECT_THAT(ParsePacketLine(Type<std::string>(), "20 a\\qb").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("write a backslash as")));
}

TEST(PacketLinesTest, ATypeWithoutATextIsNamed) {
  EXPECT_THAT(CheckIsText(Type<std::vector<int>>()),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("vector")));
  EXPECT_THAT(ParseValue(Type<std::vector<int>>(), "1").status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("vector")));
  EXPECT_THAT(
      PacketLine(MakePacket<std::vector<int>>().At(Timestamp(1))).status(),
      StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("vector")));
  EXPECT_THAT(PacketLine(Packet().At(Timestamp(1))).status(),
              StatusIs(absl::StatusCode::kUnimplemented));
  SYNCLINE_EXPECT_OK(CheckIsText(Type<int>()));
}

TEST(PacketLinesTest, AMessageThatNoPacketHoldsSaysWhatIsMissing) {
  EXPECT_THAT(
      CheckIsText(Type<StatusHandlerConfig>()),
      StatusIs(absl::StatusCode::kUnimplemented,
               HasSubstr("MakePacket<syncline::StatusHandlerConfig>()")));
}

TEST(PacketLinesTest, EmptyLinesAndCommentsAreBlank) {
  EXPECT_TRUE(IsBlankLine(""));
  EXPECT_TRUE(IsBlankLine(" \t\r"));
  EXPECT_TRUE(IsBlankLine("  # 20 7"));
  EXPECT_FALSE(IsBlankLine("20 # 7"));
}

TEST(PacketLinesTest, ARangeOfFlagsNamesTheFlagThatIsWrong) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const TimestampRange all,
                                ParseTimestampRange("", ""));
  EXPECT_EQ(all.from, Timestamp::Unset());
  EXPECT_EQ(all.to, Timestamp::Unset());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const TimestampRange part,
                                ParseTimestampRange("-5", "PostStream"));
  EXPECT_EQ(part.from, Timestamp(-5));
  EXPECT_EQ(part.to, Timestamp::PostStream());
  SYNCLINE_EXPECT_OK(ParseTimestampRange("7", "7").status());
  EXPECT_THAT(ParseTimestampRange("soon", "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--from: \"soon\" is no timestamp")));
  EXPECT_THAT(ParseTimestampRange("", "later").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--to: \"later\" is no timestamp")));
  EXPECT_THAT(ParseTimestampRange("8", "7").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--from=8 lies behind --to=7")));
}

}  // namespace
}  // namespace syncline
