// The result of `kOut(cc)` for an output stream or an output side packet: a
// handle that sends values of the port's type. Sending another type does not
// compile.
//
// An optional port that is not connected has a handle too: writing to it does
// nothing.
//
// Thread rule: as for the CalculatorContext.
// Tested by node_test.

#ifndef SYNCLINE_FRAMEWORK_API2_OUTPUT_ACCESS_H_
#define SYNCLINE_FRAMEWORK_API2_OUTPUT_ACCESS_H_

#include <memory>
#include <type_traits>
#include <utility>

#include "framework/api2/packet.h"
#include "framework/api2/payload_types.h"
#include "framework/calculator/context.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/side_packets.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace api2 {
namespace internal {

template <typename T>
inline constexpr bool kIsUniquePtr = false;
template <typename T>
inline constexpr bool kIsUniquePtr<std::unique_ptr<T>> = true;

// Whether Send(U) sends a value on a port that carries several types.
template <typename T, typename V>
inline constexpr bool kTakesValue = PayloadAllows<T, V>;
template <typename T, typename V>
inline constexpr bool kTakesValue<T, std::unique_ptr<V>> = PayloadAllows<T, V>;
template <typename U, typename T>
concept SendableAs = !PlainPayload<T> &&
                     !std::is_base_of_v<PacketBase, std::remove_cvref_t<U>> &&
                     kTakesValue<T, std::remove_cvref_t<U>>;

}  // namespace internal

// An output stream in this call. If T is AnyType or OneOf, the value says which
// type is sent.
template <typename T>
class OutputShardAccess {
 public:
  OutputShardAccess(OutputStream* stream, const CalculatorContext* cc)
      : stream_(stream), cc_(cc) {}

  bool IsConnected() const { return stream_ != nullptr; }

  // Sends a packet unchanged: its timestamp must be allowed in a stream. An
  // empty packet raises the bound to the timestamp after its own.
  void Send(const Packet<T>& packet) const {
    if (stream_ != nullptr) stream_->AddPacket(ToOldPacket(packet));
  }
  void Send(Packet<T>&& packet) const {
    if (stream_ != nullptr) stream_->AddPacket(ToOldPacket(std::move(packet)));
  }

  // Sends a value at the input timestamp, or at another timestamp.
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

  // The same for a port that carries several types.
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

  // Promises that no packet comes below `bound`.
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
  // A port that is not connected accepts no packets, so it counts as closed.
  bool IsClosed() const { return stream_ == nullptr || stream_->IsClosed(); }

  // Only in Open. The header is a packet without a timestamp.
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

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_OUTPUT_ACCESS_H_
