// Subgraphs, packet generators and status handlers for tests of the plan.

#include <stdexcept>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/packet_generator.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/status_handler.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/packet/packet.h"
#include "framework/plan/plan_test_support.h"
#include "framework/plan/subgraph.h"

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

// Contains itself twice: 2^n nodes after n passes.
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

// Makes side packets of int from side packets of int.
class IntGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet* inputs,
                                       PacketTypeSet* outputs) {
    for (auto id = inputs->BeginId(); id < inputs->EndId(); ++id) {
      inputs->Get(id).Set<int>();
    }
    for (auto id = outputs->BeginId(); id < outputs->EndId(); ++id) {
      outputs->Get(id).Set<int>();
    }
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&,
                               const PacketSet& inputs, PacketSet* outputs) {
    for (auto id = outputs->BeginId(); id < outputs->EndId(); ++id) {
      outputs->Get(id) = MakePacket<int>(inputs.NumEntries());
    }
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(IntGenerator);

class FailingGenerator : public IntGenerator {
 public:
  static absl::Status Generate(const PacketGeneratorOptions&, const PacketSet&,
                               PacketSet*) {
    return absl::UnavailableError("no packets");
  }
};
REGISTER_PACKET_GENERATOR(FailingGenerator);

class IntStatusHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&,
                                       PacketTypeSet* inputs) {
    for (auto id = inputs->BeginId(); id < inputs->EndId(); ++id) {
      inputs->Get(id).Set<int>();
    }
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(const SynclineOptions&,
                                         const PacketSet&,
                                         const absl::Status&) {
    return absl::OkStatus();
  }
  static absl::Status HandleStatus(const SynclineOptions&, const PacketSet&,
                                   const absl::Status&) {
    return absl::OkStatus();
  }
};
REGISTER_STATUS_HANDLER(IntStatusHandler);

class FailingStatusHandler : public IntStatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&, PacketTypeSet*) {
    return absl::InvalidArgumentError("no expectations");
  }
};
REGISTER_STATUS_HANDLER(FailingStatusHandler);

}  // namespace syncline
