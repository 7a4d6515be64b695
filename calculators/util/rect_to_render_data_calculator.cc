// RectToRenderDataCalculator: makes drawings of rectangles.
//
//   node {
//     calculator: "RectToRenderDataCalculator"
//     input_stream: "NORM_RECTS:faces"        # std::vector<NormalizedRect>
//     output_stream: "RENDER_DATA:drawing"    # RenderData
//     options { [syncline.RectToRenderDataCalculatorOptions.ext] {
//       thickness: 4
//       color { r: 255 } } }
//   }
//
// The input is one of RECT, RECTS (a vector), NORM_RECT and NORM_RECTS. A
// packet without rectangles sends an empty drawing. An empty input sends
// nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by render_data_calculators_test.
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "calculators/util/geometry.h"
#include "calculators/util/ports.h"
#include "calculators/util/rect_to_render_data_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/rect.pb.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

using Options = RectToRenderDataCalculatorOptions;

constexpr char kRect[] = "RECT";
constexpr char kRects[] = "RECTS";
constexpr char kNormRect[] = "NORM_RECT";
constexpr char kNormRects[] = "NORM_RECTS";
constexpr char kRenderData[] = "RENDER_DATA";

// The rectangle of the annotation, in the shape that the options ask for.
RenderAnnotation::Rectangle& AddShape(const Options& options,
                                      RenderAnnotation* annotation) {
  if (options.filled()) {
    if (options.oval()) {
      auto& shape = *annotation->mutable_filled_oval();
      *shape.mutable_fill_color() = options.color();
      return *shape.mutable_oval()->mutable_rectangle();
    }
    auto& shape = *annotation->mutable_filled_rectangle();
    *shape.mutable_fill_color() = options.color();
    return *shape.mutable_rectangle();
  }
  if (options.oval()) return *annotation->mutable_oval()->mutable_rectangle();
  return *annotation->mutable_rectangle();
}

template <typename RectT>
RenderData Draw(absl::Span<const RectT> rects, bool normalized,
                const Options& options) {
  RenderData drawing;
  for (const RectT& rect : rects) {
    RenderAnnotation& annotation = *drawing.add_render_annotations();
    annotation.set_thickness(options.thickness());
    *annotation.mutable_color() = options.color();
    RenderAnnotation::Rectangle& shape = AddShape(options, &annotation);
    shape.set_normalized(normalized);
    shape.set_left(rect.x_center() - rect.width() / 2.0);
    shape.set_top(rect.y_center() - rect.height() / 2.0);
    shape.set_right(rect.x_center() + rect.width() / 2.0);
    shape.set_bottom(rect.y_center() + rect.height() / 2.0);
    if (rect.has_rotation()) shape.set_rotation(rect.rotation());
    if (options.has_top_left_thickness()) {
      shape.set_top_left_thickness(options.top_left_thickness());
    }
  }
  return drawing;
}

}  // namespace

class RectToRenderDataCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(CheckNumber(
        "thickness", cc->Options<Options>().thickness(), /*may_be_zero=*/true));
    SYNCLINE_RETURN_IF_ERROR(OneTagOf(cc->Inputs(),
                                      {kRect, kRects, kNormRect, kNormRects},
                                      "the input")
                                 .status());
    cc->Inputs().Tag(kRect).Set<Rect>().Optional();
    cc->Inputs().Tag(kRects).Set<std::vector<Rect>>().Optional();
    cc->Inputs().Tag(kNormRect).Set<NormalizedRect>().Optional();
    cc->Inputs().Tag(kNormRects).Set<std::vector<NormalizedRect>>().Optional();
    cc->Outputs().Tag(kRenderData).Set<RenderData>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    const InputStream& input = *cc->Inputs().begin();
    if (input.IsEmpty()) return absl::OkStatus();
    RenderData drawing;
    if (cc->Inputs().HasTag(kRect)) {
      drawing = Draw<Rect>({&input.Get<Rect>(), 1}, false, options);
    } else if (cc->Inputs().HasTag(kRects)) {
      drawing = Draw<Rect>(input.Get<std::vector<Rect>>(), false, options);
    } else if (cc->Inputs().HasTag(kNormRect)) {
      drawing = Draw<NormalizedRect>({&input.Get<NormalizedRect>(), 1}, true,
                                     options);
    } else {
      drawing = Draw<NormalizedRect>(input.Get<std::vector<NormalizedRect>>(),
                                     true, options);
    }
    cc->Outputs()
        .Tag(kRenderData)
        .AddPacket(MakePacket<RenderData>(std::move(drawing))
                       .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(RectToRenderDataCalculator);

}  // namespace syncline
