// DetectionsToRenderDataCalculator: makes drawings of detections.
//
//   node {
//     calculator: "DetectionsToRenderDataCalculator"
//     input_stream: "DETECTIONS:faces"        # std::vector<Detection>
//     output_stream: "RENDER_DATA:drawing"    # RenderData
//     options { [syncline.DetectionsToRenderDataCalculatorOptions.ext] {
//       thickness: 4
//       color { g: 255 } } }
//   }
//
// Inputs, one or several: DETECTION (one), DETECTIONS (a vector) and
// DETECTION_LIST (message DetectionList). For each detection it draws, in this
// order:
//
//   "Id: 7"                    detection_id, if render_detection_id is set
//   "face,0.98,cat,0.5,"       each label, text_delimiter, its score and
//                              text_delimiter again; all labels in one text, or
//                              with one_label_per_line in a text each
//   feature_tag                if it is not empty
//   box                        if there is one
//   key points                 a point each
//
// A label is the display_name, else the label, else the label_id. A score has
// at most six significant digits. A label without a score stands alone. The
// texts are lines from the upper left corner of the box downwards; without a
// box, or with a mask, they are in the corner of the image.
//
// If the inputs have packets without detections, an empty drawing is sent; with
// `produce_empty_packet: false`, nothing. An empty input sends nothing; the
// bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by render_data_calculators_test.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "calculators/core/forwarding.h"
#include "calculators/util/detections_to_render_data_calculator.pb.h"
#include "calculators/util/geometry.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/location_data.pb.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

using Options = DetectionsToRenderDataCalculatorOptions;

constexpr char kDetection[] = "DETECTION";
constexpr char kDetections[] = "DETECTIONS";
constexpr char kDetectionList[] = "DETECTION_LIST";
constexpr char kRenderData[] = "RENDER_DATA";

// The font height, if the options do not give it in the unit of the detection.
constexpr double kFontHeightInPixels = 16;
constexpr double kFontHeightInParts = 0.04;

// "face,0.98,", for each label.
std::vector<std::string> LabelsOf(const Detection& detection,
                                  const Options& options) {
  std::vector<std::string> result;
  const int count = std::max({detection.label_size(), detection.label_id_size(),
                              detection.display_name_size()});
  for (int i = 0; i < count; ++i) {
    std::string text;
    if (i < detection.display_name_size()) {
      text = detection.display_name(i);
    } else if (i < detection.label_size()) {
      text = detection.label(i);
    } else {
      text = absl::StrCat(detection.label_id(i));
    }
    if (i < detection.score_size()) {
      absl::StrAppend(&text, options.text_delimiter(), detection.score(i),
                      options.text_delimiter());
    }
    result.push_back(std::move(text));
  }
  return result;
}

std::vector<std::string> LinesOf(const Detection& detection,
                                 const Options& options) {
  std::vector<std::string> lines;
  if (options.render_detection_id() && detection.has_detection_id()) {
    lines.push_back(absl::StrCat("Id: ", detection.detection_id()));
  }
  std::vector<std::string> labels = LabelsOf(detection, options);
  if (!options.one_label_per_line() && labels.size() > 1) {
    labels = {absl::StrJoin(labels, "")};
  }
  for (std::string& label : labels) lines.push_back(std::move(label));
  if (!detection.feature_tag().empty()) {
    lines.push_back(detection.feature_tag());
  }
  return lines;
}

RenderAnnotation& AddAnnotation(const Options& options, RenderData* drawing) {
  RenderAnnotation& annotation = *drawing->add_render_annotations();
  annotation.set_thickness(options.thickness());
  if (options.has_color()) *annotation.mutable_color() = options.color();
  return annotation;
}

template <typename Box>
void AddBox(const Box& box, bool normalized, const Options& options,
            RenderData* drawing) {
  auto& rectangle = *AddAnnotation(options, drawing).mutable_rectangle();
  rectangle.set_normalized(normalized);
  rectangle.set_left(box.xmin());
  rectangle.set_top(box.ymin());
  rectangle.set_right(double{1} * box.xmin() + box.width());
  rectangle.set_bottom(double{1} * box.ymin() + box.height());
}

void AddTexts(const std::vector<std::string>& lines, double left, double top,
              bool normalized, const Options& options, RenderData* drawing) {
  const bool has_height = options.text().has_font_height() &&
                          options.text().normalized() == normalized;
  const double height = has_height   ? options.text().font_height()
                        : normalized ? kFontHeightInParts
                                     : kFontHeightInPixels;
  double baseline = top;
  for (const std::string& line : lines) {
    baseline += height;
    auto& text = *AddAnnotation(options, drawing).mutable_text();
    text = options.text();
    text.set_display_text(line);
    text.set_normalized(normalized);
    text.set_font_height(height);
    text.set_left(left);
    text.set_baseline(baseline);
  }
}

void AddDetection(const Detection& detection, const Options& options,
                  RenderData* drawing) {
  const std::vector<std::string> lines = LinesOf(detection, options);
  const LocationData& location = detection.location_data();
  if (location.format() == LocationData::BOUNDING_BOX) {
    const auto& box = location.bounding_box();
    AddTexts(lines, box.xmin(), box.ymin(), /*normalized=*/false, options,
             drawing);
    AddBox(box, /*normalized=*/false, options, drawing);
  } else if (location.format() == LocationData::RELATIVE_BOUNDING_BOX) {
    const auto& box = location.relative_bounding_box();
    AddTexts(lines, box.xmin(), box.ymin(), /*normalized=*/true, options,
             drawing);
    AddBox(box, /*normalized=*/true, options, drawing);
  } else {
    AddTexts(lines, 0, 0, /*normalized=*/true, options, drawing);
  }
  for (const auto& keypoint : location.relative_keypoints()) {
    auto& point = *AddAnnotation(options, drawing).mutable_point();
    point.set_normalized(true);
    point.set_x(keypoint.x());
    point.set_y(keypoint.y());
  }
}

}  // namespace

class DetectionsToRenderDataCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(CheckNumber(
        "thickness", cc->Options<Options>().thickness(), /*may_be_zero=*/true));
    if (cc->Inputs().NumEntries() == 0) {
      return absl::InvalidArgumentError(
          "which detections? Connect DETECTION, DETECTIONS or DETECTION_LIST");
    }
    cc->Inputs().Tag(kDetection).Set<Detection>().Optional();
    cc->Inputs().Tag(kDetections).Set<std::vector<Detection>>().Optional();
    cc->Inputs().Tag(kDetectionList).Set<DetectionList>().Optional();
    cc->Outputs().Tag(kRenderData).Set<RenderData>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (!AnyInputHasPacket(*cc)) return absl::OkStatus();
    const auto& options = cc->Options<Options>();
    const InputStreamSet& inputs = cc->Inputs();
    RenderData drawing;
    drawing.set_scene_class(options.scene_class());
    bool has_detections = false;
    const auto add = [&](const Detection& detection) {
      has_detections = true;
      AddDetection(detection, options, &drawing);
    };
    if (HasTagValue(inputs, kDetectionList)) {
      const auto& list = inputs.Tag(kDetectionList).Get<DetectionList>();
      for (const Detection& detection : list.detection()) add(detection);
    }
    if (HasTagValue(inputs, kDetections)) {
      for (const Detection& detection :
           inputs.Tag(kDetections).Get<std::vector<Detection>>()) {
        add(detection);
      }
    }
    if (HasTagValue(inputs, kDetection)) {
      add(inputs.Tag(kDetection).Get<Detection>());
    }
    if (has_detections || options.produce_empty_packet()) {
      cc->Outputs()
          .Tag(kRenderData)
          .AddPacket(MakePacket<RenderData>(std::move(drawing))
                         .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(DetectionsToRenderDataCalculator);

}  // namespace syncline
