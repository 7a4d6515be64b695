// Packet<T>: a packet whose type the compiler knows.
//
//   Packet<std::string> packet =
//   MakePacket<std::string>("hi").At(Timestamp(1)); packet->size(); *packet;
//   packet.Get(); packet.GetOr("nothing");
//
// It holds a syncline::Packet and nothing else, so it costs the same.
// FromOldPacket and ToOldPacket convert between the two. If the type is not
// known, ask a Packet<AnyType> or Packet<OneOf<A, B>> for it:
//
//   if (packet.Has<int>()) packet.Get<int>();
//   packet.Visit([](int i) { ... }, [](const std::string& s) { ... });
//
// A packet converts implicitly to a packet type that allows more types; for the
// other direction there is As<T>(). Mistakes that the compiler cannot find,
// such as Get of an empty packet, are a misuse (base/misuse.h).
//
// Thread rule: as for syncline::Packet.
// Tested by packet_test.

#ifndef SYNCLINE_FRAMEWORK_API2_PACKET_H_
#define SYNCLINE_FRAMEWORK_API2_PACKET_H_

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/api2/packet_visit.h"
#include "framework/api2/payload_types.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace api2 {

template <typename T = AnyType>
class Packet;
class PacketBase;

PacketBase FromOldPacket(const ::syncline::Packet& packet);
PacketBase FromOldPacket(::syncline::Packet&& packet);
const ::syncline::Packet& ToOldPacket(const PacketBase& packet);
::syncline::Packet ToOldPacket(PacketBase&& packet);

// The functions of packets of all types.
class PacketBase {
 public:
  // Empty, at Unset.
  PacketBase() = default;

  bool IsEmpty() const { return packet_.IsEmpty(); }
  explicit operator bool() const { return !IsEmpty(); }
  Timestamp timestamp() const { return packet_.Timestamp(); }

  // The same value at another timestamp.
  PacketBase At(Timestamp timestamp) const& {
    return PacketBase(packet_.At(timestamp));
  }
  PacketBase At(Timestamp timestamp) && {
    return PacketBase(std::move(packet_).At(timestamp));
  }

  // Whether the value has exactly the type T. False for an empty packet.
  template <typename T>
  bool Has() const {
    return packet_.Holds(TypeIdOf<T>());
  }
  // The value. It is a misuse if there is no value, or one of another type.
  template <typename T>
  const T& Get() const {
    return packet_.Get<T>();
  }
  // The value. The pointer keeps it alive. INTERNAL for an empty packet,
  // INVALID_ARGUMENT for a value of another type.
  template <typename T>
  absl::StatusOr<std::shared_ptr<const T>> Share() const {
    return packet_.Share<T>();
  }

  // The same packet as a Packet<T>. It is a misuse if its value does not fit.
  // An empty packet stays empty.
  template <typename T>
  Packet<T> As() const;

  // A misuse for an empty packet.
  TypeId GetTypeId() const { return packet_.GetTypeId(); }
  const google::protobuf::MessageLite& GetProtoMessageLite() const {
    return packet_.GetProtoMessageLite();
  }
  absl::StatusOr<std::vector<const google::protobuf::MessageLite*>>
  GetVectorOfProtoMessageLite() const {
    return packet_.GetVectorOfProtoMessageLitePtrs();
  }
  std::string DebugString() const { return packet_.DebugString(); }
  std::string DebugTypeName() const { return packet_.DebugTypeName(); }

 protected:
  explicit PacketBase(const ::syncline::Packet& packet) : packet_(packet) {}
  explicit PacketBase(::syncline::Packet&& packet)
      : packet_(std::move(packet)) {}

  ::syncline::Packet packet_;

 private:
  friend PacketBase FromOldPacket(const ::syncline::Packet& packet);
  friend PacketBase FromOldPacket(::syncline::Packet&& packet);
  friend const ::syncline::Packet& ToOldPacket(const PacketBase& packet);
  friend ::syncline::Packet ToOldPacket(PacketBase&& packet);
};

inline PacketBase FromOldPacket(const ::syncline::Packet& packet) {
  return PacketBase(packet);
}
inline PacketBase FromOldPacket(::syncline::Packet&& packet) {
  return PacketBase(std::move(packet));
}
inline const ::syncline::Packet& ToOldPacket(const PacketBase& packet) {
  return packet.packet_;
}
inline ::syncline::Packet ToOldPacket(PacketBase&& packet) {
  return std::move(packet.packet_);
}

namespace internal {

template <typename Base, typename T>
concept BaseOfAnyPacket = std::same_as<T, AnyType> &&
    std::same_as<std::remove_cvref_t<Base>, PacketBase>;

template <typename T>
concept NotVoid = !std::is_void_v<T>;

}  // namespace internal

template <typename T>
class Packet : public PacketBase {
  using Rule = internal::PayloadRule<T>;
  // The type of the value, if there is only one; otherwise void.
  using Only = typename Rule::Only;

 public:
  using PayloadT = T;

  Packet() = default;

  // Converts from a packet that allows fewer types. For other packets see As().
  template <internal::PayloadWithin<T> U>
  Packet(const Packet<U>& other)  // NOLINT: implicit
      : PacketBase(static_cast<const PacketBase&>(other)) {}
  template <internal::PayloadWithin<T> U>
  Packet(Packet<U>&& other)  // NOLINT: implicit
      : PacketBase(static_cast<PacketBase&&>(other)) {}
  // A Packet<AnyType> takes every packet.
  template <internal::BaseOfAnyPacket<T> Base>
  Packet(Base&& other)  // NOLINT: implicit
      : PacketBase(std::forward<Base>(other)) {}

  Packet At(Timestamp timestamp) const& {
    return Packet(packet_.At(timestamp));
  }
  Packet At(Timestamp timestamp) && {
    return Packet(std::move(packet_).At(timestamp));
  }

  // The value, of type U if several types are possible. It is a misuse if there
  // is no value, or one of another type. The reference is valid as long as some
  // copy of the packet exists.
  template <typename U = Only>
  const U& Get() const {
    CheckCanHold<U>();
    return packet_.template Get<U>();
  }
  std::add_lvalue_reference_t<const Only> operator*() const {
    return Get<Only>();
  }
  const Only* operator->() const { return &Get<Only>(); }
  // The value, or `otherwise` if the packet is empty.
  template <typename U = T>
  std::decay_t<T> GetOr(U&& otherwise) const {
    CheckCanHold<Only>();
    return IsEmpty() ? static_cast<T>(std::forward<U>(otherwise)) : Get<T>();
  }

  template <typename U = Only>
  bool Has() const {
    CheckCanHold<U>();
    return PacketBase::Has<U>();
  }
  template <typename U = Only>
  absl::StatusOr<std::shared_ptr<const U>> Share() const {
    CheckCanHold<U>();
    return packet_.template Share<U>();
  }
  // Takes the value out of the packet, which keeps its timestamp.
  // FAILED_PRECONDITION if other packets share it; the packet is unchanged
  // then.
  template <typename U = Only>
  absl::StatusOr<std::unique_ptr<U>> Consume() {
    CheckCanHold<U>();
    return packet_.template Consume<U>();
  }

  // For a Packet<OneOf<...>>: calls the function that accepts the type of the
  // value, and returns its result. All functions return the same type. A misuse
  // for an empty packet.
  template <typename... F>
  requires internal::kIsOneOf<T>
  auto Visit(F&&... functions) const {
    return internal::PacketVisitor<T>::Visit(
        packet_, internal::Overload{std::forward<F>(functions)...});
  }
  // The same, but takes the value out of the packet and passes it as a
  // std::unique_ptr. Returns a StatusOr, or a Status for functions without a
  // result. The errors are those of Consume.
  template <typename... F>
  requires internal::kIsOneOf<T>
  auto ConsumeAndVisit(F&&... functions) {
    return internal::PacketVisitor<T>::ConsumeAndVisit(
        packet_, internal::Overload{std::forward<F>(functions)...});
  }

 protected:
  template <typename U>
  static constexpr void CheckCanHold() {
    static_assert(!std::is_void_v<U>,
                  "this packet can hold several types: say which, as in "
                  "Get<int>()");
    static_assert(std::is_void_v<U> || internal::PayloadAllows<T, U>,
                  "this packet cannot hold a value of the type asked for");
  }

  explicit Packet(const ::syncline::Packet& packet) : PacketBase(packet) {}
  explicit Packet(::syncline::Packet&& packet)
      : PacketBase(std::move(packet)) {}

 private:
  friend class PacketBase;
  template <typename U>
  friend class Packet;
  template <internal::NotVoid U, typename... Args>
  friend Packet<U> MakePacket(Args&&... args);
  template <typename U>
  friend Packet<U> PacketAdopting(const U* value);
  template <typename U>
  friend Packet<U> PointToForeign(const U* value,
                                  absl::AnyInvocable<void()> cleanup);
};

// A packet of a new T(args...), at Unset. Arrays as in syncline::MakePacket.
// (The constraint makes this function win where argument-dependent lookup also
// finds syncline::MakePacket.)
template <internal::NotVoid T, typename... Args>
Packet<T> MakePacket(Args&&... args) {
  return Packet<T>(::syncline::MakePacket<T>(std::forward<Args>(args)...));
}

// A packet that takes ownership of *value, which was made by `new`. Null is a
// misuse.
template <typename T>
Packet<T> PacketAdopting(const T* value) {
  return Packet<T>(::syncline::Adopt(value));
}
// Of an array too: std::unique_ptr<U[]>.
template <typename T>
Packet<T> PacketAdopting(std::unique_ptr<T> value) {
  if constexpr (std::is_array_v<T>) {
    return PacketAdopting<T>(reinterpret_cast<const T*>(value.release()));
  } else {
    return PacketAdopting<T>(static_cast<const T*>(value.release()));
  }
}

// A packet of *value, which somebody else owns; see syncline::PointToForeign.
template <typename T>
Packet<T> PointToForeign(const T* value,
                         absl::AnyInvocable<void()> cleanup = nullptr) {
  return Packet<T>(::syncline::PointToForeign(value, std::move(cleanup)));
}

// The value, kept alive by the pointer; of type U if several are possible. A
// misuse if there is none, or one of another type. Prefer Packet<T>::Share.
template <typename U = void, typename T>
auto SharedPtrWithPacket(const Packet<T>& packet) {
  using Value = std::conditional_t<std::is_void_v<U>,
                                   typename internal::PayloadRule<T>::Only, U>;
  packet.template Get<Value>();  // reports a wrong type
  return *packet.template Share<Value>();
}

template <typename T>
Packet<T> PacketBase::As() const {
  internal::HoldsWhatFits<T>::Check(packet_);
  return Packet<T>(packet_);
}

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_PACKET_H_
