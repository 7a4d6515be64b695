// GraphRuntimeInfoLogger: writes what a graph is doing to the log now and then,
// for programs that do not leave that to `runtime_info` in the graph's config.
//
//   tool::GraphRuntimeInfoLogger logger;
//   SYNCLINE_RETURN_IF_ERROR(logger.StartInBackground(
//       config.runtime_info(), [&graph] { return graph.GetGraphRuntimeInfo();
//       }));
//
// Thread rule: started and destroyed by one thread. The function is called on
// another, until it returns an error or the logger is destroyed.
// Tested by graph_runtime_info_utils_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_GRAPH_RUNTIME_INFO_LOGGER_H_
#define SYNCLINE_FRAMEWORK_TOOL_GRAPH_RUNTIME_INFO_LOGGER_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/runtime_info_logger.h"

namespace syncline {
namespace tool {

class GraphRuntimeInfoLogger {
 public:
  // Writes a line of the log every `capture_period_msec` of `config`; 0 means
  // every 10 s. INVALID_ARGUMENT unless `config` enables it;
  // FAILED_PRECONDITION if this logger was started before.
  absl::Status StartInBackground(
      const GraphRuntimeInfoConfig& config,
      absl::AnyInvocable<absl::StatusOr<GraphRuntimeInfo>()>
          get_runtime_info_fn);

 private:
  std::unique_ptr<RuntimeInfoLogger> logger_;
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_GRAPH_RUNTIME_INFO_LOGGER_H_
