// Converts numbers to text and back, under the names that older code uses.
//
// Thread rule: free functions.
// Tested by numbers_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_NUMBERS_H_
#define SYNCLINE_FRAMEWORK_PORT_NUMBERS_H_

#include <cstdint>
#include <string>

#include "absl/base/attributes.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace syncline {

// Each converts the whole text, or returns false.
inline ABSL_MUST_USE_RESULT bool safe_strto32(absl::string_view text,
                                              std::int32_t* value) {
  return absl::SimpleAtoi(text, value);
}
inline ABSL_MUST_USE_RESULT bool safe_strtou32(absl::string_view text,
                                               std::uint32_t* value) {
  return absl::SimpleAtoi(text, value);
}
inline ABSL_MUST_USE_RESULT bool safe_strto64(absl::string_view text,
                                              std::int64_t* value) {
  return absl::SimpleAtoi(text, value);
}
inline ABSL_MUST_USE_RESULT bool safe_strtou64(absl::string_view text,
                                               std::uint64_t* value) {
  return absl::SimpleAtoi(text, value);
}
inline ABSL_MUST_USE_RESULT bool safe_strtof(absl::string_view text,
                                             float* value) {
  return absl::SimpleAtof(text, value);
}
inline ABSL_MUST_USE_RESULT bool safe_strtod(absl::string_view text,
                                             double* value) {
  return absl::SimpleAtod(text, value);
}
inline ABSL_MUST_USE_RESULT bool safe_strtob(absl::string_view text,
                                             bool* value) {
  return absl::SimpleAtob(text, value);
}

template <typename Integer>
std::string SimpleItoa(Integer value) {
  return absl::StrCat(value);
}
// With as many digits as are needed to read back the same value.
inline std::string SimpleFtoa(float value) {
  return absl::StrFormat("%.9g", value);
}
inline std::string SimpleDtoa(double value) {
  return absl::StrFormat("%.17g", value);
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_NUMBERS_H_
