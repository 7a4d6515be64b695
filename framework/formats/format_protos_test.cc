// The protos of formats have the fields of MediaPipe's: what is recorded in
// their wire format, or written in a graph as an option, is read as it is.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/formats/affine_transform_data.pb.h"
#include "framework/formats/annotation/locus.pb.h"
#include "framework/formats/annotation/rasterization.pb.h"
#include "framework/formats/body_rig.pb.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_file_properties.pb.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/location_data.pb.h"
#include "framework/formats/matrix_data.pb.h"
#include "framework/formats/motion/optical_flow_field_data.pb.h"
#include "framework/formats/object_detection/anchor.pb.h"
#include "framework/formats/rect.pb.h"
#include "framework/formats/time_series_header.pb.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::FieldDescriptor;

// "1 name, 2* name, 3! name": * is repeated, ! required, p packed.
template <typename Message>
std::string Fields() {
  std::vector<std::string> fields;
  for (int i = 0; i < Message::descriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *Message::descriptor()->field(i);
    fields.push_back(absl::StrCat(
        field.number(),
        field.is_repeated()   ? (field.is_packed() ? "p" : "*")
        : field.is_required() ? "!"
                              : "",
        " ", field.name(), ":",
        field.message_type() != nullptr ? field.message_type()->name()
                                        : field.type_name()));
  }
  return absl::StrJoin(fields, ", ");
}

TEST(FormatProtosTest, DetectionsAndLocations) {
  EXPECT_EQ(Fields<Detection>(),
            "1* label:string, 2p label_id:int32, 3p score:float, "
            "4 location_data:LocationData, 5 feature_tag:string, "
            "6 track_id:string, 7 detection_id:int64, "
            "8* associated_detections:AssociatedDetection, "
            "9* display_name:string, 10 timestamp_usec:int64");
  EXPECT_EQ(Fields<Detection::AssociatedDetection>(),
            "1 id:int32, 2 confidence:float");
  EXPECT_EQ(Fields<DetectionList>(), "1* detection:Detection");
  EXPECT_EQ(Fields<LocationData>(),
            "1 format:enum, 2 bounding_box:BoundingBox, "
            "3 relative_bounding_box:RelativeBoundingBox, 4 mask:BinaryMask, "
            "5* relative_keypoints:RelativeKeypoint");
  EXPECT_EQ(Fields<LocationData::BoundingBox>(),
            "1! xmin:int32, 2! ymin:int32, 3! width:int32, 4! height:int32");
  EXPECT_EQ(Fields<LocationData::RelativeBoundingBox>(),
            "1! xmin:float, 2! ymin:float, 3! width:float, 4! height:float");
  EXPECT_EQ(Fields<LocationData::BinaryMask>(),
            "1! width:int32, 2! height:int32, 3 rasterization:Rasterization");
  EXPECT_EQ(Fields<LocationData::RelativeKeypoint>(),
            "1 x:float, 2 y:float, 3 keypoint_label:string, 4 score:float");
  EXPECT_EQ(Fields<Rasterization::Interval>(),
            "1! y:int32, 2! left_x:int32, 3! right_x:int32");
  EXPECT_EQ(LocationData::MASK, 3);
  EXPECT_EQ(Fields<Anchor>(),
            "1! x_center:float, 2! y_center:float, 3! h:float, 4! w:float");
}

TEST(FormatProtosTest, LociHaveTheirFieldsOutOfOrder) {
  EXPECT_EQ(Fields<Locus>(),
            "1! locus_type:enum, 2 locus_id:fixed64, 6 locus_id_seed:fixed64, "
            "5 concatenatable:bool, 3 bounding_box:BoundingBox, "
            "7 timestamp:int32, 4 region:Rasterization, "
            "8* component_locus:Locus");
  EXPECT_EQ(Fields<BoundingBox>(),
            "1 left_x:int32, 2 upper_y:int32, 3 right_x:int32, "
            "4 lower_y:int32");
  EXPECT_TRUE(Locus().concatenatable());
  EXPECT_EQ(Locus().timestamp(), -1);
}

TEST(FormatProtosTest, LandmarksRectanglesAndClasses) {
  const std::string point =
      "1 x:float, 2 y:float, 3 z:float, 4 visibility:float, "
      "5 presence:float, 6 name:string";
  EXPECT_EQ(Fields<Landmark>(), point);
  EXPECT_EQ(Fields<NormalizedLandmark>(), point);
  EXPECT_EQ(Fields<LandmarkList>(), "1* landmark:Landmark");
  EXPECT_EQ(Fields<NormalizedLandmarkListCollection>(),
            "1* landmark_list:NormalizedLandmarkList");
  EXPECT_EQ(Fields<Rect>(),
            "1! x_center:int32, 2! y_center:int32, 3! height:int32, "
            "4! width:int32, 5 rotation:float, 6 rect_id:int64");
  EXPECT_EQ(Fields<NormalizedRect>(),
            "1! x_center:float, 2! y_center:float, 3! height:float, "
            "4! width:float, 5 rotation:float, 6 rect_id:int64");
  EXPECT_EQ(Fields<Classification>(),
            "1 index:int32, 2 score:float, 3 label:string, "
            "4 display_name:string");
  EXPECT_EQ(Fields<ClassificationList>(), "1* classification:Classification");
  EXPECT_EQ(Fields<ClassificationListCollection>(),
            "1* classification_list:ClassificationList");
  EXPECT_EQ(Fields<Joint>(), "1* rotation_6d:float, 2 visibility:float");
  EXPECT_EQ(Fields<JointList>(), "1* joint:Joint");
}

TEST(FormatProtosTest, SeriesMatricesAndTransforms) {
  EXPECT_EQ(Fields<TimeSeriesHeader>(),
            "1 sample_rate:double, 2 num_channels:int32, 3 num_samples:int32, "
            "4 packet_rate:double, 5 audio_sample_rate:double");
  EXPECT_EQ(Fields<MultiStreamTimeSeriesHeader>(),
            "1 time_series_header:TimeSeriesHeader, 2 num_streams:int32");
  EXPECT_EQ(Fields<MatrixData>(),
            "1 rows:int32, 2 cols:int32, 3p packed_data:float, 4 layout:enum");
  EXPECT_EQ(MatrixData::ROW_MAJOR, 1);
  EXPECT_EQ(Fields<OpticalFlowFieldData>(),
            "1 width:int32, 2 height:int32, 3p dx:float, 4p dy:float");
  EXPECT_EQ(Fields<AffineTransformData>(),
            "1 translation:Vector2Data, 2 scale:Vector2Data, "
            "3 shear:Vector2Data, 4 rotation:float");
  EXPECT_EQ(Fields<ImageFileProperties>(),
            "1 image_width:uint32, 2 image_height:uint32, "
            "3 focal_length_mm:double, 4 focal_length_35mm:double, "
            "5 focal_length_pixels:double");
}

TEST(FormatProtosTest, ImageFormatsHaveTheirNumbers) {
  EXPECT_EQ(ImageFormat::UNKNOWN, 0);
  EXPECT_EQ(ImageFormat::SRGB, 1);
  EXPECT_EQ(ImageFormat::SRGBA, 2);
  EXPECT_EQ(ImageFormat::GRAY8, 3);
  EXPECT_EQ(ImageFormat::GRAY16, 4);
  EXPECT_EQ(ImageFormat::YCBCR420P, 5);
  EXPECT_EQ(ImageFormat::YCBCR420P10, 6);
  EXPECT_EQ(ImageFormat::SRGB48, 7);
  EXPECT_EQ(ImageFormat::SRGBA64, 8);
  EXPECT_EQ(ImageFormat::VEC32F1, 9);
  EXPECT_EQ(ImageFormat::LAB8, 10);
  EXPECT_EQ(ImageFormat::SBGRA, 11);
  EXPECT_EQ(ImageFormat::VEC32F2, 12);
  EXPECT_EQ(ImageFormat::VEC32F4, 13);
}

}  // namespace
}  // namespace syncline
