// Random graphs: from a seed, a small valid graph and what is done to it.
//
//   RandomCase random_case = MakeRandomCase(seed);
//   std::string text = RandomCaseText(random_case);      // to print
//   ... ReadRandomCase(text)                             // to run again
//
// A graph has one to a dozen nodes of random_graph_calculators.cc, fed by
// sources, graph inputs or both; joins by several input stream handlers,
// offsets, loops, side packets, subgraphs, calls that overlap, short queues,
// several executors, special timestamps; now and then something fails.
//
// What comes out of such a graph does not depend on the schedule. Therefore:
//   - nodes with process_timestamp_bounds send nothing but bounds without a
//     packet, and nodes with several calls at once have no memory;
//   - ImmediateInputStreamHandler has one input, and nodes with several sync
//     sets have outputs for each, and neither memory nor offset;
//   - the nodes that join by TimestampAlign read graph inputs, and the others
//     get their first packet, or are closed, before the base does: otherwise
//     the alignment would be a matter of luck;
//   - a node that stops the sources is only in graphs without sources;
//   - in a loop, one node has no offset, so that bounds do not go round and
//     round, and sends nothing unless it has a packet from outside.
//
// Thread rule: pure functions.
// Tested by random_graph_test.

#ifndef SYNCLINE_TESTING_RANDOM_GRAPH_H_
#define SYNCLINE_TESTING_RANDOM_GRAPH_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "testing/random_graph.pb.h"
#include "testing/reference_run.h"

namespace syncline {

// The same for the same seed, on every machine.
RandomCase MakeRandomCase(std::uint64_t seed);

// As the text of the proto RandomCase, and back.
std::string RandomCaseText(const RandomCase& random_case);
absl::StatusOr<RandomCase> ReadRandomCase(absl::string_view text);

// What is done to the graph, for RunReference and RunOnEngine.
ReferenceInputs InputsOf(const RandomCase& random_case);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_RANDOM_GRAPH_H_
