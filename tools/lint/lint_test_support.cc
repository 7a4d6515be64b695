#include "tools/lint/lint_test_support.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "tools/lint/lint_graph.h"
#include "tools/lint/lint_text.h"
#include "tools/lint/nolint.h"

namespace syncline {
namespace {

constexpr char kFile[] = "graph.pbtxt";

std::vector<LintFinding> LintOf(absl::string_view text) {
  return ApplyNolint(LintGraph(LintPlanOf(text)), text, kFile);
}

class AnyPorts : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketTypeSet* types :
         {&cc->Inputs(), &cc->Outputs(), &cc->InputSidePackets(),
          &cc->OutputSidePackets()}) {
      for (PacketType& type : *types) type.SetAny();
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};

}  // namespace

class TestSource : public AnyPorts {};
REGISTER_CALCULATOR(TestSource);

class SilentNode : public AnyPorts {};
REGISTER_CALCULATOR(SilentNode);

class PromisingNode : public AnyPorts {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(TimestampDiff(0));
    return AnyPorts::GetContract(cc);
  }
};
REGISTER_CALCULATOR(PromisingNode);

class DelayNode : public AnyPorts {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(TimestampDiff(1));
    return AnyPorts::GetContract(cc);
  }
};
REGISTER_CALCULATOR(DelayNode);

class BoundsNode : public AnyPorts {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return AnyPorts::GetContract(cc);
  }
};
REGISTER_CALCULATOR(BoundsNode);

GraphPlan LintPlanOf(absl::string_view text) {
  CompileOptions options;
  options.log_warnings = false;
  absl::StatusOr<GraphSource> source = ReadGraphText(text, kFile);
  absl::StatusOr<GraphPlan> plan =
      source.ok() ? Compile(*std::move(source), options)
                  : absl::StatusOr<GraphPlan>(source.status());
  if (!plan.ok()) {
    std::cerr << plan.status() << "\nin the graph:\n" << text << std::endl;
    std::abort();
  }
  return *std::move(plan);
}

std::string LintTextOf(absl::string_view text) {
  return FindingsText(LintOf(text));
}

std::vector<std::string> FoundBy(absl::string_view rule,
                                 absl::string_view text) {
  std::vector<std::string> found;
  for (const LintFinding& finding : LintOf(text)) {
    if (finding.rule == rule) found.push_back(FindingsText({finding}));
  }
  return found;
}

const PlanNode& LintNode(const GraphPlan& plan, absl::string_view name) {
  return plan.nodes()[plan.FindNode(name)];
}

int LintStream(const GraphPlan& plan, absl::string_view name) {
  return plan.FindStream(name);
}

}  // namespace syncline
