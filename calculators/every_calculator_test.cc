// What holds for every calculator of the project: it is in the table of
// README.md, which says the truth, and an idle branch with it does not stall a
// join. Where there is no OpenCV, what the table has under the heading with its
// name is left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "framework/calculator_framework.h"
#include "framework/deps/registration.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/port/parse_text_proto.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr bool kHasOpenCv = SYNCLINE_TEST_HAS_OPENCV != 0;

// The calculators of calculators/, with where each is registered.
std::map<std::string, std::string> RegisteredCalculators() {
  const NameRegistry& registry = NameRegistry::Get(
      TypeIdOf<std::unique_ptr<CalculatorBaseFactory>()>().name());
  std::map<std::string, std::string> result;
  for (const std::string& name :
       CalculatorBaseRegistry::functions()->GetRegisteredNames()) {
    const auto entry = registry.Find("", name);
    if (!entry.ok() || !absl::StartsWith(entry->origin, "calculators/") ||
        absl::StrContains(entry->origin, "_test.cc")) {
      continue;
    }
    result[name] = entry->origin;
  }
  return result;
}

// --- The table of README.md

struct Row {
  std::vector<std::string> names;
  std::string target;  // "core:gate_calculator"
  std::string ports;
  std::string options;  // a message, or ""
  bool needs_opencv;    // stands under a heading that says so

  bool is_here() const { return kHasOpenCv || !needs_opencv; }
};

// What stands between backquotes.
std::vector<std::string> Quoted(const std::string& cell) {
  std::vector<std::string> result;
  const std::vector<std::string> parts = absl::StrSplit(cell, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2) result.push_back(parts[i]);
  return result;
}

std::vector<Row> ReadTable() {
  std::ifstream file("calculators/README.md");
  std::vector<Row> rows;
  std::string line;
  bool needs_opencv = false;
  while (std::getline(file, line)) {
    if (absl::StartsWith(line, "#")) {
      needs_opencv = absl::StrContains(line, "OpenCV");
    }
    const std::vector<std::string> cells = absl::StrSplit(line, '|');
    if (cells.size() != 7 || !absl::StrContains(cells[1], "Calculator`")) {
      continue;
    }
    const std::vector<std::string> target = Quoted(cells[2]);
    const std::vector<std::string> options = Quoted(cells[4]);
    rows.push_back({Quoted(cells[1]), target.empty() ? "" : target[0], cells[3],
                    options.empty() ? "" : options[0], needs_opencv});
  }
  return rows;
}

std::map<std::string, Row> RowsByName() {
  std::map<std::string, Row> result;
  for (const Row& row : ReadTable()) {
    for (const std::string& name : row.names) result[name] = row;
  }
  return result;
}

TEST(CalculatorTableTest, NamesEveryCalculatorAndItsTarget) {
  const std::map<std::string, Row> rows = RowsByName();
  for (const auto& [name, origin] : RegisteredCalculators()) {
    const auto row = rows.find(name);
    ASSERT_NE(row, rows.end())
        << "calculators/README.md has no row for " << name;
    // "calculators/core/gate_calculator.cc:42"
    const std::string target = absl::StrCat(
        "calculators/",
        std::vector<std::string>(absl::StrSplit(row->second.target, ':'))[0],
        "/",
        std::vector<std::string>(absl::StrSplit(row->second.target, ':'))[1],
        ".cc:");
    EXPECT_TRUE(absl::StartsWith(origin, target))
        << name << " is registered in " << origin;
  }
}

TEST(CalculatorTableTest, NamesNothingElse) {
  for (const auto& [name, row] : RowsByName()) {
    if (!row.is_here()) continue;
    EXPECT_TRUE(CalculatorBaseRegistry::IsRegistered(name)) << name;
    if (row.options.empty()) continue;
    EXPECT_NE(google::protobuf::DescriptorPool::generated_pool()
                  ->FindMessageTypeByName("syncline." + row.options),
              nullptr)
        << row.options;
  }
}

// --- Idle branches

// Nodes of which some calculators may take the place NAME. What nobody in the
// branch sends is an input of the graph, and what nobody reads is joined.
struct Branch {
  std::string names;  // with blanks between them
  std::string nodes;
  std::map<std::string, Packet> side_packets = {};
};

std::string Node(const std::string& ports) {
  return absl::StrCat("node { calculator: \"NAME\" ", ports, " }");
}
std::string Options(const std::string& message, const std::string& text) {
  return absl::StrCat(" options { [syncline.", message, ".ext] {", text, "} }");
}
std::string Inputs(const std::string& ports) {
  std::string result;
  for (const absl::string_view port : absl::StrSplit(ports, ' ')) {
    absl::StrAppend(&result, " input_stream: \"", port, "\"");
  }
  return result;
}
std::string Outputs(const std::string& ports) {
  std::string result;
  for (const absl::string_view port : absl::StrSplit(ports, ' ')) {
    absl::StrAppend(&result, " output_stream: \"", port, "\"");
  }
  return result;
}
std::string Side(const std::string& port) {
  return absl::StrCat(" input_side_packet: \"", port, "\"");
}

std::vector<Branch> FlowBranches() {
  const std::map<std::string, Packet> number = {{"side", MakePacket<int>(1)}};
  return {
      {"PassThroughCalculator PacketInnerJoinCalculator",
       Node(Inputs("a b") + Outputs("c d"))},
      {"BypassCalculator", Node(Inputs("X:a Y:b") + Outputs("Z:c"))},
      {"FlowLimiterCalculator",
       Node(Inputs("a b FINISHED:f") + Outputs("c d ALLOW:e"))},
      {"RealTimeFlowLimiterCalculator",
       Node(Inputs("a FINISHED:f") + Outputs("c"))},
      {"GateCalculator",
       Node(Inputs("a ALLOW:b") + Outputs("c STATE_CHANGE:d"))},
      {"ImmediateMuxCalculator MergeCalculator MakePairCalculator",
       Node(Inputs("a b") + Outputs("c"))},
      {"MuxCalculator",
       Node(Inputs("INPUT:0:a INPUT:1:b SELECT:s") + Outputs("OUTPUT:c"))},
      {"MuxCalculator",
       Node(Inputs("INPUT:0:a INPUT:1:b") + Side("SELECT:side") +
            Outputs("OUTPUT:c")),
       number},
      {"PacketClonerCalculator", Node(Inputs("a b TICK:t") + Outputs("c d"))},
      {"PacketPresenceCalculator",
       Node(Inputs("PACKET:a") + Outputs("PRESENCE:b"))},
      {"PreviousLoopbackCalculator",
       Node(Inputs("MAIN:a LOOP:b") + Outputs("PREV_LOOP:c"))},
      {"RoundRobinDemuxCalculator",
       Node(Inputs("a") + Outputs("OUTPUT:0:b OUTPUT:1:c SELECT:d"))},
      {"ValueOrDefaultCalculator",
       Node(Inputs("IN:a TICK:b") + Side("side") + Outputs("OUT:c FLAG:d")),
       number},
      {"AddHeaderCalculator",
       Node(Inputs("DATA:a") + Side("HEADER:side") + Outputs("b")), number},
      {"NonZeroCalculator",
       Node(Inputs("INPUT:a") + Outputs("OUTPUT:b OUTPUT_BOOL:c"))},
      {"SidePacketToStreamCalculator",
       Node(Inputs("TICK:a") + Side("side") + Outputs("AT_TICK:b")), number},
      {"SidePacketToStreamCalculator",
       Node(Inputs("TICK:a") + Side("side") + Outputs("AT_FIRST_TICK:b")),
       number},
      {"SequenceShiftCalculator PacketThinnerCalculator",
       Node(Inputs("a") + Outputs("b"))},
      {"PacketResamplerCalculator",
       Node(Inputs("a") + Outputs("b") +
            Options("PacketResamplerCalculatorOptions", "frame_rate: 10"))},
      {"PacketThinnerCalculator",
       Node(Inputs("a") + Outputs("b") +
            Options("PacketThinnerCalculatorOptions",
                    "thinner_type: SYNC period: 10"))},
  };
}

std::vector<Branch> CollectionBranches() {
  const std::string pair = Inputs("a") + Outputs("b");
  const std::string split = pair + Options("SplitVectorCalculatorOptions",
                                           "ranges { begin: 0 end: 1 }");
  const std::string range = "max_quantized_value: 1 min_quantized_value: 0";
  return {
      {"BeginLoopIntCalculator BeginLoopUint64tCalculator "
       "BeginLoopFloatCalculator BeginLoopStringCalculator "
       "BeginLoopDetectionCalculator "
       "BeginLoopNormalizedLandmarkListVectorCalculator "
       "BeginLoopNormalizedRectCalculator BeginLoopMatrixCalculator "
       "BeginLoopMatrixVectorCalculator BeginLoopImageFrameCalculator "
       "BeginLoopImageCalculator BeginLoopTensorCalculator",
       absl::StrCat(
           Node(Inputs("ITERABLE:a") + Outputs("ITEM:item BATCH_END:end")),
           "node { calculator: \"EndItemLoopCalculator\"",
           Inputs("ITEM:item BATCH_END:end"), Outputs("ITEM:b"), "}")},
      {"EndLoopBooleanCalculator EndLoopFloatCalculator "
       "EndLoopNormalizedRectCalculator EndLoopLandmarkListVectorCalculator "
       "EndLoopNormalizedLandmarkListVectorCalculator "
       "EndLoopClassificationListCalculator EndLoopDetectionCalculator "
       "EndLoopRenderDataCalculator EndLoopAffineMatrixCalculator "
       "EndLoopImageSizeCalculator EndLoopMatrixCalculator "
       "EndLoopImageFrameCalculator EndLoopImageCalculator "
       "EndLoopTensorCalculator",
       absl::StrCat(
           "node { calculator: \"BeginItemLoopCalculator\"", Inputs("ITEM:a"),
           Outputs("ITEM:item BATCH_END:end"), "}",
           Node(Inputs("ITEM:item BATCH_END:end") + Outputs("ITERABLE:b")))},
      {"EndItemLoopCalculator",
       absl::StrCat(
           "node { calculator: \"BeginItemLoopCalculator\"", Inputs("ITEM:a"),
           Outputs("ITEM:item BATCH_END:end"), "}",
           Node(Inputs("ITEM:item BATCH_END:end") + Outputs("ITEM:b")))},
      {"BeginItemLoopCalculator",
       absl::StrCat(Node(Inputs("ITEM:a") + Outputs("ITEM:item BATCH_END:end")),
                    "node { calculator: \"EndItemLoopCalculator\"",
                    Inputs("ITEM:item BATCH_END:end"), Outputs("ITEM:b"), "}")},
      {"ConcatenateFloatVectorCalculator ConcatenateInt32VectorCalculator "
       "ConcatenateUInt64VectorCalculator ConcatenateBoolVectorCalculator "
       "ConcatenateStringVectorCalculator ConcatenateLandmarkVectorCalculator "
       "ConcatenateLandmarkListVectorCalculator "
       "ConcatenateNormalizedLandmarkListVectorCalculator "
       "ConcatenateLandmarListVectorCalculator "
       "ConcatenateClassificationListVectorCalculator "
       "ConcatenateRenderDataVectorCalculator ConcatenateImageVectorCalculator "
       "ConcatenateDetectionVectorCalculator "
       "ConcatenateTensorVectorCalculator "
       "ConcatenateNormalizedLandmarkListCalculator "
       "ConcatenateLandmarkListCalculator "
       "ConcatenateClassificationListCalculator ConcatenateJointListCalculator "
       "MergeDetectionsToVectorCalculator MergeImagesToVectorCalculator",
       Node(Inputs("a b") + Outputs("c"))},
      {"SplitLandmarkVectorCalculator "
       "SplitNormalizedLandmarkListVectorCalculator "
       "SplitNormalizedRectVectorCalculator SplitDetectionVectorCalculator "
       "SplitClassificationListVectorCalculator SplitUint64tVectorCalculator "
       "SplitFloatVectorCalculator SplitAffineMatrixVectorCalculator "
       "SplitMatrixVectorCalculator SplitImageVectorCalculator "
       "MovableSplitImageFrameVectorCalculator SplitTensorVectorCalculator "
       "SplitNormalizedLandmarkListCalculator SplitLandmarkListCalculator "
       "SplitJointListCalculator",
       Node(split)},
      {"ClipDetectionVectorSizeCalculator "
       "ClipNormalizedRectVectorSizeCalculator MatrixToVectorCalculator "
       "LogicCalculator",
       Node(pair)},
      {"GetLandmarkListVectorItemCalculator "
       "GetNormalizedLandmarkListVectorItemCalculator "
       "GetClassificationListVectorItemCalculator "
       "GetDetectionVectorItemCalculator GetNormalizedRectVectorItemCalculator "
       "GetRectVectorItemCalculator",
       Node(Inputs("VECTOR:a INDEX:b") + Outputs("ITEM:c"))},
      {"IntVectorIndicesCalculator Uint64tVectorIndicesCalculator "
       "NormalizedLandmarkListVectorIndicesCalculator",
       Node(Inputs("VECTOR:a") + Outputs("INDICES:b"))},
      {"LandmarkListVectorSizeCalculator "
       "ClassificationListVectorSizeCalculator",
       Node(Inputs("VECTOR:a") + Outputs("SIZE:b"))},
      {"NormalizedRectVectorHasMinSizeCalculator "
       "NormalizedLandmarkListVectorHasMinSizeCalculator "
       "ClassificationListVectorHasMinSizeCalculator",
       Node(Inputs("ITERABLE:a") + Outputs("b"))},
      {"FilterUInt64CollectionCalculator "
       "FilterNormalizedRectCollectionCalculator "
       "FilterLandmarkListCollectionCalculator "
       "FilterNormalizedLandmarkListCollectionCalculator "
       "FilterClassificationListCollectionCalculator",
       Node(Inputs("ITERABLE:a CONDITION:b") + Outputs("ITERABLE:c"))},
      {"QuantizeFloatVectorCalculator",
       Node(Inputs("FLOAT_VECTOR:a") + Outputs("ENCODED:b") +
            Options("QuantizeFloatVectorCalculatorOptions", range))},
      {"DequantizeByteArrayCalculator",
       Node(Inputs("ENCODED:a") + Outputs("FLOAT_VECTOR:b") +
            Options("DequantizeByteArrayCalculatorOptions", range))},
      {"MatrixMultiplyCalculator",
       Node(pair + Side("side")),
       {{"side", MakePacket<Matrix>(Matrix::Zero(1, 1))}}},
      {"MatrixSubtractCalculator",
       Node(Inputs("MINUEND:a") + Outputs("b") + Side("SUBTRAHEND:side")),
       {{"side", MakePacket<Matrix>(Matrix::Zero(1, 1))}}},
      {"ImagePropertiesCalculator",
       Node(Inputs("IMAGE:a") + Outputs("SIZE:b"))},
      {"ClockTimestampCalculator PacketFrequencyCalculator "
       "PacedPlayerCalculator",
       Node(Inputs("a") + Outputs("b"))},
      {"ClockLatencyCalculator", Node(Inputs("a REFERENCE:r") + Outputs("b"))},
      {"PacketLatencyCalculator",
       Node(Inputs("a REFERENCE_SIGNAL:r") + Outputs("b"))},
      {"ThresholdingCalculator", Node(Inputs("FLOAT:a THRESHOLD:b") +
                                      Outputs("FLAG:c ACCEPT:d REJECT:e"))},
  };
}

// Of detections, rectangles, landmarks, drawings and images.
std::vector<Branch> PerceptionBranches() {
  return {
      {"AssociationDetectionCalculator AssociationNormRectCalculator",
       Node(Inputs("a b PREV:p") + Outputs("c"))},
      {"DetectionLabelIdToTextCalculator",
       Node(Inputs("a") + Outputs("b") +
            Options("DetectionLabelIdToTextCalculatorOptions",
                    "label: \"cat\""))},
      {"NonMaxSuppressionCalculator",
       Node(Inputs("a b IMAGE:i") + Outputs("c"))},
      {"DetectionLetterboxRemovalCalculator",
       Node(Inputs("DETECTIONS:a LETTERBOX_PADDING:b") +
            Outputs("DETECTIONS:c"))},
      {"LandmarkLetterboxRemovalCalculator",
       Node(Inputs("LANDMARKS:a LETTERBOX_PADDING:b") +
            Outputs("LANDMARKS:c"))},
      {"DetectionProjectionCalculator",
       Node(Inputs("DETECTIONS:a PROJECTION_MATRIX:b") +
            Outputs("DETECTIONS:c"))},
      {"DetectionUniqueIdCalculator",
       Node(Inputs("DETECTIONS:a DETECTION_LIST:b") +
            Outputs("DETECTIONS:c DETECTION_LIST:d"))},
      {"InverseMatrixCalculator",
       Node(Inputs("MATRIX:a") + Outputs("MATRIX:b"))},
      {"TopKScoresCalculator",
       Node(Inputs("SCORES:a") +
            Outputs("TOP_K_INDEXES:b TOP_K_SCORES:c TOP_K_CLASSIFICATION:d "
                    "SUMMARY:e") +
            Options("TopKScoresCalculatorOptions", "top_k: 1"))},
      {"DetectionsToRenderDataCalculator",
       Node(Inputs("DETECTION:a DETECTIONS:b DETECTION_LIST:c") +
            Outputs("RENDER_DATA:d"))},
      {"LabelsToRenderDataCalculator",
       Node(Inputs("LABELS:a SCORES:b VIDEO_PRESTREAM:v") +
            Outputs("RENDER_DATA:c"))},
      {"LandmarksToRenderDataCalculator",
       Node(Inputs("NORM_LANDMARKS:a RENDER_SCALE:b") +
            Outputs("RENDER_DATA:c"))},
      {"RectToRenderDataCalculator",
       Node(Inputs("NORM_RECT:a") + Outputs("RENDER_DATA:b"))},
      {"RectToRenderScaleCalculator",
       Node(Inputs("NORM_RECT:a IMAGE_SIZE:b") + Outputs("RENDER_SCALE:c"))},
      {"FlatColorImageCalculator",
       Node(Inputs("IMAGE:a COLOR:b") + Outputs("IMAGE:c"))},
      {"FromImageCalculator",
       Node(Inputs("IMAGE:a") + Outputs("IMAGE_CPU:b SOURCE_ON_GPU:c"))},
      {"ToImageCalculator", Node(Inputs("IMAGE_CPU:a") + Outputs("IMAGE:b"))},
      {"AlignmentPointsRectsCalculator DetectionsToRectsCalculator",
       Node(Inputs("DETECTIONS:a IMAGE_SIZE:b") +
            Outputs("NORM_RECT:c NORM_RECTS:d RECT:e RECTS:f") +
            Options("DetectionsToRectsCalculatorOptions",
                    "rotation_vector_start_keypoint_index: 0 "
                    "rotation_vector_end_keypoint_index: 1 "
                    "rotation_vector_target_angle: 0"))},
      {"LandmarkProjectionCalculator",
       Node(Inputs("NORM_LANDMARKS:a NORM_RECT:b IMAGE_DIMENSIONS:s") +
            Outputs("NORM_LANDMARKS:c"))},
      {"LandmarksRefinementCalculator",
       Node(Inputs("LANDMARKS:0:a LANDMARKS:1:b") +
            Outputs("REFINED_LANDMARKS:c") +
            Options("LandmarksRefinementCalculatorOptions",
                    "refinement {} refinement {}"))},
      {"LandmarksSmoothingCalculator",
       Node(Inputs("NORM_LANDMARKS:a IMAGE_SIZE:b OBJECT_SCALE_ROI:r") +
            Outputs("NORM_FILTERED_LANDMARKS:c"))},
      {"LandmarksToDetectionCalculator",
       Node(Inputs("NORM_LANDMARKS:a") + Outputs("DETECTION:b"))},
      {"MultiLandmarksSmoothingCalculator",
       Node(Inputs("NORM_LANDMARKS:a IMAGE_SIZE:b TRACKING_IDS:i") +
            Outputs("NORM_FILTERED_LANDMARKS:c"))},
      {"RectTransformationCalculator",
       Node(Inputs("NORM_RECTS:a IMAGE_SIZE:b") + Outputs("c"))},
      {"VisibilitySmoothingCalculator",
       Node(Inputs("LANDMARKS:a") + Outputs("FILTERED_LANDMARKS:b"))},
      {"SegmentationSmoothingCalculator",
       Node(Inputs("MASK:a MASK_PREVIOUS:b") + Outputs("MASK_SMOOTHED:c"))},
  };
}

std::vector<Branch> MediaBranches() {
  const std::string sigmas = "sigma_color: 1 sigma_space: 1";
  return {
      {"LuminanceCalculator SobelEdgesCalculator OpenCvImageEncoderCalculator "
       "OpenCvEncodedImageToImageFrameCalculator",
       Node(Inputs("a") + Outputs("b"))},
      {"BilateralFilterCalculator",
       Node(Inputs("IMAGE:a") + Outputs("IMAGE:b") +
            Options("BilateralFilterCalculatorOptions", sigmas))},
      {"ColorConvertCalculator",
       Node(Inputs("RGB_IN:a") + Outputs("GRAY_OUT:b"))},
      {"ImageCroppingCalculator",
       Node(Inputs("IMAGE:a RECT:b") + Outputs("IMAGE:c"))},
      {"ImageTransformationCalculator",
       Node(Inputs("IMAGE:a VIDEO_PRESTREAM:b ROTATION_DEGREES:c") +
            Outputs("IMAGE:d VIDEO_PRESTREAM:e LETTERBOX_PADDING:f "
                    "MATRIX:g"))},
      {"SetAlphaCalculator",
       Node(Inputs("IMAGE:a ALPHA:b") + Outputs("IMAGE:c"))},
      {"ScaleImageCalculator",
       Node(Inputs("FRAMES:a VIDEO_HEADER:b OVERRIDE_OPTIONS:o") +
            Outputs("FRAMES:c VIDEO_HEADER:d"))},
      {"RecolorCalculator",
       Node(Inputs("IMAGE:a MASK:b") + Outputs("IMAGE:c") +
            Options("RecolorCalculatorOptions", "color { r: 255 g: 0 b: 0 }"))},
      {"MaskOverlayCalculator",
       Node(Inputs("VIDEO:0:a VIDEO:1:b MASK:m") + Outputs("OUTPUT:c"))},
      {"MaskOverlayCalculator",
       Node(Inputs("VIDEO:0:a VIDEO:1:b CONST_MASK:m") + Outputs("OUTPUT:c"))},
  };
}

std::vector<Branch> VisionBranches() {
  return {
      {"AnnotationOverlayCalculator",
       Node(Inputs("IMAGE:a b VECTOR:v") + Outputs("IMAGE:c"))},
      {"AnnotationOverlayCalculator",
       Node(Inputs("a b") + Outputs("UIMAGE:c"))},
      {"CascadeDetectorCalculator",
       Node(Inputs("IMAGE:a") + Side("CASCADE_PATH:side") +
            Outputs("DETECTIONS:b")),
       {{"side",
         MakePacket<std::string>("/usr/share/opencv4/haarcascades/"
                                 "haarcascade_frontalface_default.xml")}}},
      {"PeopleDetectorCalculator",
       Node(Inputs("IMAGE:a") + Outputs("DETECTIONS:b"))},
      {"OpticalFlowTrackerCalculator",
       Node(Inputs("IMAGE:a DETECTIONS:d") + Outputs("DETECTIONS:b"))},
      {"TrackAssociationCalculator",
       Node(Inputs("DETECTIONS:a TRACKS:b") + Outputs("TRACKS:c STATES:d"))},
      {"TracksToRenderDataCalculator",
       Node(Inputs("DETECTIONS:a") + Outputs("RENDER_DATA:b"))},
  };
}

// The samples of these have a header.
std::vector<Branch> SeriesBranches() {
  TimeSeriesHeader header;
  header.set_sample_rate(1000);
  header.set_audio_sample_rate(16000);
  header.set_num_channels(257);
  header.set_num_samples(1);
  const auto branch = [&](const std::string& names,
                          const std::string& options) {
    return Branch{
        names,
        absl::StrCat("node { calculator: \"AddHeaderCalculator\"",
                     Inputs("DATA:a"), Side("HEADER:side"), Outputs("series"),
                     "}", Node(Inputs("series") + Outputs("b") + options)),
        {{"side", MakePacket<TimeSeriesHeader>(header)}}};
  };
  return {
      branch("SumTimeSeriesAcrossChannelsCalculator "
             "AverageTimeSeriesAcrossChannelsCalculator "
             "ReverseChannelOrderCalculator "
             "FlattenPacketCalculator "
             "SubtractMeanCalculator "
             "SubtractMeanAcrossChannelsCalculator "
             "DivideByMeanAcrossChannelsCalculator "
             "MeanCalculator "
             "StandardDeviationCalculator "
             "CovarianceCalculator "
             "L2NormCalculator "
             "L2NormalizeColumnCalculator "
             "L2NormalizeCalculator "
             "PeakNormalizeCalculator "
             "ElementwiseSquareCalculator "
             "FirstHalfSlicerCalculator "
             "StabilizedLogCalculator "
             "MelSpectrumCalculator "
             "MfccCalculator",
             ""),
      branch("RationalFactorResampleCalculator",
             Options("RationalFactorResampleCalculatorOptions",
                     "target_sample_rate: 2000")),
      branch("TimeSeriesFramerCalculator",
             Options("TimeSeriesFramerCalculatorOptions",
                     "frame_duration_seconds: 0.1")),
      branch("SpectrogramCalculator SpectrogramFloatCalculator",
             Options("SpectrogramCalculatorOptions",
                     "frame_duration_seconds: 0.1 "
                     "allow_multichannel_input: true")),
      branch("SpectrogramImageCalculator", ""),
      branch("SpectrogramImageCalculator",
             Options("SpectrogramImageCalculatorOptions", "mode: SCROLLING")),
  };
}

std::vector<Branch> Branches() {
  std::vector<Branch> result = FlowBranches();
  for (auto* const more : {&CollectionBranches, &PerceptionBranches,
                           &MediaBranches, &VisionBranches, &SeriesBranches}) {
    for (Branch& branch : more()) result.push_back(std::move(branch));
  }
  return result;
}

// Without streams on one of the sides; and VideoPreStreamCalculator, whose only
// packet is held back until the first frame is there.
const std::set<std::string>& NotInBranches() {
  static const auto& names = *new std::set<std::string>{
      "ConstantSidePacketCalculator",  "CountingSourceCalculator",
      "DefaultSidePacketCalculator",   "StreamToSidePacketCalculator",
      "StringToIntCalculator",         "StringToInt32Calculator",
      "StringToInt64Calculator",       "StringToUintCalculator",
      "StringToUint32Calculator",      "StringToUint64Calculator",
      "LocalFileContentsCalculator",   "LocalFilePatternContentsCalculator",
      "OpenCvVideoDecoderCalculator",  "OpenCvVideoEncoderCalculator",
      "AudioDecoderCalculator",        "WavEncoderCalculator",
      "ResourceProviderCalculator",    "VideoPreStreamCalculator",
      "ImageFilePropertiesCalculator", "ConstantBehaviorCalculator",
      "ParallelBehaviorCalculator",    "RepeatBehaviorCalculator",
      "SelectorBehaviorCalculator",    "SequenceBehaviorCalculator",
      "SwitchBehaviorCalculator",      "TimerBehaviorCalculator",
  };
  return names;
}

TEST(IdleBranchTableTest, HasEveryCalculatorAndItsTags) {
  const std::map<std::string, Row> rows = RowsByName();
  std::set<std::string> found = NotInBranches();
  for (const Branch& branch : Branches()) {
    for (const std::string& name :
         std::vector<std::string>(absl::StrSplit(branch.names, ' '))) {
      found.insert(name);
      // Its options may not be here either.
      if (!rows.at(name).is_here()) continue;
      const auto config =
          ParseTextProtoOrDie<CalculatorGraphConfig>(branch.nodes);
      for (const CalculatorGraphConfig::Node& node : config.node()) {
        if (node.calculator() != "NAME" || name == "BypassCalculator") continue;
        for (const auto* ports : {&node.input_stream(), &node.output_stream(),
                                  &node.input_side_packet()}) {
          for (const std::string& port : *ports) {
            const std::vector<std::string> parts = absl::StrSplit(port, ':');
            if (parts.size() == 1) continue;
            EXPECT_THAT(rows.at(name).ports, HasSubstr(parts[0])) << name;
          }
        }
      }
    }
  }
  for (const auto& [name, origin] : RegisteredCalculators()) {
    EXPECT_THAT(found, Contains(name)) << origin;
  }
}

class IdleBranchTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(IdleBranchTest);

// The name of the stream in "TAG:index:name".
std::string StreamOf(const std::string& port) {
  return std::vector<std::string>(absl::StrSplit(port, ':')).back();
}

// The branch with `name` in its place; the streams that come in are inputs of
// the graph, and each that goes out is joined with the input "other". Returns
// those that come in, and the outputs of the joins.
struct JoinedBranch {
  CalculatorGraphConfig config;
  std::set<std::string> inputs;
  std::vector<std::string> joined;
};

JoinedBranch Join(const Branch& branch, const std::string& name) {
  JoinedBranch result;
  result.config = ParseTextProtoOrDie<CalculatorGraphConfig>(branch.nodes);
  std::set<std::string> outputs;
  for (CalculatorGraphConfig::Node& node : *result.config.mutable_node()) {
    if (node.calculator() == "NAME") node.set_calculator(name);
    for (const std::string& port : node.input_stream()) {
      result.inputs.insert(StreamOf(port));
    }
    for (const std::string& port : node.output_stream()) {
      outputs.insert(StreamOf(port));
    }
  }
  for (const std::string& output : outputs) {
    if (result.inputs.erase(output) > 0) continue;  // read in the branch
    CalculatorGraphConfig::Node& join = *result.config.add_node();
    join.set_calculator("PassThroughCalculator");
    join.add_input_stream(output);
    join.add_input_stream("other");
    join.add_output_stream("joined_" + output);
    join.add_output_stream("other_with_" + output);
    result.joined.push_back("other_with_" + output);
  }
  for (const std::string& input : result.inputs) {
    result.config.add_input_stream(input);
  }
  result.config.add_input_stream("other");
  for (const auto& [side_packet, packet] : branch.side_packets) {
    result.config.add_input_side_packet(side_packet);
  }
  return result;
}

TEST_P(IdleBranchTest, DoesNotStallAJoin) {
  const std::map<std::string, Row> rows = RowsByName();
  for (const Branch& branch : Branches()) {
    for (const std::string& name :
         std::vector<std::string>(absl::StrSplit(branch.names, ' '))) {
      if (!rows.at(name).is_here()) continue;
      SCOPED_TRACE(name);
      const JoinedBranch joined = Join(branch, name);
      ASSERT_FALSE(joined.joined.empty());
      GraphHarness graph(joined.config, GetParam());
      for (const auto& [side_packet, packet] : branch.side_packets) {
        graph.SetSidePacket(side_packet, packet);
      }
      SYNCLINE_ASSERT_OK(graph.Start());
      graph.Feed("other", {{50, 1}});
      graph.Idle();
      for (const std::string& output : joined.joined) graph.Expect(output, {});
      for (const std::string& input : joined.inputs) {
        graph.SetBound(input, 101);
      }
      graph.Idle();
      for (const std::string& output : joined.joined) {
        graph.Expect(output, {{50, 1}});
      }
      SYNCLINE_EXPECT_OK(graph.Finish());
    }
  }
}

}  // namespace
}  // namespace syncline
