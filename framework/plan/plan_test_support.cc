#include "framework/plan/plan_test_support.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/graph_text/test_graphs.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Ends the test program: what follows could not be tested.
[[noreturn]] void Fail(absl::string_view what, absl::string_view text) {
  std::cerr << what << "\nin the graph:\n" << text << std::endl;
  std::abort();
}

absl::Status ErrorOfPlan(const absl::StatusOr<GraphPlan>& plan,
                         absl::string_view text) {
  EXPECT_FALSE(plan.ok()) << "compiled, which it should not:\n" << text;
  return plan.status();
}

}  // namespace

absl::StatusOr<GraphPlan> CompileText(absl::string_view text,
                                      CompileOptions options) {
  options.log_warnings = false;
  return Compile(ParseGraph(text), options);
}

GraphPlan PlanOf(absl::string_view text, CompileOptions options) {
  absl::StatusOr<GraphPlan> plan = CompileText(text, std::move(options));
  if (!plan.ok()) Fail(plan.status().ToString(), text);
  return *std::move(plan);
}

absl::Status ErrorOf(absl::string_view text, CompileOptions options) {
  return ErrorOfPlan(CompileText(text, std::move(options)), text);
}

absl::Status ErrorWithLinesOf(absl::string_view text, CompileOptions options) {
  options.log_warnings = false;
  return ErrorOfPlan(Compile(ParseSource(text), options), text);
}

std::vector<std::string> NodeNames(const GraphPlan& plan) {
  std::vector<std::string> names;
  for (const PlanNode& node : plan.nodes()) names.emplace_back(node.name);
  return names;
}

const PlanNode& NodeNamed(const GraphPlan& plan, absl::string_view name) {
  const int id = plan.FindNode(name);
  if (id < 0) Fail("there is no such node", name);
  return plan.nodes()[id];
}

const PlanStream& StreamNamed(const GraphPlan& plan, absl::string_view name) {
  const int id = plan.FindStream(name);
  if (id < 0) Fail("there is no such stream", name);
  return plan.streams()[id];
}

const PlanExecutor& ExecutorNamed(const GraphPlan& plan,
                                  absl::string_view name) {
  for (const PlanExecutor& executor : plan.executors()) {
    if (executor.name == name) return executor;
  }
  Fail("there is no such executor", name);
}

}  // namespace syncline
