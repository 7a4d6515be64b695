#include "framework/expansion/text_subgraph.h"

#include <utility>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/graph_source.h"

namespace syncline {

absl::StatusOr<CalculatorGraphConfig> TextSubgraph::GetConfig(
    SubgraphContext* context) {
  absl::StatusOr<GraphSource> source = ReadGraphText(
      text_, file_, context->Options<TemplateSubgraphOptions>().dict());
  if (!source.ok()) return source.status();
  context->SetPositions(std::move(source->positions));
  return std::move(source->config);
}

}  // namespace syncline
