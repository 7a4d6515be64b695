// How many bytes a payload takes, for queues that are limited in bytes.
//
// The size is asked for only where a limit in bytes is set. sizeof(T) is right
// for plain values. Strings, vectors and protos also count the memory that they
// own; a type that owns memory in another way specialises PayloadSize:
//
//   template <>
//   struct syncline::PayloadSize<Frame> {
//     static std::size_t Bytes(const Frame& frame) {
//       return sizeof(frame) + frame.stride() * frame.height();
//     }
//   };
//
// Write this next to the type: it has to be known wherever a packet of the type
// is made. Bytes() is called once for each queue that a packet comes to,
// without a lock. If it throws, or commits a misuse (base/misuse.h), sizeof(T)
// is taken.
//
// Memory that several packets share counts for each of them: a limit is for one
// queue, as if this queue held the last copy.
//
// Thread rule: any thread.
// Tested by payload_size_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PAYLOAD_SIZE_H_
#define SYNCLINE_FRAMEWORK_PACKET_PAYLOAD_SIZE_H_

#include <cstddef>
#include <type_traits>
#include <vector>

#include "framework/packet/proto_payloads.h"

namespace syncline {

template <typename T>
struct PayloadSize {
  static std::size_t Bytes(const T& value) {
    if constexpr (packet_internal::kIsProto<T>) {
      if constexpr (requires { value.SpaceUsedLong(); }) {
        return value.SpaceUsedLong();
      } else {  // a lite one, which knows no more
        return sizeof(T) + value.ByteSizeLong();
      }
    } else {
      return sizeof(T);  // NOLINT(bugprone-sizeof-expression): may be a pointer
    }
  }
};

template <typename Char, typename Traits, typename Allocator>
struct PayloadSize<std::basic_string<Char, Traits, Allocator>> {
  using String = std::basic_string<Char, Traits, Allocator>;
  static std::size_t Bytes(const String& text) {
    // Short ones lie in the object itself.
    const bool is_inside = text.capacity() <= String().capacity();
    return sizeof(String) +
           (is_inside ? 0 : (text.capacity() + 1) * sizeof(Char));
  }
};

template <typename T, typename Allocator>
struct PayloadSize<std::vector<T, Allocator>> {
  static std::size_t Bytes(const std::vector<T, Allocator>& values) {
    if constexpr (std::is_same_v<T, bool>) {
      return sizeof(values) + values.capacity() / 8;
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
      return sizeof(values) + values.capacity() * sizeof(T);
    } else {
      std::size_t bytes =
          sizeof(values) + (values.capacity() - values.size()) * sizeof(T);
      for (const T& value : values) bytes += PayloadSize<T>::Bytes(value);
      return bytes;
    }
  }
};

namespace packet_internal {

// `value` is a T; of an array of unknown size, only the first element counts.
template <typename T>
std::size_t BytesOfValue(const void* value) {
  if constexpr (std::is_unbounded_array_v<T>) {
    return sizeof(std::remove_extent_t<T>);
  } else if constexpr (std::is_array_v<T>) {
    return sizeof(T);
  } else {
    try {
      return PayloadSize<T>::Bytes(*static_cast<const T*>(value));
    } catch (...) {
      return sizeof(T);  // NOLINT(bugprone-sizeof-expression): may be a pointer
    }
  }
}

}  // namespace packet_internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PAYLOAD_SIZE_H_
