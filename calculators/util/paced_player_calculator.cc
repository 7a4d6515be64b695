// PacedPlayerCalculator: sends packets when a clock reaches their timestamps,
// as a video player shows frames.
//
//   node {
//     calculator: "PacedPlayerCalculator"
//     input_stream: "read_frames"            # any; more streams may follow
//     input_side_packet: "REALTIME:realtime" # bool; optional
//     input_side_packet: "CLOCK:clock"       # std::shared_ptr<Clock>, or
//                                            # else the graph's clock
//     output_stream: "frames"
//     executor: "player"
//   }
//   executor { name: "player" type: "ThreadPoolExecutor" options {
//     [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 } } }
//
//   read_frames, in us          0   100000   200000       300000
//   ... come by the clock at    0        1   150000       350000
//   frames go on at             0   100000   200000       350000, 50 ms late
//
// The first packet is sent at once, and sets which timestamp is "now". A later
// packet is due when the clock has advanced by the difference of the
// timestamps, divided by the option speed; the packet waits until then.
// Differences are counted from the first packet and not from the one before, so
// that the player never drifts.
//
// A packet that comes later than max_lateness_us is sent at once, is dropped,
// or delays all later ones: the option `late` says which. A gap in the
// timestamps that is longer than max_gap_us (10 s) is shortened to that, so
// that no packet makes the graph wait for hours. The counters "late" and
// "dropped" count late packets and dropped ones.
//
// With the option realtime false, packets are sent as they come. The side
// packet REALTIME overrides the option.
//
// Packets with the same timestamp on several streams are sent together. An
// empty input sends nothing; the bound passes through without a wait (timestamp
// offset 0). Headers, and packets without a time of their own such as at
// PreStream, pass through at once.
//
// In a graph with `clock { type: "ManualClock" }` it does not wait: its sleep
// advances the clock of the graph. Otherwise it blocks the thread that calls
// it. So give it an executor of its own, as above; other nodes could not use
// the thread. If a source reads faster than the clock advances, set a small
// max_queue_size, or the whole video waits in memory.
//
// With DROP the number of packets differs from run to run; otherwise only the
// times at which they are sent differ.
//
// Thread rule: one call at a time.
// Tested by paced_player_calculator_test.
#include <cstdint>
#include <memory>

#include "absl/time/time.h"
#include "calculators/core/forwarding.h"
#include "calculators/util/paced_player_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/deps/clock.h"
#include "framework/graph_clock.h"

namespace syncline {
namespace {

using Options = PacedPlayerCalculatorOptions;

constexpr char kClock[] = "CLOCK";
constexpr char kRealtime[] = "REALTIME";
constexpr std::int64_t kDayUs = 86'400'000'000;

absl::Status CheckOptions(const Options& options) {
  if (options.speed() >= 1e-6 && options.speed() <= 1e6 &&
      options.max_lateness_us() >= 0 && options.max_gap_us() >= 1 &&
      options.max_gap_us() <= kDayUs) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "speed is from 0.000001 to 1000000, max_lateness_us is not negative, and "
      "max_gap_us is from 1 to ",
      kDayUs, "; but they are: ", options.speed(), ", ",
      options.max_lateness_us(), ", ", options.max_gap_us()));
}

}  // namespace

class PacedPlayerCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag(kClock).Set<std::shared_ptr<Clock>>().Optional();
    cc->InputSidePackets().Tag(kRealtime).Set<bool>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    SYNCLINE_RETURN_IF_ERROR(CheckOptions(cc->Options<Options>()));
    return DeclareUntaggedPairs("PacedPlayerCalculator", cc);
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<Options>();
    if (cc->InputSidePackets().HasTag(kRealtime)) {
      options_.set_realtime(cc->InputSidePackets().Tag(kRealtime).Get<bool>());
    }
    if (cc->InputSidePackets().HasTag(kClock)) {
      given_clock_ =
          cc->InputSidePackets().Tag(kClock).Get<std::shared_ptr<Clock>>();
      RET_CHECK(given_clock_ != nullptr) << "the side packet CLOCK is null";
      clock_ = given_clock_.get();
    } else {
      clock_ = cc->Clock();
    }
    ForwardUntaggedHeaders(cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Timestamp time = cc->InputTimestamp();
    if (!AnyInputHasPacket(*cc)) return absl::OkStatus();
    if (options_.realtime() && time.IsRangeValue()) {
      const absl::Time now = clock_->TimeNow();
      const absl::Time due = Due(time, now);
      if (now > due + absl::Microseconds(options_.max_lateness_us())) {
        cc->GetCounter("late")->Increment();
        if (options_.late() == Options::DROP) {
          cc->GetCounter("dropped")->Increment();
          return absl::OkStatus();
        }
        if (options_.late() == Options::SHIFT) CountFrom(time, now);
      }
      clock_->SleepUntil(due);
    }
    ForwardUntaggedPackets(cc);
    return absl::OkStatus();
  }

 private:
  // From now on, the packet at `time` is due at `at`, and later packets
  // accordingly.
  void CountFrom(Timestamp time, absl::Time at) {
    start_ = time;
    start_at_ = at;
    last_ = time;
  }

  // The time that the player waits between the packets at `earlier` and `time`.
  // The difference of two timestamps fits only into unsigned 64 bits.
  absl::Duration Wait(Timestamp earlier, Timestamp time) const {
    const std::uint64_t us = static_cast<std::uint64_t>(time.Value()) -
                             static_cast<std::uint64_t>(earlier.Value());
    return absl::Microseconds(static_cast<double>(us) / options_.speed());
  }

  // When the packet at `time`, which came at `now`, has to be sent.
  absl::Time Due(Timestamp time, absl::Time now) {
    if (!last_.IsRangeValue()) {
      CountFrom(time, now);
    } else if (const absl::Duration max_gap =
                   absl::Microseconds(options_.max_gap_us());
               Wait(last_, time) > max_gap) {
      CountFrom(time, start_at_ + Wait(start_, last_) + max_gap);
    }
    last_ = time;
    return start_at_ + Wait(start_, time);
  }

  Options options_;
  std::shared_ptr<Clock> given_clock_;
  Clock* clock_ = nullptr;  // the clock of the side packet, or of the graph

  // The packet that times are counted from, and when it was due.
  Timestamp start_;
  absl::Time start_at_;
  Timestamp last_;  // of the packet before; Unset before the first
};
REGISTER_CALCULATOR(PacedPlayerCalculator);

}  // namespace syncline
