#include "framework/formats/image.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/formats/image_frame_bytes.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"

namespace syncline {

// The bytes of an Image are those of its frame. An Image without pixels has no
// bytes.
template <>
struct ValueBytes<Image> {
  static void Append(const Image& image, std::string* bytes) {
    // Other copies of the image may be writing.
    const PixelReadLock lock(image);
    if (const ImageFrameSharedPtr frame = image.GetImageFrameSharedPtr()) {
      AppendImageFrameBytes(*frame, bytes);
    }
  }
  static absl::StatusOr<Image> Read(absl::string_view bytes) {
    if (bytes.empty()) return Image();
    SYNCLINE_ASSIGN_OR_RETURN(ImageFrame frame,
                              ValueBytes<ImageFrame>::Read(bytes));
    return Image(std::make_shared<ImageFrame>(std::move(frame)));
  }
};

SYNCLINE_REGISTER_TYPE(Image, "::syncline::Image", WriteValueBytes<Image>,
                       ReadValueBytes<Image>);
SYNCLINE_REGISTER_TYPE(std::vector<Image>, "::std::vector<::syncline::Image>",
                       WriteValueBytes<std::vector<Image>>,
                       ReadValueBytes<std::vector<Image>>);

}  // namespace syncline
