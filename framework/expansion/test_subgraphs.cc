// Subgraphs for tests of expansion and of the plan. Their nodes are named, and
// need not be linked to be expanded.

#include <stdexcept>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/expansion/subgraph.h"
#include "framework/graph_text/test_graphs.h"

namespace syncline {

// IN -> PassNode -> PassNode -> OUT.
class TwoPassGraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(SubgraphContext*) override {
    return ParseGraph(R"pb(
      input_stream: "IN:in"
      output_stream: "OUT:out"
      node { calculator: "PassNode" input_stream: "in" output_stream: "middle" }
      node {
        calculator: "PassNode"
        input_stream: "middle"
        output_stream: "out"
      }
    )pb");
  }
};
REGISTER_SYNCLINE_GRAPH(TwoPassGraph);

// The older overload, and one level more.
class NestedGraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions&) override {
    return ParseGraph(R"pb(
      input_stream: "IN:in"
      output_stream: "OUT:out"
      node {
        calculator: "TwoPassGraph"
        input_stream: "IN:in"
        output_stream: "OUT:middle"
      }
      node {
        calculator: "PassNode"
        input_stream: "middle"
        output_stream: "out"
      }
    )pb");
  }
};
REGISTER_SYNCLINE_GRAPH(NestedGraph);

// A chain of nodes as long as its options say.
class ChainGraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      SubgraphContext* context) override {
    const auto& options = context->Options<NodeChainSubgraphOptions>();
    CalculatorGraphConfig config;
    if (options.chain_length() > 100000) {
      return absl::InvalidArgumentError("a chain that is too long");
    }
    for (int i = 0; i < options.chain_length(); ++i) {
      auto* node = config.add_node();
      node->set_calculator(options.node_type());
      node->add_input_stream(absl::StrCat("s", i));
      node->add_output_stream(absl::StrCat("s", i + 1));
    }
    config.add_input_stream("s0");
    config.add_output_stream(absl::StrCat("s", options.chain_length()));
    return config;
  }
};
REGISTER_SYNCLINE_GRAPH(ChainGraph);

// A class that contains itself once less each time, until its options say 0;
// for ever when they say less.
class CountdownGraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      SubgraphContext* context) override {
    CalculatorGraphConfig config;
    const int left =
        context->Options<NodeChainSubgraphOptions>().chain_length();
    auto* node = config.add_node();
    node->set_calculator(left == 0 ? "IntNode" : "CountdownGraph");
    node->mutable_options()
        ->MutableExtension(NodeChainSubgraphOptions::ext)
        ->set_chain_length(left < 0 ? left : left - 1);
    return config;
  }
};
REGISTER_SYNCLINE_GRAPH(CountdownGraph);

// Contains itself twice: 2^n nodes after n rounds.
class DoublingGraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(SubgraphContext*) override {
    CalculatorGraphConfig config;
    config.add_node()->set_calculator("DoublingGraph");
    config.add_node()->set_calculator("DoublingGraph");
    return config;
  }
};
REGISTER_SYNCLINE_GRAPH(DoublingGraph);

class ThrowingGraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(SubgraphContext*) override {
    throw std::runtime_error("thrown by GetConfig");
  }
};
REGISTER_SYNCLINE_GRAPH(ThrowingGraph);

// Overrides nothing.
class EmptyGraph : public Subgraph {};
REGISTER_SYNCLINE_GRAPH(EmptyGraph);

}  // namespace syncline
