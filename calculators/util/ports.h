// Functions for nodes that have one of several alternative ports.
//
// Thread rule: pure functions on one call's data.
// Tested by rect_calculators_test and detection_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_PORTS_H_
#define SYNCLINE_CALCULATORS_UTIL_PORTS_H_

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator_framework.h"

namespace syncline {

// The one of `tags` that `ports` has. INVALID_ARGUMENT if it has none or
// several; the message describes the ports as `what` ("the input of
// rectangles").
template <typename Ports>
absl::StatusOr<const char*> OneTagOf(const Ports& ports,
                                     absl::Span<const char* const> tags,
                                     absl::string_view what) {
  const char* found = nullptr;
  std::string names;
  int count = 0;
  for (const char* const tag : tags) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", tag);
    if (!ports.HasTag(tag)) continue;
    found = tag;
    ++count;
  }
  if (count == 1) return found;
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is one of ", names, ", but ", count,
                   count == 1 ? " is" : " are", " connected"));
}

// Sends `value` at the input timestamp if there is an output with the tag.
template <typename T>
void SendIfConnected(absl::string_view tag, T value, CalculatorContext* cc) {
  if (!cc->Outputs().HasTag(tag)) return;
  cc->Outputs().Tag(tag).AddPacket(
      MakePacket<T>(std::move(value)).At(cc->InputTimestamp()));
}

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_PORTS_H_
