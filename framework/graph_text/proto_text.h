// Reads protobuf text into a message. Errors say where the mistake is, and what
// to write instead.
//
//   graph.pbtxt:3:7: message "syncline.CalculatorGraphConfig.Node" has no field
//       "input_steam". Did you mean "input_stream"?
//
// The text may use MediaPipe's names: extensions and Any types are looked up as
// written and then under the package `syncline`, and what is read is normalised
// (see normalize_names.h). Text of any kind gives a message or a status:
// nesting, size and number of messages have limits far above those of real
// graphs.
//
// Thread rule: pure functions.
// Tested by proto_text_test and proto_text_bad_input_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_PROTO_TEXT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_PROTO_TEXT_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace syncline {

// Replaces the contents of `message`. `file` only serves errors, and may be
// empty. `locations`, if given, gets the places of all fields.
//
// Errors are INVALID_ARGUMENT. After an error `message` holds what came before
// it.
absl::Status ParseProtoText(
    absl::string_view text, absl::string_view file,
    google::protobuf::Message* message,
    google::protobuf::TextFormat::ParseInfoTree* locations = nullptr);

// The same for a part of a text, which begins at this place of the file, both
// counted from 1, and may lack required fields.
absl::Status ParseProtoTextAt(absl::string_view text, absl::string_view file,
                              int line, int column,
                              google::protobuf::Message* message);

// No text longer than this is read, and no binary graph either.
inline constexpr size_t kMaxGraphBytes = size_t{32} << 20;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_PROTO_TEXT_H_
