// Fields in Protobuf's wire form, written straight to bytes: for messages that
// are written by the million and never kept.
//
//   std::string event;
//   AppendVarintField(9, kSliceBegin, &event);
//   std::string packet;
//   AppendBytesField(11, event, &packet);
//
// Thread rule: free functions.
// Tested by perfetto_packets_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_WIRE_WRITER_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_WIRE_WRITER_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

inline void AppendVarint(std::uint64_t value, std::string* out) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

// For integers, enums and bools. A negative number is given as the unsigned
// number with the same 64 bits.
inline void AppendVarintField(int field, std::uint64_t value,
                              std::string* out) {
  AppendVarint(static_cast<std::uint64_t>(field) << 3, out);
  AppendVarint(value, out);
}

inline void AppendFixed64Field(int field, std::uint64_t value,
                               std::string* out) {
  AppendVarint(static_cast<std::uint64_t>(field) << 3 | 1, out);
  for (int shift = 0; shift < 64; shift += 8) {
    out->push_back(static_cast<char>(value >> shift));
  }
}

// For strings and messages.
inline void AppendBytesField(int field, absl::string_view bytes,
                             std::string* out) {
  AppendVarint(static_cast<std::uint64_t>(field) << 3 | 2, out);
  AppendVarint(bytes.size(), out);
  out->append(bytes.data(), bytes.size());
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_WIRE_WRITER_H_
