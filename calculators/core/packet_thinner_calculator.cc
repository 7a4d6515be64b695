// PacketThinnerCalculator: drops packets so that fewer are left in each period.
//
//   node {
//     calculator: "PacketThinnerCalculator"
//     input_side_packet: "PERIOD:period"       # std::int64_t, optional
//     input_side_packet: "OPTIONS:options"     # CalculatorOptions, optional
//     input_stream: "frames"
//     output_stream: "few_frames"
//     options { [syncline.PacketThinnerCalculatorOptions.ext] {
//       thinner_type: SYNC
//       period: 10
//       sync_output_timestamps: true } }
//   }
//
//   frames                   2    7   11        26
//   ASYNC, period 10         2                  26     12 and later are due
//   SYNC, period 10          0        10        30     of 2; of 11; of 26
//
// ASYNC sends a packet and drops all packets less than a period after it. SYNC
// has output times start_time + i * period. Each packet belongs to the nearest
// output time; each output time gets the nearest of its packets, of two equally
// near the later one. An output time without packets stays empty.
//
// An empty input says that it is settled up to its time: the output gets a
// bound that is not after any packet still to be sent.
//
// A header is forwarded. With update_frame_rate, a VideoHeader of frame_rate f
// gets a new frame_rate, for the period p in seconds:
//
//   ASYNC   f / max(1, ceil(f * p))    the first frame after a full period is
//                                      sent
//   SYNC    min(f, 1 / p)              never more than there are
//
// A frame_rate of 0, which is not known, stays 0.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "calculators/core/forwarding.h"
#include "calculators/core/packet_thinner_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/video_stream_header.h"
#include "framework/tool/options_util.h"

namespace syncline {
namespace {

using Options = PacketThinnerCalculatorOptions;

// `value` / `divisor`, rounded down, also for negative values.
std::int64_t FloorDivide(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

}  // namespace

class PacketThinnerCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    cc->InputSidePackets().Tag("OPTIONS").Set<CalculatorOptions>().Optional();
    cc->InputSidePackets().Tag("PERIOD").Set<std::int64_t>().Optional();
    cc->SetProcessTimestampBounds(true);
    // A bound makes the node send a packet only when no other packet could take
    // its place, so the order of arrival does not matter.
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const Options options =
        tool::RetrieveOptions(cc->Options<Options>(), cc->InputSidePackets());
    period_ = cc->InputSidePackets().HasTag("PERIOD")
                  ? cc->InputSidePackets().Tag("PERIOD").Get<std::int64_t>()
                  : options.period();
    is_sync_ = options.thinner_type() == Options::SYNC;
    sends_sync_times_ = options.sync_output_timestamps();
    if (period_ < 1 || period_ > kLimit || options.start_time() < -kLimit ||
        options.start_time() > kLimit) {
      return absl::InvalidArgumentError(absl::StrCat(
          "PacketThinnerCalculator needs a period from 1 and times up to ",
          kLimit, ", but has the period ", period_, " and the start_time ",
          options.start_time()));
    }
    phase_ = options.start_time();
    if (options.has_start_time()) start_ = Timestamp(options.start_time());
    if (options.has_end_time()) {
      end_ = Timestamp::CreateNoErrorChecking(options.end_time());
    }
    SetHeader(options.update_frame_rate(), cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    Packet& packet = cc->Inputs().Index(0).Value();
    const Timestamp bound = BoundAfter(packet);
    const bool counts = !packet.IsEmpty() && packet.Timestamp() >= start_ &&
                        packet.Timestamp() < end_;
    OutputStream& output = cc->Outputs().Index(0);
    if (is_sync_) {
      if (counts) Consider(std::move(packet), output);
      ThinBySchedule(bound, output);
    } else {
      if (counts && packet.Timestamp() >= next_) {
        next_ = After(packet.Timestamp());
        output.AddPacket(std::move(packet));
      }
      RaiseBound(std::max(bound, next_), output);
    }
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (!nearest_.IsEmpty()) SendNearest(cc->Outputs().Index(0));
    return absl::OkStatus();
  }

 private:
  // Larger times and periods could overflow when they are added. 36,000 years.
  static constexpr std::int64_t kLimit = std::int64_t{1} << 60;

  void SetHeader(bool update_frame_rate, CalculatorContext* cc) {
    const Packet& header = cc->Inputs().Index(0).Header();
    if (header.IsEmpty()) return;
    if (!update_frame_rate || !header.ValidateAsType<VideoHeader>().ok()) {
      cc->Outputs().Index(0).SetHeader(header);
      return;
    }
    VideoHeader video = header.Get<VideoHeader>();
    const double period = static_cast<double>(period_);
    if (is_sync_) {
      video.frame_rate = std::min(video.frame_rate, 1e6 / period);
    } else if (video.frame_rate > 0) {
      video.frame_rate /=
          std::max(1.0, std::ceil(video.frame_rate * period / 1e6));
    }
    cc->Outputs().Index(0).SetHeader(MakePacket<VideoHeader>(video));
  }

  Timestamp After(Timestamp time) const {
    return time.IsRangeValue() ? time + TimestampDiff(period_) : time;
  }

  // --- SYNC

  // The output time that is nearest to `time`; of two equally near, the later
  // one.
  Timestamp ScheduledFor(Timestamp time) const {
    if (!time.IsRangeValue() || std::abs(time.Value()) > kLimit) return time;
    const std::int64_t steps =
        FloorDivide(time.Value() - phase_ + period_ / 2, period_);
    return Timestamp(phase_ + steps * period_);
  }
  static std::int64_t Distance(Timestamp a, Timestamp b) {
    return a == b ? 0 : std::abs(a.Value() - b.Value());
  }

  // Keeps `packet` if it is nearer to its output time than the one before, or
  // if it belongs to another output time.
  void Consider(Packet packet, OutputStream& output) {
    if (!nearest_.IsEmpty()) {
      const Timestamp scheduled = ScheduledFor(nearest_.Timestamp());
      if (ScheduledFor(packet.Timestamp()) != scheduled) {
        SendNearest(output);
      } else if (Distance(packet.Timestamp(), scheduled) >
                 Distance(nearest_.Timestamp(), scheduled)) {
        return;
      }
    }
    nearest_ = std::move(packet);
  }

  // Sends the packet that no packet at or after `bound` can replace, and raises
  // the bound.
  void ThinBySchedule(Timestamp bound, OutputStream& output) {
    if (bound > Timestamp::Max()) return;  // Close sends the rest
    if (!nearest_.IsEmpty() && bound.IsRangeValue()) {
      const Timestamp scheduled = ScheduledFor(nearest_.Timestamp());
      if (ScheduledFor(bound) != scheduled) SendNearest(output);
    }
    if (!nearest_.IsEmpty()) bound = nearest_.Timestamp();
    RaiseBound(sends_sync_times_ ? ScheduledFor(bound) : bound, output);
  }

  void SendNearest(OutputStream& output) {
    const Timestamp time = sends_sync_times_
                               ? ScheduledFor(nearest_.Timestamp())
                               : nearest_.Timestamp();
    output.AddPacket(std::exchange(nearest_, Packet()).At(time));
  }

  std::int64_t period_ = 1;
  std::int64_t phase_ = 0;  // one of the output times
  bool is_sync_ = false;
  bool sends_sync_times_ = true;
  Timestamp start_ = Timestamp::PreStream();
  Timestamp end_ = Timestamp::Done();

  // ASYNC: the first time at which a packet may be sent
  Timestamp next_ = Timestamp::PreStream();
  // SYNC: the packet that is nearest to its output time so far
  Packet nearest_;
};
REGISTER_CALCULATOR(PacketThinnerCalculator);

}  // namespace syncline
