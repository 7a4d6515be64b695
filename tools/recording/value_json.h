// ValueJson: a recorded value as JSON, in one line.
//
//   numbers, bool         as they are; 64-bit integers as strings, as Protobuf
//                         has it, since JSON readers lose their last digits
//   strings               strings; those that are no UTF-8 as {"base64": "..."}
//   vectors, arrays and   arrays
//   pairs of numbers
//   timestamps            their numbers, as strings
//   Protobuf messages     Protobuf's JSON, by the descriptors in the recording,
//                         so that this program need not know the message
//   matrices              {"rows": 2, "cols": 3, "data": [...]}, by columns
//   others, and messages  {"type": "...", "base64": "..."}
//   that have no JSON
//
// Thread rule: one thread at a time.
// Tested by value_json_test and commands_test.

#ifndef SYNCLINE_TOOLS_RECORDING_VALUE_JSON_H_
#define SYNCLINE_TOOLS_RECORDING_VALUE_JSON_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/recording/recording_reader.h"

namespace syncline {

class MessageJson;

class ValueJson {
 public:
  // Borrows `recording`.
  explicit ValueJson(const RecordingReader* recording);
  ~ValueJson();

  // DATA_LOSS: not the bytes of a value of that type.
  absl::StatusOr<std::string> Of(const std::string& type,
                                 const std::string& data);

 private:
  const std::unique_ptr<MessageJson> messages_;
};

// Quoted, and escaped where that is needed. What is no UTF-8 becomes U+FFFD.
std::string JsonString(absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RECORDING_VALUE_JSON_H_
