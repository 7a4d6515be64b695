#include "framework/formats/video_stream_header.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"

namespace syncline {

// The bytes of the fields in their order: three integers of four bytes, two
// doubles.
template <>
struct ValueBytes<VideoHeader> {
  static void Append(const VideoHeader& header, std::string* bytes) {
    packet_internal::AppendNumber<std::int32_t>(header.format, bytes);
    packet_internal::AppendNumber<std::int32_t>(header.width, bytes);
    packet_internal::AppendNumber<std::int32_t>(header.height, bytes);
    packet_internal::AppendNumber(static_cast<double>(header.duration), bytes);
    packet_internal::AppendNumber(header.frame_rate, bytes);
  }
  static absl::StatusOr<VideoHeader> Read(absl::string_view bytes) {
    VideoHeader header;
    std::int32_t format = 0;
    std::int32_t width = 0;
    std::int32_t height = 0;
    double duration = 0;
    if (!packet_internal::TakeNumber(&bytes, &format) ||
        !packet_internal::TakeNumber(&bytes, &width) ||
        !packet_internal::TakeNumber(&bytes, &height) ||
        !packet_internal::TakeNumber(&bytes, &duration) ||
        !packet_internal::TakeNumber(&bytes, &header.frame_rate) ||
        !bytes.empty() || !ImageFormat::Format_IsValid(format)) {
      return absl::InvalidArgumentError(
          "these are not the bytes of a header of a stream of images");
    }
    header.format = static_cast<ImageFormat::Format>(format);
    header.width = width;
    header.height = height;
    header.duration = static_cast<float>(duration);
    return header;
  }
};

SYNCLINE_REGISTER_TYPE(VideoHeader, "::syncline::VideoHeader",
                       WriteValueBytes<VideoHeader>,
                       ReadValueBytes<VideoHeader>);

}  // namespace syncline
