// WavEncoderCalculator: writes a stream of samples to a WAV file.
//
//   node {
//     calculator: "WavEncoderCalculator"
//     input_stream: "audio"                         # Matrix, TimeSeriesHeader
//     input_side_packet: "OUTPUT_FILE_PATH:path"    # std::string
//     options { [syncline.WavEncoderCalculatorOptions.ext] {
//       sample: FLOAT32 } }
//   }
//
// The samples of the packets are written one after the other, at the header's
// rate, which must be an integer; timestamps are ignored. For integer formats,
// values are clamped to -1 and 1. Whatever fails, the file contains the samples
// of all packets that were written, and can be read.
//
// An empty input writes nothing.
//
// Thread rule: one call at a time.
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/types/optional.h"
#include "calculators/audio/wav_encoder_calculator.pb.h"
#include "calculators/audio/wav_file.h"
#include "framework/calculator_framework.h"
#include "framework/deps/mathutil.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "util/time_series_util.h"

namespace syncline {
namespace {

using Options = WavEncoderCalculatorOptions;

WavSample SampleOf(Options::Sample sample) {
  switch (sample) {
    case Options::UNSIGNED8:
      return WavSample::kUnsigned8;
    case Options::INT24:
      return WavSample::kInt24;
    case Options::INT32:
      return WavSample::kInt32;
    case Options::FLOAT32:
      return WavSample::kFloat32;
    case Options::FLOAT64:
      return WavSample::kFloat64;
    default:
      return WavSample::kInt16;
  }
}

}  // namespace

class WavEncoderCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Matrix>();
    cc->InputSidePackets().Tag("OUTPUT_FILE_PATH").Set<std::string>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    TimeSeriesHeader header;
    SYNCLINE_RETURN_IF_ERROR(time_series_util::FillTimeSeriesHeaderIfValid(
        cc->Inputs().Index(0).Header(), &header));
    if (header.sample_rate() != std::floor(header.sample_rate())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stream \"", cc->Inputs().Index(0).Name(), "\" has ",
          header.sample_rate(),
          " samples in a second, but the rate of a WAV file is a whole number; "
          "put a RationalFactorResampleCalculator before this node"));
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        writer_,
        WavWriter::Create(
            cc->InputSidePackets().Tag("OUTPUT_FILE_PATH").Get<std::string>(),
            {.sample = SampleOf(cc->Options<Options>().sample()),
             .channels = header.num_channels(),
             .sample_rate =
                 MathUtil::SafeCast<std::int64_t>(header.sample_rate())}));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    return writer_->Write(cc->Inputs().Index(0).Get<Matrix>());
  }

  absl::Status Close(CalculatorContext* cc) override {
    return writer_ ? writer_->Close() : absl::OkStatus();
  }

 private:
  absl::optional<WavWriter> writer_;  // from Open on
};
REGISTER_CALCULATOR(WavEncoderCalculator);

}  // namespace syncline
