#include "util/time_series_test_util.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/test_calculators.pb.h"
#include "gtest/gtest-spi.h"

namespace syncline {
namespace {

// Multiplies each sample by `rows` of its options, or by 2.
class TimesCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Matrix>();
    cc->Outputs().Index(0).Set<Matrix>();
    if (cc->InputSidePackets().NumEntries() > 0) {
      cc->InputSidePackets().Index(0).Set<int>();
    }
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<RandomMatrixCalculatorOptions>();
    factor_ = options.has_rows() ? options.rows() : 2;
    if (cc->InputSidePackets().NumEntries() > 0) {
      factor_ *= cc->InputSidePackets().Index(0).Get<int>();
    }
    cc->Outputs().Index(0).SetHeader(cc->Inputs().Index(0).Header());
    cc->SetOffset(0);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    auto out = std::make_unique<Matrix>(cc->Inputs().Index(0).Get<Matrix>() *
                                        static_cast<float>(factor_));
    cc->Outputs().Index(0).Add(out.release(), cc->InputTimestamp());
    return absl::OkStatus();
  }

 private:
  int factor_ = 0;
};
REGISTER_CALCULATOR(TimesCalculator);

class WithOptionsTest
    : public TimeSeriesCalculatorTest<RandomMatrixCalculatorOptions> {
 protected:
  void SetUp() override {
    calculator_name_ = "TimesCalculator";
    input_sample_rate_ = 8000;
    num_input_channels_ = 2;
    num_input_samples_ = 3;
  }
};

TEST_F(WithOptionsTest, RunsTheCalculatorWithHeaderAndOptions) {
  options_.set_rows(3);
  num_side_packets_ = 1;
  InitializeGraph();
  runner_->MutableSidePackets()->Index(0) = MakePacket<int>(10);
  FillInputHeader();
  EXPECT_THAT(input().header.Get<TimeSeriesHeader>(),
              EqualsProto("sample_rate: 8000 num_channels: 2 num_samples: 3"));
  const Matrix* const matrix = NewRandomMatrix(2, 3);
  const Matrix expected = *matrix * 30;
  AppendInputPacket(matrix, /*timestamp=*/5);
  AppendInputPacket(NewRandomMatrix(2, 3), Timestamp(7));
  SYNCLINE_ASSERT_OK(RunGraph());
  ExpectOutputHeaderEqualsInputHeader();
  ASSERT_EQ(output().packets.size(), 2);
  EXPECT_EQ(output().packets[0].Timestamp(), Timestamp(5));
  ExpectApproximatelyEqual(expected, output().packets[0].Get<Matrix>());
}

// Adds up two series, and sends the first on.
class PlusCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<Matrix>();
    for (PacketType& output : cc->Outputs()) output.Set<Matrix>();
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    for (OutputStreamShard& output : cc->Outputs()) {
      output.SetHeader(cc->Inputs().begin()->Header());
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Matrix& first = cc->Inputs().begin()[0].Get<Matrix>();
    const Matrix& second = cc->Inputs().begin()[1].Get<Matrix>();
    cc->Outputs().begin()[0].Add(new Matrix(first + second),
                                 cc->InputTimestamp());
    cc->Outputs().begin()[1].Add(new Matrix(first), cc->InputTimestamp());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PlusCalculator);

class WithoutOptionsTest : public TimeSeriesCalculatorTest<> {
 protected:
  void SetUp() override {
    calculator_name_ = "PlusCalculator";
    input_sample_rate_ = 8000;
  }
};

TEST_F(WithoutOptionsTest, SeveralStreamsAreAskedForByIndex) {
  num_inputs_ = 2;
  num_outputs_ = 2;
  InitializeGraph();
  FillInputHeader();
  FillInputHeader(1);
  AppendInputPacket(new Matrix(Matrix::Constant(1, 2, 3)), Timestamp(5));
  AppendInputPacket(1, new Matrix(Matrix::Constant(1, 2, 4)), Timestamp(5));
  SYNCLINE_ASSERT_OK(RunGraph());
  ASSERT_EQ(output().packets.size(), 1);
  ExpectApproximatelyEqual(Matrix::Constant(1, 2, 7),
                           output().packets[0].Get<Matrix>());
  ExpectApproximatelyEqual(Matrix::Constant(1, 2, 3),
                           output(1).packets[0].Get<Matrix>());
}

TEST_F(WithoutOptionsTest, StreamsWithTagsAreAskedForByTag) {
  input_stream_tags_ = {"A", "B"};
  output_stream_tags_ = {"FIRST", "SECOND"};
  InitializeGraph();
  FillInputHeader("A");
  AppendInputPacket("A", new Matrix(Matrix::Constant(1, 2, 3)), Timestamp(5));
  AppendInputPacket("B", new Matrix(Matrix::Constant(1, 2, 4)), Timestamp(5));
  SYNCLINE_ASSERT_OK(RunGraph());
  ASSERT_EQ(output("FIRST").packets.size(), 1);
  ExpectApproximatelyEqual(Matrix::Constant(1, 2, 7),
                           output("FIRST").packets[0].Get<Matrix>());
  EXPECT_EQ(output("SECOND").header.Get<TimeSeriesHeader>().sample_rate(),
            8000);
}

class BasicTest : public BasicTimeSeriesCalculatorTestBase {
 protected:
  void SetUp() override { calculator_name_ = "TimesCalculator"; }
};

TEST_F(BasicTest, ComparesPacketsAndTheirTimes) {
  TimeSeriesHeader header;
  header.set_sample_rate(4);
  header.set_num_channels(1);
  const Matrix ones = Matrix::Ones(1, 2);
  Test(header, {ones, ones * 3}, header, {ones * 2, ones * 6});
  EXPECT_EQ(output().packets[1].Timestamp(), Timestamp(500000));
}

TEST_F(BasicTest, FailsWhereASampleDiffers) {
  Matrix actual = Matrix::Ones(1, 2);
  actual(0, 1) = 0;
  EXPECT_NONFATAL_FAILURE(ExpectApproximatelyEqual(Matrix::Ones(1, 2), actual),
                          "channel 0, sample 1");
}

}  // namespace
}  // namespace syncline
