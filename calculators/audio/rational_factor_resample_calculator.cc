// RationalFactorResampleCalculator: changes the rate of a stream of samples.
//
//   node {
//     calculator: "RationalFactorResampleCalculator"
//     input_stream: "audio"           # Matrix, with a TimeSeriesHeader
//     output_stream: "audio_16k"      # Matrix, with a TimeSeriesHeader
//     options { [syncline.RationalFactorResampleCalculatorOptions.ext] {
//       target_sample_rate: 16000 } }
//   }
//
// The ratio of the rates is a fraction of whole numbers, the smaller of which
// is at most 2,000. If there is no such fraction for the rates, the nearest one
// is taken, which is at most 0.025 % off, and the log says so.
//
// Sounds keep their times, and frequencies that are too high for the lower rate
// are filtered out. Each input packet makes some output samples computable,
// since the filter looks a little ahead; they are sent as one packet, if there
// are any. Times are counted from the first packet of the stream. If both rates
// are equal, packets are sent on unchanged.
//
// The input is continued by silence after its end, so the output is as long as
// the input. An empty input says that the input is settled up to its time: the
// output gets a bound that is not after any sample still to come.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/types/optional.h"
#include "calculators/audio/rational_factor_resample_calculator.pb.h"
#include "calculators/audio/resampler.h"
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/port/logging.h"
#include "util/time_series_util.h"

namespace syncline {
namespace {

using Options = RationalFactorResampleCalculatorOptions;

}  // namespace

class RationalFactorResampleCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (!(cc->Options<Options>().target_sample_rate() > 0)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "target_sample_rate is ", cc->Options<Options>().target_sample_rate(),
          ", but has to be above 0"));
    }
    cc->Inputs().Index(0).Set<Matrix>();
    cc->Outputs().Index(0).Set<Matrix>();
    cc->SetProcessTimestampBounds(true);
    // A bound alone never makes this node send a packet, so the order of
    // arrival does not matter.
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    SYNCLINE_RETURN_IF_ERROR(time_series_util::FillTimeSeriesHeaderIfValid(
        cc->Inputs().Index(0).Header(), &header_));
    TimeSeriesHeader output = header_;
    if (header_.sample_rate() != options.target_sample_rate()) {
      const auto& filter = options.resampler_rational_factor_options();
      SYNCLINE_ASSIGN_OR_RETURN(
          resampler_,
          Resampler::Create({.input_rate = header_.sample_rate(),
                             .output_rate = options.target_sample_rate(),
                             .cutoff = filter.cutoff(),
                             .radius = filter.radius(),
                             .kaiser_beta = filter.kaiser_beta(),
                             .channels = header_.num_channels()}));
      LogRateError(cc);
      output.set_sample_rate(options.target_sample_rate());
      // Packets have different numbers of samples.
      output.clear_num_samples();
      output.clear_packet_rate();
    }
    cc->Outputs().Index(0).SetHeader(
        MakePacket<TimeSeriesHeader>(std::move(output)));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    OutputStream& output = cc->Outputs().Index(0);
    if (!packet.IsEmpty()) SYNCLINE_RETURN_IF_ERROR(Take(packet, cc));
    const Timestamp bound = resampler_ && start_ != Timestamp::Unset()
                                ? TimeOfNext(cc)
                                : BoundAfter(packet);
    // At the end of the input, Close still has samples to send.
    if (bound <= Timestamp::Max()) RaiseBound(bound, output);
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (resampler_ && start_ != Timestamp::Unset()) {
      const Timestamp time = TimeOfNext(cc);
      Send(resampler_->Flush(), time, cc);
    }
    return absl::OkStatus();
  }

 private:
  void LogRateError(CalculatorContext* cc) const {
    if (resampler_->rate_error() == 0) return;
    LOG(WARNING) << "Node \"" << cc->NodeName()
                 << "\" (RationalFactorResampleCalculator) is off its "
                    "target_sample_rate by "
                 << resampler_->rate_error() * 100 << " %: from "
                 << header_.sample_rate() << " Hz to "
                 << cc->Options<Options>().target_sample_rate()
                 << " Hz there is no ratio of whole numbers of which the "
                    "smaller is at most 2000";
  }

  absl::Status Take(const Packet& packet, CalculatorContext* cc) {
    const auto& samples = packet.Get<Matrix>();
    SYNCLINE_RETURN_IF_ERROR(
        time_series_util::IsMatrixShapeConsistentWithHeader(samples, header_));
    if (!packet.Timestamp().IsRangeValue()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "there is a packet at ", packet.Timestamp().DebugString(),
          ", but samples have a time"));
    }
    if (start_ == Timestamp::Unset()) start_ = packet.Timestamp();
    if (cc->Options<Options>().check_inconsistent_timestamps()) {
      time_series_util::LogWarningIfTimestampIsInconsistent(
          packet.Timestamp(), start_, samples_in_, header_.sample_rate());
    }
    samples_in_ += samples.cols();
    if (!resampler_) {
      cc->Outputs().Index(0).AddPacket(packet);
      return absl::OkStatus();
    }
    const Timestamp time = TimeOfNext(cc);
    Send(resampler_->Process(samples), time, cc);
    return absl::OkStatus();
  }

  Timestamp TimeOfNext(CalculatorContext* cc) const {
    return start_ + time_series_util::SamplesToTimestampDiff(
                        resampler_->samples_out(),
                        cc->Options<Options>().target_sample_rate());
  }

  static void Send(Matrix samples, Timestamp time, CalculatorContext* cc) {
    if (samples.cols() == 0) return;
    // At more than a million samples a second, several samples have the same
    // microsecond.
    OutputStream& output = cc->Outputs().Index(0);
    output.AddPacket(MakePacket<Matrix>(std::move(samples))
                         .At(std::max(time, output.NextTimestampBound())));
  }

  TimeSeriesHeader header_;               // of the input
  absl::optional<Resampler> resampler_;   // if the rates differ
  Timestamp start_ = Timestamp::Unset();  // of the first sample
  std::int64_t samples_in_ = 0;
};
REGISTER_CALCULATOR(RationalFactorResampleCalculator);

}  // namespace syncline
