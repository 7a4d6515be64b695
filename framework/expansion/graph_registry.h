// Names of subgraphs: those registered in the process, and before them those
// that one compile brings along.
//
// A name is looked up among the registry's own entries first, so that a local
// subgraph shadows a registered one; in both places the rules of
// base/name_registry.h hold for packages and the top namespace.
//
// Thread rule: any function may run on any thread.
// Tested by graph_registry_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_GRAPH_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_GRAPH_REGISTRY_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/expansion/subgraph.h"
#include "framework/graph_text/graph_source.h"

namespace syncline {

using SubgraphFactory = std::function<std::unique_ptr<Subgraph>()>;

// A subgraph type as a lookup finds it.
struct SubgraphType {
  // In full, without the top namespace.
  std::string name;
  // A fixed config, with positions when it came from text; or null ...
  std::shared_ptr<const GraphSource> source;
  // ... and then this makes the object that computes the config.
  std::shared_ptr<const SubgraphFactory> factory;
};

class GraphRegistry {
 public:
  // Entries of its own, before those of `parent`, which must outlive it; null
  // for the registered ones only.
  explicit GraphRegistry(const GraphRegistry* parent = nullptr)
      : parent_(parent) {}

  // A registry without entries of its own.
  static const GraphRegistry& Global();

  // Add an entry: a subgraph class, a fixed config (with positions if a
  // source), or a template that the options of its node fill. ALREADY_EXISTS
  // when the name has one here, INVALID_ARGUMENT when it cannot be a name.
  absl::Status Register(absl::string_view type_name, SubgraphFactory factory);
  absl::Status Register(absl::string_view type_name,
                        CalculatorGraphConfig config);
  absl::Status Register(absl::string_view type_name, GraphSource source);
  absl::Status Register(absl::string_view type_name,
                        CalculatorGraphTemplate graph_template);

  bool IsRegistered(absl::string_view package,
                    absl::string_view type_name) const;

  // What `type_name` means inside `package`. NOT_FOUND names the nearest names.
  absl::StatusOr<SubgraphType> Find(absl::string_view package,
                                    absl::string_view type_name) const;

  // The config of a type for the node of `context`; null for an empty node.
  // What the subgraph class throws becomes a status.
  absl::StatusOr<CalculatorGraphConfig> CreateByName(
      absl::string_view package, absl::string_view type_name,
      SubgraphContext* context = nullptr) const;

  // Own names and those behind them, for suggestions.
  std::vector<std::string> Names() const;

 private:
  const GraphRegistry* const parent_;
  NameRegistry local_{"Subgraph"};
};

// The config of a type that was found, guarded as user code.
absl::StatusOr<CalculatorGraphConfig> MakeSubgraphConfig(
    const SubgraphType& type, SubgraphContext* context);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_GRAPH_REGISTRY_H_
