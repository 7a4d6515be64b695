// For tests of the reference run: numbers in, what came out as text.
//
// The node type TellCalculator has any number of inputs for int and one output,
// on which it says in a string what each call got: "1 - 3" for 1, nothing, 3.
// If the node's name is "bounds", it is also called for bounds.
//
// Thread rule: for one thread.
// Tested by the tests that use it.

#ifndef SYNCLINE_TESTING_REFERENCE_TEST_SUPPORT_H_
#define SYNCLINE_TESTING_REFERENCE_TEST_SUPPORT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/packet/timestamp.h"
#include "testing/reference_run.h"

namespace syncline {

using Numbers = std::vector<std::pair<Timestamp, int>>;

inline Timestamp T(int time) { return Timestamp(time); }

// The numbers of each graph input, as int; then it is closed.
ReferenceInputs InputsOf(const std::map<std::string, Numbers>& streams);

// Compiles the text and runs it.
absl::StatusOr<ReferenceResult> RunGraph(const std::string& graph,
                                         const ReferenceInputs& inputs = {},
                                         const ReferenceOptions& options = {});

// "10:1 - | 20:2 2", and " ||" at the end of a stream that is closed.
std::string Text(const absl::StatusOr<ReferenceResult>& result,
                 const std::string& stream);

// The text of a graph with inputs a, b and c and a TellCalculator that sends to
// "out". `handler` is what stands in input_stream_handler, `ports` the inputs.
std::string Join(const std::string& handler, const std::string& ports,
                 const std::string& name = "join");

inline constexpr char kPortsAB[] = R"(input_stream: "a" input_stream: "b")";

}  // namespace syncline

#endif  // SYNCLINE_TESTING_REFERENCE_TEST_SUPPORT_H_
