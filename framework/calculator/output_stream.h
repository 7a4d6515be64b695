// OutputStream: what one call of a calculator sends on one output port.
//
//   cc->Outputs().Tag("IMAGE").AddPacket(MakePacket<Image>(...).At(t));
//   cc->Outputs().Tag("IMAGE").SetNextTimestampBound(t);
//
// A call's packets and bounds are collected here and leave together when it is
// over. Nothing here returns an error, since nobody would look: errors are
// recorded (call_errors.h) and fail the run after the call.
//
// Timestamps on a stream increase. One that goes back is an error of the
// producer and is found here, whether or not anybody reads the stream. (A
// stream may be told to ignore time, for consumers that go by arrival.)
//
// It is plain data that the engine prepares before a call and reads after it;
// no lock, and no allocation for up to two packets a call.
//
// Thread rule: belongs to one call, used by its thread.
// Tested by output_stream_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_OUTPUT_STREAM_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_OUTPUT_STREAM_H_

#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/call_errors.h"
#include "framework/calculator/collection.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"

namespace syncline {

// What stays the same for all calls on an output port. Borrowed by the streams
// of the node's calls; outlives them.
struct OutputPort {
  std::string stream_name;
  // As errors give it: `"name" (Type)`.
  std::string node;
  // What may be sent; null for anything.
  const PacketType* type = nullptr;
  // Timestamps need not increase.
  bool ignores_time = false;
};

class OutputStream {
 public:
  // --- For calculators.

  // Sends a packet. An empty packet at t says that nothing comes at t, which is
  // SetNextTimestampBound(t.NextAllowedInStream()).
  void AddPacket(const Packet& packet) { AddPacket(Packet(packet)); }
  void AddPacket(Packet&& packet);
  // Sends *value, which the stream takes over.
  template <typename T>
  void Add(const T* value, Timestamp timestamp) {
    AddPacket(Adopt(value).At(timestamp));
  }

  // Nothing will come before `bound`. Allowed are the timestamps a packet may
  // have, and OneOverPostStream for "nothing at all"; to end the stream, Close.
  void SetNextTimestampBound(Timestamp bound);
  // The lowest timestamp that the next packet may have.
  Timestamp NextTimestampBound() const { return bound_; }

  // Ends the stream after this call.
  void Close();
  bool IsClosed() const { return closed_; }

  // See CalculatorContract::SetTimestampOffset; in Open only.
  void SetOffset(TimestampDiff offset);
  bool OffsetEnabled() const { return offset_ != TimestampDiff::Unset(); }
  TimestampDiff Offset() const { return offset_; }

  // A packet without a timestamp that consumers can read from their Open on; in
  // Open only.
  void SetHeader(const Packet& header);
  const Packet& Header() const { return header_; }

  const std::string& Name() const;

  // --- For the engine.

  // Binds to a port of a node; `errors` takes what goes wrong. Both outlive
  // this object.
  void Bind(const OutputPort* port, CallErrors* errors);
  // What the stream is like when a call starts.
  struct Start {
    Timestamp bound = Timestamp::PreStream();
    bool closed = false;
    // Some packet was sent before.
    bool had_packets = false;
    bool in_open = false;
  };
  void BeginCall(const Start& start);
  // The header and offset that every call of the node sees.
  void SetConstants(TimestampDiff offset, Packet header);

  absl::Span<Packet> packets() { return absl::MakeSpan(packets_); }
  // The highest bound asked for in this call, or Unset().
  Timestamp explicit_bound() const { return explicit_bound_; }
  // The timestamp of the last packet of this call, or Unset().
  Timestamp last_packet_timestamp() const {
    return packets_.empty() ? Timestamp::Unset() : packets_.back().Timestamp();
  }
  // Lets go of the packets after the call.
  void Clear() { packets_.clear(); }

 private:
  // False, with the error recorded, if the packet may not be sent.
  bool Check(const Packet& packet);
  bool CheckOpenOnly(absl::string_view what);
  void Fail(absl::StatusCode code, absl::string_view text);

  const OutputPort* port_ = nullptr;
  CallErrors* errors_ = nullptr;
  absl::InlinedVector<Packet, 2> packets_;
  Packet header_;
  TimestampDiff offset_ = TimestampDiff::Unset();
  Timestamp bound_ = Timestamp::PreStream();
  Timestamp explicit_bound_;
  bool closed_ = false;
  bool had_packets_ = false;
  bool in_open_ = false;
};

using OutputStreamSet = Collection<OutputStream>;

// The names that MediaPipe's calculators know.
using OutputStreamShard = OutputStream;
using OutputStreamShardSet = OutputStreamSet;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_OUTPUT_STREAM_H_
