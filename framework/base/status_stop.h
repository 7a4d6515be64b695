// The status by which a calculator's Process says "no more from me".
//
// It is a value among errors because calculators return it as one. It is
// recognised by its code and its text together: any other OUT_OF_RANGE error is
// an ordinary error. The engine looks for it in one place, right after Process.
//
// Thread rule: free functions.
// Tested by status_stop_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_STATUS_STOP_H_
#define SYNCLINE_FRAMEWORK_BASE_STATUS_STOP_H_

#include "absl/status/status.h"

namespace syncline {
namespace tool {

absl::Status StatusStop();

bool IsStatusStop(const absl::Status& status);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_STATUS_STOP_H_
