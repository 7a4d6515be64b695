// Replaces what older graphs are written with by what the runtime knows.
//
//  - external_input, external_output: the old names of side packet fields.
//  - packet_generator: a node of type PacketGeneratorWrapperCalculator, named
//    "__pg_<index>_<type>", in front of all others, so that generators come
//    first where nothing else decides.
//  - the graph's input_stream_handler: copied to every node that has none,
//  which
//    is why it beats what a calculator asks for.
//  - num_threads: see assign_executors.h.
//  - packet_factory: ignored in a graph, an error in a subgraph.
//
// Thread rule: works on the compile's own state.
// Tested by lower_legacy_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_LOWER_LEGACY_H_
#define SYNCLINE_FRAMEWORK_PLAN_LOWER_LEGACY_H_

#include "framework/config/calculator.pb.h"
#include "framework/plan/compile_state.h"

namespace syncline {

// Move old fields to their new names. False when both are in use, which is an
// error; the message is then unchanged.
bool RenameOldFields(CalculatorGraphConfig::Node* node);
bool RenameOldFields(PacketGeneratorConfig* generator);
bool RenameOldFields(StatusHandlerConfig* handler);

// What to say when RenameOldFields returns false.
inline constexpr char kBothFieldNames[] =
    "external_input and external_output are the old names of "
    "input_side_packet and output_side_packet: use the new ones only.";

// Lowers packet generators and the graph-level input stream handler of the
// expanded config. Creates the drafts. Runs after ExpandSubgraphs.
void LowerLegacy(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_LOWER_LEGACY_H_
