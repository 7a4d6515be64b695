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
