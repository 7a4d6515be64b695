#include "framework/calculator/graph_service_manager.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/packet/packet.h"

namespace syncline {

absl::Status GraphServiceManager::SetServicePacket(
    const GraphServiceBase& service, Packet packet) {
  const absl::Status status = service.ValidateObject(packet);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Service \"", service.key,
                     "\" cannot be set: ", std::string(status.message())));
  }
  packets_[service.key] = std::move(packet);
  return absl::OkStatus();
}

Packet GraphServiceManager::GetServicePacket(
    const GraphServiceBase& service) const {
  const auto found = packets_.find(service.key);
  return found == packets_.end() ? Packet() : found->second;
}

absl::Status GraphServiceManager::ProvideDefault(
    const GraphServiceRequest& request, absl::string_view node_name) {
  const GraphServiceBase& service = request.Service();
  if (packets_.contains(service.key)) return absl::OkStatus();
  absl::Status reason = absl::FailedPreconditionError(
      "this graph does not make services by default");
  if (allows_default_) {
    absl::StatusOr<Packet> packet = Packet();
    const absl::Status made = CallUserCode([&] {
      packet = service.CreateDefaultObject();
      return packet.status();
    });
    if (!made.ok()) packet = made;
    if (packet.ok()) return SetServicePacket(service, *std::move(packet));
    reason = packet.status();
    // Not being made by default is what the application decides; a Create()
    // that was tried and failed is an error even where nobody insists.
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
