// Simple functions of each packet of a stream of samples. Each is a calculator:
//
//   node {
//     calculator: "AverageTimeSeriesAcrossChannelsCalculator"
//     input_stream: "stereo"       # Matrix, with a TimeSeriesHeader
//     output_stream: "mono"        # Matrix, with a TimeSeriesHeader
//   }
//
// The comment on each class describes its output for a packet, whose rows are
// channels and whose columns are samples. Where it does not say otherwise, a
// division by 0 gives 0. An empty input sends nothing; the bound passes through
// (timestamp offset 0).
//
// Thread rule: one call at a time.
#include "calculators/audio/basic_time_series_calculators.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "util/time_series_util.h"

namespace syncline {
namespace {

// The mean of each row; 0 if there are no columns.
Eigen::VectorXf RowMeans(const Matrix& input) {
  if (input.cols() == 0) return Eigen::VectorXf::Zero(input.rows());
  return input.rowwise().mean();
}

// The mean of each column. There is always a row: the header was checked.
Eigen::RowVectorXf ColumnMeans(const Matrix& input) {
  if (input.cols() == 0) return Eigen::RowVectorXf(0);
  return input.colwise().mean();
}

// The mean of all values; 0 if there are none.
float MeanOfAll(const Matrix& input) {
  return input.size() == 0 ? 0 : input.mean();
}

// Values up to this are silence, which is not made louder.
constexpr double kSilence = 1e-8;

// 1 / value, and 0 for 0.
float Inverse(float value) { return value == 0 ? 0 : 1 / value; }

// Gives the output a header for packets with a single column.
absl::Status SetOneSample(TimeSeriesHeader* header) {
  header->set_num_samples(1);
  if (header->has_packet_rate()) {
    header->set_sample_rate(header->packet_rate());
  }
  return absl::OkStatus();
}

absl::Status CheckHasSamples(const TimeSeriesHeader& header) {
  if (header.has_num_samples()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the header does not say num_samples; a TimeSeriesFramerCalculator "
      "before this node makes packets of one size");
}

}  // namespace

absl::Status BasicTimeSeriesCalculatorBase::GetContract(
    CalculatorContract* cc) {
  cc->Inputs().Index(0).Set<Matrix>();
  cc->Outputs().Index(0).Set<Matrix>();
  cc->SetTimestampOffset(TimestampDiff(0));
  return absl::OkStatus();
}

absl::Status BasicTimeSeriesCalculatorBase::Open(CalculatorContext* cc) {
  SYNCLINE_RETURN_IF_ERROR(time_series_util::FillTimeSeriesHeaderIfValid(
      cc->Inputs().Index(0).Header(), &input_header_));
  if (input_header_.num_channels() < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("stream \"", cc->Inputs().Index(0).Name(),
                     "\" has no channels, by its header"));
  }
  output_header_ = input_header_;
  SYNCLINE_RETURN_IF_ERROR(MutateHeader(&output_header_));
  cc->Outputs().Index(0).SetHeader(
      MakePacket<TimeSeriesHeader>(output_header_));
  return absl::OkStatus();
}

absl::Status BasicTimeSeriesCalculatorBase::Process(CalculatorContext* cc) {
  if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
  const auto& input = cc->Inputs().Index(0).Get<Matrix>();
  SYNCLINE_RETURN_IF_ERROR(time_series_util::IsMatrixShapeConsistentWithHeader(
      input, input_header_));
  Matrix output = ProcessMatrix(input);
  SYNCLINE_RETURN_IF_ERROR(time_series_util::IsMatrixShapeConsistentWithHeader(
      output, output_header_));
  cc->Outputs().Index(0).AddPacket(
      MakePacket<Matrix>(std::move(output)).At(cc->InputTimestamp()));
  return absl::OkStatus();
}

// One channel: the sum of all channels.
class SumTimeSeriesAcrossChannelsCalculator
    : public BasicTimeSeriesCalculatorBase {
 protected:
  absl::Status MutateHeader(TimeSeriesHeader* output_header) final {
    output_header->set_num_channels(1);
    return absl::OkStatus();
  }
  Matrix ProcessMatrix(const Matrix& input) const final {
    return input.colwise().sum();
  }
};
REGISTER_CALCULATOR(SumTimeSeriesAcrossChannelsCalculator);

// One channel: the average of all channels.
class AverageTimeSeriesAcrossChannelsCalculator
    : public BasicTimeSeriesCalculatorBase {
 protected:
  absl::Status MutateHeader(TimeSeriesHeader* output_header) final {
    output_header->set_num_channels(1);
    return absl::OkStatus();
  }
  Matrix ProcessMatrix(const Matrix& input) const final {
    return ColumnMeans(input);
  }
};
REGISTER_CALCULATOR(AverageTimeSeriesAcrossChannelsCalculator);

// The channels in reverse order.
class ReverseChannelOrderCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const final {
    return input.colwise().reverse();
  }
};
REGISTER_CALCULATOR(ReverseChannelOrderCalculator);

// One column: the samples one after the other, each with all its channels. The
// header must have num_samples.
class FlattenPacketCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  absl::Status MutateHeader(TimeSeriesHeader* output_header) final {
    SYNCLINE_RETURN_IF_ERROR(CheckHasSamples(*output_header));
    const std::int64_t values =
        static_cast<std::int64_t>(output_header->num_channels()) *
        output_header->num_samples();
    if (values > std::numeric_limits<std::int32_t>::max()) {
      return absl::InvalidArgumentError(
          absl::StrCat("a packet of ", values, " values has no channel each"));
    }
    output_header->set_num_channels(static_cast<int>(values));
    return SetOneSample(output_header);
  }
  Matrix ProcessMatrix(const Matrix& input) const final {
    return Eigen::Map<const Matrix>(input.data(), input.size(), 1);
  }
};
REGISTER_CALCULATOR(FlattenPacketCalculator);

// Subtracts from each channel its mean over the packet.
class SubtractMeanCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const final {
    return input.colwise() - RowMeans(input);
  }
};
REGISTER_CALCULATOR(SubtractMeanCalculator);

// Subtracts from each value the mean of all values of the packet:
// y[c, t] = x[c, t] - mean(x).
class SubtractMeanAcrossChannelsCalculator
    : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const final {
    return input.array() - MeanOfAll(input);
  }
};
REGISTER_CALCULATOR(SubtractMeanAcrossChannelsCalculator);

// Divides each value by the mean of all values of the packet:
// y[c, t] = x[c, t] / mean(x). If that mean is exactly 0, all values are 1.
class DivideByMeanAcrossChannelsCalculator
    : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const final {
    const float mean = MeanOfAll(input);
    if (mean == 0) return Matrix::Ones(input.rows(), input.cols());
    return input / mean;
  }
};
REGISTER_CALCULATOR(DivideByMeanAcrossChannelsCalculator);

// One sample: the mean of each channel over the packet.
class MeanCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  absl::Status MutateHeader(TimeSeriesHeader* output_header) final {
    return SetOneSample(output_header);
  }
  Matrix ProcessMatrix(const Matrix& input) const final {
    return RowMeans(input);
  }
};
REGISTER_CALCULATOR(MeanCalculator);

// One sample: the standard deviation of each channel over the packet, as that
// of a whole population.
class StandardDeviationCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  absl::Status MutateHeader(TimeSeriesHeader* output_header) final {
    return SetOneSample(output_header);
  }
  Matrix ProcessMatrix(const Matrix& input) const final {
    const Matrix centered = input.colwise() - RowMeans(input);
    return RowMeans(centered.cwiseAbs2()).cwiseSqrt();
  }
};
REGISTER_CALCULATOR(StandardDeviationCalculator);

// A square matrix: the covariance of each pair of channels, over all samples.
class CovarianceCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  absl::Status MutateHeader(TimeSeriesHeader* output_header) final {
    output_header->set_num_samples(output_header->num_channels());
    return absl::OkStatus();
  }
  Matrix ProcessMatrix(const Matrix& input) const final {
    const Matrix centered = input.colwise() - RowMeans(input);
    return centered * centered.transpose() *
           Inverse(static_cast<float>(input.cols()));
  }
};
REGISTER_CALCULATOR(CovarianceCalculator);

// One channel: the length of each sample, seen as a vector of its channels.
class L2NormCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  absl::Status MutateHeader(TimeSeriesHeader* output_header) final {
    output_header->set_num_channels(1);
    return absl::OkStatus();
  }
  Matrix ProcessMatrix(const Matrix& input) const final {
    return input.colwise().norm();
  }
};
REGISTER_CALCULATOR(L2NormCalculator);

// Scales each sample to the length 1, seen as a vector of its channels.
class L2NormalizeColumnCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const final {
    const Eigen::RowVectorXf norms = input.colwise().norm();
    return input.array().rowwise() * norms.unaryExpr(&Inverse).array();
  }
};
REGISTER_CALCULATOR(L2NormalizeColumnCalculator);

// Divides the packet by the root mean square of its values, so that their mean
// square becomes 1: y = x / sqrt(mean(x^2)). A packet whose root mean square is
// 1e-8 or less stays as it is.
class L2NormalizeCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const final {
    if (input.size() == 0) return input;
    // In double precision, since the square of a small float is 0.
    const double root_mean_square =
        std::sqrt(input.cast<double>().cwiseAbs2().mean());
    if (root_mean_square <= kSilence) return input;
    return input / static_cast<float>(root_mean_square);
  }
};
REGISTER_CALCULATOR(L2NormalizeCalculator);

// Scales the packet so that its largest absolute value is 1. A packet whose
// largest absolute value is 1e-8 or less stays as it is.
class PeakNormalizeCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const final {
    if (input.size() == 0) return input;
    const float peak = input.cwiseAbs().maxCoeff();
    return peak <= kSilence ? input : Matrix(input / peak);
  }
};
REGISTER_CALCULATOR(PeakNormalizeCalculator);

// The square of each value.
class ElementwiseSquareCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const final {
    return input.cwiseAbs2();
  }
};
REGISTER_CALCULATOR(ElementwiseSquareCalculator);

// The first half of the samples. The header must have num_samples.
class FirstHalfSlicerCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  absl::Status MutateHeader(TimeSeriesHeader* output_header) final {
    SYNCLINE_RETURN_IF_ERROR(CheckHasSamples(*output_header));
    output_header->set_num_samples(output_header->num_samples() / 2);
    return absl::OkStatus();
  }
  Matrix ProcessMatrix(const Matrix& input) const final {
    return input.leftCols(input.cols() / 2);
  }
};
REGISTER_CALCULATOR(FirstHalfSlicerCalculator);

}  // namespace syncline
