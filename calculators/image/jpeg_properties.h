// Reads the properties of a JPEG file from its frame header and from Exif.
//
// The bytes are not trusted: lengths and offsets are checked before anything is
// read. Of a damaged Exif part, the values that could be read are used.
//
// Thread rule: a pure function.
// Tested by image_file_properties_calculator_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_JPEG_PROPERTIES_H_
#define SYNCLINE_CALCULATORS_IMAGE_JPEG_PROPERTIES_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/formats/image_file_properties.pb.h"

namespace syncline {

// INVALID_ARGUMENT if `file` does not begin as a JPEG file.
absl::StatusOr<ImageFileProperties> ReadJpegProperties(absl::string_view file);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_JPEG_PROPERTIES_H_
