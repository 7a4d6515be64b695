// For tests of what is a misuse (framework/base/misuse.h): it is caught as it
// is inside a calculator, and matched by its text.
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

// What a call of `code` comes to.
template <typename Code>
absl::Status StatusOf(Code code) {
  return CallUserCode([&code] {
    (void)code();
    return absl::OkStatus();
  });
}

// Of values that cannot be, with `text` in its message.
inline testing::Matcher<absl::Status> IsMisuse(const std::string& text) {
  return testing::AllOf(testing::Property("code", &absl::Status::code,
                                          absl::StatusCode::kInvalidArgument),
                        testing::Property("message", &absl::Status::message,
                                          testing::HasSubstr(text)));
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_MISUSE_TEST_SUPPORT_H_
