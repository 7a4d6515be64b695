// SpectrogramCalculator: computes which frequencies a stream of samples has,
// frame by frame.
//
//   node {
//     calculator: "SpectrogramCalculator"
//     input_stream: "audio"           # Matrix, with a TimeSeriesHeader
//     output_stream: "spectrogram"    # Matrix, with a TimeSeriesHeader
//     options { [syncline.SpectrogramCalculatorOptions.ext] {
//       frame_duration_seconds: 0.032
//       frame_overlap_seconds: 0.022
//       output_type: DECIBELS } }
//   }
//
// Each frame is multiplied with a window, filled with zeros up to a power of
// two N of samples, and transformed: bin k of N / 2 + 1 is the frequency k *
// audio_sample_rate / N. The result is not divided by N: a tone of amplitude A
// in the middle of a bin has the magnitude A / 2 times the sum of the window
// there. With COMPLEX, bin k is the sum of x[n] * exp(+2 pi i k n / N) over the
// samples x[n] of the frame, n from 0, after the window: the conjugate of the
// transform with a negative exponent, which most textbooks have.
//
// The frames that are completed by an input packet are sent as one packet, or
// as several if one would have more than 2^24 values. A row is a bin, a column
// is a frame. The packet's time is that of the first sample of its first frame,
// counted from the first packet of the stream; the option use_local_timestamp
// changes this. In the header, sample_rate is the number of frames in a second,
// num_channels the number of bins, and audio_sample_rate the rate of the input.
//
//   output_type    one channel         allow_multichannel_input
//   COMPLEX        Eigen::MatrixXcf    std::vector<Eigen::MatrixXcf>
//   others         Matrix              std::vector<Matrix>
//
// At the end, samples that were in no frame yet make one more frame, filled up
// with zeros; with pad_final_packet: false they are dropped.
//
// An empty input says that the input is settled up to its time: the output gets
// a bound that is not after any frame still to come.
//
// SpectrogramFloatCalculator is another name of the same calculator.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "calculators/audio/framing.h"
#include "calculators/audio/real_fft.h"
#include "calculators/audio/spectrogram_calculator.pb.h"
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "util/time_series_util.h"

namespace syncline {
namespace {

using Options = SpectrogramCalculatorOptions;

// -300 dB: the logarithm of 0 counts as this.
constexpr float kLeastPower = 1e-30f;
// The limit for the values of a packet. If a packet would have more, it is
// split.
constexpr std::int64_t kMaxPacketValues = std::int64_t{1} << 24;

Window WindowOf(Options::WindowType type) {
  switch (type) {
    case Options::HAMMING:
      return Window::kHamming;
    case Options::COSINE:
    case Options::SQRT_HANN:
      return Window::kCosine;
    default:
      return Window::kHann;
  }
}

// Converts the transform of a frame as the options say.
Eigen::VectorXf Magnitudes(const Eigen::VectorXcf& spectrum,
                           Options::OutputType type) {
  switch (type) {
    case Options::LINEAR_MAGNITUDE:
      return spectrum.cwiseAbs();
    case Options::DECIBELS:
      return 10 * spectrum.cwiseAbs2().array().max(kLeastPower).log10();
    default:
      return spectrum.cwiseAbs2();
  }
}

}  // namespace

class SpectrogramCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<Options>();
    cc->Inputs().Index(0).Set<Matrix>();
    const bool is_complex = options.output_type() == Options::COMPLEX;
    PacketType& output = cc->Outputs().Index(0);
    if (options.allow_multichannel_input()) {
      is_complex ? output.Set<std::vector<Eigen::MatrixXcf>>()
                 : output.Set<std::vector<Matrix>>();
    } else {
      is_complex ? output.Set<Eigen::MatrixXcf>() : output.Set<Matrix>();
    }
    cc->SetProcessTimestampBounds(true);
    // A bound alone never makes this node send a packet, so the order of
    // arrival does not matter.
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<Options>();
    TimeSeriesHeader header;
    SYNCLINE_RETURN_IF_ERROR(time_series_util::FillTimeSeriesHeaderIfValid(
        cc->Inputs().Index(0).Header(), &header));
    if (header.num_channels() != 1 && !options.allow_multichannel_input()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stream \"", cc->Inputs().Index(0).Name(), "\" has ",
          header.num_channels(),
          " channels; set allow_multichannel_input, or put "
          "AverageTimeSeriesAcrossChannelsCalculator before this node"));
    }
    if (options.frame_overlap_seconds() < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("frame_overlap_seconds is ",
                       options.frame_overlap_seconds(), ", but is at least 0"));
    }
    if (!std::isfinite(options.output_scale())) {
      return absl::InvalidArgumentError("output_scale is no number");
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        framing_,
        Framing::Create({.duration_seconds = options.frame_duration_seconds(),
                         .overlap_seconds = options.frame_overlap_seconds(),
                         .use_local_timestamp = options.use_local_timestamp()},
                        header));
    weights_ = WindowWeights(WindowOf(options.window_type()),
                             framing_->frame_samples());
    fft_ = std::make_unique<RealFft>(std::max<Eigen::Index>(
        2, static_cast<Eigen::Index>(std::bit_ceil(
               static_cast<std::uint64_t>(framing_->frame_samples())))));
    channels_ = header.num_channels();
    SetHeader(std::move(header), cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    OutputStream& output = cc->Outputs().Index(0);
    if (!packet.IsEmpty()) {
      SYNCLINE_RETURN_IF_ERROR(
          framing_->Add(packet.Get<Matrix>(), packet.Timestamp()));
      std::vector<Framing::Frame> frames;
      while (absl::optional<Framing::Frame> frame = framing_->Next()) {
        frames.push_back(*std::move(frame));
        if (static_cast<std::int64_t>(frames.size()) * fft_->bins() *
                channels_ >=
            kMaxPacketValues) {
          Send(frames, cc);
          frames.clear();
        }
      }
      Send(frames, cc);
    }
    const Timestamp bound = framing_->BoundAfter(BoundAfter(packet));
    // At the end of the input, Close still has frames to send.
    if (bound <= Timestamp::Max()) RaiseBound(bound, output);
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (!framing_ || !cc->Options<Options>().pad_final_packet()) {
      return absl::OkStatus();
    }
    if (auto rest = framing_->TakeRest(/*only_new=*/true)) {
      std::vector<Framing::Frame> frames;
      frames.push_back(*std::move(rest));
      Send(frames, cc);
    }
    return absl::OkStatus();
  }

 private:
  void SetHeader(TimeSeriesHeader header, CalculatorContext* cc) {
    header.set_audio_sample_rate(header.sample_rate());
    header.set_sample_rate(header.sample_rate() / framing_->step_samples());
    header.set_num_channels(static_cast<int>(fft_->bins()));
    // The number of frames in a packet depends on the input.
    header.clear_num_samples();
    header.clear_packet_rate();
    if (!cc->Options<Options>().allow_multichannel_input()) {
      cc->Outputs().Index(0).SetHeader(
          MakePacket<TimeSeriesHeader>(std::move(header)));
      return;
    }
    MultiStreamTimeSeriesHeader streams;
    *streams.mutable_time_series_header() = std::move(header);
    streams.set_num_streams(static_cast<int>(channels_));
    cc->Outputs().Index(0).SetHeader(
        MakePacket<MultiStreamTimeSeriesHeader>(std::move(streams)));
  }

  Eigen::VectorXcf Transform(const Framing::Frame& frame,
                             Eigen::Index channel) {
    Eigen::VectorXf values = Eigen::VectorXf::Zero(fft_->size());
    values.head(weights_.size()) =
        frame.samples.row(channel).cwiseProduct(weights_);
    return fft_->Transform(values);
  }

  // Sends a packet with these frames, if there are any. `convert` makes a
  // column of `Result` of a transform.
  template <typename Result, typename Convert>
  void SendAs(const std::vector<Framing::Frame>& frames, const Convert& convert,
              CalculatorContext* cc) {
    std::vector<Result> results(
        static_cast<std::size_t>(channels_),
        Result(fft_->bins(), static_cast<Eigen::Index>(frames.size())));
    for (Eigen::Index channel = 0; channel < channels_; ++channel) {
      Result& result = results[static_cast<std::size_t>(channel)];
      Eigen::Index column = 0;
      for (const Framing::Frame& frame : frames) {
        result.col(column++) = convert(Transform(frame, channel));
      }
    }
    OutputStream& output = cc->Outputs().Index(0);
    // A source may send packets with less time between them than their samples
    // take, so the timestamp is raised where needed.
    const Timestamp time =
        std::max(frames.front().time, output.NextTimestampBound());
    output.AddPacket(
        cc->Options<Options>().allow_multichannel_input()
            ? MakePacket<std::vector<Result>>(std::move(results)).At(time)
            : MakePacket<Result>(std::move(results[0])).At(time));
  }

  void Send(const std::vector<Framing::Frame>& frames, CalculatorContext* cc) {
    if (frames.empty()) return;
    const auto& options = cc->Options<Options>();
    const auto scale = static_cast<float>(options.output_scale());
    if (options.output_type() == Options::COMPLEX) {
      SendAs<Eigen::MatrixXcf>(
          frames,
          [&](const Eigen::VectorXcf& spectrum) -> Eigen::VectorXcf {
            // RealFft has a negative exponent.
            return scale * spectrum.conjugate();
          },
          cc);
      return;
    }
    SendAs<Matrix>(
        frames,
        [&](const Eigen::VectorXcf& spectrum) -> Eigen::VectorXf {
          return scale * Magnitudes(spectrum, options.output_type());
        },
        cc);
  }

  absl::optional<Framing> framing_;  // from Open on
  std::unique_ptr<RealFft> fft_;
  Eigen::RowVectorXf weights_;  // of the samples of a frame
  Eigen::Index channels_ = 1;   // of the input
};
REGISTER_CALCULATOR(SpectrogramCalculator);

class SpectrogramFloatCalculator : public SpectrogramCalculator {};
REGISTER_CALCULATOR(SpectrogramFloatCalculator);

}  // namespace syncline
