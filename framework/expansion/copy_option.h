// Values at one path of a message, copied to a path of another, or cleared.
//
// Thread rule: pure functions.
// Tested by copy_option_test and //framework/tool:options_field_util_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_COPY_OPTION_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_COPY_OPTION_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "framework/graph_text/option_path.h"
#include "google/protobuf/message.h"

namespace syncline {

// Copies the value at `from_steps`, if one is set, to `to_steps`, and makes the
// messages on the way. A message is merged into the one that is there; a
// repeated field replaces the one that is there. Numbers may change their type
// as long as they keep their value.
//
// Returns how many bytes were copied, 0 for nothing. INVALID_ARGUMENT for types
// that do not go together, and an index beyond the end.
absl::StatusOr<size_t> CopyOption(const google::protobuf::Message& from,
                                  const FieldSteps& from_steps,
                                  google::protobuf::Message* to,
                                  const FieldSteps& to_steps);

// Clears what is at `steps`; of one value of a repeated field, its contents.
void ClearOption(google::protobuf::Message* message, const FieldSteps& steps);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_COPY_OPTION_H_
