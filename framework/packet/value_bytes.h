// ValueBytes: the bytes of values whose type brings its own, and of vectors of
// them.
//
//   template <>
//   struct ValueBytes<Image> {
//     static void Append(const Image& image, std::string* bytes);
//     static absl::StatusOr<Image> Read(absl::string_view bytes);
//   };
//   SYNCLINE_REGISTER_TYPE(Image, "::syncline::Image", WriteValueBytes<Image>,
//                          ReadValueBytes<Image>);
//
// The bytes of a vector are those of its values one after the other, each with
// its length in front, as a varint. Read expects exactly the bytes of one
// value: other bytes are INVALID_ARGUMENT. Read never allocates more than in
// proportion to the bytes that it gets, whatever lengths they claim.
//
// Thread rule: pure functions.
// Tested by packet_bytes_test and format_bytes_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_VALUE_BYTES_H_
#define SYNCLINE_FRAMEWORK_PACKET_VALUE_BYTES_H_

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/packet/packet.h"

namespace syncline {
namespace packet_internal {

// Bytes with their length in front.
void AppendPiece(absl::string_view piece, std::string* bytes);
// Moves `bytes` behind the piece. INVALID_ARGUMENT: it is cut off.
absl::StatusOr<absl::string_view> TakePiece(absl::string_view* bytes);

// A number as it is in memory.
template <typename T>
void AppendNumber(T value, std::string* bytes) {
  static_assert(std::is_arithmetic_v<T>);
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}
// Moves `bytes` behind it. False: there are too few.
template <typename T>
bool TakeNumber(absl::string_view* bytes, T* value) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
  if (bytes->size() < sizeof(T)) return false;
  std::memcpy(value, bytes->data(), sizeof(T));
  bytes->remove_prefix(sizeof(T));
  return true;
}

}  // namespace packet_internal

template <typename T>
struct ValueBytes;

template <typename T>
struct ValueBytes<std::vector<T>> {
  static void Append(const std::vector<T>& values, std::string* bytes) {
    for (const T& value : values) {
      std::string piece;
      ValueBytes<T>::Append(value, &piece);
      packet_internal::AppendPiece(piece, bytes);
    }
  }
  static absl::StatusOr<std::vector<T>> Read(absl::string_view bytes) {
    std::vector<T> values;
    while (!bytes.empty()) {
      const absl::StatusOr<absl::string_view> piece =
          packet_internal::TakePiece(&bytes);
      if (!piece.ok()) return piece.status();
      absl::StatusOr<T> value = ValueBytes<T>::Read(*piece);
      if (!value.ok()) return value.status();
      values.push_back(*std::move(value));
    }
    return values;
  }
};

// For SYNCLINE_REGISTER_TYPE.
template <typename T>
absl::Status WriteValueBytes(const Packet& packet, std::string* bytes) {
  ValueBytes<T>::Append(packet.Get<T>(), bytes);
  return absl::OkStatus();
}
template <typename T>
absl::Status ReadValueBytes(const std::string& bytes, Packet* packet) {
  absl::StatusOr<T> value = ValueBytes<T>::Read(bytes);
  if (!value.ok()) return value.status();
  *packet = MakePacket<T>(*std::move(value));
  return absl::OkStatus();
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_VALUE_BYTES_H_
