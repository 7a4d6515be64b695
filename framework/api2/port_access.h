// What `kPort(cc)` gives: a port of this call, ready to be read or written.
//
//   Input<T>                 kIn(cc)   an InputShardAccess<T>, a Packet<T>
//   SideInput<T>             kSide(cc) an InputSidePacketAccess<T>, the same
//   Input<T>::SideFallback   kIn(cc)   an InputShardOrSideAccess<T>, the same
//   Output<T>                kOut(cc)  an OutputShardAccess<T>
//   SideOutput<T>            kOut(cc)  an OutputSidePacketAccess<T>
//   ...::Multiple            kIn(cc)   a MultiplePortAccess of those
//   any, in a contract       kIn(cc)   a PacketTypeAccess
//
// They are handles: small, for the length of the call, made where they are
// needed. A port that is optional and not connected has one too: it reads as
// empty, and writing to it does nothing.
//
// The packet of an input stays in the input, so what Get() returns may be used
// for the whole call. Consume() takes it out of both.
//
// Thread rule: as of the CalculatorContext.
// Tested by node_test.

#ifndef SYNCLINE_FRAMEWORK_API2_PORT_ACCESS_H_
#define SYNCLINE_FRAMEWORK_API2_PORT_ACCESS_H_

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/api2/packet.h"
#include "framework/api2/payload_types.h"
#include "framework/base/type_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/side_packets.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace api2 {
namespace internal {

// A port in a call or in a contract, as errors name it.
struct PortUse {
  PortUse(const CalculatorContext* cc, const char* kind, const char* tag,
          int index)
      : contract(&cc->contract()), kind(kind), tag(tag), index(index) {}
  PortUse(const CalculatorContract* cc, const char* kind, const char* tag,
          int index)
      : contract(cc), kind(kind), tag(tag), index(index) {}

  const CalculatorContract* contract;
  const char* kind;  // such as "input stream"
  const char* tag;
  int index;
};

// Misuses that name the node and the port. `call` is such as "Get()"; `wanted`
// is void where any type would do.
[[noreturn]] void ReportWrongGet(const PortUse& use, const char* call,
                                 bool is_connected,
                                 const ::syncline::Packet& packet,
                                 TypeId wanted);
[[noreturn]] void ReportNoSuchIndex(const PortUse& use, int count);

template <typename T>
inline constexpr bool kIsUniquePtr = false;
template <typename T>
inline constexpr bool kIsUniquePtr<std::unique_ptr<T>> = true;

// Whether Send(U) means a value of a port that carries several types.
template <typename T, typename V>
inline constexpr bool kTakesValue = PayloadAllows<T, V>;
template <typename T, typename V>
inline constexpr bool kTakesValue<T, std::unique_ptr<V>> = PayloadAllows<T, V>;
template <typename U, typename T>
concept SendableAs = !PlainPayload<T> &&
                     !std::is_base_of_v<PacketBase, std::remove_cvref_t<U>> &&
                     kTakesValue<T, std::remove_cvref_t<U>>;

// A port that is read: a Packet<T> whose misuses say which port it was.
template <typename T>
class PacketAccess : public Packet<T> {
  using Only = typename PayloadRule<T>::Only;

 public:
  // Whether the graph connects the port.
  bool IsConnected() const { return is_connected_; }

  const Packet<T>& packet() const { return *this; }

  // As of Packet<T>.
  template <typename U = Only>
  const U& Get() const {
    Packet<T>::template CheckCanHold<U>();
    if (ABSL_PREDICT_FALSE(!this->packet_.Holds(TypeIdOf<U>()))) {
      ReportWrongGet(use_, "Get()", is_connected_, this->packet_,
                     TypeIdOf<U>());
    }
    return this->packet_.template Get<U>();
  }
  std::add_lvalue_reference_t<const Only> operator*() const {
    return Get<Only>();
  }
  const Only* operator->() const { return &Get<Only>(); }
  template <typename... F>
  requires kIsOneOf<T>
  auto Visit(F&&... functions) const {
    if (ABSL_PREDICT_FALSE(this->IsEmpty())) {
      ReportWrongGet(use_, "Visit()", is_connected_, this->packet_, TypeId());
    }
    return Packet<T>::Visit(std::forward<F>(functions)...);
  }

 protected:
  // `value` is null for a port that is not connected.
  PacketAccess(const ::syncline::Packet* value, const PortUse& use)
      : use_(use), is_connected_(value != nullptr) {
    if (value != nullptr) this->packet_ = *value;
  }

 private:
  PortUse use_;
  bool is_connected_;
};

}  // namespace internal

// The packet of an input stream in this call. Its timestamp says, where it is
// empty, up to when the stream is settled.
template <typename T>
class InputShardAccess : public internal::PacketAccess<T> {
 public:
  InputShardAccess(InputStream* stream, const internal::PortUse& use)
      : internal::PacketAccess<T>(
            stream == nullptr ? nullptr : &std::as_const(*stream).Value(), use),
        stream_(stream) {}

  // The stream was closed and this is the last that comes from it.
  bool IsDone() const { return stream_ != nullptr && stream_->IsDone(); }
  // What the producer set as header in Open; empty if nothing.
  PacketBase Header() const {
    return stream_ == nullptr ? PacketBase() : FromOldPacket(stream_->Header());
  }

  // The value, taken out of the input, which is empty then.
  // FAILED_PRECONDITION, and nothing changes, if others share the packet: a
  // copy of it, or another consumer of the stream.
  template <typename U = typename internal::PayloadRule<T>::Only>
  absl::StatusOr<std::unique_ptr<U>> Consume() {
    return WithoutCopyInStream(
        [this] { return Packet<T>::template Consume<U>(); });
  }
  template <typename... F>
  requires internal::kIsOneOf<T>
  auto ConsumeAndVisit(F&&... functions) {
    return WithoutCopyInStream([&] {
      return Packet<T>::ConsumeAndVisit(std::forward<F>(functions)...);
    });
  }

 private:
  // Consuming needs the only copy of the packet, and the stream has one too: it
  // lets go of it meanwhile, and has the same as this afterwards.
  template <typename Consumer>
  auto WithoutCopyInStream(Consumer consume) {
    struct Restore {
      ~Restore() {
        if (stream != nullptr) stream->Value() = *packet;
      }
      InputStream* stream;
      const ::syncline::Packet* packet;
    };
    const Restore restore{stream_, &this->packet_};
    if (stream_ != nullptr) stream_->Value() = ::syncline::Packet();
    return consume();
  }

  InputStream* stream_;
};

// An input side packet.
template <typename T>
class InputSidePacketAccess : public internal::PacketAccess<T> {
 public:
  InputSidePacketAccess(const ::syncline::Packet* packet,
                        const internal::PortUse& use)
      : internal::PacketAccess<T>(packet, use) {}
};

// An input stream, or the side packet that stands for it.
template <typename T>
class InputShardOrSideAccess : public internal::PacketAccess<T> {
 public:
  // At most one is not null.
  InputShardOrSideAccess(InputStream* stream,
                         const ::syncline::Packet* side_packet,
                         const internal::PortUse& use)
      : internal::PacketAccess<T>(
            stream == nullptr ? side_packet : &std::as_const(*stream).Value(),
            use),
        stream_(stream) {}

  // The graph connects the stream, not the side packet.
  bool IsStream() const { return stream_ != nullptr; }
  // A side packet holds for the whole run: it is never done.
  bool IsDone() const { return IsStream() && stream_->IsDone(); }
  PacketBase Header() const {
    return IsStream() ? FromOldPacket(stream_->Header()) : PacketBase();
  }

 private:
  const InputStream* stream_;
};

// An output stream of this call. Where T is AnyType or OneOf, what is sent says
// its type.
template <typename T>
class OutputShardAccess {
 public:
  OutputShardAccess(OutputStream* stream, const CalculatorContext* cc)
      : stream_(stream), cc_(cc) {}

  bool IsConnected() const { return stream_ != nullptr; }

  // Sends a packet as it is: its timestamp has to be one that is allowed in a
  // stream. An empty one moves the bound past its timestamp.
  void Send(const Packet<T>& packet) const {
    if (stream_ != nullptr) stream_->AddPacket(ToOldPacket(packet));
  }
  void Send(Packet<T>&& packet) const {
    if (stream_ != nullptr) stream_->AddPacket(ToOldPacket(std::move(packet)));
  }

  // Sends a value at the input timestamp, or at another.
  void Send(const T& value) const { Send(value, InputTimestamp()); }
  void Send(T&& value) const { Send(std::move(value), InputTimestamp()); }
  void Send(std::unique_ptr<T> value) const {
    Send(std::move(value), InputTimestamp());
  }
  void Send(const T& value, Timestamp timestamp) const {
    if (stream_ != nullptr) Send(MakePacket<T>(value).At(timestamp));
  }
  void Send(T&& value, Timestamp timestamp) const {
    if (stream_ != nullptr) Send(MakePacket<T>(std::move(value)).At(timestamp));
  }
  void Send(std::unique_ptr<T> value, Timestamp timestamp) const {
    if (stream_ == nullptr) return;
    Send(PacketAdopting<T>(std::move(value)).At(timestamp));
  }

  // The same where the value says which type it is.
  template <internal::SendableAs<T> U>
  void Send(U&& value) const {
    Send(std::forward<U>(value), InputTimestamp());
  }
  template <internal::SendableAs<T> U>
  void Send(U&& value, Timestamp timestamp) const {
    using Value = std::remove_cvref_t<U>;
    if (stream_ == nullptr) return;
    if constexpr (internal::kIsUniquePtr<Value>) {
      Send(Packet<T>(PacketAdopting(std::forward<U>(value)).At(timestamp)));
    } else {
      Send(Packet<T>(MakePacket<Value>(std::forward<U>(value)).At(timestamp)));
    }
  }

  // Nothing comes below `bound`.
  void SetNextTimestampBound(Timestamp bound) const {
    if (stream_ != nullptr) stream_->SetNextTimestampBound(bound);
  }
  // Unset for a port that is not connected.
  Timestamp NextTimestampBound() const {
    return stream_ == nullptr ? Timestamp::Unset()
                              : stream_->NextTimestampBound();
  }
  void Close() const {
    if (stream_ != nullptr) stream_->Close();
  }
  // A port that is not connected takes nothing, so it counts as closed.
  bool IsClosed() const { return stream_ == nullptr || stream_->IsClosed(); }

  // Only in Open, without a timestamp.
  void SetHeader(const PacketBase& header) const {
    if (stream_ != nullptr) stream_->SetHeader(ToOldPacket(header));
  }

 private:
  Timestamp InputTimestamp() const { return cc_->InputTimestamp(); }

  OutputStream* stream_;
  const CalculatorContext* cc_;
};

// An output side packet, which can be set once in a run.
template <typename T>
class OutputSidePacketAccess {
 public:
  explicit OutputSidePacketAccess(OutputSidePacket* packet) : output_(packet) {}

  bool IsConnected() const { return output_ != nullptr; }

  void Set(const Packet<T>& packet) const {
    if (output_ != nullptr) output_->Set(ToOldPacket(packet));
  }
  void Set(const T& value) const {
    if (output_ != nullptr) Set(MakePacket<T>(value));
  }
  void Set(T&& value) const {
    if (output_ != nullptr) Set(MakePacket<T>(std::move(value)));
  }
  void Set(std::unique_ptr<T> value) const {
    if (output_ != nullptr) Set(PacketAdopting<T>(std::move(value)));
  }
  template <internal::SendableAs<T> U>
  void Set(U&& value) const {
    using Value = std::remove_cvref_t<U>;
    if (output_ == nullptr) return;
    if constexpr (internal::kIsUniquePtr<Value>) {
      Set(Packet<T>(PacketAdopting(std::forward<U>(value))));
    } else {
      Set(Packet<T>(MakePacket<Value>(std::forward<U>(value))));
    }
  }

 private:
  OutputSidePacket* output_;
};

// The type of a port, while the contract is written. The list of ports has said
// it already; UpdateContract may say more.
class PacketTypeAccess {
 public:
  // `type` is null for a port that the graph does not connect.
  explicit PacketTypeAccess(PacketType* type) : type_(type) {}

  bool IsConnected() const { return type_ != nullptr; }

  // These replace what was said. They do nothing if the port is not connected.
  template <typename T>
  void Set() const {
    if (type_ != nullptr) type_->Set<T>();
  }
  template <typename... T>
  void SetOneOf() const {
    if (type_ != nullptr) type_->SetOneOf<T...>();
  }
  void SetAny() const {
    if (type_ != nullptr) type_->SetAny();
  }
  void SetNone() const {
    if (type_ != nullptr) type_->SetNone();
  }
  void SetSameAs(const PacketTypeAccess& other) const {
    if (type_ == nullptr) return;
    if (other.type_ == nullptr) {
      type_->SetAny();
    } else {
      type_->SetSameAs(other.type_);
    }
  }

 private:
  PacketType* type_;
};

// The ports of one tag: none, one or many.
//
//   for (const auto& in : kIn(cc)) { ... }
//   kIn(cc).Count();  kIn(cc)[1];
//
// What [] and an iterator give is made for the occasion, so a loop says `auto`
// or `const auto&`.
template <typename Port, typename CC>
class MultiplePortAccess {
 public:
  using Access = decltype(Port::AccessIndex(std::declval<CC*>(), "", 0));

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Access;
    using difference_type = std::ptrdiff_t;
    using pointer = const Access*;
    using reference = Access;

    Iterator(const MultiplePortAccess* ports, int index)
        : ports_(ports), index_(index) {}
    Access operator*() const { return (*ports_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(ports_, index_++); }
    friend bool operator==(Iterator a, Iterator b) {
      return a.index_ == b.index_;
    }
    friend bool operator!=(Iterator a, Iterator b) { return !(a == b); }

   private:
    const MultiplePortAccess* ports_;
    int index_;
  };

  MultiplePortAccess(CC* cc, const char* tag)
      : cc_(cc), tag_(tag), count_(Port::Collection(cc).NumEntries(tag)) {}

  int Count() const { return count_; }
  // Whether there is at least one.
  bool IsConnected() const { return count_ > 0; }
  // A misuse for an index that is not below Count().
  Access operator[](int index) const {
    if (ABSL_PREDICT_FALSE(index < 0 || index >= count_)) {
      internal::ReportNoSuchIndex({cc_, Port::kKindName, tag_, index}, count_);
    }
    return Port::AccessIndex(cc_, tag_, index);
  }
  Iterator begin() const { return Iterator(this, 0); }
  Iterator end() const { return Iterator(this, count_); }

 private:
  CC* cc_;
  const char* tag_;
  int count_;
};

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_PORT_ACCESS_H_
