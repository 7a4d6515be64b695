#include "framework/packet/value_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "google/protobuf/io/coded_stream.h"

namespace syncline {
namespace packet_internal {
namespace {

// Bytes of the longest varint.
constexpr std::size_t kMaxVarint = 10;

}  // namespace

void AppendPiece(absl::string_view piece, std::string* bytes) {
  std::uint8_t size[kMaxVarint];
  const std::uint8_t* const end =
      google::protobuf::io::CodedOutputStream::WriteVarint64ToArray(
          piece.size(), size);
  bytes->append(reinterpret_cast<const char*>(size), end - size);
  bytes->append(piece.data(), piece.size());
}

absl::StatusOr<absl::string_view> TakePiece(absl::string_view* bytes) {
  google::protobuf::io::CodedInputStream coded(
      reinterpret_cast<const std::uint8_t*>(bytes->data()),
      static_cast<int>(std::min(bytes->size(), kMaxVarint)));
  std::uint64_t size = 0;
  const bool has_size = coded.ReadVarint64(&size);
  const auto begin = static_cast<std::size_t>(coded.CurrentPosition());
  if (!has_size || size > bytes->size() - begin) {
    return absl::InvalidArgumentError(
        "the bytes of several values have the length of each in front of it, "
        "and these end before one does");
  }
  const absl::string_view piece = bytes->substr(begin, size);
  bytes->remove_prefix(begin + size);
  return piece;
}

}  // namespace packet_internal
}  // namespace syncline
