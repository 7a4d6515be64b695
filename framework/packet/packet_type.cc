#include "framework/packet/packet_type.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/packet/type_map.h"

namespace syncline {

PacketType::PacketType(const PacketType& other)
    : kind_(other.kind_),
      optional_(other.optional_),
      types_(other.types_),
      same_as_(other.same_as_.load(std::memory_order_relaxed)) {}

PacketType& PacketType::operator=(const PacketType& other) {
  if (this == &other) return *this;
  optional_ = other.optional_;
  if (other.same_as_.load(std::memory_order_relaxed) != nullptr) {
    return SetSameAs(&other);
  }
  Become(other.kind_);
  types_ = other.types_;
  return *this;
}

const PacketType* PacketType::Root() const {
  // The links change only to skip what lies between, so whichever thread's
  // store wins, every chain ends at the same root.
  const PacketType* type = this;
  while (true) {
    const PacketType* next = type->same_as_.load(std::memory_order_relaxed);
    if (next == nullptr) return type;
    const PacketType* after = next->same_as_.load(std::memory_order_relaxed);
    if (after == nullptr) return next;
    type->same_as_.store(after, std::memory_order_relaxed);
    type = after;
  }
}

PacketType& PacketType::Become(Kind kind) {
  kind_ = kind;
  types_.clear();
  same_as_.store(nullptr, std::memory_order_relaxed);
  return *this;
}

PacketType& PacketType::SetTypeId(TypeId type) {
  Become(Kind::kExact);
  types_.push_back(type);
  return *this;
}

PacketType& PacketType::SetOneOf(const std::vector<TypeId>& types) {
  std::vector<TypeId> distinct;
  for (const TypeId type : types) {
    if (!absl::c_linear_search(distinct, type)) distinct.push_back(type);
  }
  Become(distinct.size() == 1 ? Kind::kExact : Kind::kOneOf);
  types_.assign(distinct.begin(), distinct.end());
  return *this;
}

PacketType& PacketType::SetAny() { return Become(Kind::kAny); }

PacketType& PacketType::SetNone() { return Become(Kind::kNone); }

PacketType& PacketType::SetSameAs(const PacketType* type) {
  const PacketType* const root = type->Root();
  if (root == this) return SetAny();
  Become(Kind::kUndefined);
  same_as_.store(root, std::memory_order_relaxed);
  return *this;
}

bool PacketType::IsInitialized() const {
  return kind_ != Kind::kUndefined ||
         same_as_.load(std::memory_order_relaxed) != nullptr;
}

absl::optional<TypeId> PacketType::ExactType() const {
  const PacketType* const root = Root();
  if (root->kind_ != Kind::kExact) return absl::nullopt;
  return root->types_.front();
}

bool PacketType::IsConsistentWith(const PacketType& other) const {
  const PacketType* const a = Root();
  const PacketType* const b = other.Root();
  if (a->kind_ == Kind::kAny || b->kind_ == Kind::kAny) return true;
  if (a->types_.empty() || b->types_.empty()) {
    return a->types_.empty() && b->types_.empty();
  }
  return std::find_first_of(a->types_.begin(), a->types_.end(),
                            b->types_.begin(),
                            b->types_.end()) != a->types_.end();
}

absl::Status PacketType::Validate(const Packet& packet) const {
  const PacketType* const root = Root();
  switch (root->kind_) {
    case Kind::kUndefined:
      return absl::InvalidArgumentError(
          "Uninitialized PacketType was used for validation.");
    case Kind::kNone:
      if (packet.IsEmpty()) return absl::OkStatus();
      return absl::InvalidArgumentError(absl::StrCat(
          "No packets are allowed for type: ", DebugTypeName(),
          ", but a packet of \"", packet.DebugTypeName(), "\" was given."));
    case Kind::kExact:
      return packet.ValidateAsType(root->types_.front());
    case Kind::kAny:
    case Kind::kOneOf:
      break;
  }
  if (packet.IsEmpty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Empty packets are not allowed for type: ", DebugTypeName()));
  }
  if (root->kind_ == Kind::kAny ||
      absl::c_linear_search(root->types_, packet.GetTypeId())) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("The Packet stores \"", packet.DebugTypeName(), "\", but \"",
                   DebugTypeName(), "\" was requested."));
}

std::string PacketType::RegisteredTypeName() const {
  const absl::optional<TypeId> type = ExactType();
  return type.has_value() ? RegisteredNameOfType(*type) : "";
}

std::string PacketType::DebugTypeName() const {
  const PacketType* const root = Root();
  switch (root->kind_) {
    case Kind::kUndefined:
      return "[Undefined Type]";
    case Kind::kAny:
      return "[Any Type]";
    case Kind::kNone:
      return "[No Type]";
    case Kind::kExact:
      return SynclineTypeStringOrDemangled(root->types_.front());
    case Kind::kOneOf:
      break;
  }
  std::vector<std::string> names;
  for (const TypeId type : root->types_) {
    names.push_back(SynclineTypeStringOrDemangled(type));
  }
  return absl::StrCat("OneOf<", absl::StrJoin(names, ", "), ">");
}

}  // namespace syncline
