// What `kIn(cc)` gives for an input: a Packet<T> that knows which port it is.
//
// The packet stays in the input stream too, so the result of Get() is valid
// during the whole call. Consume() takes the value out of both. A misuse names
// the node and the port.
//
// Thread rule: as for the CalculatorContext.
// Tested by node_test.

#ifndef SYNCLINE_FRAMEWORK_API2_INPUT_ACCESS_H_
#define SYNCLINE_FRAMEWORK_API2_INPUT_ACCESS_H_

#include <memory>
#include <type_traits>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/statusor.h"
#include "framework/api2/packet.h"
#include "framework/api2/payload_types.h"
#include "framework/base/type_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"

namespace syncline {
namespace api2 {
namespace internal {

// A port in a call or in a contract, as errors describe it.
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

// Misuses that name the node and the port. `call` is the name of the function,
// such as "Get()"; `wanted` is void if any type would do.
[[noreturn]] void ReportWrongGet(const PortUse& use, const char* call,
                                 bool is_connected,
                                 const ::syncline::Packet& packet,
                                 TypeId wanted);
[[noreturn]] void ReportNoSuchIndex(const PortUse& use, int count);

// The packet of a port: a Packet<T> whose misuses name the port.
template <typename T>
class PacketAccess : public Packet<T> {
  using Only = typename PayloadRule<T>::Only;

 public:
  // Whether the graph connects the port.
  bool IsConnected() const { return is_connected_; }

  // A temporary returns it by value, so that this is safe: const auto& packet =
  // kIn(cc).packet();
  const Packet<T>& packet() const& { return *this; }
  Packet<T> packet() && { return std::move(*this); }

  // As for Packet<T>.
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

// The packet of an input stream in this call. If it is empty, its timestamp
// says up to when the stream is settled.
template <typename T>
class InputShardAccess : public internal::PacketAccess<T> {
 public:
  InputShardAccess(InputStream* stream, const internal::PortUse& use)
      : internal::PacketAccess<T>(
            stream == nullptr ? nullptr : &std::as_const(*stream).Value(), use),
        stream_(stream) {}

  // The stream was closed, and no packet comes after this one.
  bool IsDone() const { return stream_ != nullptr && stream_->IsDone(); }
  // The header that the producer set in Open; empty if there is none.
  PacketBase Header() const {
    return stream_ == nullptr ? PacketBase() : FromOldPacket(stream_->Header());
  }

  // Takes the value out of the input, which is empty then. FAILED_PRECONDITION,
  // without any change, if the packet is shared: there is a copy of it, or
  // another consumer of the stream.
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
  // Consuming needs the only copy of the packet, but the stream holds a copy
  // too. So the stream drops its copy, and afterwards gets back what is left in
  // this object.
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

// An input stream, or the side packet that replaces it.
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

  // Whether the graph connects the stream, not the side packet.
  bool IsStream() const { return stream_ != nullptr; }
  // A side packet does not change during the run: it is never done.
  bool IsDone() const { return IsStream() && stream_->IsDone(); }
  PacketBase Header() const {
    return IsStream() ? FromOldPacket(stream_->Header()) : PacketBase();
  }

 private:
  const InputStream* stream_;
};

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_INPUT_ACCESS_H_
