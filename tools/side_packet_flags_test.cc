#include "tools/side_packet_flags.h"

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/packet/packet.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::HasSubstr;

// A graph with the side packet "number", an int.
GraphPlan Plan() {
  return Compile(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
           node {
             calculator: "SidePacketSumCalculator"
             input_side_packet: "number"
             output_side_packet: "sum"
           }
         )pb"))
      .value();
}

absl::StatusOr<std::map<std::string, Packet>> Read(
    const std::vector<std::string>& given,
    const std::map<std::string, Packet>& recorded = {}) {
  return ReadSidePackets(Plan(), given, recorded);
}

TEST(SidePacketFlagsTest, AValueIsReadAsItsType) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto side_packets, Read({"number=7"}));
  ASSERT_EQ(side_packets.size(), 1);
  EXPECT_EQ(side_packets.at("number").Get<int>(), 7);
}

TEST(SidePacketFlagsTest, OtherFormsAreErrors) {
  EXPECT_THAT(Read({"number"}), StatusIs(StatusCode::kInvalidArgument,
                                         HasSubstr("takes NAME=VALUE")));
  EXPECT_THAT(Read({"=7"}), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(Read({"number=7", "number=8"}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("\"number\" is given twice")));
  EXPECT_THAT(Read({"number=seven"}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("side packet \"number\": ")));
  EXPECT_THAT(Read({"numbr=7"}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("Did you mean \"number\"?")));
}

TEST(SidePacketFlagsTest, WhatIsNotGivenIsTakenFromARecording) {
  const std::map<std::string, Packet> recorded = {
      {"number", MakePacket<int>(1)}, {"of another", MakePacket<int>(2)}};
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto side_packets, Read({}, recorded));
  ASSERT_EQ(side_packets.size(), 1);
  EXPECT_EQ(side_packets.at("number").Get<int>(), 1);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(side_packets, Read({"number=7"}, recorded));
  EXPECT_EQ(side_packets.at("number").Get<int>(), 7);
}

TEST(SidePacketFlagsTest, OneThatTheGraphNeedsIsAskedFor) {
  EXPECT_THAT(
      Read({}),
      StatusIs(StatusCode::kFailedPrecondition,
               HasSubstr("the graph needs side packet \"number\" (int): give "
                         "it with --input_side_packets=number=VALUE")));
}

}  // namespace
}  // namespace syncline
