#include "testing/fuzz/compile_target.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/graph_source.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"

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

// A plan's canonical config compiles to the same plan.
std::string CheckCanonical(const GraphPlan& plan) {
  const absl::StatusOr<GraphPlan> again =
      Compile(plan.Config(), Options(/*strict=*/false));
  if (!again.ok()) {
    return absl::StrCat("the canonical config does not compile:\n",
                        again.status().ToString(), "\n",
                        plan.Config().DebugString());
  }
  if (again->DebugString() != plan.DebugString()) {
    return absl::StrCat("the canonical config gives another plan:\n",
                        plan.DebugString(), "\nthen\n", again->DebugString());
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
  absl::StrAppend(&facts.broken, plan.ok() ? CheckCanonical(*plan)
                                           : CheckError(plan.status()));
  return facts;
}

}  // namespace syncline
