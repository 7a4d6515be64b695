// Calculators of detections: association, suppression, names, ids and
// projection; the best of several scores; and matrices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/deps/message_matchers.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/rect.pb.h"
#include "framework/port/file_helpers.h"
#include "framework/port/parse_text_proto.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Detections = std::vector<Detection>;
using Rects = std::vector<NormalizedRect>;
using Floats = std::vector<float>;
using Padding = std::array<float, 4>;
using Matrix16 = std::array<float, 16>;

template <typename T>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}

std::string NodeOf(const std::string& name, const std::string& ports,
                   const std::string& options = "") {
  return absl::StrCat(
      "calculator: '", name, "Calculator' ", ports,
      options.empty()
          ? ""
          : absl::StrCat("options { [syncline.", name,
                         "CalculatorOptions.ext] {", options, "} }"));
}

Detection Parsed(const std::string& text) {
  return ParseTextProtoOrDie<Detection>(text);
}
// A detection at (x, 0), 1 wide and 1 high, with a score and an optional label.
Detection BoxAt(float x, float score, const std::string& more = "") {
  return Parsed(absl::StrCat(
      "score: ", score,
      " location_data { format: RELATIVE_BOUNDING_BOX relative_bounding_box { "
      "xmin: ",
      x, " ymin: 0 width: 1 height: 1 } } ", more));
}
float XOf(const Detection& detection) {
  return detection.location_data().relative_bounding_box().xmin();
}
std::vector<float> XsOf(const Packet& packet) {
  std::vector<float> result;
  for (const Detection& one : packet.Get<Detections>()) {
    result.push_back(XOf(one));
  }
  return result;
}

constexpr char kInOut[] = "input_stream: 'in' output_stream: 'out' ";

// --- Association

NormalizedRect RectAt(float x, std::int64_t id) {
  NormalizedRect rect;
  rect.set_x_center(x);
  rect.set_y_center(0);
  rect.set_width(1);
  rect.set_height(1);
  if (id > 0) rect.set_rect_id(id);
  return rect;
}
constexpr char kAssociation[] =
    "input_stream: 'a' input_stream: 'b' input_stream: 'PREV:before' "
    "output_stream: 'out' options { "
    "[syncline.AssociationCalculatorOptions.ext] { min_similarity_threshold: "
    "0.5 } }";

TEST(AssociationTest, TheLaterOfTwoThatOverlapStaysWithTheIdOfTheEarlier) {
  CalculatorHarness harness(NodeOf("AssociationNormRect", kAssociation));
  harness.Feed(":0", {At(1, Rects{RectAt(0, 7), RectAt(5, 8)})});
  harness.Feed(":1", {At(1, Rects{RectAt(0.1f, 0), RectAt(9, 0)})});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& out = harness.Output("").at(0).Get<Rects>();
  ASSERT_THAT(out, SizeIs(3));
  EXPECT_EQ(out[0].x_center(), 5);
  EXPECT_EQ(out[0].rect_id(), 8);
  EXPECT_EQ(out[1].x_center(), 0.1f);
  EXPECT_EQ(out[1].rect_id(), 7);
  EXPECT_EQ(out[2].x_center(), 9);
  EXPECT_FALSE(out[2].has_rect_id());
}

TEST(AssociationTest, WhatWasThereBeforeGivesItsId) {
  CalculatorHarness harness(NodeOf("AssociationDetection", kAssociation));
  harness.Feed(":0", {At(1, Detections{BoxAt(0, 1), BoxAt(5, 1)})});
  harness.Feed("PREV", {At(1, Detections{BoxAt(0.1f, 1, "detection_id: 4"),
                                         BoxAt(9, 1, "detection_id: 5")})});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& out = harness.Output("").at(0).Get<Detections>();
  ASSERT_THAT(out, SizeIs(2));
  EXPECT_EQ(out[0].detection_id(), 4);
  EXPECT_FALSE(out[1].has_detection_id());
}

TEST(AssociationTest, SendsAVectorWithoutElementsToo) {
  CalculatorHarness harness(NodeOf("AssociationNormRect", kAssociation));
  harness.Feed("PREV", {At(1, Rects{RectAt(0, 7)})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("").at(0).Get<Rects>(), IsEmpty());
}

TEST(AssociationTest, OptionsAndPlacesAreChecked) {
  EXPECT_THAT(
      std::string(
          CalculatorHarness(
              NodeOf("AssociationNormRect",
                     absl::StrCat(kInOut,
                                  "options { "
                                  "[syncline.AssociationCalculatorOptions.ext] "
                                  "{ min_similarity_threshold: -1 } }")))
              .Run()
              .message()),
      HasSubstr("from 0 to 1"));
  CalculatorHarness harness(NodeOf("AssociationDetection", kAssociation));
  harness.Feed(
      ":0", {At(1, Detections{Parsed("location_data { format: BOUNDING_BOX "
                                     "bounding_box { xmin: 1 ymin: 1 width: 1 "
                                     "height: 1 } }")})});
  EXPECT_THAT(std::string(harness.Run().message()),
              HasSubstr("BOUNDING_BOX is in pixels"));
}

// --- NonMaxSuppressionCalculator

// The left edges of the detections that are sent.
Floats Suppressed(const Detections& in, const std::string& options) {
  CalculatorHarness harness(NodeOf("NonMaxSuppression", kInOut, options));
  harness.Feed("", {At(1, in)});
  SYNCLINE_EXPECT_OK(harness.Run());
  return harness.Output("").empty() ? Floats{} : XsOf(harness.Output("")[0]);
}
constexpr char kIou[] = "overlap_type: INTERSECTION_OVER_UNION ";

TEST(NonMaxSuppressionTest, TheBestOfThoseThatOverlapStays) {
  // The box at 0.5 overlaps each of the two others by a third.
  const Detections in = {BoxAt(0, 0.7f), BoxAt(0.5f, 0.9f), BoxAt(1, 0.8f),
                         BoxAt(5, 0.1f)};
  EXPECT_THAT(
      Suppressed(in, absl::StrCat(kIou, "min_suppression_threshold: 0.3")),
      ElementsAre(0.5f, 5));
  EXPECT_THAT(
      Suppressed(in, absl::StrCat(kIou, "min_suppression_threshold: 0.4")),
      ElementsAre(0.5f, 1, 0, 5));
  EXPECT_THAT(Suppressed(in, ""), ElementsAre(0.5f, 1, 0, 5));
}

TEST(NonMaxSuppressionTest, SimilarityIsMeasuredAsTheOptionsSay) {
  // They share half of a box: a third of their union, which is as large as the
  // box around them.
  const Detections in = {BoxAt(0, 0.9f), BoxAt(0.5f, 0.8f)};
  for (const auto& [type, similarity] :
       {std::pair("JACCARD", 1 / 3.0), std::pair("MODIFIED_JACCARD", 0.5),
        std::pair("INTERSECTION_OVER_UNION", 1 / 3.0)}) {
    for (const double offset : {-0.01, 0.01}) {
      EXPECT_THAT(Suppressed(in, absl::StrCat("overlap_type: ", type,
                                              " min_suppression_threshold: ",
                                              similarity + offset)),
                  SizeIs(offset < 0 ? 1 : 2))
          << type;
    }
  }
}

TEST(NonMaxSuppressionTest, NumberAndScoresAreLimited) {
  const Detections in = {BoxAt(0, 0.7f), BoxAt(2, 0.9f), BoxAt(4, NAN)};
  EXPECT_THAT(Suppressed(in, "max_num_detections: 1"), ElementsAre(2));
  EXPECT_THAT(Suppressed(in, "min_score_threshold: 0.8"), ElementsAre(2));
  EXPECT_THAT(Suppressed(in, ""), ElementsAre(2, 0, 4));
}

TEST(NonMaxSuppressionTest, OnlyTheBestLabelIsKept) {
  CalculatorHarness harness(NodeOf("NonMaxSuppression", kInOut));
  harness.Feed(
      "", {At(1, Detections{Parsed("label: 'a' label: 'b' label_id: [ 1, 2 ] "
                                   "score: [ 0.25, 0.5 ] display_name: 'A' "
                                   "location_data { format: GLOBAL }")})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("").at(0).Get<Detections>().at(0),
              EqualsProto(Parsed("label: 'b' label_id: 2 score: 0.5 "
                                 "location_data { format: GLOBAL }")));
}

TEST(NonMaxSuppressionTest, OtherLabelsMayBeLeftAlone) {
  const Detections in = {BoxAt(0, 0.9f, "label: 'a'"),
                         BoxAt(0, 0.8f, "label: 'b'"),
                         BoxAt(0, 0.7f, "label: 'a'")};
  EXPECT_THAT(Suppressed(in, "min_suppression_threshold: 0.5"), SizeIs(1));
  EXPECT_THAT(
      Suppressed(in, "min_suppression_threshold: 0.5 multiclass_nms: true"),
      SizeIs(2));
}

TEST(NonMaxSuppressionTest, WeightedGivesTheBestTheMeanOfAll) {
  CalculatorHarness harness(
      NodeOf("NonMaxSuppression", kInOut,
             "algorithm: WEIGHTED min_suppression_threshold: 0.1"));
  const auto with_point = [](float x, float score) {
    Detection result = BoxAt(x, score);
    result.mutable_location_data()->add_relative_keypoints()->set_x(x);
    return result;
  };
  harness.Feed(
      "", {At(1, Detections{with_point(0, 0.75f), with_point(0.5f, 0.25f)})});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& out = harness.Output("").at(0).Get<Detections>();
  ASSERT_THAT(out, SizeIs(1));
  EXPECT_FLOAT_EQ(XOf(out[0]), 0.125f);
  EXPECT_FLOAT_EQ(out[0].location_data().relative_keypoints(0).x(), 0.125f);
  EXPECT_EQ(out[0].score(0), 0.75f);
}

TEST(NonMaxSuppressionTest, BoxesInPixelsNeedTheImage) {
  const Detection in_pixels = Parsed(
      "score: 1 location_data { format: BOUNDING_BOX bounding_box { xmin: 1 "
      "ymin: 1 width: 1 height: 1 } }");
  const std::string ports =
      "input_stream: 'in' input_stream: 'IMAGE:image' output_stream: 'out' ";
  CalculatorHarness with(NodeOf("NonMaxSuppression", ports));
  with.Feed("", {At(1, Detections{in_pixels})});
  with.Feed(
      "IMAGE",
      {MakePacket<ImageFrame>(ImageFormat::GRAY8, 10, 10).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(with.Run());
  EXPECT_THAT(with.Output(""), SizeIs(1));
  CalculatorHarness without(NodeOf("NonMaxSuppression", ports));
  without.Feed("", {At(1, Detections{in_pixels})});
  EXPECT_THAT(std::string(without.Run().message()),
              HasSubstr("the size of the image is not known"));
}

TEST(NonMaxSuppressionTest, NoDetectionsAreNothingOrAVectorWithoutAny) {
  for (const bool empty : {false, true}) {
    CalculatorHarness harness(
        NodeOf("NonMaxSuppression", kInOut,
               absl::StrCat("return_empty_detections: ", empty)));
    harness.Feed("", {At(1, Detections())});
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_THAT(harness.Output(""), SizeIs(empty));
  }
}

TEST(NonMaxSuppressionTest, DetectionsWithTooLowScoresAreAVectorWithoutAny) {
  CalculatorHarness harness(
      NodeOf("NonMaxSuppression", kInOut, "min_score_threshold: 0.8"));
  harness.Feed("", {At(1, Detections{BoxAt(0, 0.7f)})});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output(""), SizeIs(1));
  EXPECT_THAT(harness.Output("")[0].Get<Detections>(), IsEmpty());
}

TEST(NonMaxSuppressionTest, OptionsAndPlacesAreChecked) {
  const auto error_of = [](const std::string& options) {
    return std::string(
        CalculatorHarness(NodeOf("NonMaxSuppression", kInOut, options))
            .Run()
            .message());
  };
  EXPECT_THAT(error_of("num_detection_streams: 2"),
              HasSubstr("is 2, but 1 inputs"));
  EXPECT_THAT(error_of("max_num_detections: -2"), HasSubstr("or -1 for all"));
  EXPECT_THAT(error_of("min_suppression_threshold: nan"),
              HasSubstr("no number"));
  CalculatorHarness harness(NodeOf("NonMaxSuppression", kInOut));
  harness.Feed("",
               {At(1, Detections{Parsed("location_data { format: MASK }")})});
  EXPECT_THAT(std::string(harness.Run().message()),
              HasSubstr("MASK without its place"));
}

// --- TopKScoresCalculator

constexpr char kTopPorts[] =
    "input_stream: 'SCORES:in' output_stream: 'TOP_K_INDEXES:a' "
    "output_stream: 'TOP_K_SCORES:b' "
    "output_stream: 'TOP_K_CLASSIFICATION:c' output_stream: 'SUMMARY:d' ";

TEST(TopKScoresTest, TheHighestComeFirst) {
  CalculatorHarness harness(NodeOf("TopKScores", kTopPorts, "top_k: 3"));
  harness.Feed("SCORES",
               {At(1, Floats{0.5f, NAN, 0.25f, 0.75f, 0.5f}), At(2, Floats{})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("TOP_K_INDEXES")[0].Get<std::vector<int>>(),
              ElementsAre(3, 4, 0));
  EXPECT_THAT(harness.Output("TOP_K_SCORES")[0].Get<Floats>(),
              ElementsAre(0.75f, 0.5f, 0.5f));
  EXPECT_EQ(harness.Output("SUMMARY")[0].Get<std::string>(),
            "3:0.75\n4:0.5\n0:0.5");
  EXPECT_THAT(harness.Output("TOP_K_INDEXES")[1].Get<std::vector<int>>(),
              IsEmpty());
}

TEST(TopKScoresTest, OfEqualScoresTheLaterComesFirstAndTheFirstGoesFirst) {
  const auto best = [](int top_k, Floats scores) {
    CalculatorHarness harness(
        NodeOf("TopKScores", kTopPorts, absl::StrCat("top_k: ", top_k)));
    harness.Feed("SCORES", {At(1, std::move(scores))});
    SYNCLINE_EXPECT_OK(harness.Run());
    return harness.Output("TOP_K_INDEXES")[0].Get<std::vector<int>>();
  };
  EXPECT_THAT(best(2, {5, 5, 6}), ElementsAre(2, 1));
  EXPECT_THAT(best(2, {5, 5, 5}), ElementsAre(1, 0));
  EXPECT_THAT(best(2, {6, 5, 5}), ElementsAre(0, 1));
  EXPECT_THAT(best(2, {5, 5, 5, 6}), ElementsAre(3, 1));
  EXPECT_THAT(best(3, {6, 6}), ElementsAre(1, 0));
  EXPECT_THAT(best(1, {5, 5}), ElementsAre(0));
}

TEST(TopKScoresTest, NoneIsBelowTheThreshold) {
  CalculatorHarness harness(NodeOf("TopKScores", kTopPorts, "threshold: 0.5"));
  harness.Feed("SCORES", {At(1, Floats{0.5f, 0.25f, 0.75f})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("TOP_K_INDEXES")[0].Get<std::vector<int>>(),
              ElementsAre(2, 0));
}

TEST(TopKScoresTest, TheyHaveTheLabelsOfTheMap) {
  const std::string path = testing::TempDir() + "/labels.txt";
  SYNCLINE_ASSERT_OK(file::SetContents(path, "cat\ndog\n"));
  CalculatorHarness harness(NodeOf(
      "TopKScores", absl::StrCat(kTopPorts, "output_stream: 'TOP_K_LABELS:e' "),
      absl::StrCat("top_k: 2 label_map_path: '", path, "'")));
  harness.Feed("SCORES", {At(1, Floats{0, 0.5f, 0.75f})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("TOP_K_LABELS")[0].Get<std::vector<std::string>>(),
              ElementsAre("", "dog"));
  EXPECT_THAT(
      harness.Output("TOP_K_CLASSIFICATION")[0].Get<ClassificationList>(),
      EqualsProto(ParseTextProtoOrDie<ClassificationList>(
          "classification { index: 2 score: 0.75 label: '' } "
          "classification { index: 1 score: 0.5 label: 'dog' }")));
  EXPECT_EQ(harness.Output("SUMMARY")[0].Get<std::string>(), ":0.75\ndog:0.5");
}

TEST(TopKScoresTest, OptionsAreChecked) {
  const auto error_of = [](const std::string& options) {
    return std::string(
        CalculatorHarness(NodeOf("TopKScores", kTopPorts, options))
            .Run()
            .message());
  };
  EXPECT_THAT(error_of("label_map_path: 'x'"), HasSubstr("which scores"));
  EXPECT_THAT(error_of("top_k: 0"), HasSubstr("has to be above 0"));
  EXPECT_THAT(error_of("threshold: nan"), HasSubstr("no number"));
  EXPECT_THAT(error_of("top_k: 1 label_map_path: '/nowhere/labels.txt'"),
              HasSubstr("/nowhere/labels.txt"));
}

// --- DetectionLabelIdToTextCalculator

Detection Named(const Detection& detection, const std::string& options) {
  CalculatorHarness harness(NodeOf("DetectionLabelIdToText", kInOut, options));
  harness.Feed("", {At(1, Detections{detection})});
  SYNCLINE_EXPECT_OK(harness.Run());
  if (harness.Output("").empty()) return {};
  return harness.Output("")[0].Get<Detections>().at(0);
}

TEST(DetectionLabelIdToTextTest, NumbersBecomeNames) {
  const std::string names = "label: 'cat' label: 'dog' ";
  EXPECT_THAT(Named(Parsed("label_id: [ 1, 0 ]"), names),
              EqualsProto(Parsed("label: 'dog' label: 'cat'")));
  EXPECT_THAT(Named(Parsed("label_id: 1"), names + "keep_label_id: true"),
              EqualsProto(Parsed("label: 'dog' label_id: 1")));
  // One of the numbers has no name: otherwise names would belong to the wrong
  // scores.
  EXPECT_THAT(Named(Parsed("label_id: [ 1, 7, -1 ]"), names),
              EqualsProto(Parsed("label_id: [ 1, 7, -1 ]")));
  EXPECT_THAT(Named(Parsed("label: 'fox'"), names),
              EqualsProto(Parsed("label: 'fox'")));
}

TEST(DetectionLabelIdToTextTest, NamesComeFromItemsAndFilesToo) {
  EXPECT_THAT(Named(Parsed("label_id: 5"),
                    "label_items { key: 5 value { name: 'cat' display_name: "
                    "'Katze' } }"),
              EqualsProto(Parsed("label: 'cat' display_name: 'Katze'")));
  const std::string path = testing::TempDir() + "/names.txt";
  SYNCLINE_ASSERT_OK(file::SetContents(path, "cat\ndog\n"));
  EXPECT_THAT(Named(Parsed("label_id: 1"),
                    absl::StrCat("label_map_path: '", path, "'")),
              EqualsProto(Parsed("label: 'dog'")));
}

TEST(DetectionLabelIdToTextTest, NeedsOneSourceOfNames) {
  for (const char* const options :
       {"", "label: 'a' label_map_path: 'b'", "keep_label_id: true"}) {
    EXPECT_THAT(std::string(CalculatorHarness(NodeOf("DetectionLabelIdToText",
                                                     kInOut, options))
                                .Run()
                                .message()),
                HasSubstr("which names"));
  }
}

// --- DetectionUniqueIdCalculator

TEST(DetectionUniqueIdTest, CountsDetections) {
  CalculatorHarness harness(NodeOf(
      "DetectionUniqueId",
      "input_stream: 'DETECTIONS:a' input_stream: 'DETECTION_LIST:b' "
      "output_stream: 'DETECTIONS:c' output_stream: 'DETECTION_LIST:d'"));
  harness.Feed("DETECTIONS", {At(1, Detections(2)), At(2, Detections(1))});
  harness.Feed("DETECTION_LIST", {At(2, ParseTextProtoOrDie<DetectionList>(
                                            "detection { detection_id: 9 }"))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.Output("DETECTIONS")[0].Get<Detections>()[1].detection_id(),
            2);
  EXPECT_EQ(harness.Output("DETECTION_LIST")[0]
                .Get<DetectionList>()
                .detection(0)
                .detection_id(),
            3);
  EXPECT_EQ(harness.Output("DETECTIONS")[1].Get<Detections>()[0].detection_id(),
            4);
}

TEST(DetectionUniqueIdTest, WhatComesInGoesOut) {
  EXPECT_THAT(
      std::string(CalculatorHarness(NodeOf("DetectionUniqueId",
                                           "input_stream: 'DETECTIONS:a' "
                                           "output_stream: 'DETECTION_LIST:d'"))
                      .Run()
                      .message()),
      HasSubstr("comes in and goes out, or neither"));
}

// --- DetectionLetterboxRemovalCalculator

constexpr char kLetterbox[] =
    "input_stream: 'DETECTIONS:in' input_stream: 'LETTERBOX_PADDING:padding' "
    "output_stream: 'DETECTIONS:out'";

TEST(DetectionLetterboxRemovalTest, BringsPlacesToTheImageWithoutPadding) {
  CalculatorHarness harness(NodeOf("DetectionLetterboxRemoval", kLetterbox));
  harness.Feed(
      "DETECTIONS",
      {At(1, Detections{Parsed("location_data { format: RELATIVE_BOUNDING_BOX "
                               "relative_bounding_box { xmin: 0.25 ymin: 0.5 "
                               "width: 0.5 height: 0.25 } "
                               "relative_keypoints { x: 0.5 y: 0.5 } }")})});
  harness.Feed("LETTERBOX_PADDING",
               {At(1, Padding{0.125f, 0.25f, 0.375f, 0.25f})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("DETECTIONS").at(0).Get<Detections>().at(0),
              EqualsProto(Parsed(
                  "location_data { format: RELATIVE_BOUNDING_BOX "
                  "relative_bounding_box { xmin: 0.25 ymin: 0.5 width: 1 "
                  "height: 0.5 } relative_keypoints { x: 0.75 y: 0.5 } }")));
}

TEST(DetectionLetterboxRemovalTest, APaddingThatLeavesNothingIsAnError) {
  for (const Padding& padding : {Padding{0.5f, 0, 0.5f, 0}, Padding{0, 2, 0, 0},
                                 Padding{NAN, 0, 0, 0}}) {
    CalculatorHarness harness(NodeOf("DetectionLetterboxRemoval", kLetterbox));
    harness.Feed("DETECTIONS", {At(1, Detections())});
    harness.Feed("LETTERBOX_PADDING", {At(1, padding)});
    EXPECT_THAT(std::string(harness.Run().message()),
                HasSubstr("leaves no image"));
  }
}

TEST(DetectionLetterboxRemovalTest, DetectionsInPixelsAreAnError) {
  CalculatorHarness harness(NodeOf("DetectionLetterboxRemoval", kLetterbox));
  harness.Feed("DETECTIONS",
               {At(1, Detections{Parsed("location_data { format: MASK }")})});
  harness.Feed("LETTERBOX_PADDING", {At(1, Padding{})});
  EXPECT_THAT(std::string(harness.Run().message()),
              HasSubstr("MASK is in pixels"));
}

// --- DetectionProjectionCalculator

TEST(DetectionProjectionTest, PutsAnUprightBoxAroundTheMovedCorners) {
  CalculatorHarness harness(NodeOf(
      "DetectionProjection",
      "input_stream: 'DETECTIONS:in' input_stream: 'PROJECTION_MATRIX:matrix' "
      "output_stream: 'DETECTIONS:out'"));
  harness.Feed(
      "DETECTIONS",
      {At(1, Detections{Parsed("location_data { format: RELATIVE_BOUNDING_BOX "
                               "relative_bounding_box { xmin: 0.25 ymin: 0.5 "
                               "width: 0.5 height: 0.25 } "
                               "relative_keypoints { x: 0.25 y: 0.5 } }")}),
       At(2, Detections())});
  // A quarter of a turn, and a shift to the right by 1.
  harness.Feed("PROJECTION_MATRIX", {At(1, Matrix16{0, -1, 0, 1,  //
                                                    1, 0, 0, 0,   //
                                                    0, 0, 1, 0,   //
                                                    0, 0, 0, 1})});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output("DETECTIONS"), SizeIs(1));
  EXPECT_THAT(harness.Output("DETECTIONS")[0].Get<Detections>().at(0),
              EqualsProto(Parsed(
                  "location_data { format: RELATIVE_BOUNDING_BOX "
                  "relative_bounding_box { xmin: 0.25 ymin: 0.25 width: 0.25 "
                  "height: 0.5 } relative_keypoints { x: 0.5 y: 0.25 } }")));
}

// --- InverseMatrixCalculator

constexpr char kMatrixPorts[] =
    "input_stream: 'MATRIX:in' output_stream: 'MATRIX:out'";

TEST(InverseMatrixTest, MapsBack) {
  CalculatorHarness harness(NodeOf("InverseMatrix", kMatrixPorts));
  harness.Feed("MATRIX", {At(1, Matrix16{2, 0, 0, 6,  //
                                         0, 4, 0, 8,  //
                                         0, 0, 1, 0,  //
                                         0, 0, 0, 1})});
  SYNCLINE_ASSERT_OK(harness.Run());
  const Matrix16 expected = {0.5f, 0,     0, -3,  //
                             0,    0.25f, 0, -2,  //
                             0,    0,     1, 0,   //
                             0,    0,     0, 1};
  const auto& out = harness.Output("MATRIX").at(0).Get<Matrix16>();
  for (int i = 0; i < 16; ++i) {
    EXPECT_THAT(out[i], FloatNear(expected[i], 1e-6f)) << i;
  }
}

TEST(InverseMatrixTest, AMatrixWithoutAnInverseIsAnError) {
  Matrix16 no_numbers;
  no_numbers.fill(NAN);
  for (const Matrix16& matrix : {Matrix16{}, no_numbers}) {
    CalculatorHarness harness(NodeOf("InverseMatrix", kMatrixPorts));
    harness.Feed("MATRIX", {At(7, matrix)});
    EXPECT_THAT(std::string(harness.Run().message()),
                HasSubstr("the matrix at 7 has no inverse"));
  }
}

}  // namespace
}  // namespace syncline
