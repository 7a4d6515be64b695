// Numbers that an error of ExploreSchedules or CompareGraphWithOracle tells.
//
// Thread rule: pure functions.

#ifndef SYNCLINE_TESTING_PLANTED_DEFECTS_EXPLORATION_REPORT_H_
#define SYNCLINE_TESTING_PLANTED_DEFECTS_EXPLORATION_REPORT_H_

#include <cstddef>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"

namespace syncline {

// The number behind `text` in the message; -1 if there is none.
inline int NumberAfter(const std::string& text, const absl::Status& status) {
  const std::string message(status.message());
  const std::size_t found = message.find(text);
  if (found == std::string::npos) return -1;
  return std::atoi(message.c_str() + found + text.size());
}

// How many steps are left.
inline int ShrunkSteps(const absl::Status& status) {
  return NumberAfter("Shrunk to ", status);
}

// The seed that is different from the plainest schedule.
inline int DifferingSeed(const absl::Status& status) {
  return NumberAfter(" and seed ", status);
}

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PLANTED_DEFECTS_EXPLORATION_REPORT_H_
