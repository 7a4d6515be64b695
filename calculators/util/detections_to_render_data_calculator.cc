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
//   what                   scene_tag
//   "Id: 7"                LABEL       detection_id, if render_detection_id is
//                                      set
//   "face,0.98,cat,0.5,"   LABEL       each label, text_delimiter, its score
//   and
//                                      text_delimiter again; all labels in one
//                                      text, or with one_label_per_line in a
//                                      text each
//   feature_tag            FEATURE     if it is not empty
//   box                    LOCATION    if there is one
//   key points             KEYPOINT    a point each
//
// A label is the display_name, else the label, else the label_id. A score is
// rounded to two decimals. A label without a score stands alone. The texts are
// lines from the upper left corner of the box downwards, each a tenth of the
// box's height below the one before. The font height is 0.9 of that if the box
// is relative to the image, and that of the options if it is in pixels. Without
// a box, or with a mask, texts are in the corner of the image.
//
// Of a relative box only the part in the image is drawn, and its texts begin in
// the image too; a box that lies outside is not drawn.
//
// If the inputs have packets without detections, an empty drawing is sent; with
// `produce_empty_packet: false`, nothing. An empty input sends nothing; the
// bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by render_data_calculators_test.
#include <algorithm>
#include <cmath>
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

constexpr char kLabelTag[] = "LABEL";
constexpr char kFeatureTag[] = "FEATURE";
constexpr char kLocationTag[] = "LOCATION";
constexpr char kKeypointTag[] = "KEYPOINT";

// The height of a line as a part of that of the box, and without a box as one
// of that of the image.
constexpr double kLineOfBox = 0.1;
constexpr double kLineOfImage = 0.04;
// The font height as a part of the height of a line.
constexpr double kFontOfLine = 0.9;

// A line of text, and what it shows.
struct Line {
  std::string text;
  const char* scene_tag;
};

// Where the texts of a detection are.
struct TextPlace {
  double left;
  double top;
  double line_height;
  bool is_normalized;
};

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
      const float rounded = std::round(detection.score(i) * 100) / 100;
      absl::StrAppend(&text, options.text_delimiter(), rounded,
                      options.text_delimiter());
    }
    result.push_back(std::move(text));
  }
  return result;
}

std::vector<Line> LinesOf(const Detection& detection, const Options& options) {
  std::vector<Line> lines;
  if (options.render_detection_id() && detection.has_detection_id()) {
    lines.push_back(
        {absl::StrCat("Id: ", detection.detection_id()), kLabelTag});
  }
  std::vector<std::string> labels = LabelsOf(detection, options);
  if (!options.one_label_per_line() && labels.size() > 1) {
    labels = {absl::StrJoin(labels, "")};
  }
  for (std::string& label : labels) {
    lines.push_back({std::move(label), kLabelTag});
  }
  if (!detection.feature_tag().empty()) {
    lines.push_back({detection.feature_tag(), kFeatureTag});
  }
  return lines;
}

RenderAnnotation& AddAnnotation(const char* scene_tag, const Options& options,
                                RenderData* drawing) {
  RenderAnnotation& annotation = *drawing->add_render_annotations();
  annotation.set_scene_tag(scene_tag);
  annotation.set_thickness(options.thickness());
  if (options.has_color()) *annotation.mutable_color() = options.color();
  return annotation;
}

template <typename Box>
void AddBox(const Box& box, bool is_normalized, const Options& options,
            RenderData* drawing) {
  double left = box.xmin();
  double top = box.ymin();
  double right = left + box.width();
  double bottom = top + box.height();
  if (is_normalized) {
    if (right < 0 || bottom < 0 || left > 1 || top > 1) return;
    left = std::max(left, 0.0);
    top = std::max(top, 0.0);
    right = std::min(right, 1.0);
    bottom = std::min(bottom, 1.0);
  }
  auto& rectangle =
      *AddAnnotation(kLocationTag, options, drawing).mutable_rectangle();
  rectangle.set_normalized(is_normalized);
  rectangle.set_left(left);
  rectangle.set_top(top);
  rectangle.set_right(right);
  rectangle.set_bottom(bottom);
}

void AddTexts(const std::vector<Line>& lines, const TextPlace& place,
              const Options& options, RenderData* drawing) {
  double baseline = place.top;
  for (const Line& line : lines) {
    baseline += place.line_height;
    auto& text =
        *AddAnnotation(line.scene_tag, options, drawing).mutable_text();
    text = options.text();
    text.set_display_text(line.text);
    text.set_normalized(place.is_normalized);
    text.set_left(place.left);
    text.set_baseline(baseline);
    if (options.text().normalized() != place.is_normalized ||
        (place.is_normalized && !options.text().has_font_height())) {
      text.clear_font_height();  // pixels: the default of the message
      if (place.is_normalized) {
        text.set_font_height(kFontOfLine * place.line_height);
      }
    }
    if (!place.is_normalized) continue;
    text.set_left(std::max(place.left, 0.0));
    text.set_baseline(std::min(baseline, 1.0));
  }
}

void AddDetection(const Detection& detection, const Options& options,
                  RenderData* drawing) {
  const std::vector<Line> lines = LinesOf(detection, options);
  const LocationData& location = detection.location_data();
  if (location.format() == LocationData::BOUNDING_BOX) {
    const auto& box = location.bounding_box();
    AddTexts(lines,
             {static_cast<double>(box.xmin()), static_cast<double>(box.ymin()),
              kLineOfBox * box.height(), /*is_normalized=*/false},
             options, drawing);
    AddBox(box, /*is_normalized=*/false, options, drawing);
  } else if (location.format() == LocationData::RELATIVE_BOUNDING_BOX) {
    const auto& box = location.relative_bounding_box();
    AddTexts(lines,
             {box.xmin(), box.ymin(), kLineOfBox * box.height(),
              /*is_normalized=*/true},
             options, drawing);
    AddBox(box, /*is_normalized=*/true, options, drawing);
  } else {
    AddTexts(lines, {0, 0, kLineOfImage, /*is_normalized=*/true}, options,
             drawing);
  }
  for (const auto& keypoint : location.relative_keypoints()) {
    auto& point =
        *AddAnnotation(kKeypointTag, options, drawing).mutable_point();
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
