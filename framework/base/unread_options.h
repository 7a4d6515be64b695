// Checks that a handler, an executor or a condition reads every option message
// that its config gives it. An option message of another type would have no
// effect.
//
// Thread rule: a pure function.
// Tested by unread_options_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_UNREAD_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_BASE_UNREAD_OPTIONS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "google/protobuf/message.h"

namespace syncline {

// `options`: a message whose extensions are the options. `read`: the numbers of
// those that are read. `reader`: what reads them, such as "condition".
// INVALID_ARGUMENT: "its options have [the.Extension], which this type of
// reader does not read ...".
absl::Status CheckOptionsAreRead(const google::protobuf::Message& options,
                                 absl::Span<const int> read,
                                 absl::string_view reader);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_UNREAD_OPTIONS_H_
