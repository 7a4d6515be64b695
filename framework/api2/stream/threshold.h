// Compares values with a threshold.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_THRESHOLD_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_THRESHOLD_H_

#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {

// Sends a bool for each value: value > threshold.
Stream<bool> IsOverThreshold(Stream<float> value, double threshold,
                             Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_THRESHOLD_H_
