#include "framework/graph_text/test_graphs.h"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/graph_source.h"

namespace syncline {

GraphSource ParseSource(absl::string_view text) {
  absl::StatusOr<GraphSource> source = ReadGraphText(text, "graph.pbtxt");
  if (!source.ok()) {
    std::cerr << source.status() << "\nin the graph:\n" << text << std::endl;
    std::abort();
  }
  return *std::move(source);
}

CalculatorGraphConfig ParseGraph(absl::string_view text) {
  return ParseSource(text).config;
}

}  // namespace syncline
