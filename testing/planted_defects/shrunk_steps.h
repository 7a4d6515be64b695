// How many steps an error of ExploreSchedules says that it was shrunk to.
//
// Thread rule: a pure function.

#ifndef SYNCLINE_TESTING_PLANTED_DEFECTS_SHRUNK_STEPS_H_
#define SYNCLINE_TESTING_PLANTED_DEFECTS_SHRUNK_STEPS_H_

#include <cstdlib>
#include <limits>
#include <string>

#include "absl/status/status.h"

namespace syncline {

// A number that is never small enough if the error does not say.
inline int ShrunkSteps(const absl::Status& status) {
  constexpr char kBefore[] = "Shrunk to ";
  const std::string message(status.message());
  const std::size_t found = message.find(kBefore);
  if (found == std::string::npos) return std::numeric_limits<int>::max();
  return std::atoi(message.c_str() + found + sizeof(kBefore) - 1);
}

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PLANTED_DEFECTS_SHRUNK_STEPS_H_
