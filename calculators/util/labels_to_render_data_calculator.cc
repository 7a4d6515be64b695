// LabelsToRenderDataCalculator: makes a drawing of labels in the corner of an
// image.
//
//   node {
//     calculator: "LabelsToRenderDataCalculator"
//     input_stream: "LABELS:labels"           # std::vector<std::string>
//     input_stream: "SCORES:scores"           # std::vector<float>, optional
//     output_stream: "RENDER_DATA:drawing"    # RenderData
//     options { [syncline.LabelsToRenderDataCalculatorOptions.ext] {
//       color { r: 255 }
//       max_num_labels: 3 } }
//   }
//
//   inputs, one of
//     LABELS               with SCORES, one for each label: "cat:0.91"
//     CLASSIFICATIONS      ClassificationList
//   and for BOTTOM_LEFT
//     VIDEO_PRESTREAM      VideoHeader, whose packet at PreStream says how high
//                          the image is
//
// Each label has a line, below the one before it. A line is 1.25 font heights
// high, in whole pixels. An empty input sends nothing; the bound passes through
// (timestamp offset 0). Another number of SCORES than of LABELS, and
// BOTTOM_LEFT without a VideoHeader before the labels, end the run with an
// error.
//
// Thread rule: one call at a time.
// Tested by render_data_calculators_test.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "calculators/util/geometry.h"
#include "calculators/util/labels_to_render_data_calculator.pb.h"
#include "calculators/util/ports.h"
#include "framework/calculator_framework.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/video_stream_header.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

constexpr char kLabels[] = "LABELS";
constexpr char kScores[] = "SCORES";
constexpr char kClassifications[] = "CLASSIFICATIONS";
constexpr char kVideo[] = "VIDEO_PRESTREAM";
constexpr char kRenderData[] = "RENDER_DATA";

constexpr double kLineHeightInFontHeights = 1.25;

std::string WithScore(const std::string& label, float score) {
  return absl::StrFormat("%s:%.2f", label, score);
}

}  // namespace

class LabelsToRenderDataCalculator : public CalculatorBase {
 public:
  using Options = LabelsToRenderDataCalculatorOptions;

  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    SYNCLINE_RETURN_IF_ERROR(
        CheckNumber("thickness", options.thickness(), /*may_be_zero=*/true));
    if (options.font_height_px() <= 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("font_height_px is ", options.font_height_px(),
                       ", but has to be above 0"));
    }
    if (options.location() == Options::BOTTOM_LEFT &&
        !cc->Inputs().HasTag(kVideo)) {
      return absl::InvalidArgumentError(
          "how high is the image? BOTTOM_LEFT needs VIDEO_PRESTREAM");
    }
    SYNCLINE_RETURN_IF_ERROR(
        OneTagOf(cc->Inputs(), {kLabels, kClassifications}, "the input")
            .status());
    if (cc->Inputs().HasTag(kScores) && !cc->Inputs().HasTag(kLabels)) {
      return absl::InvalidArgumentError("SCORES are those of LABELS");
    }
    cc->Inputs().Tag(kLabels).Set<std::vector<std::string>>().Optional();
    cc->Inputs().Tag(kScores).Set<std::vector<float>>().Optional();
    cc->Inputs().Tag(kClassifications).Set<ClassificationList>().Optional();
    cc->Inputs().Tag(kVideo).Set<VideoHeader>().Optional();
    cc->Outputs().Tag(kRenderData).Set<RenderData>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStreamSet& inputs = cc->Inputs();
    if (HasTagValue(inputs, kVideo)) {
      image_height_ = inputs.Tag(kVideo).Get<VideoHeader>().height;
    }
    std::vector<std::string> lines;
    if (HasTagValue(inputs, kLabels)) {
      SYNCLINE_ASSIGN_OR_RETURN(lines, LinesOfLabels(cc));
    } else if (HasTagValue(inputs, kClassifications)) {
      lines = LinesOfClassifications(
          inputs.Tag(kClassifications).Get<ClassificationList>(),
          cc->Options<Options>());
    } else {
      return absl::OkStatus();
    }
    return Send(lines, cc);
  }

 private:
  static absl::StatusOr<std::vector<std::string>> LinesOfLabels(
      const CalculatorContext* cc) {
    const InputStreamSet& inputs = cc->Inputs();
    auto lines = inputs.Tag(kLabels).Get<std::vector<std::string>>();
    if (!HasTagValue(inputs, kScores)) return lines;
    const auto& scores = inputs.Tag(kScores).Get<std::vector<float>>();
    if (scores.size() != lines.size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "at ", cc->InputTimestamp().DebugString(), " there are ",
          lines.size(), " LABELS, but ", scores.size(), " SCORES"));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i] = WithScore(lines[i], scores[i]);
    }
    return lines;
  }

  static std::vector<std::string> LinesOfClassifications(
      const ClassificationList& list, const Options& options) {
    std::vector<std::string> lines;
    for (const Classification& one : list.classification()) {
      const std::string& name =
          options.use_display_name() && one.has_display_name()
              ? one.display_name()
              : one.label();
      lines.push_back(options.display_classification_score()
                          ? WithScore(name, one.score())
                          : name);
    }
    return lines;
  }

  absl::Status Send(const std::vector<std::string>& lines,
                    CalculatorContext* cc) const {
    const auto& options = cc->Options<Options>();
    int count = static_cast<int>(lines.size());
    if (options.max_num_labels() > 0) {
      count = std::min(count, options.max_num_labels());
    }
    const double line_height =
        std::ceil(kLineHeightInFontHeights * options.font_height_px());
    double baseline = options.vertical_offset_px();
    if (options.location() == Options::BOTTOM_LEFT) {
      if (image_height_ <= 0) {
        return absl::FailedPreconditionError(
            "how high is the image? No VideoHeader with a height came on "
            "VIDEO_PRESTREAM before the labels");
      }
      baseline =
          image_height_ - count * line_height - options.vertical_offset_px();
    }
    RenderData drawing;
    for (int i = 0; i < count; ++i) {
      RenderAnnotation& annotation = *drawing.add_render_annotations();
      annotation.set_thickness(options.thickness());
      if (options.color_size() > 0) {
        *annotation.mutable_color() = options.color(i % options.color_size());
      }
      auto& text = *annotation.mutable_text();
      text.set_display_text(lines[static_cast<std::size_t>(i)]);
      text.set_left(options.horizontal_offset_px());
      text.set_baseline(baseline + (i + 1) * line_height);
      text.set_font_height(options.font_height_px());
      text.set_font_face(options.font_face());
      if (options.outline_thickness() > 0) {
        text.set_outline_thickness(options.outline_thickness());
        if (options.outline_color_size() > 0) {
          *text.mutable_outline_color() =
              options.outline_color(i % options.outline_color_size());
        }
      }
    }
    cc->Outputs()
        .Tag(kRenderData)
        .AddPacket(MakePacket<RenderData>(std::move(drawing))
                       .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

  int image_height_ = 0;  // in pixels; 0 if it is not known
};
REGISTER_CALCULATOR(LabelsToRenderDataCalculator);

}  // namespace syncline
