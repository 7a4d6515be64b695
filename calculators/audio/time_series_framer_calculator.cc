// TimeSeriesFramerCalculator: splits a stream of samples into overlapping
// frames.
//
//   node {
//     calculator: "TimeSeriesFramerCalculator"
//     input_stream: "audio"         # Matrix, with a TimeSeriesHeader
//     output_stream: "frames"       # Matrix, with a TimeSeriesHeader
//     options { [syncline.TimeSeriesFramerCalculatorOptions.ext] {
//       frame_duration_seconds: 0.025
//       frame_overlap_seconds: 0.015
//       window_function: HANN } }
//   }
//
// Packets of the input may have any number of samples; each packet of the
// output is a frame. Its time is that of its first sample, counted from the
// first packet of the stream. So a gap in the timestamps of the input is
// logged, but does not appear in the output. With use_local_timestamp, the time
// is that of the frame's last sample, by the packet that this sample came in.
//
// At the end, the samples that are left make a last frame, filled up with
// zeros, even if all of them were in the frame before. With pad_final_packet:
// false they are dropped.
//
// An empty input says that the input is settled up to its time: the output gets
// a bound that is not after any frame still to come.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <utility>

#include "absl/types/optional.h"
#include "calculators/audio/framing.h"
#include "calculators/audio/time_series_framer_calculator.pb.h"
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "util/time_series_util.h"

namespace syncline {
namespace {

using Options = TimeSeriesFramerCalculatorOptions;

Window WindowOf(Options::WindowFunction function) {
  switch (function) {
    case Options::HAMMING:
      return Window::kHamming;
    case Options::HANN:
      return Window::kHann;
    default:
      return Window::kNone;
  }
}

}  // namespace

class TimeSeriesFramerCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
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
    TimeSeriesHeader header;
    SYNCLINE_RETURN_IF_ERROR(time_series_util::FillTimeSeriesHeaderIfValid(
        cc->Inputs().Index(0).Header(), &header));
    SYNCLINE_ASSIGN_OR_RETURN(
        framing_,
        Framing::Create(
            {.duration_seconds = options.frame_duration_seconds(),
             .overlap_seconds = options.frame_overlap_seconds(),
             .fractional_step = options.emulate_fractional_frame_overlap(),
             .use_local_timestamp = options.use_local_timestamp()},
            header));
    if (options.window_function() != Options::NONE) {
      weights_ = WindowWeights(WindowOf(options.window_function()),
                               framing_->frame_samples());
    }
    header.set_num_samples(static_cast<int>(framing_->frame_samples()));
    header.set_packet_rate(header.sample_rate() / framing_->step_samples());
    cc->Outputs().Index(0).SetHeader(
        MakePacket<TimeSeriesHeader>(std::move(header)));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    OutputStream& output = cc->Outputs().Index(0);
    if (!packet.IsEmpty()) {
      SYNCLINE_RETURN_IF_ERROR(
          framing_->Add(packet.Get<Matrix>(), packet.Timestamp()));
      while (absl::optional<Framing::Frame> frame = framing_->Next()) {
        Send(*std::move(frame), output);
      }
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
    if (auto rest = framing_->TakeRest(/*only_new=*/false)) {
      Send(*std::move(rest), cc->Outputs().Index(0));
    }
    return absl::OkStatus();
  }

 private:
  void Send(Framing::Frame frame, OutputStream& output) {
    if (weights_.size() > 0) {
      frame.samples.array().rowwise() *= weights_.array();
    }
    // A source may send packets with less time between them than their samples
    // take, so the timestamp is raised where needed.
    const Timestamp time = std::max(frame.time, output.NextTimestampBound());
    output.AddPacket(MakePacket<Matrix>(std::move(frame.samples)).At(time));
  }

  absl::optional<Framing> framing_;  // from Open on
  // of the samples of a frame; empty without a window
  Eigen::RowVectorXf weights_;
};
REGISTER_CALCULATOR(TimeSeriesFramerCalculator);

}  // namespace syncline
