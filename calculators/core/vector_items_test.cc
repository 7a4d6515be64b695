// The calculators of vectors and their elements: clip, get, merge, indices and
// size; for numbers and for types that cannot be copied.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/clip_vector_size_calculator.h"
#include "calculators/core/get_vector_item_calculator.h"
#include "calculators/core/merge_to_vector_calculator.h"
#include "calculators/core/vector_calculators_test.h"
#include "calculators/core/vector_indices_calculator.h"
#include "calculators/core/vector_size_calculator.h"
#include "framework/api2/builder.h"
#include "framework/calculator_framework.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using TestClipIntsCalculator = ClipVectorSizeCalculator<int>;
REGISTER_CALCULATOR(TestClipIntsCalculator);
using TestClipOwnedCalculator = ClipVectorSizeCalculator<Owned>;
REGISTER_CALCULATOR(TestClipOwnedCalculator);
using TestGetIntCalculator = api2::GetVectorItemCalculator<int>;
REGISTER_CALCULATOR(TestGetIntCalculator);
using TestGetOwnedCalculator = GetVectorItemCalculator<Owned>;
REGISTER_CALCULATOR(TestGetOwnedCalculator);
using TestMergeIntsCalculator = api2::MergeToVectorCalculator<int>;
REGISTER_CALCULATOR(TestMergeIntsCalculator);
using TestMergeOwnedCalculator = MergeToVectorCalculator<Owned>;
REGISTER_CALCULATOR(TestMergeOwnedCalculator);
using TestSizeCalculator = VectorSizeCalculator<int>;
REGISTER_CALCULATOR(TestSizeCalculator);

// --- Clip

std::string Clip(int size) {
  return Node("TestClipIntsCalculator", 1, 1,
              absl::StrCat(" options { [syncline."
                           "ClipVectorSizeCalculatorOptions.ext] { "
                           "max_vec_size: ",
                           size, "} }"));
}

TEST(ClipVectorSizeTest, KeepsTheFirstElements) {
  CalculatorHarness harness(Clip(2));
  const Packet is_short = PacketAt(2, Ints{1, 2});
  harness.Feed("", {PacketAt(1, Ints{1, 2, 3}), is_short});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(1, 2)),
                          PacketIs<Ints>(2, ElementsAre(1, 2))));
  EXPECT_EQ(harness.Output("")[1], is_short) << "shared, not copied";
}

TEST(ClipVectorSizeTest, TheSidePacketComesBeforeTheOption) {
  CalculatorHarness harness(
      absl::StrCat(Clip(2), " input_side_packet: \"max\""));
  harness.SetSidePacket("", MakePacket<int>(1));
  harness.Feed("", {PacketAt(1, Ints{1, 2, 3})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(1))));
  harness.SetSidePacket("", MakePacket<int>(0));
  EXPECT_THAT(harness.Run().message(), HasSubstr("max_vec_size is 0"));
}

TEST(ClipVectorSizeTest, MovesWhatCannotBeCopied) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::vector<Packet> out,
      RunAsOnlyReader(Node("TestClipOwnedCalculator", 1, 1),
                      OwnedAt(1, {1, 2})));
  ASSERT_EQ(out.size(), 1);
  EXPECT_THAT(Values(out[0]), ElementsAre(1));
}

TEST(ClipVectorSizeTest, RefusesToKeepNothing) {
  CalculatorHarness harness(Clip(0));
  EXPECT_THAT(harness.Run().message(), HasSubstr("at least one element"));
}

// --- Get

std::string Get(const std::string& options, bool has_index = true) {
  return absl::StrCat(
      R"pb(calculator: "TestGetIntCalculator"
           input_stream: "VECTOR:vector"
           output_stream: "ITEM:item")pb",
      has_index ? "input_stream: \"INDEX:index\"" : "",
      " options { [syncline.GetVectorItemCalculatorOptions.ext] {", options,
      "} }");
}

TEST(GetVectorItemTest, TakesTheIndexFromTheStream) {
  CalculatorHarness harness(Get(""));
  harness.Feed("VECTOR", {PacketAt(1, Ints{10, 11}), PacketAt(2, Ints{10, 11}),
                          PacketAt(3, Ints{10, 11})});
  harness.Feed("INDEX",
               {PacketAt(1, 1), MakePacket<std::uint64_t>(0).At(Timestamp(2)),
                BoundAt(3)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{1, 11}, {2, 10}}));
}

TEST(GetVectorItemTest, TakesTheIndexFromTheOptions) {
  CalculatorHarness harness(Get("item_index: 1", /*has_index=*/false));
  harness.Feed("VECTOR", {PacketAt(1, Ints{10, 11})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{1, 11}}));
}

TEST(GetVectorItemTest, AnIndexOutsideIsAnErrorOrNothing) {
  for (const int index : {-1, 2}) {
    const std::string option = absl::StrCat("item_index: ", index);
    CalculatorHarness strict(Get(option, /*has_index=*/false));
    strict.Feed("VECTOR", {PacketAt(1, Ints{10, 11})});
    EXPECT_THAT(strict.Run(),
                StatusIs(absl::StatusCode::kOutOfRange,
                         HasSubstr(absl::StrCat("no element ", index))));
    CalculatorHarness lenient(
        Get(option + " output_empty_on_oob: true", /*has_index=*/false));
    lenient.Feed("VECTOR", {PacketAt(1, Ints{10, 11})});
    SYNCLINE_ASSERT_OK(lenient.Run());
    EXPECT_THAT(lenient.Output("ITEM"), IsEmpty());
  }
}

TEST(GetVectorItemTest, MovesWhatCannotBeCopied) {
  const std::string node = R"pb(
    calculator: "TestGetOwnedCalculator"
    input_stream: "VECTOR:in0"
    output_stream: "ITEM:out0"
    options {
      [syncline.GetVectorItemCalculatorOptions.ext] { item_index: 1 }
    })pb";
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::vector<Packet> out,
                                RunAsOnlyReader(node, OwnedAt(1, {1, 2})));
  ASSERT_EQ(out.size(), 1);
  EXPECT_EQ(*out[0].Get<Owned>(), 2);
}

TEST(GetVectorItemTest, ConstantsNameItsPortsWhereGraphsAreBuilt) {
  using GetInt = api2::GetVectorItemCalculator<int>;
  api2::builder::Graph graph;
  auto& get = graph.AddNode("TestGetIntCalculator");
  graph[api2::Input<Ints>("VECTOR")] >> get[GetInt::kIn];
  graph[api2::Input<int>("INDEX")] >> get[GetInt::kIdx];
  const api2::builder::Stream<int> item = get[GetInt::kOut];
  item >> graph[api2::Output<int>("ITEM")];
  EXPECT_EQ(graph.GetConfig().node(0).input_stream_size(), 2);
}

TEST(GetVectorItemTest, RefusesANodeWithoutAnIndex) {
  CalculatorHarness harness(Get("", /*has_index=*/false));
  EXPECT_THAT(harness.Run().message(), HasSubstr("which element?"));
}

// --- Merge, indices, size

TEST(MergeToVectorTest, HoldsWhatTheInputsHave) {
  CalculatorHarness harness(Node("TestMergeIntsCalculator", 3, 1));
  harness.Feed(":0", {PacketAt(1, 10)});
  harness.Feed(":1", {PacketAt(2, 21)});
  harness.Feed(":2", {PacketAt(1, 12), PacketAt(2, 22)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(10, 12)),
                          PacketIs<Ints>(2, ElementsAre(21, 22))));
}

TEST(MergeToVectorTest, MovesWhatCannotBeCopied) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::vector<Packet> out,
      RunAsOnlyReader(Node("TestMergeOwnedCalculator", 2, 1), OneOwnedAt(1, 1),
                      OneOwnedAt(1, 2)));
  ASSERT_EQ(out.size(), 1);
  EXPECT_THAT(Values(out[0]), ElementsAre(1, 2));
}

TEST(VectorIndicesTest, CountsFromZero) {
  CalculatorHarness harness(R"pb(
    calculator: "IntVectorIndicesCalculator"
    input_stream: "VECTOR:vector"
    output_stream: "INDICES:indices"
  )pb");
  harness.Feed("VECTOR", {PacketAt(1, Ints{7, 8}), PacketAt(2, Ints{})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("INDICES"),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(0, 1)),
                          PacketIs<Ints>(2, IsEmpty())));
}

TEST(VectorSizeTest, CountsElements) {
  CalculatorHarness harness(R"pb(
    calculator: "TestSizeCalculator"
    input_stream: "VECTOR:vector"
    output_stream: "SIZE:size"
  )pb");
  harness.Feed("VECTOR", {PacketAt(1, Ints{7, 8}), PacketAt(2, Ints{})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("SIZE"), StreamIs({{1, 2}, {2, 0}}));
}

}  // namespace
}  // namespace syncline
