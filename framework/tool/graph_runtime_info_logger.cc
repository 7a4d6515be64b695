// See the header.
#include "framework/tool/graph_runtime_info_logger.h"

#include <memory>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/runtime_info_logger.h"

namespace syncline {
namespace tool {

absl::Status GraphRuntimeInfoLogger::StartInBackground(
    const GraphRuntimeInfoConfig& config,
    absl::AnyInvocable<absl::StatusOr<GraphRuntimeInfo>()>
        get_runtime_info_fn) {
  if (!config.enable_graph_runtime_info()) {
    return absl::InvalidArgumentError(
        "the graph's runtime_info is not enabled: set "
        "enable_graph_runtime_info: true");
  }
  if (logger_ != nullptr) {
    return absl::FailedPreconditionError("the logger was started before");
  }
  // In a shared_ptr, since a std::function has to be copyable and
  // `get_runtime_info_fn` may not be.
  const auto get =
      std::make_shared<absl::AnyInvocable<absl::StatusOr<GraphRuntimeInfo>()>>(
          std::move(get_runtime_info_fn));
  SYNCLINE_ASSIGN_OR_RETURN(
      logger_, RuntimeInfoLogger::Start(
                   RuntimeInfoLogger::Period(config.capture_period_msec()),
                   [get]() -> absl::optional<GraphRuntimeInfo> {
                     absl::StatusOr<GraphRuntimeInfo> info = (*get)();
                     if (!info.ok()) return absl::nullopt;
                     return *std::move(info);
                   }));
  return absl::OkStatus();
}

}  // namespace tool
}  // namespace syncline
