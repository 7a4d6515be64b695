// PacketType: which packets a port accepts, and whether two ports agree.
//
//   cc->Inputs().Tag("IMAGE").Set<Image>();
//   cc->Inputs().Index(1).SetOneOf<int, float>().Optional();
//   cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
//
// Any does not mean "all types": it means one type that the graph decides. A
// PacketType that is the same as another one refers to it, and the other one
// may refer to a third. The last one of such a chain is the root, and has the
// type. Queries other than IsInitialized and IsOptional are answered by the
// root. Compiling a graph joins the chains of the ports that a stream connects.
//
// Thread rule: const calls may run on any threads at once. A PacketType that
// others refer to must outlive them, and must not be moved.
// Tested by packet_type_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PACKET_TYPE_H_
#define SYNCLINE_FRAMEWORK_PACKET_PACKET_TYPE_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"

namespace syncline {

class PacketType {
 public:
  // Not initialised: nobody has said yet what the port is for.
  PacketType() = default;
  // A copy is the same as what the original is the same as.
  PacketType(const PacketType& other);
  PacketType& operator=(const PacketType& other);

  // Each of these replaces what was said before, except Optional.

  // Exactly T.
  template <typename T>
  PacketType& Set() {
    return SetTypeId(TypeIdOf<T>());
  }
  PacketType& SetTypeId(TypeId type);
  // One of the types.
  template <typename... T>
  PacketType& SetOneOf() {
    static_assert(sizeof...(T) > 0, "SetOneOf needs types");
    return SetOneOf(std::vector<TypeId>({TypeIdOf<T>()...}));
  }
  PacketType& SetOneOf(const std::vector<TypeId>& types);
  PacketType& SetAny();
  // No packets at all.
  PacketType& SetNone();
  // The same as `type`, whatever that turns out to be. A type that would be the
  // same as itself becomes Any.
  PacketType& SetSameAs(const PacketType* type);
  // The port need not be connected.
  PacketType& Optional() {
    optional_ = true;
    return *this;
  }

  bool IsInitialized() const;
  bool IsOptional() const { return optional_; }
  bool IsAny() const { return Root()->kind_ == Kind::kAny; }
  bool IsNone() const { return Root()->kind_ == Kind::kNone; }
  bool IsOneOf() const { return Root()->kind_ == Kind::kOneOf; }
  bool IsExactType() const { return Root()->kind_ == Kind::kExact; }

  // The type of IsExactType(), else nothing.
  absl::optional<TypeId> ExactType() const;
  // The types of IsExactType() and IsOneOf(); else none.
  absl::Span<const TypeId> Types() const { return Root()->types_; }

  // The root; this object when it is not the same as another. To say something
  // about the whole chain, say it of the root.
  const PacketType* GetSameAs() const { return Root(); }
  PacketType* GetSameAs() { return const_cast<PacketType*>(Root()); }

  // Whether one stream can connect both: they share a type, or one is Any.
  // None agrees with None and Any; not initialised counts as None.
  bool IsConsistentWith(const PacketType& other) const;

  // Whether the packet may pass. The texts name what the packet has and what
  // was wanted.
  absl::Status Validate(const Packet& packet) const;

  // The registered name of an exact type, or "".
  std::string RegisteredTypeName() const;
  // For texts: "int", "OneOf<int, float>", "[Any Type]", "[No Type]" or
  // "[Undefined Type]".
  std::string DebugTypeName() const;

 private:
  enum class Kind : std::uint8_t { kUndefined, kAny, kNone, kExact, kOneOf };

  // The end of the chain. Shortens the chain on the way, so that asking often
  // stays cheap however the chain grew.
  const PacketType* Root() const;
  PacketType& Become(Kind kind);

  Kind kind_ = Kind::kUndefined;  // not used where same_as_ is set
  bool optional_ = false;
  absl::InlinedVector<TypeId, 1> types_;  // most are exact
  mutable std::atomic<const PacketType*> same_as_{nullptr};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PACKET_TYPE_H_
