// The executors of a graph and which node runs on which.
//
// Executor 0 is always the default one; the config gets an entry for it when it
// has none, and the graph-level `num_threads` moves into it. Errors are
// reserved, repeated and undeclared names, unknown types, and thread counts,
// stack sizes and priorities that no machine can grant.
//
// Thread rule: works on the compile's own state.
// Tested by assign_executors_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_ASSIGN_EXECUTORS_H_
#define SYNCLINE_FRAMEWORK_PLAN_ASSIGN_EXECUTORS_H_

#include "absl/status/statusor.h"
#include "framework/base/typed_registry.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/plan/compile_state.h"

namespace syncline {

// Executors are above the plan. What it has to know of them is their registered
// names, and this is the registry they are in.
class Executor;
inline auto& ExecutorTypes() {
  return FunctionRegistry<absl::StatusOr<Executor*>,
                          const SynclineOptions&>::Global();
}

// Whether one of the executors has no name.
bool HasDefaultExecutor(const CalculatorGraphConfig& config);

// num_threads becomes an ExecutorConfig of the default executor, which exists
// afterwards. Runs before the config is final.
void LowerNumThreads(CompileState* state);

// Fills PlanTables::executors and NodeDraft::executor.
void AssignExecutors(CompileState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_ASSIGN_EXECUTORS_H_
