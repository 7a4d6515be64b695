// Reference figures for the framework's own time per call in the demonstration:
// each is from a graph that differs from it in one respect.
//
//   a chain of 10           calculators that do nothing; all is in the caches
//   the same, caches swept  ... but each call leaves the processor's caches as
//                           a detector does: full of something else
//   the graph itself        its nodes, streams, joins and loops, but those that
//                           work on frames send what they always send
//
// Thread rule: on any thread, but not during a measured run (measured_run.h);
// each call discards what was measured before.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_REFERENCE_GRAPHS_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_REFERENCE_GRAPHS_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator.pb.h"
#include "framework/packet.h"

namespace syncline {

// The cost of one call in the chain of 10 of benchmarks/ on one thread: the
// time of the run divided by the number of calls.
absl::StatusOr<double> MeasureChainNsPerCall();

// The framework's own time per call in such a chain, as measured_run.h measures
// it, if each calculator reads some megabytes.
absl::StatusOr<double> MeasureSweptChainNsPerCall();

// The cost of one call in `config`, which must be expanded, if the calculators
// that work on frames are replaced by others that always send the same packet.
// It runs on one thread, as fast as possible; the cost is the time of the run
// divided by the number of calls. FAILED_PRECONDITION unless the video comes
// from an OpenCvVideoDecoderCalculator.
absl::StatusOr<double> MeasureStandInsNsPerCall(
    CalculatorGraphConfig config,
    const std::map<std::string, Packet>& side_packets);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_REFERENCE_GRAPHS_H_
