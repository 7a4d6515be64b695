#include "framework/plan/expand_config.h"

#include <utility>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile_options.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/expand_subgraphs.h"
#include "framework/plan/graph_registry.h"
#include "framework/plan/normalize_names.h"

namespace syncline {

absl::StatusOr<CalculatorGraphConfig> ExpandConfig(
    CalculatorGraphConfig config, const CompileOptions& options) {
  NormalizeNames(&config);
  CompileState state(
      options,
      options.registry != nullptr ? *options.registry : GraphRegistry::Global(),
      /*positions=*/nullptr);
  state.config() = std::move(config);
  ExpandSubgraphs(&state);
  if (!state.errors.empty()) return state.errors.ToStatus();
  return std::move(state.config());
}

}  // namespace syncline
