// The calculators of vectors and of list messages: concatenate, split, clip,
// get, merge, indices, size; for numbers, messages and types that cannot be
// copied. And those of matrices and bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/clip_vector_size_calculator.h"
#include "calculators/core/concatenate_vector_calculator.h"
#include "calculators/core/get_vector_item_calculator.h"
#include "calculators/core/merge_to_vector_calculator.h"
#include "calculators/core/split_vector_calculator.h"
#include "calculators/core/vector_indices_calculator.h"
#include "calculators/core/vector_size_calculator.h"
#include "framework/api2/builder.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/matrix.h"
#include "framework/port/parse_text_proto.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Ints = std::vector<int>;
using Owned = std::unique_ptr<int>;

using TestConcatenateIntsCalculator = ConcatenateVectorCalculator<int>;
REGISTER_CALCULATOR(TestConcatenateIntsCalculator);
using TestConcatenateOwnedCalculator = api2::ConcatenateVectorCalculator<Owned>;
REGISTER_CALCULATOR(TestConcatenateOwnedCalculator);
using TestSplitIntsCalculator = SplitVectorCalculator<int, false>;
REGISTER_CALCULATOR(TestSplitIntsCalculator);
using TestSplitBoolsCalculator = SplitVectorCalculator<bool, false>;
REGISTER_CALCULATOR(TestSplitBoolsCalculator);
using TestSplitOwnedCalculator = SplitVectorCalculator<Owned, true>;
REGISTER_CALCULATOR(TestSplitOwnedCalculator);
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

Packet At(int time, Ints values) {
  return MakePacket<Ints>(std::move(values)).At(Timestamp(time));
}
Packet At(int time, int value) {
  return MakePacket<int>(value).At(Timestamp(time));
}
Packet Bound(int time) { return Packet().At(Timestamp(time)); }
std::vector<Owned> Own(const Ints& values) {
  std::vector<Owned> result;
  for (const int value : values) result.push_back(std::make_unique<int>(value));
  return result;
}
Packet OwnedAt(int time, const Ints& values) {
  return MakePacket<std::vector<Owned>>(Own(values)).At(Timestamp(time));
}
Packet OneOwnedAt(int time, int value) {
  return MakePacket<Owned>(std::make_unique<int>(value)).At(Timestamp(time));
}
Ints Values(const Packet& packet) {
  Ints result;
  for (const Owned& value : packet.Get<std::vector<Owned>>()) {
    result.push_back(*value);
  }
  return result;
}

// What "out0" of the node gets for these inputs, of which nobody has a copy.
absl::StatusOr<std::vector<Packet>> RunAsOnlyReader(const std::string& node,
                                                    Packet in0,
                                                    Packet in1 = Packet()) {
  const bool has_two = !in1.IsEmpty();
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
          absl::StrCat("node {", node, "} input_stream: \"in0\"",
                       has_two ? " input_stream: \"in1\"" : ""))));
  std::vector<Packet> result;
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("out0", [&result](const Packet& packet) {
        result.push_back(packet);
        return absl::OkStatus();
      }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream("in0", std::move(in0)));
  if (has_two) {
    SYNCLINE_RETURN_IF_ERROR(
        graph.AddPacketToInputStream("in1", std::move(in1)));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  return result;
}

std::string Node(const std::string& calculator, int inputs, int outputs,
                 const std::string& options = "") {
  std::string text = absl::StrCat("calculator: \"", calculator, "\"");
  for (int i = 0; i < inputs; ++i) {
    absl::StrAppend(&text, " input_stream: \"in", i, "\"");
  }
  for (int i = 0; i < outputs; ++i) {
    absl::StrAppend(&text, " output_stream: \"out", i, "\"");
  }
  return absl::StrCat(text, options);
}

std::string Concatenate(const std::string& options = "") {
  return Node("TestConcatenateIntsCalculator", 3, 1,
              absl::StrCat(" options { [syncline."
                           "ConcatenateVectorCalculatorOptions.ext] {",
                           options, "} }"));
}

// --- Concatenate

TEST(ConcatenateVectorTest, JoinsVectorsAndElementsInTheOrderOfTheInputs) {
  CalculatorHarness harness(Concatenate());
  harness.Feed(":0", {At(1, Ints{1, 2})});
  harness.Feed(":1", {At(1, 3)});
  harness.Feed(":2", {At(1, Ints{4})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(1, 2, 3, 4))));
}

TEST(ConcatenateVectorTest, AnEmptyInputAddsNothing) {
  CalculatorHarness harness(Concatenate());
  harness.Feed(":0", {At(1, Ints{1})});
  harness.Feed(":2", {At(1, 2)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(1, 2))));
}

TEST(ConcatenateVectorTest, AVectorAloneGoesOnAsItIs) {
  CalculatorHarness harness(Concatenate());
  const Packet alone = At(1, Ints{1, 2});
  harness.Feed(":1", {alone});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("").size(), 1);
  EXPECT_EQ(harness.Output("")[0], alone) << "the value is shared, not copied";
}

TEST(ConcatenateVectorTest, OnlyEmitsIfAllArePresentWhereAskedTo) {
  CalculatorHarness harness(Concatenate("only_emit_if_all_present: true"));
  harness.Feed(":0", {At(1, 1), At(2, 1)});
  harness.Feed(":1", {At(1, 2), At(2, 2)});
  harness.Feed(":2", {At(2, 3)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(2, ElementsAre(1, 2, 3))));
}

TEST(ConcatenateVectorTest, MovesWhatCannotBeCopied) {
  const std::string node = Node("TestConcatenateOwnedCalculator", 2, 1);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::vector<Packet> out,
      RunAsOnlyReader(node, OwnedAt(1, {1, 2}), OneOwnedAt(1, 3)));
  ASSERT_EQ(out.size(), 1);
  EXPECT_THAT(Values(out[0]), ElementsAre(1, 2, 3));
}

TEST(ConcatenateVectorTest, WhatCannotBeCopiedMayNotBeShared) {
  // The harness keeps its inputs for another run.
  CalculatorHarness harness(Node("TestConcatenateOwnedCalculator", 2, 1));
  harness.Feed(":0", {OwnedAt(1, {1, 2})});
  harness.Feed(":1", {OneOwnedAt(1, 3)});
  EXPECT_THAT(harness.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("only reader"), HasSubstr("in0"))));
}

TEST(ConcatenateVectorTest, RefusesANodeWithoutInputs) {
  CalculatorHarness harness(Node("TestConcatenateIntsCalculator", 0, 1));
  EXPECT_THAT(harness.Run().message(), HasSubstr("at least one input"));
}

// --- Split

std::string Split(int outputs, const std::string& options,
                  const std::string& calculator = "TestSplitIntsCalculator") {
  return Node(
      calculator, 1, outputs,
      absl::StrCat(" options { [syncline.SplitVectorCalculatorOptions.ext] {",
                   options, "} }"));
}

TEST(SplitVectorTest, SendsEachRangeToItsOutput) {
  CalculatorHarness harness(
      Split(2, "ranges { begin: 0 end: 1 } ranges { begin: 1 end: 3 }"));
  harness.Feed("", {At(1, Ints{10, 11, 12, 13})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(10))));
  EXPECT_THAT(harness.Output(":1"),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(11, 12))));
}

TEST(SplitVectorTest, SendsElementsWithElementOnly) {
  CalculatorHarness harness(
      Split(2,
            "ranges { begin: 2 end: 3 } ranges { begin: 0 end: 1 } "
            "element_only: true"));
  harness.Feed("", {At(1, Ints{10, 11, 12})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"), StreamIs({{1, 12}}));
  EXPECT_THAT(harness.Output(":1"), StreamIs({{1, 10}}));
}

TEST(SplitVectorTest, CombinesRangesInTheirOrder) {
  CalculatorHarness harness(
      Split(1,
            "ranges { begin: 2 end: 4 } ranges { begin: 0 end: 1 } "
            "combine_outputs: true element_only: true"));
  harness.Feed("", {At(1, Ints{10, 11, 12, 13})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(12, 13, 10))));
}

TEST(SplitVectorTest, SplitsBools) {
  CalculatorHarness harness(
      Split(1, "ranges { begin: 1 end: 2 } element_only: true",
            "TestSplitBoolsCalculator"));
  harness.Feed("",
               {MakePacket<std::vector<bool>>(std::vector<bool>{false, true})
                    .At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs<bool>({{1, true}}));
}

TEST(SplitVectorTest, RangesOfCopiesMayOverlap) {
  CalculatorHarness harness(
      Split(2, "ranges { begin: 0 end: 2 } ranges { begin: 1 end: 3 }"));
  harness.Feed("", {At(1, Ints{10, 11, 12})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":1"),
              ElementsAre(PacketIs<Ints>(1, ElementsAre(11, 12))));
}

TEST(SplitVectorTest, AShortVectorIsAnError) {
  CalculatorHarness harness(Split(1, "ranges { begin: 1 end: 3 }"));
  harness.Feed("", {At(1, Ints{10, 11})});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("there are 2 elements")));
}

TEST(SplitVectorTest, RefusesOptionsThatContradictThemselves) {
  const struct {
    int outputs;
    std::string options;
    std::string says;
  } cases[] = {
      {1, "", "0 ranges and 1 outputs"},
      {2, "ranges { begin: 0 end: 1 }", "1 ranges and 2 outputs"},
      {1, "ranges { begin: -1 end: 1 }", "empty or negative"},
      {1, "ranges { begin: 2 end: 2 }", "empty or negative"},
      {1, "ranges { begin: 0 end: 2 } element_only: true", "more than one"},
      {2,
       "ranges { begin: 0 end: 1 } ranges { begin: 1 end: 2 } "
       "combine_outputs: true",
       "2 ranges and 2 outputs"},
      {1,
       "ranges { begin: 0 end: 2 } ranges { begin: 1 end: 3 } "
       "combine_outputs: true",
       "overlap"},
  };
  for (const auto& bad : cases) {
    CalculatorHarness harness(Split(bad.outputs, bad.options));
    EXPECT_THAT(harness.Run().message(), HasSubstr(bad.says)) << bad.options;
  }
  CalculatorHarness moves(
      Split(2, "ranges { begin: 0 end: 2 } ranges { begin: 1 end: 3 }",
            "TestSplitOwnedCalculator"));
  EXPECT_THAT(moves.Run().message(), HasSubstr("overlap"));
}

TEST(SplitVectorTest, MovesWhereAskedTo) {
  const std::string options = "ranges { begin: 1 end: 3 }";
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::vector<Packet> out,
      RunAsOnlyReader(Split(1, options, "TestSplitOwnedCalculator"),
                      OwnedAt(1, {1, 2, 3})));
  ASSERT_EQ(out.size(), 1);
  EXPECT_THAT(Values(out[0]), ElementsAre(2, 3));
}

TEST(SplitVectorTest, WhatIsToBeMovedMayNotBeShared) {
  CalculatorHarness harness(
      Split(1, "ranges { begin: 0 end: 1 }", "TestSplitOwnedCalculator"));
  harness.Feed("", {OwnedAt(1, {1})});
  EXPECT_THAT(harness.Run().message(), HasSubstr("only reader"));
}

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
  const Packet is_short = At(2, Ints{1, 2});
  harness.Feed("", {At(1, Ints{1, 2, 3}), is_short});
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
  harness.Feed("", {At(1, Ints{1, 2, 3})});
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
  harness.Feed("VECTOR",
               {At(1, Ints{10, 11}), At(2, Ints{10, 11}), At(3, Ints{10, 11})});
  harness.Feed(
      "INDEX",
      {At(1, 1), MakePacket<std::uint64_t>(0).At(Timestamp(2)), Bound(3)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{1, 11}, {2, 10}}));
}

TEST(GetVectorItemTest, TakesTheIndexFromTheOptions) {
  CalculatorHarness harness(Get("item_index: 1", /*has_index=*/false));
  harness.Feed("VECTOR", {At(1, Ints{10, 11})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITEM"), StreamIs({{1, 11}}));
}

TEST(GetVectorItemTest, AnIndexOutsideIsAnErrorOrNothing) {
  for (const int index : {-1, 2}) {
    const std::string option = absl::StrCat("item_index: ", index);
    CalculatorHarness strict(Get(option, /*has_index=*/false));
    strict.Feed("VECTOR", {At(1, Ints{10, 11})});
    EXPECT_THAT(strict.Run(),
                StatusIs(absl::StatusCode::kOutOfRange,
                         HasSubstr(absl::StrCat("no element ", index))));
    CalculatorHarness lenient(
        Get(option + " output_empty_on_oob: true", /*has_index=*/false));
    lenient.Feed("VECTOR", {At(1, Ints{10, 11})});
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
  harness.Feed(":0", {At(1, 10)});
  harness.Feed(":1", {At(2, 21)});
  harness.Feed(":2", {At(1, 12), At(2, 22)});
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
  harness.Feed("VECTOR", {At(1, Ints{7, 8}), At(2, Ints{})});
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
  harness.Feed("VECTOR", {At(1, Ints{7, 8}), At(2, Ints{})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("SIZE"), StreamIs({{1, 2}, {2, 0}}));
}

// --- List messages

Packet Landmarks(int time, const std::vector<float>& xs) {
  LandmarkList list;
  for (const float x : xs) list.add_landmark()->set_x(x);
  return MakePacket<LandmarkList>(list).At(Timestamp(time));
}
std::vector<float> Xs(const Packet& packet) {
  std::vector<float> result;
  for (const Landmark& landmark : packet.Get<LandmarkList>().landmark()) {
    result.push_back(landmark.x());
  }
  return result;
}

TEST(ConcatenateListsTest, JoinsTheItemsOfMessages) {
  CalculatorHarness harness(Node("ConcatenateLandmarkListCalculator", 2, 1));
  harness.Feed(":0", {Landmarks(1, {1, 2})});
  harness.Feed(":1", {Landmarks(1, {3}), Landmarks(2, {4})});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("").size(), 2);
  EXPECT_THAT(Xs(harness.Output("")[0]), ElementsAre(1, 2, 3));
  EXPECT_THAT(Xs(harness.Output("")[1]), ElementsAre(4));
}

TEST(SplitListsTest, SendsPartsOrItems) {
  CalculatorHarness parts(
      Split(2, "ranges { begin: 0 end: 1 } ranges { begin: 1 end: 3 }",
            "SplitLandmarkListCalculator"));
  parts.Feed("", {Landmarks(1, {1, 2, 3})});
  SYNCLINE_ASSERT_OK(parts.Run());
  EXPECT_THAT(Xs(parts.Output(":0")[0]), ElementsAre(1));
  EXPECT_THAT(Xs(parts.Output(":1")[0]), ElementsAre(2, 3));

  CalculatorHarness items(Split(1,
                                "ranges { begin: 1 end: 2 } element_only: true",
                                "SplitLandmarkListCalculator"));
  items.Feed("", {Landmarks(1, {1, 2, 3})});
  SYNCLINE_ASSERT_OK(items.Run());
  EXPECT_EQ(items.Output("")[0].Get<Landmark>().x(), 2);

  CalculatorHarness combined(
      Split(1,
            "ranges { begin: 2 end: 3 } ranges { begin: 0 end: 1 } "
            "combine_outputs: true",
            "SplitLandmarkListCalculator"));
  combined.Feed("", {Landmarks(1, {1, 2, 3}), Landmarks(2, {1})});
  EXPECT_THAT(combined.Run().message(), HasSubstr("there are 1 elements"));
  EXPECT_THAT(Xs(combined.Output("")[0]), ElementsAre(3, 1));
}

// --- Matrices and bytes

TEST(MatrixTest, MultipliesSubtractsAndFlattens) {
  Matrix a(1, 2);
  a << 1, 2;
  Matrix b(2, 2);
  b << 1, 2, 3, 4;
  CalculatorHarness multiply(absl::StrCat(
      Node("MatrixMultiplyCalculator", 1, 1), " input_side_packet: \"a\""));
  multiply.SetSidePacket("", MakePacket<Matrix>(a));
  multiply.Feed("", {MakePacket<Matrix>(b).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(multiply.Run());
  EXPECT_EQ(multiply.Output("")[0].Get<Matrix>(), a * b);
  multiply.Feed("", {MakePacket<Matrix>(a).At(Timestamp(2))});
  EXPECT_THAT(multiply.Run().message(), HasSubstr("it needs 2 rows"));

  CalculatorHarness subtract(R"pb(
    calculator: "MatrixSubtractCalculator"
    input_stream: "SUBTRAHEND:b"
    input_side_packet: "MINUEND:a"
    output_stream: "difference"
  )pb");
  subtract.SetSidePacket("MINUEND", MakePacket<Matrix>(a));
  subtract.Feed("SUBTRAHEND", {MakePacket<Matrix>(2 * a).At(Timestamp(1)),
                               MakePacket<Matrix>(b).At(Timestamp(2))});
  EXPECT_THAT(subtract.Run().message(), HasSubstr("differ in size at 2"));
  EXPECT_EQ(subtract.Output("")[0].Get<Matrix>(), -a);

  CalculatorHarness flatten(Node("MatrixToVectorCalculator", 1, 1));
  flatten.Feed("", {MakePacket<Matrix>(b).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(flatten.Run());
  EXPECT_THAT(flatten.Output("")[0].Get<std::vector<float>>(),
              ElementsAre(1, 3, 2, 4));
}

std::string Quantize(const std::string& options) {
  return absl::StrCat(
      R"pb(calculator: "QuantizeFloatVectorCalculator"
           input_stream: "FLOAT_VECTOR:in"
           output_stream: "ENCODED:out"
           options {
             [syncline.QuantizeFloatVectorCalculatorOptions.ext] {)pb",
      options, "} }");
}

TEST(QuantizeTest, EachNumberIsAByteAndBackAgain) {
  CalculatorHarness quantize(
      Quantize("max_quantized_value: 64 min_quantized_value: -64"));
  const std::vector<float> values = {-100, -64, -32, 0, 32, 64, 100};
  quantize.Feed("FLOAT_VECTOR",
                {MakePacket<std::vector<float>>(values).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(quantize.Run());
  ASSERT_EQ(quantize.Output("ENCODED").size(), 1);
  EXPECT_EQ(quantize.Output("ENCODED")[0].Get<std::string>(),
            std::string("\x00\x00\x3f\x7f\xbf\xff\xff", 7));

  CalculatorHarness dequantize(R"pb(
    calculator: "DequantizeByteArrayCalculator"
    input_stream: "ENCODED:in"
    output_stream: "FLOAT_VECTOR:out"
    options {
      [syncline.DequantizeByteArrayCalculatorOptions.ext] {
        max_quantized_value: 64
        min_quantized_value: -64
      }
    }
  )pb");
  dequantize.Feed("ENCODED", {quantize.Output("ENCODED")[0]});
  SYNCLINE_ASSERT_OK(dequantize.Run());
  const auto& back =
      dequantize.Output("FLOAT_VECTOR")[0].Get<std::vector<float>>();
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(back[i], std::clamp(values[i], -64.0f, 64.0f), 128.0 / 255);
  }
}

TEST(QuantizeTest, NeedsARange) {
  CalculatorHarness missing(Quantize("max_quantized_value: 1"));
  EXPECT_THAT(missing.Run().message(), HasSubstr("must be provided"));
  for (const std::string range :
       {"max_quantized_value: 1 min_quantized_value: 1",
        "max_quantized_value: nan min_quantized_value: 1"}) {
    CalculatorHarness wrong{Quantize(range)};
    EXPECT_THAT(wrong.Run().message(), HasSubstr("must be greater than"));
  }
  CalculatorHarness endless(
      Quantize("max_quantized_value: inf min_quantized_value: 0"));
  EXPECT_THAT(endless.Run().message(), HasSubstr("must be finite"));
}

}  // namespace
}  // namespace syncline
