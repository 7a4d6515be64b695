// Finds out which type of a OneOf a packet holds: for Packet<T>::Visit,
// ConsumeAndVisit and As.
//
// Thread rule: free functions.
// Tested by packet_test.

#ifndef SYNCLINE_FRAMEWORK_API2_PACKET_VISIT_H_
#define SYNCLINE_FRAMEWORK_API2_PACKET_VISIT_H_

#include <memory>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/api2/payload_types.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"

namespace syncline {
namespace api2 {
namespace internal {

// One function object with the operator() of each type in `F`.
template <typename... F>
struct Overload : F... {
  using F::operator()...;
};
template <typename... F>
Overload(F...) -> Overload<F...>;

// Misuses. `call` names the function, such as "Visit()".
[[noreturn]] void ReportNotOneOf(const char* call,
                                 const ::syncline::Packet& packet,
                                 absl::Span<const TypeId> wanted);

// The result of consuming a value and calling a function with it. For a
// function without a result it is a Status.
template <typename R>
struct ConsumedResult {
  using type = absl::StatusOr<R>;
};
template <>
struct ConsumedResult<void> {
  using type = absl::Status;
};
template <>
struct ConsumedResult<absl::Status> {
  using type = absl::Status;
};

template <typename T>
struct PacketVisitor;  // defined only for OneOf

template <typename... T>
struct PacketVisitor<OneOf<T...>> {
  template <typename F>
  static auto Visit(const ::syncline::Packet& packet, F&& function) {
    static_assert((std::is_invocable_v<F&, const T&> && ...),
                  "Visit needs a function for each type of the OneOf");
    return VisitAs<F, T...>(packet, function);
  }

  template <typename F>
  static auto ConsumeAndVisit(::syncline::Packet& packet, F&& function) {
    static_assert((std::is_invocable_v<F&, std::unique_ptr<T>> && ...),
                  "ConsumeAndVisit needs a function of std::unique_ptr for "
                  "each type of the OneOf");
    return ConsumeAs<F, T...>(packet, function);
  }

 private:
  template <typename F, typename First, typename... Rest>
  static std::invoke_result_t<F&, const First&> VisitAs(
      const ::syncline::Packet& packet, F& function) {
    using Result = std::invoke_result_t<F&, const First&>;
    static_assert(
        (std::is_same_v<Result, std::invoke_result_t<F&, const Rest&>> && ...),
        "the functions of Visit have to return the same type");
    if (packet.Holds(TypeIdOf<First>())) {
      return function(packet.Get<First>());
    }
    if constexpr (sizeof...(Rest) > 0) {
      return VisitAs<F, Rest...>(packet, function);
    } else {
      ReportNotOneOf("Visit()", packet, {TypeIdOf<T>()...});
    }
  }

  template <typename F, typename First, typename... Rest>
  static typename ConsumedResult<
      std::invoke_result_t<F&, std::unique_ptr<First>>>::type
  ConsumeAs(::syncline::Packet& packet, F& function) {
    using Result = std::invoke_result_t<F&, std::unique_ptr<First>>;
    static_assert(
        (std::is_same_v<Result,
                        std::invoke_result_t<F&, std::unique_ptr<Rest>>> &&
         ...),
        "the functions of ConsumeAndVisit have to return the same type");
    if (packet.Holds(TypeIdOf<First>())) {
      absl::StatusOr<std::unique_ptr<First>> value = packet.Consume<First>();
      if (!value.ok()) return value.status();
      if constexpr (std::is_void_v<Result>) {
        function(*std::move(value));
        return absl::OkStatus();
      } else {
        return function(*std::move(value));
      }
    }
    if constexpr (sizeof...(Rest) > 0) {
      return ConsumeAs<F, Rest...>(packet, function);
    } else {
      ReportNotOneOf("ConsumeAndVisit()", packet, {TypeIdOf<T>()...});
    }
  }
};

// Checks whether a Packet<T> may hold the value of `packet`.
template <typename T>
struct HoldsWhatFits {
  static void Check(const ::syncline::Packet& packet) {
    if (!packet.IsEmpty() && !packet.Holds(TypeIdOf<T>())) {
      ReportNotOneOf("As()", packet, {TypeIdOf<T>()});
    }
  }
};
template <>
struct HoldsWhatFits<AnyType> {
  static void Check(const ::syncline::Packet& packet) {}
};
template <typename... T>
struct HoldsWhatFits<OneOf<T...>> {
  static void Check(const ::syncline::Packet& packet) {
    if (!packet.IsEmpty() && !(packet.Holds(TypeIdOf<T>()) || ...)) {
      ReportNotOneOf("As()", packet, {TypeIdOf<T>()...});
    }
  }
};

}  // namespace internal
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_PACKET_VISIT_H_
