// Generators that are called before the run: in whose order, once, and what
// becomes of those that have to wait.

#include "framework/plan/generate_side_packets.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/legacy/packet_generator.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/packet/packet.h"
#include "framework/plan/generated_packets.h"
#include "framework/plan/plan_test_support.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::UnorderedElementsAre;

// Makes the sum of its inputs, plus one.
class SumGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet* inputs,
                                       PacketTypeSet* outputs) {
    for (PacketType& type : *inputs) type.Set<int>();
    outputs->Index(0).Set<int>();
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&,
                               const PacketSet& inputs, PacketSet* outputs) {
    int sum = 1;
    for (const Packet& packet : inputs) sum += packet.Get<int>();
    if (sum > 100) return absl::OutOfRangeError("too large a sum");
    outputs->Index(0) = MakePacket<int>(sum);
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(SumGenerator);

// `second` is made of what the one behind it makes.
constexpr char kChain[] = R"pb(
  packet_generator {
    packet_generator: "SumGenerator"
    input_side_packet: "first"
    output_side_packet: "second"
  }
  packet_generator {
    packet_generator: "SumGenerator"
    input_side_packet: "given"
    output_side_packet: "first"
  }
)pb";

TEST(GenerateSidePacketsTest, GeneratorsFollowThoseWhosePacketsTheyTake) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const auto generated,
      GenerateSidePackets(PlanOf(kChain), {{"given", MakePacket<int>(5)}},
                          &services));
  EXPECT_THAT(generated, UnorderedElementsAre(Key("first"), Key("second")));
  EXPECT_EQ(generated.at("first").Get<int>(), 6);
  EXPECT_EQ(generated.at("second").Get<int>(), 7);
}

TEST(GenerateSidePacketsTest, TheirNodesFindThePacketsInAService) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const auto generated,
      GenerateSidePackets(PlanOf(kChain), {{"given", MakePacket<int>(5)}},
                          &services));
  const auto kept = services.GetServiceObject(kGeneratedPackets);
  ASSERT_NE(kept, nullptr);
  ASSERT_THAT(kept->by_node, UnorderedElementsAre(Key("__pg_0_SumGenerator"),
                                                  Key("__pg_1_SumGenerator")));
  EXPECT_EQ(kept->by_node.at("__pg_0_SumGenerator").Index(0),
            generated.at("second"));
}

TEST(GenerateSidePacketsTest, WithoutItsInputAGeneratorIsLeftToTheRun) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const auto generated, GenerateSidePackets(PlanOf(kChain), {}, &services));
  EXPECT_THAT(generated, IsEmpty());
  EXPECT_THAT(services.GetServiceObject(kGeneratedPackets)->by_node, IsEmpty());
}

TEST(GenerateSidePacketsTest, AnErrorOfAGeneratorNamesIt) {
  GraphServiceManager services;
  EXPECT_THAT(
      GenerateSidePackets(PlanOf(kChain), {{"given", MakePacket<int>(100)}},
                          &services),
      StatusIs(absl::StatusCode::kOutOfRange,
               HasSubstr("SumGenerator::Generate() failed. too large a sum")));
}

TEST(GenerateSidePacketsTest, ASidePacketOfAWrongTypeIsAnError) {
  GraphServiceManager services;
  EXPECT_THAT(
      GenerateSidePackets(PlanOf(kChain), {{"given", MakePacket<float>(1.f)}},
                          &services),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("given")));
}

}  // namespace
}  // namespace syncline
