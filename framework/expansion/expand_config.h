// A config with its subgraphs expanded and nothing else done to it, for
// programs that put graphs together. Compile goes on from there by itself.
//
// Thread rule: as for Compile.
// Tested by expand_config_test and //framework/tool:subgraph_expansion_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_EXPAND_CONFIG_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_EXPAND_CONFIG_H_

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"

namespace syncline {

// The expanded config (see expand_subgraphs.h), or all errors. Of the options,
// those count that speak of subgraphs and limits; warnings are not logged.
absl::StatusOr<CalculatorGraphConfig> ExpandConfig(
    CalculatorGraphConfig config, const CompileOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_EXPAND_CONFIG_H_
