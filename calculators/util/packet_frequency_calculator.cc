// PacketFrequencyCalculator: sends how many packets streams have in a second.
//
//   node {
//     calculator: "PacketFrequencyCalculator"
//     input_stream: "frames"
//     input_stream: "results"
//     output_stream: "frames_hz"          # PacketFrequency
//     output_stream: "results_hz"
//     options { [syncline.PacketFrequencyCalculatorOptions.ext] {
//       time_window_sec: 3.0
//       label: "frames"
//       label: "results" } }
//   }
//
// For each packet it sends the frequency of its stream in Hz: N / t, where
//
//   t   the length of the window, time_window_sec seconds of timestamps, or the
//       time since the first packet of the stream where that is less
//   N   the number of packets in the last t seconds, this one included
//
// The first packet of a stream has the frequency 0.
//
//   time_window_sec: 1
//   frames      0      0.5 s    1 s      1.5 s
//   frames_hz   0      2 / 0.5  3 / 1    3 / 1     from 0.5 to 1.5 are three
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "calculators/core/forwarding.h"
#include "calculators/util/packet_frequency.pb.h"
#include "calculators/util/packet_frequency_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {

class PacketFrequencyCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<PacketFrequencyCalculatorOptions>();
    SYNCLINE_RETURN_IF_ERROR(
        CheckUntaggedPairs("PacketFrequencyCalculator", cc));
    const int streams = cc->Outputs().NumEntries("");
    if (options.label_size() != 0 && options.label_size() != streams) {
      return absl::InvalidArgumentError(absl::StrCat(
          "PacketFrequencyCalculator needs a label for each of its ", streams,
          " inputs, or none, but has ", options.label_size()));
    }
    if (!(options.time_window_sec() >= 1e-6 &&
          options.time_window_sec() < 1e12)) {
      return absl::InvalidArgumentError(
          absl::StrCat("time_window_sec is ", options.time_window_sec(),
                       ", but has to be at least a microsecond, 0.000001"));
    }
    for (int i = 0; i < streams; ++i) {
      cc->Inputs().Index(i).SetAny();
      cc->Outputs().Index(i).Set<PacketFrequency>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<PacketFrequencyCalculatorOptions>();
    window_ = TimestampDiff(static_cast<std::int64_t>(
        options.time_window_sec() * Timestamp::kTimestampUnitsPerSecond));
    streams_.resize(static_cast<std::size_t>(cc->Inputs().NumEntries()));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<PacketFrequencyCalculatorOptions>();
    for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
      if (cc->Inputs().Index(i).IsEmpty()) continue;
      PacketFrequency frequency;
      frequency.set_packet_frequency_hz(
          Count(cc->InputTimestamp(), streams_[static_cast<std::size_t>(i)]));
      if (i < options.label_size()) frequency.set_label(options.label(i));
      cc->Outputs().Index(i).AddPacket(
          MakePacket<PacketFrequency>(std::move(frequency))
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }

 private:
  struct Stream {
    Timestamp first = Timestamp::Unset();
    std::deque<Timestamp> in_window;
  };

  // The frequency with a packet at `time`, in Hz.
  double Count(Timestamp time, Stream& stream) const {
    if (!time.IsRangeValue()) return 0;
    stream.in_window.push_back(time);
    if (stream.first == Timestamp::Unset()) {
      stream.first = time;
      return 0;
    }
    while (stream.in_window.front() < time - window_) {
      stream.in_window.pop_front();
    }
    const bool has_full_window = stream.first <= time - window_;
    return static_cast<double>(stream.in_window.size()) /
           (has_full_window ? window_ : time - stream.first).Seconds();
  }

  TimestampDiff window_;
  std::vector<Stream> streams_;
};
REGISTER_CALCULATOR(PacketFrequencyCalculator);

}  // namespace syncline
