#include "framework/plan/compile.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expand_subgraphs.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/expansion/graph_registry.h"
#include "framework/expansion/subgraph.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/normalize_names.h"
#include "framework/plan/assign_executors.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "glog/logging.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor_database.h"
#include "google/protobuf/message.h"

namespace syncline {
namespace {

using google::protobuf::DescriptorPool;

// Protobuf builds descriptors when somebody first asks for them. If memory runs
// out meanwhile, they stay half built as long as the process lives. So the
// descriptors in the program are built when it starts, because compiling a
// graph needs those of all its options. The type of a field and the reflection
// of a message are also built when asked for.
[[maybe_unused]] const bool has_built_descriptors = [] {
  std::vector<std::string> files;
  DescriptorPool::internal_generated_database()->FindAllFileNames(&files);
  std::vector<const google::protobuf::Descriptor*> found;
  for (const std::string& name : files) {
    const auto* const file =
        DescriptorPool::generated_pool()->FindFileByName(name);
    if (file == nullptr) continue;
    for (int i = 0; i < file->message_type_count(); ++i) {
      found.push_back(file->message_type(i));
    }
  }
  while (!found.empty()) {
    const auto& type = *found.back();
    found.pop_back();
    for (int i = 0; i < type.field_count(); ++i) type.field(i)->type();
    for (int i = 0; i < type.extension_count(); ++i) type.extension(i)->type();
    for (int i = 0; i < type.nested_type_count(); ++i) {
      found.push_back(type.nested_type(i));
    }
    google::protobuf::MessageFactory::generated_factory()
        ->GetPrototype(&type)
        ->GetReflection();
  }
  return true;
}();

// More warnings of one graph do not go to the log.
constexpr int kMaxLoggedWarnings = 20;

void LogWarnings(const std::vector<std::string>& warnings) {
  int logged = 0;
  for (const std::string& warning : warnings) {
    if (++logged > kMaxLoggedWarnings) {
      LOG(WARNING) << "... and " << warnings.size() - kMaxLoggedWarnings
                   << " more warnings about this graph.";
      return;
    }
    LOG(WARNING) << warning;
  }
}

absl::StatusOr<GraphPlan> CompileSource(GraphSource source,
                                        const GraphRegistry& registry,
                                        const CompileOptions& options) {
  ExpandedGraph graph(options, registry, std::move(source));
  ExpandSubgraphs(&graph);
  if (graph.gave_up) return graph.errors.ToStatus();

  CompileState state(std::move(graph));
  RunPasses(&state);
  if (options.log_warnings) LogWarnings(state.warnings);
  if (!state.errors.empty()) return state.errors.ToStatus();
  FinishPlan(&state);

  GraphPlan plan(state.tables);
  if (options.side_packets != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(
        plan.CheckSidePackets(*options.side_packets, /*complete=*/false));
  }
  return plan;
}

// A subgraph as a graph of its own.
absl::StatusOr<GraphPlan> CompileType(const SubgraphType& type,
                                      const GraphRegistry& registry,
                                      const CompileOptions& options) {
  if (type.source != nullptr) {
    return CompileSource(*type.source, registry, options);
  }
  CalculatorGraphConfig::Node node;
  if (options.graph_options != nullptr) node = *options.graph_options;
  SubgraphContext context(&node, options.services);
  SYNCLINE_ASSIGN_OR_RETURN(CalculatorGraphConfig config,
                            MakeSubgraphConfig(type, &context),
                            _.SetPrepend() << "GetConfig of the graph "
                                           << Quoted(type.name) << " failed: ");
  return CompileSource(
      {.config = std::move(config), .positions = context.positions()}, registry,
      options);
}

absl::StatusOr<GraphPlan> CompileTypeByName(const GraphRegistry& registry,
                                            const CompileOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const SubgraphType type,
      registry.Find("", NormalizedName(options.graph_type)),
      _.SetPrepend() << "graph_type " << Quoted(options.graph_type) << ": ");
  return CompileType(type, registry, options);
}

// The one among several configs, and the templates behind them, that is the
// graph, when no graph_type says so.
absl::StatusOr<size_t> FindRoot(
    const std::vector<GraphSource>& sources,
    const std::vector<CalculatorGraphTemplate>& templates) {
  std::vector<const CalculatorGraphConfig*> configs;
  for (const GraphSource& source : sources) configs.push_back(&source.config);
  for (const auto& graph_template : templates) {
    configs.push_back(&graph_template.config());
  }
  if (configs.size() == 1) return size_t{0};
  std::vector<size_t> without_type;
  std::vector<std::string> types;
  for (size_t i = 0; i < configs.size(); ++i) {
    const std::string& type = configs[i]->type();
    if (type.empty()) {
      without_type.push_back(i);
    } else {
      types.push_back(Quoted(type));
    }
  }
  if (without_type.size() == 1) return without_type[0];
  return absl::InvalidArgumentError(absl::StrCat(
      "of several configs, the one without a type is the graph, and ",
      without_type.size(), " have none: give graph_type, one of ",
      absl::StrJoin(types, ", "), "."));
}

}  // namespace

// In order. Each pass needs what those before it leave.
void RunPasses(CompileState* state) {
  LowerLegacy(state);
  LowerMerge(state);
  LowerScheduler(state);
  LowerNumThreads(state);
  ParsePorts(state);
  ConnectPorts(state);
  OrderNodes(state);
  DescribeNodes(state);
  KeepMessageTimes(state);
  UnifyTypes(state);
  TraceSources(state);
  AssignExecutors(state);
  ChooseHandlers(state);
  CheckConditions(state);
  TraceBounds(state);
  CheckSettings(state);
  CheckConditionGraph(state);
}

absl::StatusOr<GraphPlan> Compile(GraphSource source,
                                  const CompileOptions& options) {
  if (!options.graph_type.empty()) {
    std::vector<GraphSource> sources;
    sources.push_back(std::move(source));
    return Compile(std::move(sources), options);
  }
  NormalizeNames(&source.config);
  return CompileSource(std::move(source), options.SubgraphTypes(), options);
}

absl::StatusOr<GraphPlan> Compile(CalculatorGraphConfig config,
                                  const CompileOptions& options) {
  return Compile(GraphSource{.config = std::move(config)}, options);
}

absl::StatusOr<GraphPlan> Compile(std::vector<GraphSource> sources,
                                  const CompileOptions& options) {
  return Compile(std::move(sources), /*templates=*/{}, options);
}

absl::StatusOr<GraphPlan> Compile(
    std::vector<GraphSource> sources,
    const std::vector<CalculatorGraphTemplate>& templates,
    const CompileOptions& options) {
  GraphRegistry registry(&options.SubgraphTypes());
  for (const GraphSource& source : sources) {
    if (source.config.type().empty()) continue;
    SYNCLINE_RETURN_IF_ERROR(registry.Register(source.config.type(), source));
  }
  for (const CalculatorGraphTemplate& graph_template : templates) {
    const std::string& type = graph_template.config().type();
    if (type.empty()) continue;
    SYNCLINE_RETURN_IF_ERROR(registry.Register(type, graph_template));
  }
  if (!options.graph_type.empty()) {
    return CompileTypeByName(registry, options);
  }

  SYNCLINE_ASSIGN_OR_RETURN(const size_t root, FindRoot(sources, templates));
  if (root < sources.size()) {
    NormalizeNames(&sources[root].config);
    return CompileSource(std::move(sources[root]), registry, options);
  }
  const CalculatorGraphTemplate& graph_template =
      templates[root - sources.size()];
  const auto factory = std::make_shared<const SubgraphFactory>(
      [&] { return std::make_unique<TemplateSubgraph>(graph_template); });
  return CompileType(
      {.name = graph_template.config().type(), .factory = factory}, registry,
      options);
}

}  // namespace syncline
