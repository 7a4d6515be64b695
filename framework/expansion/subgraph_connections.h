// How names inside a subgraph become names of the graph around it.
//
// A port of the interface takes the name that the outer node connects to it, by
// tag and index. Everything else gets the prefix of the outer node. An
// interface input that the outer node leaves open vanishes from the inner
// nodes, so that they see it as absent: this is how optional inputs of
// subgraphs work.
//
// Thread rule: for one thread.
// Tested by subgraph_connections_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_CONNECTIONS_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_CONNECTIONS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

// `canonical_name` in lower case with '.', ' ' and ':' as '_', then "__".
std::string SubgraphPrefix(absl::string_view canonical_name);

// Checks the ports of a node with this tag against those of the subgraph that
// it names. The node may connect fewer ports than the subgraph has, not more.
// `field` names them in the error, which is INVALID_ARGUMENT.
absl::Status CheckSubgraphTag(absl::string_view field, const std::string& tag,
                              const PortLayout& outer, const PortLayout& inner,
                              bool suggest = true);

class SubgraphConnections {
 public:
  explicit SubgraphConnections(std::string prefix)
      : prefix_(std::move(prefix)) {}

  // Matches the ports of `outer` with the interface of `inner`. Returns
  // what does not match; then the object must not be used further.
  std::vector<absl::Status> Match(const CalculatorGraphConfig::Node& outer,
                                  const CalculatorGraphConfig& inner);

  // Rename the ports of a part of the inner config. A node's name becomes
  // `canonical_name` with the prefix.
  void Apply(absl::string_view canonical_name,
             CalculatorGraphConfig::Node* node);
  void Apply(PacketGeneratorConfig* generator);
  void Apply(StatusHandlerConfig* handler);

  // Outer names of interface outputs that nothing applied so far produces.
  std::vector<absl::string_view> UnproducedOutputs() const;

  // Bytes of names written so far.
  size_t bytes_written() const { return bytes_written_; }

 private:
  struct Outer {
    // Empty for an open interface input.
    absl::string_view name;
    bool is_output = false;
    bool produced = false;
  };
  using Map = HashMap<absl::string_view, Outer>;
  using Ports = google::protobuf::RepeatedPtrField<std::string>;

  void MatchPorts(absl::string_view field, const Ports& outer,
                  const Ports& inner, bool is_output, Map* map,
                  std::vector<absl::Status>* errors);
  // Writes the outer name into `port`. False if the port vanishes.
  bool Rename(bool produces, Map* map, std::string* port);
  void RenameAll(bool produces, Map* map, Ports* ports);
  void RenameInputs(CalculatorGraphConfig::Node* node);

  const std::string prefix_;
  // What the names in the maps are views of.
  std::vector<std::shared_ptr<const PortLayout>> layouts_;
  Map streams_;
  Map side_packets_;
  size_t bytes_written_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_CONNECTIONS_H_
