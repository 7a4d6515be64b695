#include "framework/calculator/graph_service_manager.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
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

}  // namespace syncline
