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
// Tested by lower_legacy_test.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/generated_packets.h"
#include "framework/plan/passes.h"

namespace syncline {
namespace {

CalculatorGraphConfig::Node WrapperNode(int index, const std::string& package,
                                        PacketGeneratorConfig* generator) {
  CalculatorGraphConfig::Node node;
  node.set_name(
      absl::StrCat("__pg_", index, "_", generator->packet_generator()));
  node.set_calculator(kPacketGeneratorWrapper);
  node.mutable_input_side_packet()->Swap(
      generator->mutable_input_side_packet());
  node.mutable_output_side_packet()->Swap(
      generator->mutable_output_side_packet());
  auto* options = node.mutable_options()->MutableExtension(
      PacketGeneratorWrapperCalculatorOptions::ext);
  options->set_packet_generator(generator->packet_generator());
  options->mutable_options()->Swap(generator->mutable_options());
  if (!package.empty()) options->set_package(package);
  return node;
}

// Nodes for the generators, followed by the nodes there were.
void LowerGenerators(CompileState* state) {
  CalculatorGraphConfig& config = state->config();
  auto* generators = config.mutable_packet_generator();
  state->generator_count = generators->size();
  // A canonical config has them as nodes already.
  for (const auto& node : config.node()) {
    if (node.calculator() == kPacketGeneratorWrapper) ++state->generator_count;
  }
  if (generators->empty()) return;

  auto* nodes = config.mutable_node();
  std::vector<CalculatorGraphConfig::Node*> others(nodes->size());
  nodes->ExtractSubrange(0, nodes->size(), others.data());
  nodes->Reserve(generators->size() + static_cast<int>(others.size()));
  for (int i = 0; i < generators->size(); ++i) {
    *nodes->Add() = WrapperNode(i, config.package(), &(*generators)[i]);
  }
  for (auto* node : others) nodes->AddAllocated(node);
  generators->Clear();
}

void CopyInputStreamHandler(CalculatorGraphConfig* config) {
  if (!config->has_input_stream_handler()) return;
  for (auto& node : *config->mutable_node()) {
    if (node.has_input_stream_handler()) continue;
    *node.mutable_input_stream_handler() = config->input_stream_handler();
  }
}

}  // namespace

void LowerLegacy(CompileState* state) {
  LowerGenerators(state);
  CopyInputStreamHandler(&state->config());

  std::vector<NodeOrigin> origins = std::move(state->generator_origins);
  origins.insert(origins.end(), state->node_origins.begin(),
                 state->node_origins.end());
  state->drafts.resize(origins.size());
  for (size_t i = 0; i < origins.size(); ++i) {
    state->drafts[i].origin = origins[i];
  }
}

}  // namespace syncline
