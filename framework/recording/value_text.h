// ValueText: what a packet holds, in one line for people.
//
// Numbers, strings and Protobuf messages in full up to a limit, of vectors the
// first values, of matrices and images the size and a checksum; of types that
// only have bytes, how many and a checksum.
//
// Thread rule: a pure function.
// Tested by value_text_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_VALUE_TEXT_H_
#define SYNCLINE_FRAMEWORK_RECORDING_VALUE_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "framework/packet/packet.h"

namespace syncline {

std::string ValueText(const Packet& packet);
// The text of a recorded value; BytesText if the bytes are no value of that
// type.
std::string ValueText(const std::string& type, const std::string& bytes);

// The text of bytes that this program cannot read: how many there are, and a
// checksum.
std::string BytesText(absl::string_view bytes);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_VALUE_TEXT_H_
