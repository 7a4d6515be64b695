// GraphServiceManager: the service objects of one graph; see service.h.
//
// Thread rule: for one thread until the run starts, and read-only from then on.
// Tested by service_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_GRAPH_SERVICE_MANAGER_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_GRAPH_SERVICE_MANAGER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/service.h"
#include "framework/packet/packet.h"

namespace syncline {

// The objects of one graph, by key.
class GraphServiceManager {
 public:
  using ServiceMap = std::map<std::string, Packet, std::less<>>;

  // Gives or replaces an object. INVALID_ARGUMENT for null.
  template <typename T>
  absl::Status SetServiceObject(const GraphService<T>& service,
                                std::shared_ptr<T> object) {
    return SetServicePacket(service,
                            MakePacket<std::shared_ptr<T>>(std::move(object)));
  }
  // The same with the packet of a std::shared_ptr<T>, as another graph has it.
  // INVALID_ARGUMENT for any other packet.
  absl::Status SetServicePacket(const GraphServiceBase& service,
                                Packet packet) {
    const absl::Status status = service.ValidateObject(packet);
    if (!status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Service \"", service.key, "\" cannot be set: ", status.message()));
    }
    packets_[service.key] = std::move(packet);
    return absl::OkStatus();
  }

  // The object, or null.
  template <typename T>
  std::shared_ptr<T> GetServiceObject(const GraphService<T>& service) const {
    const Packet packet = GetServicePacket(service);
    return packet.IsEmpty() ? nullptr : packet.Get<std::shared_ptr<T>>();
  }
  // The packet, or an empty one.
  Packet GetServicePacket(const GraphServiceBase& service) const {
    const auto found = packets_.find(service.key);
    return found == packets_.end() ? Packet() : found->second;
  }

  // From now on objects come from the application only, and none are made by
  // default (default_service.h).
  void DisallowDefaultInitialization() { allows_default_ = false; }
  bool allows_default_initialization() const { return allows_default_; }

  const ServiceMap& ServicePackets() const { return packets_; }

 private:
  ServiceMap packets_;
  bool allows_default_ = true;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_GRAPH_SERVICE_MANAGER_H_
