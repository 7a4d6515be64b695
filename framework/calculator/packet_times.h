// PacketTimes: when a packet was made, apart from its timestamp.
//
// A timestamp says what belongs together. Of some packets one wants to know
// besides how old they are: when the camera took the picture, when the node
// that made of it what it is was done. Inputs that ask for it, with
// input_stream_info { message_times: true } or KeepMessageTimes() in the
// contract, get it beside the packet:
//
//   const PacketTimes& times = cc->Inputs().Tag("IMAGE").MessageTimes();
//   const auto age_ns = cc->Clock()->NowNs() - times.acquisition_ns;
//
// The acquisition is told by who knows it:
//
//   cc->Outputs().Tag("IMAGE").AddPacket(packet, {.acquisition_ns = taken});
//
// All times are nanoseconds of the graph's clock. They lie outside of packets:
// a stream of which nobody asks for times costs nothing.
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
