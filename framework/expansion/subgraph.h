// Subgraphs: graph configs that stand where a node stands.
//
// USE. A class that computes its config from the node that names it:
//
//   class TwoPassThroughs : public syncline::Subgraph {
//    public:
//     absl::StatusOr<CalculatorGraphConfig> GetConfig(
//         SubgraphContext* context) override { ... }
//   };
//   REGISTER_SYNCLINE_GRAPH(TwoPassThroughs);
//
// or a fixed config, ProtoSubgraph, or a template, TemplateSubgraph. Either
// overload of GetConfig may be overridden; the one with the context wins. A
// node that names a registered subgraph is replaced by the subgraph's nodes
// when the graph is compiled; see expand_subgraphs.h for the rules of naming
// and of the interface.
//
// Thread rule: an object is made for each expansion and used by one thread.
// Objects of one class may exist on several threads at once.
// Tested by subgraph_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "framework/base/typed_registry.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/mutable_node_options.h"
#include "framework/calculator/node_options.h"
#include "framework/calculator/resources.h"
#include "framework/calculator/service.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"

namespace syncline {

class GraphPositions;

// The node that names the subgraph, as a subgraph class sees it.
class SubgraphContext {
 public:
  // Borrows both; either may be null: an empty node, no services.
  explicit SubgraphContext(CalculatorGraphConfig::Node* node = nullptr,
                           const GraphServiceManager* services = nullptr);

  // The node's options of type T; defaults when it has none.
  template <typename T>
  const T& Options() {
    return options_.Get<T>();
  }
  // The same to change, for instance before it is handed to an inner node.
  template <typename T>
  T* MutableOptions() {
    return options_.GetMutable<T>();
  }
  template <typename T>
  bool HasOptions() const {
    return options_.Has<T>();
  }

  const CalculatorGraphConfig::Node& OriginalNode() const { return *node_; }

  // A service that was given to the graph before it was compiled.
  template <typename T>
  ServiceBinding<T> Service(const GraphService<T>& service) const {
    if (services_ == nullptr) return ServiceBinding<T>(service, nullptr);
    return ServiceBinding<T>(service, services_->GetServiceObject(service));
  }

  // The resources that the graph was given, or the default resources.
  const Resources& GetResources();

  // Where the nodes of the config that GetConfig gives were written, so that
  // errors found in them later can say so. Null, as at first: not known.
  void SetPositions(std::shared_ptr<const GraphPositions> positions) {
    positions_ = std::move(positions);
  }
  const std::shared_ptr<const GraphPositions>& positions() const {
    return positions_;
  }

 private:
  CalculatorGraphConfig::Node default_node_;
  CalculatorGraphConfig::Node* const node_;
  const GraphServiceManager* const services_;
  MutableNodeOptions options_;
  std::shared_ptr<const Resources> resources_;  // found when asked for
  std::shared_ptr<const GraphPositions> positions_;
};

class Subgraph {
 public:
  using SubgraphOptions = CalculatorGraphConfig::Node;

  Subgraph() = default;
  virtual ~Subgraph() = default;
  Subgraph(const Subgraph&) = delete;
  Subgraph& operator=(const Subgraph&) = delete;

  // The config that replaces the node. Override one of the two. The first calls
  // the second, which is UNIMPLEMENTED unless overridden.
  virtual absl::StatusOr<CalculatorGraphConfig> GetConfig(
      SubgraphContext* context);
  virtual absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options);

  // The node that names the subgraph is what older code calls its options.
  static const CalculatorGraphConfig::Node& GetNode(
      const SubgraphOptions& options) {
    return options;
  }
  template <typename T>
  static T GetOptions(const SubgraphOptions& options) {
    return NodeOptions(options).Get<T>();
  }
  template <typename T>
  static bool HasOptions(const SubgraphOptions& options) {
    return NodeOptions(options).Has<T>();
  }
};

using SubgraphRegistry = GlobalFactoryRegistry<std::unique_ptr<Subgraph>>;

// Registers a subclass of Subgraph by its name, which `calculator:` of a node
// may then give.
#define REGISTER_SYNCLINE_GRAPH(name)                               \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(::syncline::SubgraphRegistry, \
                                      subgraph_registration, name,  \
                                      std::make_unique<name>)

// A fixed config.
class ProtoSubgraph : public Subgraph {
 public:
  explicit ProtoSubgraph(CalculatorGraphConfig config)
      : config_(std::move(config)) {}

  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options) override;

 private:
  const CalculatorGraphConfig config_;
};

// A graph template: its arguments are the TemplateSubgraphOptions of the node.
class TemplateSubgraph : public Subgraph {
 public:
  explicit TemplateSubgraph(CalculatorGraphTemplate graph_template)
      : template_(std::make_shared<const CalculatorGraphTemplate>(
            std::move(graph_template))) {}
  // Shares the template with others.
  explicit TemplateSubgraph(
      std::shared_ptr<const CalculatorGraphTemplate> graph_template)
      : template_(std::move(graph_template)) {}

  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      SubgraphContext* context) override;
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options) override;

 private:
  const std::shared_ptr<const CalculatorGraphTemplate> template_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_H_
