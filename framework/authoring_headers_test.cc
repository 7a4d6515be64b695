// Code written for MediaPipe finds authoring at the include paths and under the
// names that it knows.

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/calculator_base.h"
#include "framework/calculator_context.h"
#include "framework/calculator_contract.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_registry.h"
#include "framework/camera_intrinsics.h"
#include "framework/collection.h"
#include "framework/collection_item_id.h"
#include "framework/counter.h"
#include "framework/counter_factory.h"
#include "framework/graph_service.h"
#include "framework/graph_service_manager.h"
#include "framework/input_stream.h"
#include "framework/input_stream_shard.h"
#include "framework/legacy_calculator_support.h"
#include "framework/lifetime_tracker.h"
#include "framework/memory_manager.h"
#include "framework/memory_manager_service.h"
#include "framework/output_side_packet.h"
#include "framework/output_stream.h"
#include "framework/output_stream_shard.h"
#include "framework/packet_generator.h"
#include "framework/packet_set.h"
#include "framework/packet_type.h"
#include "framework/port/status_matchers.h"
#include "framework/resource.h"
#include "framework/resources.h"
#include "framework/resources_service.h"
#include "framework/status_handler.h"
#include "framework/tool/fill_packet_set.h"
#include "framework/tool/name_util.h"
#include "framework/tool/options_map.h"
#include "framework/tool/options_util.h"
#include "framework/tool/tag_map.h"
#include "framework/tool/tag_map_helper.h"
#include "framework/tool/validate_name.h"
#include "framework/tool/validate_type.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace my_project {

// The shapes in which calculators are written, all in one.
class EverythingCalculator : public syncline::CalculatorBase {
 public:
  static absl::Status GetContract(syncline::CalculatorContract* cc) {
    RET_CHECK(cc->Inputs().HasTag("IN"));
    for (syncline::CollectionItemId id = cc->Inputs().BeginId("IN");
         id != cc->Inputs().EndId("IN"); ++id) {
      cc->Inputs().Get(id).SetOneOf<int, float>();
    }
    cc->Inputs().Tag("ABSENT").Set<std::vector<int>>().Optional();
    cc->Outputs().Tag("OUT").SetSameAs(&cc->Inputs().Tag("IN"));
    if (cc->OutputSidePackets().HasTag("SIDE")) {
      cc->OutputSidePackets().Tag("SIDE").Set<std::unique_ptr<int>>();
    }
    cc->UseService(syncline::kMemoryManagerService).Optional();
    cc->SetTimestampOffset(syncline::TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(syncline::CalculatorContext* cc) override {
    cc->SetOffset(syncline::TimestampDiff(0));
    if (cc->OutputSidePackets().HasTag("SIDE")) {
      cc->OutputSidePackets().Tag("SIDE").Set(
          syncline::AdoptAsUniquePtr(new int(5)));
    }
    RET_CHECK(!cc->Service(syncline::kMemoryManagerService).IsAvailable());
    return absl::OkStatus();
  }

  absl::Status Process(syncline::CalculatorContext* cc) override {
    if (!syncline::HasTagValue(cc->Inputs(), "IN")) return absl::OkStatus();
    const syncline::InputStreamShard& in = cc->Inputs().Tag("IN");
    syncline::OutputStreamShard& out = cc->Outputs().Tag("OUT");
    out.AddPacket(in.Value());
    cc->GetCounter("packets")->Increment();
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::my_project::EverythingCalculator);

}  // namespace my_project

namespace syncline {
namespace {

static_assert(std::is_same_v<PacketSet, Collection<Packet>>);
static_assert(
    std::is_same_v<InputStreamShardSet, Collection<InputStreamShard>>);
static_assert(
    std::is_same_v<OutputStreamShardSet, Collection<OutputStreamShard>>);
static_assert(std::is_same_v<
              OutputSidePacketSet,
              Collection<OutputSidePacket, CollectionStorage::kStorePointer>>);
static_assert(
    std::is_base_of_v<
        internal::CalculatorBaseFactory,
        internal::CalculatorBaseFactoryFor<my_project::EverythingCalculator>>);

TEST(AuthoringHeadersTest, ACalculatorInTheUsualShapesRuns) {
  CalculatorHarness harness(R"pb(
    calculator: "my_project.EverythingCalculator"
    input_stream: "IN:in"
    output_stream: "OUT:out"
    output_side_packet: "SIDE:side"
  )pb");
  harness.Feed("IN", {MakePacket<int>(7).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("OUT").size(), 1);
  EXPECT_EQ(harness.Output("OUT")[0].Get<int>(), 7);
  EXPECT_EQ(*GetFromUniquePtr<int>(harness.OutputSidePacket("SIDE")), 5);
  EXPECT_EQ(harness.CounterValue("packets"), 1);
}

TEST(AuthoringHeadersTest, CollectionsCanBeMadeOfTagMaps) {
  std::shared_ptr<const tool::TagMap> tags =
      tool::CreateTagMap({"A:0:a", "A:1:b"}).value();
  PacketTypeSet types(tags);
  EXPECT_EQ(types.NumEntries("A"), 2);
  PacketSet packets(tool::TagAndNameInfo{{"X", "Y"}, {"x", "y"}});
  EXPECT_EQ(packets.TagMap()->DebugString(), "X:x\nY:y");
  const CalculatorGraphConfig::Node node;
  tool::OptionsMap options;
  EXPECT_FALSE(options.Initialize(node).Has<CalculatorOptions>());
}

}  // namespace
}  // namespace syncline
