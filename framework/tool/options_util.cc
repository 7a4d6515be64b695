#include "framework/tool/options_util.h"

#include <cstddef>

#include "absl/status/status.h"
#include "framework/base/status_text.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/option_values.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace tool {

absl::Status DefineGraphOptions(const CalculatorGraphConfig::Node& parent_node,
                                CalculatorGraphConfig* config) {
  GraphOptionValues options(*config, &parent_node);
  size_t left = CompileOptions().max_expanded_bytes;
  for (auto& node : *config->mutable_node()) {
    const GraphOptionValues::Result result = options.Apply(left, &node);
    if (result.over_limit) {
      return absl::ResourceExhaustedError(
          "the option_values of the graph copy more bytes than there may be.");
    }
    if (!result.errors.empty()) {
      return PrefixStatus(NodeLabel(node) + ": ", result.errors[0]);
    }
    left -= result.bytes;
  }
  return absl::OkStatus();
}

}  // namespace tool
}  // namespace syncline
