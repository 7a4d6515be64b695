// PacketTimes: when a packet was made, apart from its timestamp.
//
// A timestamp says which packets belong together. For some packets it is also
// useful to know their age: when the camera took the picture, and when the node
// that made the packet had finished. Inputs get these times beside the packet
// if they ask for them, with input_stream_info { message_times: true } or with
// KeepMessageTimes() in the contract:
//
//   const PacketTimes& times = cc->Inputs().Tag("IMAGE").MessageTimes();
//   const auto age_ns = cc->Clock()->NowNs() - times.acquisition_ns;
//
// The calculator that knows the time of acquisition gives it:
//
//   cc->Outputs().Tag("IMAGE").AddPacket(packet, {.acquisition_ns = taken});
//
// All times are nanoseconds of the graph's clock. They lie outside of packets:
// a stream costs nothing more if no input asks for its times.
//
// Thread rule: plain data.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_TIMES_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_TIMES_H_

#include <cstdint>
#include <limits>

namespace syncline {

struct PacketTimes {
  // A time that nobody gave, or there is no packet.
  static constexpr std::int64_t kNone =
      std::numeric_limits<std::int64_t>::min();

  // When what is in the packet was measured. Where the producer did not say:
  // the publication.
  std::int64_t acquisition_ns = kNone;
  // When the call that sent it was over; for graph inputs, when the application
  // added it. Where streams are merged, this is that of the stream it came on.
  std::int64_t publication_ns = kNone;
  // When it reached the input: later than publication_ns only where it was
  // merged, or held back to be put in order.
  std::int64_t arrival_ns = kNone;

  friend bool operator==(const PacketTimes&, const PacketTimes&) = default;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_TIMES_H_
