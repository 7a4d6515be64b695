#include "framework/calculator/default_service.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/service.h"
#include "framework/packet/packet.h"

namespace syncline {

absl::Status ProvideDefaultService(const GraphServiceRequest& request,
                                   absl::string_view node_name,
                                   GraphServiceManager* services) {
  const GraphServiceBase& service = request.Service();
  if (services->ServicePackets().contains(service.key)) return absl::OkStatus();
  absl::Status reason = absl::FailedPreconditionError(
      "this graph does not make services by default");
  if (services->allows_default_initialization()) {
    absl::StatusOr<Packet> packet;
    reason = CallUserCode([&] {
      packet = service.CreateDefaultObject();
      return packet.status();
    });
    if (reason.ok()) {
      return services->SetServicePacket(service, *std::move(packet));
    }
    // FAILED_PRECONDITION says that the service is not made by default, or not
    // here. Any other error is from Create(), and counts even if the service is
    // optional.
    const bool was_tried = !absl::IsFailedPrecondition(reason);
    if (was_tried && request.IsOptional()) {
      return PrefixStatus(
          absl::StrCat("Service \"", service.key, "\", which node ", node_name,
                       " may use, cannot be created: "),
          reason);
    }
  }
  if (request.IsOptional()) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("Service \"", service.key, "\", required by node ",
                   node_name, ", was not provided and cannot be created: ",
                   std::string(reason.message())));
}

}  // namespace syncline
