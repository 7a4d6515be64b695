#include "framework/expansion/expand_subgraphs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/status_text.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/check_subgraph_node.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/expansion/graph_registry.h"
#include "framework/expansion/lower_fused.h"
#include "framework/expansion/old_fields.h"
#include "framework/expansion/option_values.h"
#include "framework/expansion/subgraph.h"
#include "framework/expansion/subgraph_connections.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/normalize_names.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;

struct OwnedNode {
  std::unique_ptr<Node> node;
  NodeOrigin origin;
};

void InheritLogLevel(const std::string& level, Node* node) {
  if (node->log_level().empty() && !level.empty()) node->set_log_level(level);
}

std::string PartLabel(const Node& node) { return NodeLabel(node); }

std::string PartLabel(const PacketGeneratorConfig& generator) {
  return absl::StrCat("packet generator ",
                      Quoted(generator.packet_generator()));
}

std::string PartLabel(const StatusHandlerConfig& handler) {
  return absl::StrCat("status handler ", Quoted(handler.status_handler()));
}

class Expander {
 public:
  explicit Expander(ExpandedGraph* graph)
      : graph_(*graph), config_(graph->expanded) {}

  void Run() {
    TakeRoot();
    while (!pending_.empty() && !graph_.gave_up) {
      ExpandRound(std::exchange(pending_, {}));
    }
    config_.mutable_node()->Reserve(static_cast<int>(plain_.size()));
    for (OwnedNode& owned : plain_) {
      InheritLogLevel(config_.log_level(), owned.node.get());
      graph_.node_origins.push_back(owned.origin);
      config_.mutable_node()->AddAllocated(owned.node.release());
    }
  }

 private:
  // The registered type, or null for a calculator. Asks the registry once for
  // each name.
  const SubgraphType* Lookup(const std::string& type) {
    auto [entry, is_new] = types_.try_emplace(type);
    if (is_new && graph_.registry.IsRegistered(config_.package(), type)) {
      absl::StatusOr<SubgraphType> found =
          graph_.registry.Find(config_.package(), type);
      if (found.ok()) {
        entry->second = std::make_unique<SubgraphType>(*std::move(found));
      }
    }
    return entry->second.get();
  }

  void TakeRoot() {
    GraphOptionValues options(config_, graph_.options.graph_options);
    auto* nodes = config_.mutable_node();
    std::vector<Node*> taken(nodes->size());
    // Made first: from the extraction on, nodes have an owner at any time.
    std::vector<OwnedNode> root(nodes->size());
    nodes->ExtractSubrange(0, nodes->size(), taken.data());
    for (size_t i = 0; i < taken.size(); ++i) {
      root[i] = {std::unique_ptr<Node>(taken[i]), {0, static_cast<int>(i)}};
    }
    for (OwnedNode& owned : root) {
      if (!Prepare(owned, owned, &options)) return;
      Sort(std::move(owned));
    }
    for (int i = 0; i < config_.packet_generator_size(); ++i) {
      AddOrigin({0, i, OriginField::kPacketGenerator},
                config_.mutable_packet_generator(i), &graph_.generator_origins);
    }
    for (int i = 0; i < config_.status_handler_size(); ++i) {
      AddOrigin({0, i, OriginField::kStatusHandler},
                config_.mutable_status_handler(i),
                &graph_.status_handler_origins);
    }
  }

  // Notes the origin of a generator or status handler that has just been added
  // to the config.
  template <typename Part>
  void AddOrigin(NodeOrigin origin, Part* part,
                 std::vector<NodeOrigin>* origins) {
    origins->push_back(origin);
    LowerOldFields(part, origin);
  }

  template <typename Part>
  void LowerOldFields(Part* part, NodeOrigin origin) {
    if (RenameOldFields(part)) return;
    graph_.ErrorAt(origin, PartLabel(*part),
                   absl::InvalidArgumentError(kBothFieldNames));
  }

  // What is done to a node before its names are those of the whole graph. False
  // when it is too much, which is noted for `blamed`.
  bool Prepare(const OwnedNode& owned, const OwnedNode& blamed,
               GraphOptionValues* options) {
    Node* const node = owned.node.get();
    LowerOldFields(node, owned.origin);
    for (Node& fused : *node->mutable_fused_node()) {
      LowerOldFields(&fused, owned.origin);
      if (!TakeOptions(&fused, owned, blamed, options)) return false;
    }
    if (node->fused_node().empty()) {
      return TakeOptions(node, owned, blamed, options);
    }
    const size_t before = node->ByteSizeLong();
    for (const absl::Status& error : LowerFused(
             config_.package(),
             [this](const std::string& type) {
               return Lookup(type) != nullptr;
             },
             node)) {
      Fail(owned, error);
    }
    // Parts that say the same of one input make it smaller.
    const size_t after = std::max(before, node->ByteSizeLong());
    if (OverBytes(blamed, after - before)) return false;
    bytes_ += after - before;
    return true;
  }

  // Nodes of calculators are done; those of subgraphs wait for the next
  // round.
  void Sort(OwnedNode owned) {
    if (Lookup(owned.node->calculator()) != nullptr) {
      pending_.push_back(std::move(owned));
      return;
    }
    AddPlain(std::move(owned));
  }

  void AddPlain(OwnedNode owned) {
    // The key is a string of the node, which outlives this object.
    ++plain_names_[BaseName(*owned.node)];
    plain_.push_back(std::move(owned));
  }

  // Carries out the option_values of `node`, which is the node of `owned` or is
  // fused in it. `options` are those of the graph. False when the values take
  // too many bytes, which is noted as an error of `blamed`.
  bool TakeOptions(Node* node, const OwnedNode& owned, const OwnedNode& blamed,
                   GraphOptionValues* options) {
    // Errors have near names in them: not for every node of a graph that fails
    // anyway.
    if (node->option_value().empty() || graph_.errors.full()) return true;
    const size_t before = node->ByteSizeLong();
    const auto result =
        options->Apply(graph_.options.max_expanded_bytes - bytes_, node);
    for (const absl::Status& error : result.errors) {
      graph_.ErrorAt(owned.origin, NodeLabel(*node), error);
    }
    for (const std::string& warning : result.warnings) {
      if (graph_.options.strict) {
        graph_.ErrorAt(owned.origin, NodeLabel(*node),
                       absl::InvalidArgumentError(warning));
      } else {
        graph_.WarningAt(owned.origin, NodeLabel(*node), warning);
      }
    }
    if (result.over_limit) return !OverBytes(blamed, result.bytes);
    const size_t after = node->ByteSizeLong();
    if (after <= before) return true;
    if (OverBytes(blamed, after - before)) return false;
    bytes_ += after - before;
    return true;
  }

  // `nodes` are the subgraph nodes of the list.
  void ExpandRound(std::vector<OwnedNode> nodes) {
    // Canonical names count the calculator nodes first, then the subgraph nodes
    // of this round, as they would stand in one list. Calculator nodes that
    // this round adds do not count yet.
    std::vector<absl::string_view> bases;
    for (const OwnedNode& owned : nodes) {
      bases.push_back(BaseName(*owned.node));
    }
    const std::vector<std::string> names = NumberedNames(bases, plain_names_);
    for (size_t i = 0; i < nodes.size() && !graph_.gave_up; ++i) {
      const bool is_replaced = Expand(nodes[i], names[i]);
      if (!is_replaced && graph_.is_draft) AddPlain(std::move(nodes[i]));
    }
  }

  void Fail(const OwnedNode& owned, const absl::Status& error) {
    FailSubgraphNode(*owned.node, owned.origin, error, &graph_);
  }

  // The nodes inside take the place of `owned`. False if it is wrong, which is
  // noted.
  bool Expand(const OwnedNode& owned, const std::string& name);
  bool Append(const OwnedNode& owned, const std::string& name, int expansion,
              const CalculatorGraphConfig& inner);
  bool CheckSize(const OwnedNode& owned, const CalculatorGraphConfig& inner);
  bool OverBytes(const OwnedNode& owned, size_t more);
  void FailLimit(const OwnedNode& owned, absl::string_view limit);

  ExpandedGraph& graph_;
  CalculatorGraphConfig& config_;
  HashMap<std::string, std::unique_ptr<SubgraphType>> types_;
  std::vector<OwnedNode> plain_;
  std::vector<OwnedNode> pending_;
  HashMap<absl::string_view, int> plain_names_;
  int64_t expanded_nodes_ = 0;  // with generators and status handlers
  size_t bytes_ = 0;
};

bool Expander::Expand(const OwnedNode& owned, const std::string& name) {
  const SubgraphType& type = *Lookup(owned.node->calculator());
  if (!CheckSubgraphNode(*owned.node, owned.origin, type, &graph_)) {
    return false;
  }

  const auto add_expansion =
      [&](const std::shared_ptr<const GraphPositions>& positions) {
        return graph_.origins.AddExpansion(owned.origin, name, type.name,
                                           positions);
      };
  if (type.source != nullptr) {
    return Append(owned, name, add_expansion(type.source->positions),
                  type.source->config);
  }
  SubgraphContext context(owned.node.get(), graph_.options.services);
  const absl::StatusOr<CalculatorGraphConfig> made =
      MakeSubgraphConfig(type, &context);
  if (!made.ok()) {
    Fail(owned,
         PrefixStatus("GetConfig of the subgraph failed: ", made.status()));
    return false;
  }
  return Append(owned, name, add_expansion(context.positions()), *made);
}

bool Expander::OverBytes(const OwnedNode& owned, size_t more) {
  const size_t limit = graph_.options.max_expanded_bytes;
  if (bytes_ + more <= limit) return false;
  FailLimit(owned, absl::StrCat(limit, " bytes"));
  return true;
}

void Expander::FailLimit(const OwnedNode& owned, absl::string_view limit) {
  graph_.gave_up = true;
  Fail(owned, absl::ResourceExhaustedError(absl::StrCat(
                  "the graph's subgraphs expand to more than ", limit, ": ",
                  graph_.origins.TypeChain(owned.origin.expansion,
                                           owned.node->calculator()),
                  ".")));
}

bool Expander::CheckSize(const OwnedNode& owned,
                         const CalculatorGraphConfig& inner) {
  const int limit = graph_.options.max_nodes;
  const int64_t parts = int64_t{inner.node_size()} +
                        inner.packet_generator_size() +
                        inner.status_handler_size();
  if (parts > limit - expanded_nodes_) {
    FailLimit(owned, absl::StrCat(limit, " nodes"));
    return false;
  }
  expanded_nodes_ += parts;
  bytes_ += inner.ByteSizeLong();
  return !OverBytes(owned, 0);
}

bool Expander::Append(const OwnedNode& owned, const std::string& name,
                      int expansion, const CalculatorGraphConfig& inner) {
  if (!CheckSize(owned, inner)) return false;
  if (!inner.packet_factory().empty()) {
    Fail(owned, absl::InvalidArgumentError(
                    "the subgraph config has a packet_factory, which is "
                    "not supported."));
    return false;
  }
  SubgraphConnections names(SubgraphPrefix(name));
  const std::vector<absl::Status> mismatches = names.Match(*owned.node, inner);
  for (const absl::Status& mismatch : mismatches) {
    Fail(owned, mismatch);
  }
  if (!mismatches.empty()) return false;

  GraphOptionValues options(inner, owned.node.get());
  const std::vector<std::string> inner_names = CanonicalNames(inner.node());
  for (int i = 0; i < inner.node_size(); ++i) {
    OwnedNode part = {std::make_unique<Node>(inner.node(i)), {expansion, i}};
    if (!Prepare(part, owned, &options)) return true;
    names.Apply(inner_names[i], part.node.get());
    InheritLogLevel(owned.node->log_level(), part.node.get());
    if (OverBytes(owned, names.bytes_written())) return true;
    Sort(std::move(part));
  }
  for (int i = 0; i < inner.packet_generator_size(); ++i) {
    PacketGeneratorConfig* part = config_.add_packet_generator();
    *part = inner.packet_generator(i);
    AddOrigin({expansion, i, OriginField::kPacketGenerator}, part,
              &graph_.generator_origins);
    names.Apply(part);
  }
  for (int i = 0; i < inner.status_handler_size(); ++i) {
    StatusHandlerConfig* part = config_.add_status_handler();
    *part = inner.status_handler(i);
    AddOrigin({expansion, i, OriginField::kStatusHandler}, part,
              &graph_.status_handler_origins);
    names.Apply(part);
  }
  bytes_ += names.bytes_written();
  for (absl::string_view output : names.UnproducedOutputs()) {
    graph_.unproduced_names.try_emplace(std::string(output),
                                        NodeLabel(*owned.node));
  }
  return true;
}

}  // namespace

void ExpandSubgraphs(ExpandedGraph* graph) { Expander(graph).Run(); }

absl::StatusOr<CalculatorGraphConfig> ExpandConfig(
    CalculatorGraphConfig config, const CompileOptions& options) {
  NormalizeNames(&config);
  ExpandedGraph graph(options, options.SubgraphTypes(),
                      {.config = std::move(config)});
  ExpandSubgraphs(&graph);
  if (!graph.errors.empty()) return graph.errors.ToStatus();
  return std::move(graph.expanded);
}

}  // namespace syncline
