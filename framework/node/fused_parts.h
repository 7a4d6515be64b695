// FusedParts: the calculators of a node with fused_node, their contracts, and
// which part reads what of which.
//
//   outer input "in" --> part 0 "A" --"middle"--> part 1 "B" --> outer "out"
//                            |                        ^
//                            +--> outer "middle"      +-- outer input "other"
//
// What a part reads comes from an earlier part that makes a stream of that
// name, or else from the fused node's own port with the tag FusedTag(name).
// What a part makes goes to both. A port that is connected to neither was left
// open by the graph, and the part does not see it.
//
// Thread rule: immutable once made; shared by all runs of a plan.
// Tested by fused_node_test (fused_parts_test.cc) and, in graphs, by
// fused_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_FUSED_PARTS_H_
#define SYNCLINE_FRAMEWORK_NODE_FUSED_PARTS_H_

#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/timestamp.h"

namespace syncline {

struct FusedPart {
  struct Reader {
    int part = -1;
    int port = -1;
  };
  struct Input {
    int outer_port = -1;  // -1: of an earlier part
    // Where it is of an earlier part.
    int part = -1;
    int port = -1;
    // Of those that read the outer port the last one: it may take the packet.
    bool is_last_reader = false;
  };
  struct Output {
    int outer_port = -1;  // -1: only for later parts
    std::vector<Reader> readers;
  };

  // The entry of the fused node, without the ports that the graph left open.
  CalculatorGraphConfig::Node config;
  CalculatorContract contract;
  std::unique_ptr<CalculatorBaseFactory> factory;
  std::vector<Input> inputs;    // by port
  std::vector<Output> outputs;  // by port
  // Some input is of an earlier part, so that inputs have to be joined.
  bool joins = false;
  // Its one input is of an earlier part, and it is not called for bounds: so
  // each packet is an input set by itself, and there is nothing to join.
  bool takes_each = false;
  // It has inputs, and is called for packets only.
  bool is_called_for_packets = false;
  // Such a part may hold packets from one call of the fused node to the next,
  // until bounds move on.
  bool MayKeepPackets() const { return joins && inputs.size() > 1; }
  // It has no inputs, and is called in each call of the fused node.
  bool is_source = false;
};

class FusedParts {
 public:
  // Asks each part of the node for its contract. The error names the part.
  static absl::StatusOr<std::shared_ptr<const FusedParts>> Make(
      const CalculatorContract& outer);

  const std::vector<std::unique_ptr<FusedPart>>& parts() const {
    return parts_;
  }

  // Writes into the fused node's contract what those of the parts come to.
  absl::Status Describe(CalculatorContract* outer) const;

 private:
  FusedParts() = default;

  // INVALID_ARGUMENT names a part that reads something else than is made.
  absl::Status DescribeTypes(CalculatorContract* outer) const;
  absl::Status DescribeHandler(CalculatorContract* outer) const;
  void DescribeOffset(CalculatorContract* outer) const;

  std::vector<std::unique_ptr<FusedPart>> parts_;
};

// The offset of a part's outputs from the inputs of the fused node, where the
// part's own offset is `own`. Unset() if the part promises nothing.
// `of_earlier` returns this offset for the output of an earlier part.
TimestampDiff WholeOffset(
    const FusedPart& part, TimestampDiff own,
    absl::FunctionRef<TimestampDiff(const FusedPart::Input&)> of_earlier);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FUSED_PARTS_H_
