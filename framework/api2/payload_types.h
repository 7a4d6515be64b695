// What a typed port or packet can carry, besides one plain type:
//
//   Input<AnyType>            a packet of one type, which the graph decides
//   Input<OneOf<int, float>>  a packet of one of these types
//   Output<SameType<kIn>>     whatever the port kIn carries
//   Input<NoneType>           no packet ever, only bounds
//
// Thread rule: types only.
// Tested by port_test and packet_test.

#ifndef SYNCLINE_FRAMEWORK_API2_PAYLOAD_TYPES_H_
#define SYNCLINE_FRAMEWORK_API2_PAYLOAD_TYPES_H_

#include <type_traits>

namespace syncline {
namespace api2 {

struct AnyType {
  AnyType() = delete;
};

struct NoneType {
  NoneType() = delete;
};

template <typename... T>
struct OneOf {
  static_assert(sizeof...(T) > 0, "OneOf needs types");
  OneOf() = delete;
};

// `kPort` is a port of the same calculator, with static storage.
template <const auto& kPort>
struct SameType {
  static constexpr const auto& kSamePort = kPort;
  SameType() = delete;
};

namespace internal {

// The name of AnyType in older code.
using Generic = AnyType;

// The type of the packets of a port that is declared to carry T.
template <typename T>
struct PayloadOf {
  using type = T;
};
template <>
struct PayloadOf<NoneType> {
  using type = AnyType;
};
template <const auto& kPort>
struct PayloadOf<SameType<kPort>>
    : PayloadOf<typename std::remove_cvref_t<decltype(kPort)>::value_t> {};
template <typename T>
using ActualPayloadT = typename PayloadOf<T>::type;

// The types that a Packet<T> can hold: whether U is one of them, and Only,
// which is the type if there is only one and void otherwise.
template <typename T>
struct PayloadRule {
  using Only = T;
  template <typename U>
  static constexpr bool kAllows = std::is_same_v<T, U>;
};
template <>
struct PayloadRule<AnyType> {
  using Only = void;
  template <typename U>
  static constexpr bool kAllows = true;
};
template <typename... T>
struct PayloadRule<OneOf<T...>> {
  using Only = void;
  template <typename U>
  static constexpr bool kAllows = (std::is_same_v<T, U> || ...);
};

template <typename T>
inline constexpr bool kIsOneOf = false;
template <typename... T>
inline constexpr bool kIsOneOf<OneOf<T...>> = true;

// T is one plain type, so that a packet of it has one type of value.
template <typename T>
concept PlainPayload = !std::is_void_v<typename PayloadRule<T>::Only>;

// A Packet<T> can hold a U, as far as the compiler knows.
template <typename T, typename U>
concept PayloadAllows = PayloadRule<T>::template kAllows<U>;

template <typename To, typename From>
struct AllowsAllOf : std::bool_constant<PayloadAllows<To, From>> {};
template <typename To>
struct AllowsAllOf<To, AnyType>
    : std::bool_constant<std::is_same_v<To, AnyType>> {};
template <typename To, typename... From>
struct AllowsAllOf<To, OneOf<From...>>
    : std::bool_constant<(PayloadAllows<To, From> && ...)> {};

// Whether Packet<To> is another type than Packet<From>, and allows all types
// that Packet<From> allows.
template <typename From, typename To>
concept PayloadWithin =
    !std::is_same_v<From, To> && AllowsAllOf<To, From>::value;

}  // namespace internal
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_PAYLOAD_TYPES_H_
