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

TEST(CheckSidePacketsTest, RequiredOnesOfTheRightTypeAreEnough) {
  EXPECT_TRUE(Check({{"must", MakePacket<int>(1)}}).ok());
  EXPECT_TRUE(
      Check({{"must", MakePacket<int>(1)}, {"may", MakePacket<int>(2)}}).ok());
}

TEST(CheckSidePacketsTest, AMissingRequiredOneNamesItsReader) {
  const absl::Status status = Check({});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("Side packet \"must\" is required but was not "
                              "provided."),
                    HasSubstr("node \"n\" (IntNode)")));
  EXPECT_TRUE(Check({}, /*complete=*/false).ok());
}

TEST(CheckSidePacketsTest, AWrongTypeNamesReaderAndTypes) {
  EXPECT_THAT(Message(Check({{"must", MakePacket<float>(1.f)}})),
              AllOf(HasSubstr("\"must\""), HasSubstr("node \"n\" (IntNode)"),
                    HasSubstr("float"), HasSubstr("int")));
  EXPECT_FALSE(
      Check({{"must", MakePacket<int>(1)}, {"may", MakePacket<float>(2.f)}})
          .ok())
      << "optional does not mean of any type";
  EXPECT_FALSE(Check({{"must", Packet()}}).ok());
}

TEST(CheckSidePacketsTest, OneThatANodeMakesMustNotBeGiven) {
  EXPECT_THAT(
      Message(
          Check({{"must", MakePacket<int>(1)}, {"made", MakePacket<int>(1)}})),
      AllOf(HasSubstr("\"made\""), HasSubstr("node \"maker\" (IntNode)")));
}

TEST(CheckSidePacketsTest, TheFirstNodeMayBeTheOneThatMakesIt) {
  const GraphPlan plan = PlanOf(R"(
      node { name: "first" calculator: "IntNode" output_side_packet: "made" })");
  const absl::Status status =
      plan.CheckSidePackets({{"made", MakePacket<int>(1)}}, /*complete=*/true);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status),
              HasSubstr("made by node \"first\" (IntNode) as well"));
}

TEST(CheckSidePacketsTest, OnesThatNobodyReadsAreNoMistake) {
  EXPECT_TRUE(
      Check({{"must", MakePacket<int>(1)}, {"x", MakePacket<float>(1.f)}})
          .ok());
}

TEST(CheckSidePacketsTest, CompileChecksThoseItIsGiven) {
  std::map<std::string, Packet> given = {{"must", MakePacket<float>(1.f)}};
  EXPECT_FALSE(CompileText(kGraph, {.side_packets = &given}).ok());
  given.clear();
  EXPECT_TRUE(CompileText(kGraph, {.side_packets = &given}).ok());
  EXPECT_FALSE(PlanOf(kGraph).CheckSidePackets(given, /*complete=*/true).ok());
}

TEST(CheckSidePacketsTest, OfManySidePacketsAllThatIsWrongIsSaid) {
  const GraphPlan plan = PlanOf(R"(
      node { calculator: "IntNode" input_side_packet: "p" }
      node { name: "m" calculator: "IntNode" input_side_packet: "p"
             input_side_packet: "q" output_side_packet: "made" })");
  const std::string text(
      plan.CheckSidePackets({{"q", MakePacket<float>(1)},
                             {"made", MakePacket<int>(1)},
                             {"unknown", MakePacket<int>(1)}})
          .message());
  EXPECT_THAT(text, HasSubstr("The side packets do not fit the graph.\n"));
  EXPECT_THAT(text, HasSubstr("Side packet \"q\" of node \"m\" (IntNode): "));
  EXPECT_THAT(text, HasSubstr("\"made\" is given by the application, but made "
                              "by node \"m\" (IntNode) as well."));
  EXPECT_THAT(text,
              HasSubstr("\"p\" is required but was not provided. It is read by "
                        "node [IntNode] and 1 more."));
}

}  // namespace
}  // namespace syncline
