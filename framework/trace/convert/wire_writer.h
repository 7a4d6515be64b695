// WireWriter: fields in Protobuf's wire form, written straight to bytes, for
// messages that are written by the million and never kept.
//
//   WireWriter event;
//   event.AddVarint(9, kSliceBegin);
//   WireWriter packet;
//   packet.AddBytes(11, event.bytes());
//
// Thread rule: one thread at a time.
// Tested by perfetto_packets_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_WIRE_WRITER_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_WIRE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/string_view.h"

namespace syncline {

class WireWriter {
 public:
  // For integers, enums and bools. A negative number is given as the unsigned
  // number with the same 64 bits.
  void AddVarint(int field, std::uint64_t value) {
    char* end = Room(2 * kMostOfVarint);
    end = PutVarint(Tag(field, 0), end);
    size_ = PutVarint(value, end) - memory_.data();
  }
  void AddFixed64(int field, std::uint64_t value) {
    char* end = PutVarint(Tag(field, 1), Room(kMostOfVarint + sizeof(value)));
    for (std::size_t i = 0; i < sizeof(value); ++i, value >>= 8) {
      *end++ = static_cast<char>(value);
    }
    size_ = end - memory_.data();
  }
  // For strings and messages. REQUIRES: the bytes are not of this writer.
  void AddBytes(int field, absl::string_view bytes) {
    char* end = Room(2 * kMostOfVarint + bytes.size());
    end = PutVarint(Tag(field, 2), end);
    end = PutVarint(bytes.size(), end);
    if (!bytes.empty()) std::memcpy(end, bytes.data(), bytes.size());
    size_ = end + bytes.size() - memory_.data();
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // Valid until the next change.
  absl::string_view bytes() const { return {memory_.data(), size_}; }
  // Keeps the memory.
  void clear() { size_ = 0; }

 private:
  static constexpr std::size_t kMostOfVarint = 10;

  static std::uint64_t Tag(int field, int wire_type) {
    return static_cast<std::uint64_t>(field) << 3 |
           static_cast<std::uint64_t>(wire_type);
  }
  // Returns the end of what it has put.
  static char* PutVarint(std::uint64_t value, char* end) {
    for (; value >= 0x80; value >>= 7) {
      *end++ = static_cast<char>(value | 0x80);
    }
    *end++ = static_cast<char>(value);
    return end;
  }
  // The end, behind which so many bytes may be put.
  char* Room(std::size_t size) {
    if (memory_.size() - size_ < size) memory_.resize(2 * size_ + size);
    return memory_.data() + size_;
  }

  // Its first size_ bytes are used.
  std::vector<char> memory_;
  std::size_t size_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_WIRE_WRITER_H_
