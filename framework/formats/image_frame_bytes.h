// The bytes of an image frame: format, width and height, each in four bytes
// with the lowest first, and the pixels row by row with nothing in between. No
// compression, so nothing is lost.
//
// Thread rule: pure functions.
// Tested by format_bytes_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_BYTES_H_
#define SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_BYTES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/packet/value_bytes.h"

namespace syncline {

void AppendImageFrameBytes(const ImageFrame& frame, std::string* bytes);

// INVALID_ARGUMENT unless these are exactly the bytes of one frame.
absl::Status ImageFrameFromBytes(absl::string_view bytes, ImageFrame* frame);

template <>
struct ValueBytes<ImageFrame> {
  static void Append(const ImageFrame& frame, std::string* bytes) {
    AppendImageFrameBytes(frame, bytes);
  }
  static absl::StatusOr<ImageFrame> Read(absl::string_view bytes) {
    ImageFrame frame;
    const absl::Status status = ImageFrameFromBytes(bytes, &frame);
    if (!status.ok()) return status;
    return frame;
  }
};

// Whether a frame can have this format.
bool IsImageFrameFormat(ImageFormat::Format format);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_IMAGE_FRAME_BYTES_H_
