// Replaces old forms of the config by the forms that the runtime knows.
//
//  - packet_generator: a node of type PacketGeneratorWrapperCalculator, named
//    "__pg_<index>_<type>", in front of all others, so that generators come
//    first where nothing else decides.
//  - the graph's input_stream_handler: copied to every node that has none,
//    so it takes precedence over the handler that a calculator asks for.
//  - num_threads: see assign_executors.h.
//  - packet_factory: ignored in a graph, an error in a subgraph.
//
// Old names of fields are renamed before, by old_fields.h.
//
// Thread rule: works on the compile's own state.
// Tested by lower_legacy_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_LOWER_LEGACY_H_
#define SYNCLINE_FRAMEWORK_PLAN_LOWER_LEGACY_H_

#include "framework/plan/compile_state.h"

namespace syncline {

// Lowers packet generators and the graph-level input stream handler of the
// expanded config. Creates the drafts. Runs after ExpandSubgraphs.
void LowerLegacy(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_LOWER_LEGACY_H_
