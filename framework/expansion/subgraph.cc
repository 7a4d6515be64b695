#include "framework/expansion/subgraph.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/resources.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/expand_template.h"
#include "framework/graph_text/graph_positions.h"

namespace syncline {

SubgraphContext::SubgraphContext(CalculatorGraphConfig::Node* node,
                                 const GraphServiceManager* services)
    : node_(node != nullptr ? node : &default_node_),
      services_(services),
      options_(node_) {}

const Resources& SubgraphContext::GetResources() {
  if (resources_ == nullptr && services_ != nullptr) {
    resources_ = services_->GetServiceObject(kResourcesService);
  }
  if (resources_ == nullptr) resources_ = CreateDefaultResources();
  return *resources_;
}

absl::StatusOr<CalculatorGraphConfig> Subgraph::GetConfig(
    SubgraphContext* context) {
  return GetConfig(context->OriginalNode());
}

absl::StatusOr<CalculatorGraphConfig> Subgraph::GetConfig(
    const SubgraphOptions& /*options*/) {
  return absl::UnimplementedError(
      "the subgraph class overrides no overload of GetConfig.");
}

absl::StatusOr<CalculatorGraphConfig> TemplateSubgraph::GetConfig(
    SubgraphContext* context) {
  std::shared_ptr<const GraphPositions> positions;
  absl::StatusOr<CalculatorGraphConfig> config = ExpandTemplate(
      *template_, context->Options<TemplateSubgraphOptions>().dict(),
      &positions);
  context->SetPositions(std::move(positions));
  return config;
}

absl::StatusOr<CalculatorGraphConfig> TemplateSubgraph::GetConfig(
    const SubgraphOptions& options) {
  return ExpandTemplate(*template_,
                        GetOptions<TemplateSubgraphOptions>(options).dict());
}

absl::StatusOr<CalculatorGraphConfig> ProtoSubgraph::GetConfig(
    const SubgraphOptions& /*options*/) {
  return config_;
}

}  // namespace syncline
