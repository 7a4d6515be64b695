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
// For each packet it sends the frequency of its stream in the last
// time_window_sec seconds of timestamps: the number of packets after the first
// one in the window, divided by the time from the first one to this one. The
// first packet of a window has the frequency 0.
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
    if (!(options.time_window_sec() > 0 && options.time_window_sec() < 1e12)) {
      return absl::InvalidArgumentError(
          absl::StrCat("time_window_sec is ", options.time_window_sec(),
                       ", but has to be a time above 0"));
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
    times_.resize(static_cast<std::size_t>(cc->Inputs().NumEntries()));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<PacketFrequencyCalculatorOptions>();
    for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
      if (cc->Inputs().Index(i).IsEmpty()) continue;
      PacketFrequency frequency;
      frequency.set_packet_frequency_hz(
          Count(cc->InputTimestamp(), times_[static_cast<std::size_t>(i)]));
      if (i < options.label_size()) frequency.set_label(options.label(i));
      cc->Outputs().Index(i).AddPacket(
          MakePacket<PacketFrequency>(std::move(frequency))
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }

 private:
  double Count(Timestamp time, std::deque<Timestamp>& times) const {
    if (!time.IsRangeValue()) return 0;
    times.push_back(time);
    while (times.front() < time - window_) times.pop_front();
    if (times.size() == 1) return 0;
    return static_cast<double>(times.size() - 1) /
           (time - times.front()).Seconds();
  }

  TimestampDiff window_;
  // for each stream: the timestamps in the window
  std::vector<std::deque<Timestamp>> times_;
};
REGISTER_CALCULATOR(PacketFrequencyCalculator);

}  // namespace syncline
