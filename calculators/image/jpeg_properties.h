// Reads what a JPEG file says of itself, in its frame header and in Exif.
//
// Nothing in the bytes is believed: lengths and offsets are checked before
// anything is read, and an Exif part that is damaged counts as far as it could
// be read.
//
// Thread rule: a pure function.
// Tested by image_file_properties_calculator_test.

#ifndef SYNCLINE_CALCULATORS_IMAGE_JPEG_PROPERTIES_H_
#define SYNCLINE_CALCULATORS_IMAGE_JPEG_PROPERTIES_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/formats/image_file_properties.pb.h"

namespace syncline {

// INVALID_ARGUMENT if `file` does not begin as a JPEG file does.
absl::StatusOr<ImageFileProperties> ReadJpegProperties(absl::string_view file);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IMAGE_JPEG_PROPERTIES_H_
