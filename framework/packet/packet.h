// Packet: a value of any type at a timestamp.
//
//   Packet packet = MakePacket<std::string>("hello").At(Timestamp(10));
//   const std::string& text = packet.Get<std::string>();
//
// The value cannot change. Copies of a packet share it; it dies with the last
// of them. An empty packet has no value but may have a timestamp, and that
// timestamp means something: up to there the stream is settled.
//
// A packet is asked for exactly the type that it was made with, not for a base
// class or a convertible type. Get of another type, and other calls that have
// nothing to return, are misuses (base/misuse.h). They end the call of the
// calculator with an error; outside of a call they end the process.
//
// Thread rule: a packet object is used by one thread at a time, or by several
// that only read it. Copies of one packet may be used, and may die, on any
// threads.
// Tested by packet_*_test; across shared libraries by plugin_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PACKET_H_
#define SYNCLINE_FRAMEWORK_PACKET_PACKET_H_

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/type_id.h"
#include "framework/packet/payload.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class Packet;

// A packet of a new T(args...). Where T is an array U[N] or U[], the arguments
// are its elements. The timestamp is Unset.
template <typename T, typename... Args>
Packet MakePacket(Args&&... args);

// A packet that takes *ptr over, which was made by new; an array U[N] or U[]
// was made by new[], and `ptr` points to the whole array: const U (*)[N], const
// U
// (*)[]. Null is a misuse.
template <typename T>
Packet Adopt(const T* ptr);

// A packet of *ptr, which somebody else owns and keeps alive until the last
// copy of the packet is gone. Then `cleanup`, if given, is called once, on the
// thread that drops this copy. It may be any function object without arguments,
// also one that can only be moved. A null `ptr` is a misuse.
template <typename T, typename Cleanup = std::nullptr_t>
Packet PointToForeign(const T* ptr, Cleanup cleanup = nullptr);

class Packet {
 public:
  // Empty, at Unset.
  Packet() = default;
  Packet(const Packet& other) noexcept
      : payload_(other.payload_), timestamp_(other.timestamp_) {
    if (payload_ != nullptr) payload_->AddReference();
  }
  // Leaves the other one empty, at Unset.
  Packet(Packet&& other) noexcept
      : payload_(std::exchange(other.payload_, nullptr)),
        timestamp_(std::exchange(other.timestamp_, syncline::Timestamp())) {}
  Packet& operator=(const Packet& other) noexcept {
    Packet copy(other);
    swap(copy);
    return *this;
  }
  Packet& operator=(Packet&& other) noexcept {
    packet_internal::Payload* const taken =
        std::exchange(other.payload_, nullptr);
    // Null by now if `other` is this packet.
    packet_internal::Payload* const old = std::exchange(payload_, taken);
    timestamp_ = std::exchange(other.timestamp_, syncline::Timestamp());
    if (old != nullptr) old->DropReference();
    return *this;
  }
  ~Packet() {
    if (payload_ != nullptr) payload_->DropReference();
  }

  void swap(Packet& other) noexcept {
    std::swap(payload_, other.payload_);
    std::swap(timestamp_, other.timestamp_);
  }
  friend void swap(Packet& a, Packet& b) noexcept { a.swap(b); }

  // The same value at another timestamp.
  Packet At(class Timestamp timestamp) const& {
    Packet result(*this);
    result.timestamp_ = timestamp;
    return result;
  }
  Packet At(class Timestamp timestamp) && {
    timestamp_ = timestamp;
    return std::move(*this);
  }

  class Timestamp Timestamp() const {
    return timestamp_;
  }

  bool IsEmpty() const { return payload_ == nullptr; }
  // Whether there is a value, and it is of `type`: what ValidateAsType says, as
  // a bool.
  bool Holds(TypeId type) const {
    return payload_ != nullptr && payload_->ops().type == type;
  }
  // Becomes empty if this packet and `other` are the only copies of one value.
  // Costs less than a release that other threads may do at the same time.
  // REQUIRES: `other` is another packet, not empty, and no other thread uses
  // one of the two.
  void LetGoBeside(const Packet& other) {
    if (payload_ == other.payload_ && payload_->DropOneOfTwo()) {
      payload_ = nullptr;
    }
  }
  // Quicker. False says nothing.
  bool SurelyHolds(TypeId type) const {
    return payload_ != nullptr && payload_->ops().type.HasSameRecord(type);
  }

  // The value. A misuse for an empty packet and for another type. The reference
  // holds as long as some copy of the packet.
  template <typename T>
  const T& Get() const {
    if (!Holds(TypeIdOf<T>())) ReportWrongGet(TypeIdOf<T>());
    return *static_cast<const T*>(payload_->value());
  }

  // The value, kept alive by the pointer. Errors as of ValidateAsType.
  template <typename T>
  absl::StatusOr<std::shared_ptr<const T>> Share() const {
    absl::Status status = ValidateAsType<T>();
    if (!status.ok()) return status;
    auto keep_alive = std::make_shared<const Packet>(*this);
    const auto* value = static_cast<const std::remove_extent_t<T>*>(
        keep_alive->payload_->value());
    return std::shared_ptr<const T>(std::move(keep_alive), value);
  }

  // Takes the value out of the packet, which is then empty but keeps its
  // timestamp. Errors are those of ValidateAsType, and FAILED_PRECONDITION if
  // there are other copies or the value is foreign. The packet is then as it
  // was. Prefer Get, because the caller seldom decides whether there are other
  // copies.
  template <typename T>
  absl::StatusOr<std::unique_ptr<T>> Consume() {
    absl::Status status = ValidateAsType<T>();
    if (!status.ok()) return status;
    status = ValidateCanConsume();
    if (!status.ok()) return status;
    return packet_internal::ReleaseValue<T>(std::exchange(payload_, nullptr));
  }

  // The same, but copies the value where it cannot be taken, and says so in
  // *was_copied when that is not null. The packet is empty afterwards. Not for
  // arrays of unknown size.
  template <typename T>
  absl::StatusOr<std::unique_ptr<T>> ConsumeOrCopy(bool* was_copied = nullptr);

  // The value as a proto of whatever type. A misuse when it is none.
  const google::protobuf::MessageLite& GetProtoMessageLite() const;

  // Pointers to the elements of a std::vector of protos, valid as long as some
  // copy of the packet exists. INVALID_ARGUMENT when the value is no such
  // vector, INTERNAL for an empty packet.
  absl::StatusOr<std::vector<const google::protobuf::MessageLite*>>
  GetVectorOfProtoMessageLitePtrs() const;

  // INTERNAL for an empty packet, INVALID_ARGUMENT for another type.
  template <typename T>
  absl::Status ValidateAsType() const {
    return ValidateAsType(TypeIdOf<T>());
  }
  absl::Status ValidateAsType(TypeId type) const {
    return Holds(type) ? absl::OkStatus() : WrongTypeError(type);
  }
  absl::Status ValidateAsProtoMessageLite() const;

  // The type of the value. A misuse for an empty packet.
  TypeId GetTypeId() const;

  // How much memory the value takes, as far as is known: see payload_size.h.
  // 0 for an empty packet.
  std::size_t PayloadBytes() const {
    return payload_ == nullptr ? 0 : payload_->ops().bytes(payload_->value());
  }

  std::string DebugString() const;
  // The registered name of the value's type, else its C++ name; "{empty}" for
  // an empty packet.
  std::string DebugTypeName() const;
  // The registered name of the value's type, or "".
  std::string RegisteredTypeName() const;

  // Whether both share one value, or both have none. Timestamps do not count.
  friend bool operator==(const Packet& a, const Packet& b) {
    return a.payload_ == b.payload_;
  }
  friend bool operator!=(const Packet& a, const Packet& b) { return !(a == b); }
  friend std::ostream& operator<<(std::ostream& out, const Packet& packet) {
    return out << packet.DebugString();
  }

 private:
  friend Packet PacketOfPayload(packet_internal::Payload* payload);

  explicit Packet(packet_internal::Payload* payload) : payload_(payload) {}

  absl::Status WrongTypeError(TypeId wanted) const;
  absl::Status ValidateCanConsume() const;
  [[noreturn]] void ReportWrongGet(TypeId wanted) const;

  packet_internal::Payload* payload_ = nullptr;  // counted; null when empty
  class Timestamp timestamp_;
};
static_assert(sizeof(Packet) == 16);

// Takes over one reference. For this folder only.
inline Packet PacketOfPayload(packet_internal::Payload* payload) {
  return Packet(payload);
}

// A packet of std::unique_ptr<T>: its value may be changed by whoever has it.
// Everybody who has a copy shares it, so this gives up what makes packets safe.
template <typename T>
Packet AdoptAsUniquePtr(T* ptr) {
  return MakePacket<std::unique_ptr<T>>(ptr);
}
template <typename T>
T* GetFromUniquePtr(const Packet& packet) {
  return packet.Get<std::unique_ptr<T>>().get();
}

// The value, kept alive by the pointer. A wrong type is a misuse. Prefer
// Packet::Share.
template <typename T>
std::shared_ptr<const T> SharedPtrWithPacket(Packet packet) {
  packet.Get<T>();  // reports a wrong type
  return *packet.Share<T>();
}

// --- implementation

namespace packet_internal {

[[noreturn]] void ReportNullPayload(const char* function, TypeId type);

}  // namespace packet_internal

template <typename T, typename... Args>
Packet MakePacket(Args&&... args) {
  return PacketOfPayload(
      packet_internal::MakePayload<T>(std::forward<Args>(args)...));
}

template <typename T>
Packet Adopt(const T* ptr) {
  if (ptr == nullptr) {
    packet_internal::ReportNullPayload("Adopt", TypeIdOf<T>());
  }
  if constexpr (std::is_array_v<T>) {
    return PacketOfPayload(packet_internal::AdoptValue<T>(&(*ptr)[0]));
  } else {
    return PacketOfPayload(packet_internal::AdoptValue<T>(ptr));
  }
}

template <typename T, typename Cleanup>
Packet PointToForeign(const T* ptr, Cleanup cleanup) {
  if (ptr == nullptr) {
    packet_internal::ReportNullPayload("PointToForeign", TypeIdOf<T>());
  }
  return PacketOfPayload(
      packet_internal::PointToForeignValue<T>(ptr, std::move(cleanup)));
}

template <typename T>
absl::StatusOr<std::unique_ptr<T>> Packet::ConsumeOrCopy(bool* was_copied) {
  static_assert(!std::is_unbounded_array_v<T>,
                "how many elements to copy is not known");
  absl::Status status = ValidateAsType<T>();
  if (!status.ok()) return status;
  const bool can_consume = ValidateCanConsume().ok();
  if (was_copied != nullptr) *was_copied = !can_consume;
  if (can_consume) return Consume<T>();
  std::unique_ptr<T> copy;
  if constexpr (std::is_array_v<T>) {
    using Element = std::remove_extent_t<T>;
    std::unique_ptr<Element[]> elements(new Element[std::extent_v<T>]);
    const T& original = Get<T>();
    for (std::size_t i = 0; i < std::extent_v<T>; ++i) {
      elements[i] = original[i];
    }
    copy.reset(reinterpret_cast<T*>(elements.release()));
  } else {
    copy = std::make_unique<T>(Get<T>());
  }
  std::exchange(payload_, nullptr)->DropReference();
  return copy;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PACKET_H_
