// TextSubgraph: a subgraph that is the text of a graph file.
//
// A template's arguments are the TemplateSubgraphOptions of the node.
//
// simple_subgraph() of tools/calculator_graph.bzl registers one. The text is
// part of the program, and an error in it names the file that it came from.
//
// Thread rule: as for Subgraph.
// Tested by text_subgraph_test and //graphs:use_by_name_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_TEXT_SUBGRAPH_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_TEXT_SUBGRAPH_H_

#include <memory>

#include "absl/status/statusor.h"
#include "framework/base/typed_registry.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/subgraph.h"

namespace syncline {

class TextSubgraph : public Subgraph {
 public:
  // Both live as long as the program.
  TextSubgraph(const char* text, const char* file) : text_(text), file_(file) {}

  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      SubgraphContext* context) override;

 private:
  const char* const text_;
  const char* const file_;
};

// Registers the text as the subgraph `name`.
#define REGISTER_SYNCLINE_GRAPH_TEXT(name, text, file)           \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(                           \
      ::syncline::SubgraphRegistry, subgraph_registration, name, \
      [] { return std::make_unique<::syncline::TextSubgraph>(text, file); })

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_TEXT_SUBGRAPH_H_
