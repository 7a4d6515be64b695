// TracksToRenderDataCalculator: makes drawings of tracks: for each a box, in a
// colour that stays the same for the track, and above it its label and id.
//
//   node {
//     calculator: "TracksToRenderDataCalculator"
//     input_stream: "DETECTIONS:tracks"       # std::vector<Detection>
//     output_stream: "RENDER_DATA:boxes"      # RenderData
//   }
//
// Tracks are told apart by their `track_id`; without one a box is grey. Boxes
// are relative to the image or in pixels. Labels have a size relative to the
// image, so they are drawn only for relative boxes. An impossible box ends the
// run with an error.
//
// An empty vector gives an empty RenderData; an empty input sends nothing; the
// bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by annotation_overlay_test.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "calculators/vision/box.h"
#include "calculators/vision/tracks_to_render_data_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

constexpr char kDetections[] = "DETECTIONS";
constexpr char kRenderData[] = "RENDER_DATA";

struct PlainColor {
  int r, g, b;
};

constexpr PlainColor kGrey = {160, 160, 160};
// Colours that differ much from each other, and from the colours of streets.
constexpr std::array<PlainColor, 8> kColors = {{{230, 25, 75},
                                                {60, 180, 75},
                                                {255, 225, 25},
                                                {0, 130, 200},
                                                {245, 130, 48},
                                                {240, 50, 230},
                                                {70, 240, 240},
                                                {210, 245, 60}}};

// The colour depends only on the id, in every run and on every machine. Ids
// that are numbers get the colours in turn.
PlainColor ColorOf(const std::string& track_id) {
  if (track_id.empty()) return kGrey;
  std::uint32_t number = 0;
  for (const char c : track_id) {
    number = number * 10 + (static_cast<unsigned char>(c) - unsigned{'0'});
  }
  return kColors[number % kColors.size()];
}

void Set(const PlainColor& from, Color* color) {
  color->set_r(from.r);
  color->set_g(from.g);
  color->set_b(from.b);
}

std::string TextOf(const Detection& detection) {
  const std::string label =
      detection.label_size() > 0 ? detection.label(0) : "";
  if (detection.track_id().empty()) return label;
  return absl::StrCat(label, label.empty() ? "#" : " #", detection.track_id());
}

absl::Status CheckOptions(const TracksToRenderDataCalculatorOptions& options) {
  if (options.thickness() > 0 && options.thickness() <= 255 &&
      options.font_height() >= 0 && options.font_height() <= 1) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "TracksToRenderDataCalculator needs a thickness above 0 and up to 255, "
      "and a font_height from 0 to 1, but has ",
      options.ShortDebugString()));
}

}  // namespace

class TracksToRenderDataCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kDetections).Set<std::vector<Detection>>();
    cc->Outputs().Tag(kRenderData).Set<RenderData>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return CheckOptions(cc->Options<TracksToRenderDataCalculatorOptions>());
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<TracksToRenderDataCalculatorOptions>();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag(kDetections);
    if (input.IsEmpty()) return absl::OkStatus();
    RenderData drawing;
    for (const Detection& detection : input.Get<std::vector<Detection>>()) {
      SYNCLINE_ASSIGN_OR_RETURN(const Box box, BoxOf(detection));
      AddBox(box, detection, &drawing);
      if (box.relative && options_.font_height() > 0) {
        AddLabel(box, detection, &drawing);
      }
    }
    cc->Outputs()
        .Tag(kRenderData)
        .AddPacket(MakePacket<RenderData>(std::move(drawing))
                       .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  RenderAnnotation* Add(const Detection& detection, RenderData* drawing) const {
    RenderAnnotation* annotation = drawing->add_render_annotations();
    Set(ColorOf(detection.track_id()), annotation->mutable_color());
    annotation->set_thickness(options_.thickness());
    return annotation;
  }

  void AddBox(const Box& box, const Detection& detection,
              RenderData* drawing) const {
    RenderAnnotation::Rectangle* rectangle =
        Add(detection, drawing)->mutable_rectangle();
    rectangle->set_left(box.x);
    rectangle->set_top(box.y);
    rectangle->set_right(box.x + box.width);
    rectangle->set_bottom(box.y + box.height);
    rectangle->set_normalized(box.relative);
  }

  void AddLabel(const Box& box, const Detection& detection,
                RenderData* drawing) const {
    RenderAnnotation* annotation = Add(detection, drawing);
    annotation->set_thickness(1);
    RenderAnnotation::Text* text = annotation->mutable_text();
    text->set_display_text(TextOf(detection));
    text->set_left(box.x);
    text->set_baseline(box.y - options_.font_height() / 3);
    text->set_font_height(options_.font_height());
    text->set_normalized(true);
  }

  TracksToRenderDataCalculatorOptions options_;
};
REGISTER_CALCULATOR(TracksToRenderDataCalculator);

}  // namespace syncline
