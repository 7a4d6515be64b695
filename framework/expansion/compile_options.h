// The options of Compile.
//
// They have a file of their own so that the passes can read them without
// including Compile.
//
// Thread rule: a plain value; what it points to must not change during the
// call.
// Tested by expanded_graph_test and by the tests of the passes that read an
// option.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_COMPILE_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_COMPILE_OPTIONS_H_

#include <cstddef>
#include <map>
#include <string>

#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/service.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/graph_registry.h"
#include "framework/packet/packet.h"

namespace syncline {

// Pointers are borrowed for the call; null means "not given".
struct CompileOptions {
  // Subgraph types; null for the global registry.
  const GraphRegistry* registry = nullptr;
  const GraphRegistry& SubgraphTypes() const {
    return registry != nullptr ? *registry : GraphRegistry::Global();
  }

  // Which graph is compiled: the `type` of one of the given configs or a
  // registered subgraph. Empty: the only config, or the one without a type.
  std::string graph_type;
  // Options of the root graph: what option_value of its nodes takes from, and
  // what a subgraph class or template that `graph_type` names is given.
  const CalculatorGraphConfig::Node* graph_options = nullptr;

  // Fields that have no effect where they stand (executor,
  // input_stream_handler and max_in_flight of a subgraph node; option_value of
  // a node without options) are errors instead of warnings.
  bool strict = false;
  // Warnings also go to the log.
  bool log_warnings = true;

  // Services that subgraph classes may ask for.
  const GraphServiceManager* services = nullptr;

  // Side packets known already: types are checked against their readers.
  const std::map<std::string, Packet>* side_packets = nullptr;

  // Limits on what subgraphs may expand to, so that a few lines cannot fill the
  // memory: their nodes in all (a packet generator or status handler counts as
  // one), bytes of their configs, nesting depth.
  int max_nodes = 200000;
  size_t max_expanded_bytes = size_t{64} << 20;
  int max_subgraph_depth = 100;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_COMPILE_OPTIONS_H_
