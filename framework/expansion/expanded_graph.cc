#include "framework/expansion/expanded_graph.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {

void ExpandedGraph::ErrorAt(NodeOrigin origin, absl::string_view label,
                            const absl::Status& error) {
  if (errors.full()) return errors.CountOnly();
  errors.Add(absl::Status(error.code(),
                          absl::StrCat(origins.Prefix(origin), label, ": ",
                                       error.message(), origins.Chain(origin))),
             origin);
}

void ExpandedGraph::Excuse(
    const google::protobuf::RepeatedPtrField<std::string>& ports) {
  for (const std::string& port : ports) {
    excused_names.insert(port.substr(port.rfind(':') + 1));
  }
}

void ExpandedGraph::WarningAt(NodeOrigin origin, absl::string_view label,
                              absl::string_view message) {
  warnings.push_back(absl::StrCat(origins.Prefix(origin), label, ": ", message,
                                  origins.Chain(origin)));
}

}  // namespace syncline
