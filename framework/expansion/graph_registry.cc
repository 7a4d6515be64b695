#include "framework/expansion/graph_registry.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/name_registry.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/expansion/subgraph.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/normalize_names.h"

namespace syncline {
namespace {

const NameRegistry& GlobalNames() {
  return SubgraphRegistry::functions()->names();
}

absl::Status AddLocal(SubgraphType type, NameRegistry* names) {
  const std::string name = type.name;
  return names->Register(name, std::move(type), "").status();
}

}  // namespace

const GraphRegistry& GraphRegistry::Global() {
  static const GraphRegistry& registry = *new GraphRegistry();
  return registry;
}

absl::Status GraphRegistry::Register(absl::string_view type_name,
                                     SubgraphFactory factory) {
  return AddLocal(
      {.name = std::string(type_name),
       .factory = std::make_shared<SubgraphFactory>(std::move(factory))},
      &local_);
}

absl::Status GraphRegistry::Register(absl::string_view type_name,
                                     CalculatorGraphConfig config) {
  return Register(type_name, GraphSource{.config = std::move(config)});
}

absl::Status GraphRegistry::Register(absl::string_view type_name,
                                     GraphSource source) {
  NormalizeNames(&source.config);
  return AddLocal({.name = std::string(type_name),
                   .source = std::make_shared<GraphSource>(std::move(source))},
                  &local_);
}

absl::Status GraphRegistry::Register(absl::string_view type_name,
                                     CalculatorGraphTemplate graph_template) {
  const auto shared = std::make_shared<const CalculatorGraphTemplate>(
      std::move(graph_template));
  return Register(type_name, SubgraphFactory([shared] {
                    return std::make_unique<TemplateSubgraph>(shared);
                  }));
}

bool GraphRegistry::IsRegistered(absl::string_view package,
                                 absl::string_view type_name) const {
  if (local_.IsRegistered(package, type_name)) return true;
  if (parent_ != nullptr) return parent_->IsRegistered(package, type_name);
  return GlobalNames().IsRegistered(package, type_name);
}

absl::StatusOr<SubgraphType> GraphRegistry::Find(
    absl::string_view package, absl::string_view type_name) const {
  if (local_.IsRegistered(package, type_name)) {
    SYNCLINE_ASSIGN_OR_RETURN(
        const auto entry, local_.FindValue<SubgraphType>(package, type_name));
    SubgraphType type = *entry;
    type.name = local_.FullName(package, type_name);
    return type;
  }
  if (parent_ != nullptr) return parent_->Find(package, type_name);
  SYNCLINE_ASSIGN_OR_RETURN(
      auto factory,
      GlobalNames().FindValue<SubgraphFactory>(package, type_name));
  return SubgraphType{.name = GlobalNames().FullName(package, type_name),
                      .factory = std::move(factory)};
}

absl::StatusOr<CalculatorGraphConfig> GraphRegistry::CreateByName(
    absl::string_view package, absl::string_view type_name,
    SubgraphContext* context) const {
  SYNCLINE_ASSIGN_OR_RETURN(const SubgraphType type, Find(package, type_name));
  if (context != nullptr) return MakeSubgraphConfig(type, context);
  SubgraphContext empty;
  return MakeSubgraphConfig(type, &empty);
}

std::vector<std::string> GraphRegistry::Names() const {
  std::vector<std::string> names = local_.Names();
  for (std::string& name :
       parent_ != nullptr ? parent_->Names() : GlobalNames().Names()) {
    names.push_back(std::move(name));
  }
  return names;
}

absl::StatusOr<CalculatorGraphConfig> MakeSubgraphConfig(
    const SubgraphType& type, SubgraphContext* context) {
  if (type.source != nullptr) return type.source->config;
  CalculatorGraphConfig config;
  SYNCLINE_RETURN_IF_ERROR(CallUserCode([&]() -> absl::Status {
    const std::unique_ptr<Subgraph> subgraph = (*type.factory)();
    if (subgraph == nullptr) {
      return absl::InternalError("the factory of the subgraph returned null");
    }
    SYNCLINE_ASSIGN_OR_RETURN(config, subgraph->GetConfig(context));
    return absl::OkStatus();
  }));
  NormalizeNames(&config);
  return config;
}

}  // namespace syncline
