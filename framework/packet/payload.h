// Payload: the counted block in which a packet's value lives.
//
// One block is shared by all copies of a packet and dies with the last of them.
// It begins with 16 bytes (a table of functions for the value's type and way of
// storage, and the count), and then, by the way of storage:
//
//   inline    the value itself: small types that can be moved without fail
//   owned     a pointer to the value, which was made by `new`: all others, and
//             whatever was adopted
//   foreign   a pointer to a value that somebody else owns, perhaps with a
//             function to call at the end
//
// So an int64 takes one allocation of 24 bytes. The tables take the place
// of virtual functions: access to a value only compares its type.
//
// Thread rule: the count may be changed by any thread that holds a reference;
// the value is constant while there is more than one.
// Tested by packet_test, packet_memory_test and packet_threads_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_PAYLOAD_H_
#define SYNCLINE_FRAMEWORK_PACKET_PAYLOAD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/base/type_id.h"
#include "framework/packet/payload_size.h"
#include "framework/packet/proto_payloads.h"

namespace syncline {
namespace packet_internal {

class Payload;

enum class Storage : std::uint8_t { kInline, kOwned, kForeign };

using ProtoPointers = std::vector<const google::protobuf::MessageLite*>;

struct PayloadOps {
  TypeId type;
  Storage storage;
  // Destroys the value, where it is not foreign, and frees the block.
  void (*destroy)(Payload* payload);
  // The value as a proto; null when the type is none.
  const google::protobuf::MessageLite* (*as_proto)(const void* value);
  // The elements of a vector of protos; null when the type is none.
  void (*append_protos)(const void* value, ProtoPointers* protos);
  // How much memory the value takes; see payload_size.h.
  std::size_t (*bytes)(const void* value);
};

class Payload {
 public:
  explicit Payload(const PayloadOps* ops) : ops_(ops) {}
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;

  const PayloadOps& ops() const { return *ops_; }

  // The first byte of the value; of an array, of its first element.
  const void* value() const {
    const void* after_header = this + 1;
    return ops_->storage == Storage::kInline
               ? after_header
               : *static_cast<const void* const*>(after_header);
  }

  void AddReference() { references_.fetch_add(1, std::memory_order_relaxed); }

  // Whoever drops the last reference sees everything that others did with the
  // value before they dropped theirs.
  void DropReference() {
    if (HasOneReference() ||
        references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      ops_->destroy(this);
    }
  }

  // For the holder of two references: drops one of them if nobody else has one,
  // and says whether it did. Then nobody else can make one meanwhile.
  bool DropOneOfTwo() {
    if (references_.load(std::memory_order_acquire) != 2) return false;
    references_.store(1, std::memory_order_release);
    return true;
  }

  // For the holder of a reference: nobody else has one, and so nobody can make
  // another.
  bool HasOneReference() const {
    return references_.load(std::memory_order_acquire) == 1;
  }

 private:
  const PayloadOps* const ops_;
  std::atomic<std::uint64_t> references_{1};
};
static_assert(sizeof(Payload) == 16);

template <typename T>
struct InlinePayload : Payload {
  template <typename Maker>
  InlinePayload(const PayloadOps* ops, Maker maker) : Payload(ops) {
    maker(static_cast<void*>(storage));
  }
  T* get() { return std::launder(reinterpret_cast<T*>(storage)); }

  // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
  alignas(T) unsigned char storage[sizeof(T)];
};

// T may be an array; then the value was made by new[].
template <typename T>
struct OwnedPayload : Payload {
  using Element = std::remove_extent_t<T>;

  OwnedPayload(const PayloadOps* ops, const Element* pointer)
      : Payload(ops), value(pointer) {}

  const Element* value;  // null once it was released
};

struct ForeignPayload : Payload {
  ForeignPayload(const PayloadOps* ops, const void* pointer)
      : Payload(ops), value(pointer) {}

  const void* const value;
};

// Cleanup is any function object, also one that can only be moved.
template <typename Cleanup>
struct ForeignPayloadWithCleanup : ForeignPayload {
  ForeignPayloadWithCleanup(const PayloadOps* ops, const void* pointer,
                            Cleanup at_end)
      : ForeignPayload(ops, pointer), cleanup(std::move(at_end)) {}
  ~ForeignPayloadWithCleanup() { cleanup(); }

  Cleanup cleanup;
};

// Small enough that moving it out (Packet::Consume) costs less than a second
// allocation for each packet would; and never a failure.
inline constexpr std::size_t kMaxInlineBytes = 128;

template <typename T>
constexpr bool IsStoredInline() {
  if constexpr (std::is_array_v<T>) {
    return false;
  } else {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
    return sizeof(T) <= kMaxInlineBytes && alignof(T) <= alignof(Payload) * 2 &&
           std::is_nothrow_move_constructible_v<T> &&
           std::is_nothrow_destructible_v<T>;
  }
}

template <typename T>
struct ElementOfVector {
  using type = void;
};
template <typename T, typename Allocator>
struct ElementOfVector<std::vector<T, Allocator>> {
  using type = T;
};

template <typename T>
constexpr PayloadOps MakeOps(Storage storage, void (*destroy)(Payload*)) {
  PayloadOps ops = {TypeId::Of<T>(), storage, destroy,
                    nullptr,         nullptr, &BytesOfValue<T>};
  if constexpr (kIsProto<T>) {
    ops.as_proto = [](const void* value) {
      return static_cast<const google::protobuf::MessageLite*>(
          static_cast<const T*>(value));
    };
  }
  using Element = typename ElementOfVector<T>::type;
  if constexpr (kIsProto<Element>) {
    ops.append_protos = [](const void* value, ProtoPointers* protos) {
      for (const Element& element : *static_cast<const T*>(value)) {
        protos->push_back(&element);
      }
    };
  }
  return ops;
}

// Each library has its own tables, and nothing compares their addresses. If
// libraries shared a table, the linker would keep the plug-in that defines it
// in memory for good.
#define SYNCLINE_PER_LIBRARY __attribute__((visibility("hidden")))

template <typename T>
SYNCLINE_PER_LIBRARY inline constexpr PayloadOps kInlineOps =
    MakeOps<T>(Storage::kInline, [](Payload* payload) {
      auto* block = static_cast<InlinePayload<T>*>(payload);
      block->get()->~T();
      delete block;
    });

template <typename T>
SYNCLINE_PER_LIBRARY inline constexpr PayloadOps kOwnedOps =
    MakeOps<T>(Storage::kOwned, [](Payload* payload) {
      auto* block = static_cast<OwnedPayload<T>*>(payload);
      if constexpr (std::is_array_v<T>) {
        delete[] block->value;
      } else {
        delete block->value;
      }
      delete block;
    });

template <typename T>
SYNCLINE_PER_LIBRARY inline constexpr PayloadOps kForeignOps =
    MakeOps<T>(Storage::kForeign, [](Payload* payload) {
      delete static_cast<ForeignPayload*>(payload);
    });

template <typename T, typename Cleanup>
SYNCLINE_PER_LIBRARY inline constexpr PayloadOps kForeignWithCleanupOps =
    MakeOps<T>(Storage::kForeign, [](Payload* payload) {
      delete static_cast<ForeignPayloadWithCleanup<Cleanup>*>(payload);
    });

#undef SYNCLINE_PER_LIBRARY

// The functions below give a payload with one reference.

// What a unique_ptr of an adopted value is of. Two types rather than one
// conditional: an abstract T must not even be named as the element of an array.
template <typename T, bool kIsArray>
struct AdoptGuard {
  using type = const T;
};
template <typename T>
struct AdoptGuard<T, true> {
  using type = const std::remove_extent_t<T>[];
};

// Takes `value` over, which was made by new, for an array by new[].
template <typename T>
Payload* AdoptValue(const std::remove_extent_t<T>* value) {
  NoteProtoPayload<T>();
  using Guard = typename AdoptGuard<T, std::is_array_v<T>>::type;
  std::unique_ptr<Guard> guard(value);
  auto* payload = new OwnedPayload<T>(&kOwnedOps<T>, value);
  static_cast<void>(guard.release());
  return payload;
}

template <typename T, typename... Args>
T* MakeValueAt(void* place, Args&&... args) {
  if constexpr (std::is_constructible_v<T, Args...>) {
    return ::new (place) T(std::forward<Args>(args)...);
  } else {
    return ::new (place) T{std::forward<Args>(args)...};
  }
}

template <typename T, typename... Args>
Payload* MakeArray(Args&&... args) {
  using Element = std::remove_extent_t<T>;
  constexpr std::size_t kSize =
      std::extent_v<T> != 0 ? std::extent_v<T> : sizeof...(Args);
  static_assert(sizeof...(Args) <= kSize, "too many elements for the array");
  if constexpr (std::is_array_v<Element>) {
    return AdoptValue<T>(new Element[kSize]{std::forward<Args>(args)...});
  } else {
    return AdoptValue<T>(
        new Element[kSize]{static_cast<Element>(std::forward<Args>(args))...});
  }
}

template <typename T, typename... Args>
Payload* MakePayload(Args&&... args) {
  if constexpr (std::is_array_v<T>) {
    return MakeArray<T>(std::forward<Args>(args)...);
  } else if constexpr (IsStoredInline<T>()) {
    NoteProtoPayload<T>();
    return new InlinePayload<T>(&kInlineOps<T>, [&](void* place) {
      MakeValueAt<T>(place, std::forward<Args>(args)...);
    });
  } else if constexpr (std::is_constructible_v<T, Args...>) {
    return AdoptValue<T>(new T(std::forward<Args>(args)...));
  } else {
    return AdoptValue<T>(new T{std::forward<Args>(args)...});
  }
}

// A cleanup that can be null and is, such as an empty std::function, is none.
template <typename T, typename Cleanup>
Payload* PointToForeignValue(const T* value, Cleanup cleanup) {
  NoteProtoPayload<T>();
  if constexpr (std::is_null_pointer_v<Cleanup>) {
    return new ForeignPayload(&kForeignOps<T>, value);
  } else {
    if constexpr (requires { cleanup == nullptr; }) {
      if (cleanup == nullptr) return PointToForeignValue(value, nullptr);
    }
    return new ForeignPayloadWithCleanup<Cleanup>(
        &kForeignWithCleanupOps<T, Cleanup>, value, std::move(cleanup));
  }
}

// Takes the value out of a payload that has one reference and is not foreign,
// which is destroyed. T may be an array.
template <typename T>
std::unique_ptr<T> ReleaseValue(Payload* payload) {
  std::unique_ptr<T> result;
  if (payload->ops().storage == Storage::kInline) {
    if constexpr (IsStoredInline<T>()) {
      T* value = static_cast<InlinePayload<T>*>(payload)->get();
      result = std::make_unique<T>(std::move(*value));
    }
  } else {
    auto* block = static_cast<OwnedPayload<T>*>(payload);
    auto* value = const_cast<std::remove_extent_t<T>*>(
        std::exchange(block->value, nullptr));
    if constexpr (std::is_bounded_array_v<T>) {
      result.reset(reinterpret_cast<T*>(value));
    } else {
      result.reset(value);
    }
  }
  payload->DropReference();
  return result;
}

}  // namespace packet_internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_PAYLOAD_H_
