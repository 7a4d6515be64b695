// What the framework's own time per call in the demonstration is to be compared
// with: graphs that differ from it in one thing each.
//
//   a chain of 10           calculators that do nothing; all is in the caches
//   the same, caches swept  ... but each call leaves the processor's caches as
//                           a detector does: full of something else
//   the graph itself        its nodes, streams, joins and loops, but those that
//                           work on frames send what they always send
//
// Thread rule: on any thread, but see measured_run.h: none during a measured
// run, and each forgets what was measured before.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_REFERENCE_GRAPHS_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_REFERENCE_GRAPHS_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator.pb.h"
#include "framework/packet.h"

namespace syncline {

// What one call costs in benchmarks/'s chain of 10 on one thread: the time of
// the run divided by calls.
absl::StatusOr<double> MeasureChainNsPerCall();

// The framework's own time per call of such a chain, as measured_run.h has it,
// whose calculators read some megabytes.
absl::StatusOr<double> MeasureSweptChainNsPerCall();

// What one call costs in `config`, which has to be expanded, on one thread and
// as fast as can be, after those of its calculators that work on frames have
// been replaced by ones that send the same packet each time: the time of the
// run divided by calls. FAILED_PRECONDITION unless the video comes from an
// OpenCvVideoDecoderCalculator.
absl::StatusOr<double> MeasureStandInsNsPerCall(
    CalculatorGraphConfig config,
    const std::map<std::string, Packet>& side_packets);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_REFERENCE_GRAPHS_H_
