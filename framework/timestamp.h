// Timestamp and TimestampDiff: points and distances in a stream's time.
// Defined in packet/timestamp.h.

#ifndef SYNCLINE_FRAMEWORK_TIMESTAMP_H_
#define SYNCLINE_FRAMEWORK_TIMESTAMP_H_

#include "framework/packet/timestamp.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_TIMESTAMP_H_
