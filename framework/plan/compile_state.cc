#include "framework/plan/compile_state.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_text.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/plan_tables.h"

namespace syncline {

CompileState::CompileState(ExpandedGraph graph)
    : ExpandedGraph(std::move(graph)), tables(std::make_shared<PlanTables>()) {
  tables->config = std::move(expanded);
}

CompileState::~CompileState() = default;

std::string CompileState::Label(int index) const {
  return NodeLabel(node(index));
}

void CompileState::NodeError(int index, const absl::Status& error) {
  if (errors.full()) return errors.CountOnly();
  ErrorAt(drafts[index].origin, Label(index), error);
}

void CompileState::PortError(
    int index, absl::string_view field,
    const google::protobuf::RepeatedPtrField<std::string>& ports,
    absl::string_view name, const absl::Status& error) {
  const NodeOrigin origin = drafts[index].origin;
  // Ports of nodes inside subgraphs may have vanished, so places do not match.
  if (errors.full() || origin.expansion != 0 || drafts[index].ports_moved) {
    return NodeError(index, error);
  }
  for (int port = 0; port < ports.size(); ++port) {
    const absl::string_view spec = ports[port];
    if (spec.substr(spec.rfind(':') + 1) != name) continue;
    errors.Add(
        PrefixStatus(absl::StrCat(origins.NodeFieldPrefix(origin, field, port),
                                  Label(index), ": "),
                     error),
        origin);
    return;
  }
  NodeError(index, error);
}

void CompileState::NodeWarning(int index, absl::string_view message) {
  WarningAt(drafts[index].origin, Label(index), message);
}

std::string CompileState::DidYouMean(absl::string_view name,
                                     absl::Span<const std::string> candidates) {
  constexpr size_t kMaxShown = 3;
  if (suggestions_left_ == 0) return "";
  --suggestions_left_;
  return DidYouMeanText(NearestNames(
      name, candidates.subspan(0, std::min(candidates.size(), kMaxCandidates)),
      kMaxShown));
}

std::string CompileState::DidYouMeanOrKnown(
    absl::string_view name, absl::Span<const std::string> candidates) {
  const bool answers = suggestions_left_ > 0;
  const std::string text = DidYouMean(name, candidates);
  return text.empty() && answers ? KnownNamesText(candidates) : text;
}

void CompileState::FieldError(absl::string_view field, int index,
                              absl::string_view message,
                              absl::StatusCode code) {
  errors.Add(absl::Status(
      code, absl::StrCat(origins.FieldPrefix(field, index), message)));
}

}  // namespace syncline
