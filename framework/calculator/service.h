// Services: objects of the application that any calculator may ask for.
//
//   inline constexpr GraphService<GpuContext> kGpuService("gpu");
//
//   cc->UseService(kGpuService);                  in GetContract: needs it
//   cc->UseService(kGpuService).Optional();       would like it
//   cc->Service(kGpuService).GetObject()          in Open, Process, Close
//
// A service has a key and a type. The application gives the object. If it does
// not, and the service allows it, the object is made when the run starts: by
// T::Create() if there is one, else by T's default constructor. It is made even
// if every request is optional.
//
// graph_service_manager.h keeps the objects for a graph, and default_service.h
// decides what becomes of those that the application did not give.
//
// Thread rule: service keys are constants. Objects are shared by calculators on
// many threads, so each object must be safe from any thread.
// Tested by service_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_SERVICE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_SERVICE_H_

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/packet/packet.h"

namespace syncline {

// What is known of a service without its type.
class GraphServiceBase {
 public:
  struct DisallowDefaultInitialization {};
  struct AllowDefaultInitialization {};
  static constexpr DisallowDefaultInitialization
      kDisallowDefaultInitialization{};
  static constexpr AllowDefaultInitialization kAllowDefaultInitialization{};

  constexpr explicit GraphServiceBase(const char* key) : key(key) {}
  GraphServiceBase(const GraphServiceBase&) = delete;
  GraphServiceBase& operator=(const GraphServiceBase&) = delete;

  // A new object, as a packet of std::shared_ptr<T>. FAILED_PRECONDITION if the
  // service does not allow that.
  virtual absl::StatusOr<Packet> CreateDefaultObject() const = 0;
  // Whether the packet is one of std::shared_ptr<T> that is not null.
  virtual absl::Status ValidateObject(const Packet& packet) const = 0;

  const char* const key;

 protected:
  // Not virtual, so that services can be constants.
  ~GraphServiceBase() = default;
};

template <typename T>
class GraphService final : public GraphServiceBase {
 public:
  using type = T;

  constexpr explicit GraphService(const char* key,
                                  DisallowDefaultInitialization = {})
      : GraphServiceBase(key) {}
  constexpr GraphService(const char* key, AllowDefaultInitialization)
      : GraphServiceBase(key), allows_default_(true) {
    static_assert(kHasCreate || std::is_default_constructible_v<T>,
                  "a service with default initialization needs "
                  "static absl::StatusOr<std::shared_ptr<T>> T::Create() or a "
                  "default constructor");
  }

  absl::StatusOr<Packet> CreateDefaultObject() const override {
    if (!allows_default_) {
      return absl::FailedPreconditionError(
          absl::StrCat("the service \"", key,
                       "\" cannot be made by default; give it with "
                       "SetServiceObject"));
    }
    if constexpr (kHasCreate) {
      absl::StatusOr<std::shared_ptr<T>> object = T::Create();
      if (!object.ok()) return object.status();
      if (*object == nullptr) {
        return absl::InternalError(absl::StrCat("Create() of the service \"",
                                                key, "\" returned null"));
      }
      return MakePacket<std::shared_ptr<T>>(*std::move(object));
    } else if constexpr (std::is_default_constructible_v<T>) {
      return MakePacket<std::shared_ptr<T>>(std::make_shared<T>());
    } else {
      return absl::InternalError("unreachable: checked when compiled");
    }
  }

  absl::Status ValidateObject(const Packet& packet) const override {
    absl::Status status = packet.ValidateAsType<std::shared_ptr<T>>();
    if (!status.ok() || packet.Get<std::shared_ptr<T>>() != nullptr) {
      return status;
    }
    return absl::InvalidArgumentError("the object is null");
  }

 private:
  static constexpr bool kHasCreate = requires {
    { T::Create() } -> std::convertible_to<absl::StatusOr<std::shared_ptr<T>>>;
  };

  const bool allows_default_ = false;
};

// What a contract asks for.
class GraphServiceRequest {
 public:
  // `service` is a constant that outlives the request.
  explicit GraphServiceRequest(const GraphServiceBase& service)
      : service_(&service) {}

  // The node can do without.
  GraphServiceRequest& Optional() {
    if (optional_count_ == count_ - 1) optional_count_ = count_;
    return *this;
  }
  // Asked for again: the service is optional only if it is each time.
  GraphServiceRequest& Repeat() {
    ++count_;
    return *this;
  }
  bool IsOptional() const { return optional_count_ == count_; }
  const GraphServiceBase& Service() const { return *service_; }

 private:
  const GraphServiceBase* service_;
  int count_ = 1;           // how often it was asked for
  int optional_count_ = 0;  // of these, how many in a row were optional
};

// What a calculator gets: the object, or nothing.
template <typename T>
class ServiceBinding {
 public:
  ServiceBinding(const GraphService<T>& service, std::shared_ptr<T> object)
      : service_(&service), object_(std::move(object)) {}

  bool IsAvailable() const { return object_ != nullptr; }
  // The object. Asking when there is none is a misuse.
  T& GetObject() const {
    if (object_ == nullptr) {
      ReportMisuse(absl::FailedPreconditionError(absl::StrCat(
          "Service \"", service_->key,
          "\" is not available. The contract has to ask for it with "
          "UseService(), and the application has to give it; if it is "
          "Optional(), ask IsAvailable() first.")));
    }
    return *object_;
  }

 private:
  const GraphService<T>* service_;
  std::shared_ptr<T> object_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_SERVICE_H_
