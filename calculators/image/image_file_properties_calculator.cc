// ImageFilePropertiesCalculator: reads from the header of a JPEG file the
// properties of the camera that took it.
//
//   node {
//     calculator: "ImageFilePropertiesCalculator"
//     input_side_packet: "photo"           # std::string: the bytes of the file
//     output_side_packet: "properties"     # ImageFileProperties
//   }
//
// The properties are width and height, the focal length of the lens, and the
// equivalent focal length on 35 mm film, from Exif. From these it computes the
// focal length in pixels, which is needed to compute distances. Values that the
// file does not have are not set; a file without Exif still has its size. Bytes
// that are not a JPEG file are an error.
//
// It has no streams; it does its work in Open.
//
// Thread rule: no state of its own.
// Tested by image_file_properties_calculator_test.
#include <string>

#include "calculators/image/jpeg_properties.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_file_properties.pb.h"

namespace syncline {

class ImageFilePropertiesCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Index(0).Set<std::string>();
    cc->OutputSidePackets().Index(0).Set<ImageFileProperties>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(
        const ImageFileProperties properties,
        ReadJpegProperties(cc->InputSidePackets().Index(0).Get<std::string>()));
    cc->OutputSidePackets().Index(0).Set(
        MakePacket<ImageFileProperties>(properties));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ImageFilePropertiesCalculator);

}  // namespace syncline
