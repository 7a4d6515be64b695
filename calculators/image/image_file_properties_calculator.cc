// ImageFilePropertiesCalculator: what the header of a JPEG file says of the
// camera that took it.
//
//   node {
//     calculator: "ImageFilePropertiesCalculator"
//     input_side_packet: "photo"           # std::string: the bytes of the file
//     output_side_packet: "properties"     # ImageFileProperties
//   }
//
// Width and height, and the focal length, of the lens and as it would be on
// 35 mm film, as Exif has them. From these two comes the focal length in
// pixels, which computing distances takes. What the file does not say stays
// unset; a file without Exif has its size. Bytes that are no JPEG are an error.
//
// There are no streams; it works once, in Open.
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
