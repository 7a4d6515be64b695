// LowerMerge: several streams into one input, by a node in between.
//
//   node { name: "n" calculator: "Sink"
//          input_stream: "IN:0:a" input_stream: "IN:1:b"
//          input_stream_info { tag_index: "IN" merge: true } }
//
// becomes
//
//   node { name: "__merge_IN_of_n" calculator: "MergeInputsCalculator"
//          input_stream: "a" input_stream: "b"
//          output_stream: "a_and_1_more" }
//   node { name: "n" calculator: "Sink" input_stream: "IN:a_and_1_more" }
//
// so that calculator, contract, handlers, conditions and queues know of one
// stream. What else input_stream_info says of "IN" holds for that one. Of the
// streams that are merged, "IN:1" and so on, it can say back_edge.
//
// An input with a single stream stays as it is.
//
// Thread rule: works on the compile's own state.
// Tested by lower_merge_test; in a run, by merge_graph_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_LOWER_MERGE_H_
#define SYNCLINE_FRAMEWORK_PLAN_LOWER_MERGE_H_

#include "framework/config/calculator.pb.h"
#include "framework/plan/compile_state.h"

namespace syncline {

// It is such a node in between.
bool MergesInputs(const CalculatorGraphConfig::Node& node);

// Runs after LowerLegacy, which gives nodes the graph's input stream handler.
void LowerMerge(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_LOWER_MERGE_H_
