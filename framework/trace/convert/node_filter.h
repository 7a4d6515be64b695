// NodeFilter: which nodes a regular expression means, as calculator_filter of
// a ProfilerConfig.
//
// The expression has to match the whole name. It is of the syntax that
// ECMAScript and RE2 share: what would take more than linear time, or much
// memory, is refused, so that no config can keep a process busy.
//
// Thread rule: a value; Matches from any thread.
// Tested by node_filter_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_NODE_FILTER_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_NODE_FILTER_H_

#include <regex>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace syncline {

class NodeFilter {
 public:
  // Matches all names.
  NodeFilter() = default;

  // "" matches all names. INVALID_ARGUMENT says what is wrong with the
  // expression.
  static absl::StatusOr<NodeFilter> Make(absl::string_view expression);

  bool Matches(absl::string_view name) const;

 private:
  absl::optional<std::regex> regex_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_NODE_FILTER_H_
