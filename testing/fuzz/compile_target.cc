#include "testing/fuzz/compile_target.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"
#include "tools/lint/lint_graph.h"
#include "tools/lint/lint_text.h"
#include "tools/lint/nolint.h"

namespace syncline {
namespace {

// Small limits: a graph that doubles itself forever has to end soon, and the
// code that ends it is the same.
CompileOptions Options(bool strict) {
  CompileOptions options;
  options.strict = strict;
  options.log_warnings = false;
  options.max_nodes = 2000;
  options.max_expanded_bytes = 1 << 20;
  options.max_subgraph_depth = 20;
  return options;
}

// The printed plan without what follows from the order and the place of things
// in the text: the places of nodes, the numbers of side packets, and warnings.
std::vector<std::string> Essence(const GraphPlan& plan) {
  std::vector<std::string> essence;
  std::vector<std::string> side_packets;
  bool is_side_packet = false;
  for (absl::string_view line : absl::StrSplit(plan.DebugString(), '\n')) {
    if (line == "warnings:") break;
    if (line.empty()) continue;
    if (line[0] != ' ') is_side_packet = line == "side packets:";
    if (is_side_packet) {
      const size_t name = std::min(line.size(), line.find('"'));
      side_packets.emplace_back(line.substr(name));
    } else {
      essence.emplace_back(line.substr(0, line.find(", from ")));
    }
  }
  std::sort(side_packets.begin(), side_packets.end());
  essence.insert(essence.end(), side_packets.begin(), side_packets.end());
  return essence;
}

// The first line that differs; empty when none does.
std::string Difference(const std::vector<std::string>& a,
                       const std::vector<std::string>& b) {
  for (size_t i = 0; i < a.size() || i < b.size(); ++i) {
    const std::string in_a = i < a.size() ? a[i] : "(end)";
    const std::string in_b = i < b.size() ? b[i] : "(end)";
    if (in_a != in_b) return absl::StrCat(in_a, "\nthen\n", in_b);
  }
  return "";
}

// A plan's canonical config compiles to the same plan.
std::string CheckCanonical(const GraphPlan& plan) {
  const absl::StatusOr<GraphPlan> again =
      Compile(plan.Config(), Options(/*strict=*/false));
  if (!again.ok()) {
    return absl::StrCat("the canonical config does not compile:\n",
                        again.status().ToString(), "\n",
                        plan.Config().DebugString());
  }
  const std::string difference = Difference(Essence(plan), Essence(*again));
  if (!difference.empty()) {
    return absl::StrCat("the canonical config gives another plan: ", difference,
                        "\n", plan.Config().DebugString());
  }
  return "";
}

// What was read from text can be written as text and read again.
std::string CheckRoundTrip(const CalculatorGraphConfig& config) {
  const absl::StatusOr<GraphSource> again = ReadGraphText(GraphText(config));
  if (!again.ok()) {
    return absl::StrCat("printed text cannot be read: ",
                        again.status().ToString(), "\n", GraphText(config));
  }
  if (again->config.DebugString() != config.DebugString()) {
    return absl::StrCat("printed text reads as another config:\n",
                        config.DebugString(), "\nthen\n",
                        again->config.DebugString());
  }
  return "";
}

// An error has a text, and the text says whose it is.
std::string CheckError(const absl::Status& status) {
  if (absl::StartsWith(status.message(),
                       "ValidatedGraphConfig Initialization failed.")) {
    return "";
  }
  return absl::StrCat("an error without its prefix: ", status.ToString());
}

// What the lint says of a graph is whole, whatever it says.
std::string CheckLint(const GraphPlan& plan, absl::string_view text) {
  for (const LintFinding& finding :
       ApplyNolint(LintGraph(plan), text, "fuzz.pbtxt")) {
    if (finding.problem.empty() || finding.remedy.empty()) {
      return absl::StrCat("a finding of ", finding.rule,
                          " says too little: ", FindingsText({finding}));
    }
  }
  return "";
}

}  // namespace

std::string GraphText(const CalculatorGraphConfig& config) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetExpandAny(true);
  std::string text;
  printer.PrintToString(config, &text);
  return text;
}

CompileFacts CompileBytes(absl::string_view bytes) {
  // Printing an Any that holds something else makes Protobuf log.
  const google::protobuf::LogSilencer quiet;
  CompileFacts facts;
  absl::StatusOr<GraphSource> source = ReadGraphText(bytes, "fuzz.pbtxt");
  facts.was_text = source.ok();
  if (!source.ok()) source = ReadGraphBinary(bytes, "fuzz.binarypb");
  if (!source.ok()) return facts;
  facts.was_read = true;
  if (facts.was_text) facts.broken = CheckRoundTrip(source->config);

  const bool strict = bytes.size() % 4 == 0;
  const absl::StatusOr<GraphPlan> plan =
      Compile(*std::move(source), Options(strict));
  facts.was_compiled = plan.ok();
  facts.error = plan.status();
  absl::StrAppend(&facts.broken, plan.ok() ? CheckCanonical(*plan)
                                           : CheckError(plan.status()));
  if (plan.ok()) absl::StrAppend(&facts.broken, CheckLint(*plan, bytes));
  return facts;
}

}  // namespace syncline
