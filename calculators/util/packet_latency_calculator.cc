// PacketLatencyCalculator: sends how long after its timestamp a packet arrives.
//
//   node {
//     calculator: "PacketLatencyCalculator"
//     input_stream: "detections"
//     input_stream: "drawings"
//     input_stream: "REFERENCE_SIGNAL:frames"
//     input_side_packet: "CLOCK:clock"     # std::shared_ptr<Clock>, optional:
//                                          # or else the graph's clock
//     output_stream: "detection_latency"   # PacketLatency
//     output_stream: "drawing_latency"
//     options { [syncline.PacketLatencyCalculatorOptions.ext] {
//       num_intervals: 10
//       interval_size_usec: 10000 } }
//   }
//
// The first packet of REFERENCE_SIGNAL sets which timestamp is "now". The
// latency of a packet at t is the time by which the clock is past t. For each
// packet it sends the latency, and the histogram and average of its stream.
// Packets that come before the first reference are not measured.
//
// Inputs do not wait for each other (ImmediateInputStreamHandler). An empty
// input sends nothing, but its bound is passed on.
//
// The latencies differ from run to run, and before the first reference so may
// the number of packets.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "calculators/core/forwarding.h"
#include "calculators/util/latency.pb.h"
#include "calculators/util/packet_latency_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/deps/clock.h"
#include "framework/graph_clock.h"

namespace syncline {
namespace {

constexpr char kReference[] = "REFERENCE_SIGNAL";
constexpr char kClock[] = "CLOCK";
constexpr std::int64_t kMaxIntervals = 10000;

// Longer latencies count as 50 days, so that sums do not overflow.
constexpr std::int64_t kMaxLatencyUsec = std::int64_t{1} << 42;

}  // namespace

class PacketLatencyCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<PacketLatencyCalculatorOptions>();
    SYNCLINE_RETURN_IF_ERROR(CheckUntaggedPairs("PacketLatencyCalculator", cc));
    const int streams = cc->Outputs().NumEntries("");
    if (options.packet_labels_size() != 0 &&
        options.packet_labels_size() != streams) {
      return absl::InvalidArgumentError(absl::StrCat(
          "PacketLatencyCalculator needs a label for each of its ", streams,
          " inputs, or none, but has ", options.packet_labels_size()));
    }
    if (options.num_intervals() < 1 ||
        options.num_intervals() > kMaxIntervals ||
        options.interval_size_usec() < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("A histogram has from 1 to ", kMaxIntervals,
                       " intervals of at least 1, but num_intervals is ",
                       options.num_intervals(), " and interval_size_usec ",
                       options.interval_size_usec()));
    }
    for (int i = 0; i < streams; ++i) {
      cc->Inputs().Index(i).SetAny();
      cc->Outputs().Index(i).Set<PacketLatency>();
    }
    cc->Inputs().Tag(kReference).SetAny();
    cc->InputSidePackets().Tag(kClock).Set<std::shared_ptr<Clock>>().Optional();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (cc->InputSidePackets().HasTag(kClock)) {
      given_clock_ =
          cc->InputSidePackets().Tag(kClock).Get<std::shared_ptr<Clock>>();
      RET_CHECK(given_clock_ != nullptr) << "the side packet CLOCK is null";
    }
    latencies_.resize(static_cast<std::size_t>(cc->Inputs().NumEntries("")));
    Reset(cc->Options<PacketLatencyCalculatorOptions>());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<PacketLatencyCalculatorOptions>();
    const std::int64_t now = NowUsec(cc);
    const Packet& reference = cc->Inputs().Tag(kReference).Value();
    if (!start_usec_.has_value() && !reference.IsEmpty() &&
        reference.Timestamp().IsRangeValue()) {
      start_usec_ = now;
      first_reference_ = reference.Timestamp();
      last_reset_usec_ = now;
    }
    if (start_usec_.has_value() && options.reset_duration_usec() > 0 &&
        now - last_reset_usec_ >= options.reset_duration_usec()) {
      Reset(options);
      last_reset_usec_ = now;
    }
    for (std::size_t i = 0; i < latencies_.size(); ++i) {
      const int stream = static_cast<int>(i);
      const Packet& packet = cc->Inputs().Index(stream).Value();
      OutputStream& output = cc->Outputs().Index(stream);
      if (start_usec_.has_value() && !packet.IsEmpty() &&
          packet.Timestamp().IsRangeValue()) {
        Count(Lateness(now, packet.Timestamp()), latencies_[i]);
        output.AddPacket(
            MakePacket<PacketLatency>(latencies_[i]).At(packet.Timestamp()));
      }
      RaiseBound(BoundAfter(packet), output);
    }
    return absl::OkStatus();
  }

 private:
  std::int64_t NowUsec(CalculatorContext* cc) const {
    Clock* const clock = given_clock_ ? given_clock_.get() : cc->Clock();
    return absl::ToUnixMicros(clock->TimeNow());
  }

  // REQUIRES: start_usec_ has a value.
  std::int64_t Lateness(std::int64_t now, Timestamp time) const {
    // A type for the difference of any two times.
    const long double lateness =
        static_cast<long double>(now - *start_usec_) -
        (static_cast<long double>(time.Value()) -
         static_cast<long double>(first_reference_.Value()));
    return static_cast<std::int64_t>(
        std::clamp<long double>(lateness, -kMaxLatencyUsec, kMaxLatencyUsec));
  }

  void Reset(const PacketLatencyCalculatorOptions& options) {
    for (std::size_t i = 0; i < latencies_.size(); ++i) {
      PacketLatency& latency = latencies_[i];
      latency.Clear();
      latency.set_num_intervals(options.num_intervals());
      latency.set_interval_size_usec(options.interval_size_usec());
      latency.mutable_counts()->Resize(
          static_cast<int>(options.num_intervals()), 0);
      latency.set_sum_latency_usec(0);
      if (static_cast<int>(i) < options.packet_labels_size()) {
        latency.set_label(options.packet_labels(static_cast<int>(i)));
      }
    }
  }

  static void Count(std::int64_t latency_usec, PacketLatency& latency) {
    const std::int64_t interval =
        std::clamp<std::int64_t>(latency_usec / latency.interval_size_usec(), 0,
                                 latency.num_intervals() - 1);
    const int index = static_cast<int>(interval);
    latency.set_counts(index, latency.counts(index) + 1);
    latency.set_current_latency_usec(latency_usec);
    latency.set_sum_latency_usec(latency.sum_latency_usec() + latency_usec);
    std::int64_t packets = 0;
    for (const std::int64_t count : latency.counts()) packets += count;
    latency.set_avg_latency_usec(latency.sum_latency_usec() / packets);
  }

  std::shared_ptr<Clock> given_clock_;
  // The time of the clock at the first reference, if there was one.
  absl::optional<std::int64_t> start_usec_;
  Timestamp first_reference_;
  std::int64_t last_reset_usec_ = 0;
  std::vector<PacketLatency> latencies_;  // of each stream so far
};
REGISTER_CALCULATOR(PacketLatencyCalculator);

}  // namespace syncline
