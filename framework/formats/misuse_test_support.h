// For tests of misuse (framework/base/misuse.h). It catches a misuse as the
// engine does for a call of a calculator, and matches its text.
//
// Thread rule: none.
// Tested by the tests that use it.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_MISUSE_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_FORMATS_MISUSE_TEST_SUPPORT_H_

#include <string>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "gmock/gmock.h"

namespace syncline {

// The status of a call of `code`: the misuse, or OK.
template <typename Code>
absl::Status StatusOf(Code code) {
  return CallUserCode([&code] {
    (void)code();
    return absl::OkStatus();
  });
}

// Matches the status of a misuse by INVALID_ARGUMENT, with `text` in its
// message.
inline testing::Matcher<absl::Status> IsMisuse(const std::string& text) {
  return testing::AllOf(testing::Property("code", &absl::Status::code,
                                          absl::StatusCode::kInvalidArgument),
                        testing::Property("message", &absl::Status::message,
                                          testing::HasSubstr(text)));
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_MISUSE_TEST_SUPPORT_H_
