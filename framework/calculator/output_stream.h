// OutputStream: what one output port is given in one call of a calculator.
//
//   cc->Outputs().Tag("IMAGE").Add(new Image(...), cc->InputTimestamp());
//   cc->Outputs().Tag("SCORE").AddPacket(MakePacket<float>(0.5f).At(t));
//   cc->Outputs().Index(0).SetNextTimestampBound(t + 1);
//
// No packet leaves the node while the calculator runs. The stream collects the
// packets, the bound that was set last, whether the stream was closed, and in
// Open also offset and header. The engine reads all of this after the call and
// sends the packets. Mistakes are noted in the call's errors, and the
// calculator goes on. The first error ends the run. So no function here returns
// a status that the caller could ignore.
//
// Timestamps have to rise. A timestamp that goes back is found here, at the
// node that sends it, whether or not the stream has a reader. For readers that
// ignore time, this check is off.
//
// Thread rule: belongs to one call.
// Tested by output_stream_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_OUTPUT_STREAM_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_OUTPUT_STREAM_H_

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/type_id.h"
#include "framework/calculator/call.h"
#include "framework/calculator/collection.h"
#include "framework/calculator/packet_times.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_buffer.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class CalculatorContract;

// How far a stream has come, which any thread may read.
struct StreamProgress {
  std::atomic<Timestamp> bound{Timestamp::PreStream()};
  std::atomic<std::int64_t> packets_added{0};
  // From Open on: calls of Process send nothing to the stream, but note here
  // how far it is.
  bool is_noted = false;
};

// What an output port is during a whole run, the same for every call.
struct OutputPort {
  // All are borrowed, `contract` is the node's. `type` is final: the graph has
  // decided what Any is.
  OutputPort(const std::string& stream_name, const CalculatorContract& contract,
             const PacketType* type);

  const std::string* stream_name;
  const CalculatorContract* contract;
  const PacketType* type;
  // The type, where it is exactly one: the check of every packet is then short.
  absl::optional<TypeId> exact_type;
  bool accepts_any;
  // False: timestamps may go back.
  bool checks_order = true;
  // Not null: nobody reads the stream, so that Open may set is_noted.
  StreamProgress* unread = nullptr;
};

// What every call touches is as long as one cache line.
class alignas(32) OutputStream {
 public:
  // A stream of no port; Connect makes it usable.
  OutputStream() = default;
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  const std::string& Name() const { return *port_->stream_name; }

  // Adds a packet. It needs a timestamp that is allowed in a stream, the type
  // of the port, and a stream that is not closed. An empty packet at t says
  // that nothing comes at t or before: it is SetNextTimestampBound(t + 1).
  void AddPacket(const Packet& packet) {
    if (ABSL_PREDICT_FALSE(!AddUsual(packet))) AddOther(packet);
  }
  void AddPacket(Packet&& packet) {
    if (ABSL_PREDICT_FALSE(!AddUsual(std::move(packet)))) {
      AddOther(std::move(packet));
    }
  }
  // The same, with when it was acquired, for inputs that keep message times;
  // see packet_times.h. What is kNone the engine fills in, arrival_ns always.
  void AddPacket(Packet packet, const PacketTimes& times);
  // Takes the value over.
  template <typename T>
  void Add(T* value, Timestamp timestamp) {
    AddPacket(Adopt(value).At(timestamp));
  }

  // Says that no packet below `bound` will come. Allowed are timestamps that a
  // packet may have, and OneOverPostStream; for the end there is Close().
  void SetNextTimestampBound(Timestamp bound);
  // The lowest timestamp of a packet to come, as far as this call knows.
  Timestamp NextTimestampBound() const {
    return flags_.closed ? Timestamp::Done() : bound_;
  }

  // Nothing more comes.
  void Close() { flags_.closed = true; }
  bool IsClosed() const { return flags_.closed; }

  // Only in Open. For inputs at t this stream has packets at t + offset, so
  // bounds can pass through without a call. Unset() takes it back.
  void SetOffset(TimestampDiff offset);
  bool OffsetEnabled() const { return offset_ != TimestampDiff::Unset(); }
  // Unset() unless OffsetEnabled().
  TimestampDiff Offset() const { return offset_; }

  // Only in Open, before Close, and without a timestamp. Consumers can read it
  // from their own Open on.
  void SetHeader(const Packet& header);
  const Packet& Header() const;

  // --- For the engine.

  // Both are borrowed.
  void Connect(const OutputPort* port, CallRecord* call) {
    port_ = port;
    call_ = call;
    exact_type_ = port->exact_type.value_or(TypeId());
    accepts_any_ = port->accepts_any;
  }

  // Starts a call: the stream's current bound, whether it is closed, and
  // whether it ever had a packet.
  void Begin(Timestamp bound, bool closed, bool had_packets) {
    packet_bound_ = bound_ = bound;
    flags_.closed = closed;
    flags_.had_packets = had_packets;
  }

  // The packets of this call in order, their types and timestamps checked. The
  // engine may move them out.
  absl::Span<Packet> packets() { return packets_.packets(); }
  absl::Span<const Packet> packets() const { return packets_.packets(); }
  // Times that were given with packets, by the place of the packet; shorter
  // where none were given after.
  absl::Span<const PacketTimes> times() const {
    if (!flags_.has_times) return {};
    return extras_->times;
  }
  // What SetNextTimestampBound was last called with, unless a packet came
  // later; Unset if nothing. It may lie below the bound at the start: whether
  // that is an error depends on the offset.
  Timestamp explicit_bound() const {
    return flags_.has_explicit_bound ? bound_ : Timestamp::Unset();
  }
  bool has_explicit_bound() const { return flags_.has_explicit_bound; }
  // The next packet may not be below this.
  Timestamp packet_bound() const { return packet_bound_; }
  // The call did nothing but add a packet, without times.
  bool HasOnePacketOnly() const {
    constexpr Flags kOthers = {
        .closed = true, .has_explicit_bound = true, .has_times = true};
    return packets_.packets().size() == 1 &&
           (std::bit_cast<std::uint32_t>(flags_) &
            std::bit_cast<std::uint32_t>(kOthers)) == 0;
  }
  const OutputPort& port() const { return *port_; }

  // These are also for the engine, which orders the results of parallel calls.
  // FAILED_PRECONDITION: a packet at `received` after Close().
  absl::Status ClosedError(Timestamp received) const;
  // INVALID_ARGUMENT: a packet at `received` where at least `expected` is due.
  absl::Status GoesBackError(Timestamp expected, Timestamp received) const;
  // INVALID_ARGUMENT: a packet at PostStream after others.
  absl::Status PostStreamNotAloneError() const;
  // UNKNOWN: the bound was set to `received` where it is `current` already.
  absl::Status BoundGoesBackError(Timestamp current, Timestamp received) const;

  // Offset and header as another context of the node set them in Open.
  void CopyOpenResults(const OutputStream& other) {
    offset_ = other.offset_;
    if (extras_ != nullptr || other.extras_ != nullptr) {
      MakeExtras().header = other.Header();
    }
  }
  // The offset of the contract.
  void SetInitialOffset(TimestampDiff offset) { offset_ = offset; }

  // Ends a call: forgets its packets and bound.
  void Clear() {
    packets_.Clear();
    flags_.has_explicit_bound = false;
    flags_.has_times = false;
  }
  // Ends such a call, and begins the next one where the stream is now.
  // REQUIRES: HasOnePacketOnly, and the packet was moved out.
  void EndOnePacket() {
    packets_.ForgetFirst();
    flags_.had_packets = true;
  }

 private:
  // Adds the first packet of a call, if there is nothing to look at closer.
  // Short, and calls nothing, as each call of most calculators passes here.
  template <typename AnyPacket>
  bool AddUsual(AnyPacket&& packet) {
    const Timestamp timestamp = packet.Timestamp();
    if (flags_.closed || timestamp < packet_bound_ ||
        timestamp < Timestamp::Min() || timestamp >= Timestamp::Max() ||
        !packets_.empty()) {
      return false;
    }
    if (!packet.SurelyHolds(exact_type_) &&
        (!accepts_any_ || packet.IsEmpty())) {
      return false;
    }
    packet_bound_ = bound_ = timestamp.NextAllowedInStream();
    flags_.has_explicit_bound = false;
    packets_.AddFirst(std::forward<AnyPacket>(packet));
    return true;
  }
  void AddOther(const Packet& packet);
  void AddOther(Packet&& packet);
  // Whether the packet goes into the stream. Notes the error if it is wrong,
  // and does what an empty packet means.
  bool MayAdd(const Packet& packet) {
    const Timestamp timestamp = packet.Timestamp();
    // PostStream is allowed too, but there is more to look at.
    const bool fits =
        !flags_.closed && timestamp < Timestamp::PostStream() &&
        timestamp >= packet_bound_ &&
        (accepts_any_ ? !packet.IsEmpty() : packet.Holds(exact_type_));
    return fits || LookCloser(packet);
  }
  bool LookCloser(const Packet& packet);
  void NoteError(const absl::Status& error);
  // How errors name the node.
  std::string Node() const;

  void Append(Packet&& packet) {
    packet_bound_ = bound_ = packet.Timestamp().NextAllowedInStream();
    flags_.has_explicit_bound = false;
    packets_.Add(std::move(packet));
  }

  static const OutputPort& NoPort();

  // What few streams have.
  struct Extras {
    Packet header;
    std::vector<PacketTimes> times;
  };
  Extras& MakeExtras();
  // Side by side, so that they can be looked at together.
  struct Flags {
    bool closed = false;
    // bound_ is what SetNextTimestampBound was called with, and no packet came
    // since.
    bool has_explicit_bound = false;
    bool has_times = false;  // of this call
    bool had_packets = false;
  };
  static_assert(sizeof(Flags) == sizeof(std::uint32_t));

  // A copy of what the port says: what every packet needs is in one place. No
  // packet holds void, which stands for no exact type.
  TypeId exact_type_;
  bool accepts_any_ = false;
  Flags flags_;
  Timestamp bound_ = Timestamp::PreStream();
  // The next packet may not be below this: a promise that was made before this
  // call, or the packet before it. A bound set in this call does not count.
  Timestamp packet_bound_ = Timestamp::PreStream();
  PacketBuffer packets_;
  // Not touched by calls that only send packets.
  const OutputPort* port_ = &NoPort();
  CallRecord* call_ = nullptr;
  TimestampDiff offset_ = TimestampDiff::Unset();
  std::unique_ptr<Extras> extras_;  // made when needed
};

// The output streams of one call.
using OutputStreamSet = Collection<OutputStream>;

// The names by which calculators know them.
using OutputStreamShard = OutputStream;
using OutputStreamShardSet = OutputStreamSet;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_OUTPUT_STREAM_H_
