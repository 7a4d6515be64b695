// absl::StatusOr under the name that older code uses for it.

#ifndef SYNCLINE_FRAMEWORK_PORT_STATUSOR_H_
#define SYNCLINE_FRAMEWORK_PORT_STATUSOR_H_

#include "absl/status/statusor.h"

namespace syncline {

template <typename T>
using StatusOr = absl::StatusOr<T>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_STATUSOR_H_
