// Is a string valid UTF-8? Protobuf refuses to read a binary proto3 message
// with a string that is not, but takes it from text; here it is found in time.
//
// Thread rule: pure functions.
// Tested by utf8_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_UTF8_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_UTF8_H_

#include <string>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace syncline {

// No overlong forms, no surrogates, nothing above U+10FFFF.
bool IsValidUtf8(absl::string_view text);

// The path of the first proto3 string in `message` that is not valid UTF-8,
// such as "node[2].name"; empty when all are. Values inside Anys are not looked
// at.
std::string FindInvalidUtf8(const google::protobuf::Message& message);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_UTF8_H_
