// Names of what events tell by number, for people.
//
// Thread rule: pure functions.
// Tested by perfetto_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_EVENT_NAMES_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_EVENT_NAMES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace syncline {
namespace event_names_internal {

template <std::size_t size>
absl::string_view NameIn(const std::array<absl::string_view, size>& names,
                         std::uint32_t number) {
  return number < size ? names[number] : "other";
}

}  // namespace event_names_internal

// Why a packet was dropped: of the number in kDropped.
inline absl::string_view DropCauseName(std::uint32_t cause) {
  static constexpr std::array<absl::string_view, 10> kNames = {
      "came after the node was closed",
      "waited when the node was closed",
      "waited for other streams at the end of the run",
      "a call took a later input set",
      "dropped by the input stream handler",
      "the run failed",
      "its timestamp was below the bound",
      "matched no packets of other streams",
      "came too late",
      "the queue was full"};
  return event_names_internal::NameIn(kNames, cause);
}

// The state of a node's conditions in which a call can begin.
inline constexpr std::uint32_t kConditionIsReady = 0;

// Of the number in kCondition.
inline absl::string_view ConditionStateText(std::uint32_t state) {
  static constexpr std::array<absl::string_view, 5> kNames = {
      "READY", "WAIT_TIME", "WAIT", "WAIT_EVENT", "NEVER"};
  return event_names_internal::NameIn(kNames, state);
}

// Of an absl::StatusCode.
inline absl::string_view StatusCodeName(std::uint32_t code) {
  static constexpr std::array<absl::string_view, 17> kNames = {
      "OK",
      "CANCELLED",
      "UNKNOWN",
      "INVALID_ARGUMENT",
      "DEADLINE_EXCEEDED",
      "NOT_FOUND",
      "ALREADY_EXISTS",
      "PERMISSION_DENIED",
      "RESOURCE_EXHAUSTED",
      "FAILED_PRECONDITION",
      "ABORTED",
      "OUT_OF_RANGE",
      "UNIMPLEMENTED",
      "INTERNAL",
      "UNAVAILABLE",
      "DATA_LOSS",
      "UNAUTHENTICATED"};
  return event_names_internal::NameIn(kNames, code);
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_EVENT_NAMES_H_
