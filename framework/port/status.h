// absl::Status under the names that older code uses for it, and
// SYNCLINE_CHECK_OK, which ends the process on an error. New code uses the
// names in absl::.

#ifndef SYNCLINE_FRAMEWORK_PORT_STATUS_H_
#define SYNCLINE_FRAMEWORK_PORT_STATUS_H_

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "glog/logging.h"

namespace syncline {

using absl::OkStatus;
using absl::Status;
using absl::StatusCode;

}  // namespace syncline

// For main functions and tests. A calculator should return the status instead.
#define SYNCLINE_CHECK_OK(expression)                                  \
  for (const ::absl::Status syncline_status_ =                         \
           ::syncline::status_macros_internal::ToStatus((expression)); \
       ABSL_PREDICT_FALSE(!syncline_status_.ok());)                    \
  LOG(FATAL) << #expression << " is OK (" << syncline_status_ << ") "

#endif  // SYNCLINE_FRAMEWORK_PORT_STATUS_H_
