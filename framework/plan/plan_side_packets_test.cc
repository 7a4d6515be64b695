// Side packets that the application gives, checked against the plan.

#include <map>
#include <string>

#include "absl/status/status.h"
#include "framework/packet/packet.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kGraph[] = R"pb(
  input_stream: "in"
  node { name: "n" calculator: "IntNode" input_side_packet: "must" }
  node {
    calculator: "OptionalNode"
    input_stream: "IN:in"
    input_side_packet: "SIDE:may"
    output_stream: "OUT:out"
  }
  node { name: "maker" calculator: "IntNode" output_side_packet: "made" }
)pb";

absl::Status Check(const std::map<std::string, Packet>& side_packets,
                   bool complete = true) {
  return PlanOf(kGraph).CheckSidePackets(side_packets, complete);
}

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(PlanSidePacketsTest, RequiredOnesOfTheRightTypeAreEnough) {
  EXPECT_TRUE(Check({{"must", MakePacket<int>(1)}}).ok());
  EXPECT_TRUE(
      Check({{"must", MakePacket<int>(1)}, {"may", MakePacket<int>(2)}}).ok());
}

TEST(PlanSidePacketsTest, AMissingRequiredOneNamesItsReader) {
  const absl::Status status = Check({});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("Side packet \"must\" is required but was not "
                              "provided."),
                    HasSubstr("node \"n\" (IntNode)")));
  EXPECT_TRUE(Check({}, /*complete=*/false).ok());
}

TEST(PlanSidePacketsTest, AWrongTypeNamesReaderAndTypes) {
  EXPECT_THAT(Message(Check({{"must", MakePacket<float>(1.f)}})),
              AllOf(HasSubstr("\"must\""), HasSubstr("node \"n\" (IntNode)"),
                    HasSubstr("float"), HasSubstr("int")));
  EXPECT_FALSE(
      Check({{"must", MakePacket<int>(1)}, {"may", MakePacket<float>(2.f)}})
          .ok())
      << "optional does not mean of any type";
  EXPECT_FALSE(Check({{"must", Packet()}}).ok());
}

TEST(PlanSidePacketsTest, OneThatANodeMakesMustNotBeGiven) {
  EXPECT_THAT(
      Message(
          Check({{"must", MakePacket<int>(1)}, {"made", MakePacket<int>(1)}})),
      AllOf(HasSubstr("\"made\""), HasSubstr("node \"maker\" (IntNode)")));
}

TEST(PlanSidePacketsTest, OnesThatNobodyReadsAreNoMistake) {
  EXPECT_TRUE(
      Check({{"must", MakePacket<int>(1)}, {"x", MakePacket<float>(1.f)}})
          .ok());
}

TEST(PlanSidePacketsTest, CompileChecksThoseItIsGiven) {
  std::map<std::string, Packet> given = {{"must", MakePacket<float>(1.f)}};
  EXPECT_FALSE(CompileText(kGraph, {.side_packets = &given}).ok());
  given.clear();
  EXPECT_TRUE(CompileText(kGraph, {.side_packets = &given}).ok());
  EXPECT_FALSE(PlanOf(kGraph).CheckSidePackets(given, /*complete=*/true).ok());
}

}  // namespace
}  // namespace syncline
