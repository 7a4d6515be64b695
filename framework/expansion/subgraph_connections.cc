#include "framework/expansion/subgraph_connections.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_text.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace {

// Finding near names takes time: for the first errors only.
constexpr size_t kMaxSuggestions = 3;

// Removes those that `keeps` says false of; the others keep their order.
template <typename T, typename Keeps>
void KeepIf(Keeps keeps, google::protobuf::RepeatedPtrField<T>* all) {
  int kept = 0;
  for (int i = 0; i < all->size(); ++i) {
    if (!keeps(&(*all)[i])) continue;
    if (kept != i) all->SwapElements(kept, i);
    ++kept;
  }
  all->DeleteSubrange(kept, all->size() - kept);
}

// Which inputs vanished, so that `input_stream_info` can follow.
class VanishedInputs {
 public:
  // `port` is the whole `TAG:index:name`; `position` counts the bare names
  // before it.
  void Add(absl::string_view port, int position) {
    const size_t colon = port.rfind(':');
    if (colon == absl::string_view::npos) {
      bare_.push_back(position);
    } else {
      std::string tag;
      int index = 0;
      // A malformed port is reported when the node's ports are parsed.
      if (!tool::ParseTagIndex(port.substr(0, colon), &tag, &index).ok())
        return;
      tagged_.insert(tool::CatTag(tag, index));
    }
  }

  void Adjust(CalculatorGraphConfig::Node* node) const {
    KeepIf([this](InputStreamInfo* info) { return Adjust(info); },
           node->mutable_input_stream_info());
  }

 private:
  // False if the input it speaks of is gone.
  bool Adjust(InputStreamInfo* info) const {
    std::string tag;
    int index = 0;
    if (!tool::ParseTagIndex(info->tag_index(), &tag, &index).ok()) return true;
    if (!tag.empty()) return !tagged_.contains(tool::CatTag(tag, index));
    const auto at = std::lower_bound(bare_.begin(), bare_.end(), index);
    if (at != bare_.end() && *at == index) return false;
    const int before = static_cast<int>(at - bare_.begin());
    if (before > 0) info->set_tag_index(absl::StrCat(":", index - before));
    return true;
  }

  std::vector<int> bare_;  // ascending
  HashSet<std::string> tagged_;
};

}  // namespace

std::string SubgraphPrefix(absl::string_view canonical_name) {
  std::string prefix = absl::AsciiStrToLower(canonical_name);
  for (char& c : prefix) {
    if (c == '.' || c == ' ' || c == ':') c = '_';
  }
  prefix += "__";
  return prefix;
}

std::vector<absl::Status> SubgraphConnections::Match(
    const CalculatorGraphConfig::Node& outer,
    const CalculatorGraphConfig& inner) {
  std::vector<absl::Status> errors;
  MatchPorts("input_stream", outer.input_stream(), inner.input_stream(), false,
             &streams_, &errors);
  MatchPorts("output_stream", outer.output_stream(), inner.output_stream(),
             true, &streams_, &errors);
  MatchPorts("input_side_packet", outer.input_side_packet(),
             inner.input_side_packet(), false, &side_packets_, &errors);
  MatchPorts("output_side_packet", outer.output_side_packet(),
             inner.output_side_packet(), true, &side_packets_, &errors);
  return errors;
}

namespace {

// One connected port of an interface: adds it to the map or says why not.
template <typename Map, typename Outer>
absl::Status Connect(absl::string_view field, absl::string_view inner_name,
                     const Outer& outer, Map* map) {
  const auto [entry, is_new] = map->try_emplace(inner_name, outer);
  if (is_new) return absl::OkStatus();
  Outer& earlier = entry->second;
  if (earlier.is_output != outer.is_output) {
    return absl::InvalidArgumentError(
        absl::StrCat(field, " ", Quoted(inner_name),
                     " of the subgraph config is an input of it as well: put a "
                     "node between the two."));
  }
  if (earlier.name.empty()) earlier = outer;
  if (earlier.name == outer.name) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(field, " ", Quoted(inner_name),
                   " of the subgraph config stands for two "
                   "different names, ",
                   Quoted(earlier.name), " and ", Quoted(outer.name), "."));
}

std::string ShownTag(absl::string_view field, absl::string_view tag) {
  if (tag.empty()) return absl::StrCat(field, " without a tag");
  return absl::StrCat(field, " tag ", Quoted(tag));
}

}  // namespace

absl::Status CheckSubgraphTag(absl::string_view field, const std::string& tag,
                              const PortLayout& outer, const PortLayout& inner,
                              bool suggest) {
  const int wanted = outer.NumEntries(tag);
  const int there = inner.NumEntries(tag);
  if (wanted <= there) return absl::OkStatus();
  if (there > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(ShownTag(field, tag), " has ", wanted,
                     " indexes in the subgraph node but has only ", there,
                     " in the subgraph config."));
  }
  std::string hint;
  if (suggest) {
    const std::set<std::string> tags = inner.GetTags();
    hint = DidYouMeanText(NearestNames(
        tag, std::vector<std::string>(tags.begin(), tags.end()), 3));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      ShownTag(field, tag), " does not exist in the subgraph config.", hint));
}

void SubgraphConnections::MatchPorts(absl::string_view field,
                                     const Ports& outer, const Ports& inner,
                                     bool is_output, Map* map,
                                     std::vector<absl::Status>* errors) {
  if (outer.empty() && (inner.empty() || is_output)) return;
  const auto outer_ports = PortLayout::Create(outer);
  const auto inner_ports = PortLayout::Create(inner);
  for (const auto& [layout, place] :
       {std::pair(&outer_ports, ": "),
        std::pair(&inner_ports, " of the subgraph config: ")}) {
    if (layout->ok()) continue;
    errors->push_back(
        PrefixStatus(absl::StrCat(field, place), layout->status()));
  }
  if (!outer_ports.ok() || !inner_ports.ok()) return;
  layouts_.push_back(*outer_ports);
  layouts_.push_back(*inner_ports);
  const auto report = [errors](absl::Status status) {
    if (!status.ok()) errors->push_back(std::move(status));
  };
  for (const std::string& tag : (*outer_ports)->GetTags()) {
    report(CheckSubgraphTag(field, tag, **outer_ports, **inner_ports,
                            errors->size() < kMaxSuggestions));
  }
  for (const std::string& tag : (*inner_ports)->GetTags()) {
    const int connected = (*outer_ports)->NumEntries(tag);
    for (int i = 0; i < (*inner_ports)->NumEntries(tag); ++i) {
      const absl::string_view inner_name = (*inner_ports)->Name(tag, i);
      if (i < connected) {
        report(Connect(
            field, inner_name,
            Outer{.name = (*outer_ports)->Name(tag, i), .is_output = is_output},
            map));
      } else if (!is_output) {
        map->try_emplace(inner_name);
      }
    }
  }
}

bool SubgraphConnections::Rename(bool produces, Map* map, std::string* port) {
  const size_t start = port->rfind(':') + 1;  // npos + 1 is 0
  const auto found = map->find(absl::string_view(*port).substr(start));
  if (found == map->end() || (produces && found->second.name.empty())) {
    port->insert(start, prefix_);
  } else {
    Outer& outer = found->second;
    if (outer.name.empty()) return false;
    port->replace(start, std::string::npos, outer.name.data(),
                  outer.name.size());
    if (produces) outer.produced = true;
  }
  bytes_written_ += port->size();
  return true;
}

void SubgraphConnections::RenameAll(bool produces, Map* map, Ports* ports) {
  KeepIf([&](std::string* port) { return Rename(produces, map, port); }, ports);
}

void SubgraphConnections::RenameInputs(CalculatorGraphConfig::Node* node) {
  if (node->input_stream_info().empty()) {
    RenameAll(false, &streams_, node->mutable_input_stream());
    return;
  }
  VanishedInputs vanished;
  int bare_names = 0;
  for (const std::string& port : node->input_stream()) {
    const auto found =
        streams_.find(absl::string_view(port).substr(port.rfind(':') + 1));
    const bool vanishes = found != streams_.end() && found->second.name.empty();
    if (vanishes) vanished.Add(port, bare_names);
    if (port.find(':') == std::string::npos) ++bare_names;
  }
  RenameAll(false, &streams_, node->mutable_input_stream());
  vanished.Adjust(node);
}

void SubgraphConnections::Apply(absl::string_view canonical_name,
                                CalculatorGraphConfig::Node* node) {
  node->set_name(absl::StrCat(prefix_, canonical_name));
  bytes_written_ += node->name().size();
  RenameInputs(node);
  RenameAll(true, &streams_, node->mutable_output_stream());
  RenameAll(false, &side_packets_, node->mutable_input_side_packet());
  RenameAll(true, &side_packets_, node->mutable_output_side_packet());
}

void SubgraphConnections::Apply(PacketGeneratorConfig* generator) {
  RenameAll(false, &side_packets_, generator->mutable_input_side_packet());
  RenameAll(true, &side_packets_, generator->mutable_output_side_packet());
}

void SubgraphConnections::Apply(StatusHandlerConfig* handler) {
  RenameAll(false, &side_packets_, handler->mutable_input_side_packet());
}

std::vector<absl::string_view> SubgraphConnections::UnproducedOutputs() const {
  std::vector<absl::string_view> names;
  for (const Map* map : {&streams_, &side_packets_}) {
    for (const auto& [inner_name, outer] : *map) {
      if (outer.is_output && !outer.produced) names.push_back(outer.name);
    }
  }
  return names;
}

}  // namespace syncline
