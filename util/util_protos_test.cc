// The protos of util/ have the fields of MediaPipe's.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "util/audio_decoder.pb.h"
#include "util/color.pb.h"
#include "util/label_map.pb.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

// "1 name 2 name ..."
template <typename Message>
std::string Fields() {
  std::vector<std::string> fields;
  for (int i = 0; i < Message::descriptor()->field_count(); ++i) {
    const auto& field = *Message::descriptor()->field(i);
    fields.push_back(absl::StrCat(field.number(), " ", field.name()));
  }
  return absl::StrJoin(fields, " ");
}

TEST(UtilProtosTest, DrawingsHaveTheirFields) {
  EXPECT_EQ(Fields<RenderData>(),
            "1 render_annotations 2 scene_class 3 scene_viewport");
  EXPECT_EQ(Fields<RenderAnnotation>(),
            "1 rectangle 2 filled_rectangle 3 oval 4 filled_oval 5 point "
            "6 line 7 arrow 8 text 9 rounded_rectangle "
            "10 filled_rounded_rectangle 14 gradient_line 15 scribble "
            "11 thickness 12 color 13 scene_tag");
  EXPECT_EQ(Fields<RenderAnnotation::Rectangle>(),
            "1 left 2 top 3 right 4 bottom 5 normalized 6 rotation "
            "7 top_left_thickness");
  EXPECT_EQ(Fields<RenderAnnotation::GradientLine>(),
            "1 x_start 2 y_start 3 x_end 4 y_end 5 normalized 6 color1 "
            "7 color2");
  EXPECT_EQ(Fields<RenderAnnotation::Text>(),
            "1 display_text 2 left 3 baseline 4 font_height 5 normalized "
            "6 font_face 7 center_horizontally 8 center_vertically "
            "11 outline_thickness 12 outline_color");
  EXPECT_EQ(Fields<RenderViewport>(),
            "1 id 2 width_px 3 height_px 4 compose_on_video");
  EXPECT_EQ(RenderAnnotation().thickness(), 1.0);
  EXPECT_EQ(RenderAnnotation::Text().font_height(), 8);
  EXPECT_EQ(RenderAnnotation::RoundedRectangle().line_type(), 4);
}

TEST(UtilProtosTest, ColoursLabelsAndAudioHaveTheirFields) {
  EXPECT_EQ(Fields<Color>(), "1 r 2 g 3 b");
  EXPECT_EQ(Fields<ColorMap>(), "1 label_to_color");
  EXPECT_EQ(Fields<LabelMapItem>(), "1 name 2 display_name 3 child_name");
  EXPECT_EQ(Fields<AudioDecoderOptions>(),
            "1 audio_stream 2 start_time 3 end_time");
  EXPECT_EQ(Fields<AudioStreamOptions>(),
            "1 stream_index 2 allow_missing 3 ignore_decode_failures "
            "4 output_regressing_timestamps 5 correct_pts_for_rollover");
}

}  // namespace
}  // namespace syncline
