// A calculator that makes a matrix out of each matrix of a stream.
//
//   class NegateCalculator : public BasicTimeSeriesCalculatorBase {
//    protected:
//     Matrix ProcessMatrix(const Matrix& input) const override {
//       return -input;
//     }
//   };
//   REGISTER_CALCULATOR(NegateCalculator);
//
// The input and the output have a TimeSeriesHeader; MutateHeader says what
// differs. A packet that does not have the shape that its header says is an
// error of the run. An empty input sends nothing; the bound passes through
// (timestamp offset 0).
//
// Thread rule: one call at a time.
// Tested by basic_time_series_calculators_test.

#ifndef SYNCLINE_CALCULATORS_AUDIO_BASIC_TIME_SERIES_CALCULATORS_H_
#define SYNCLINE_CALCULATORS_AUDIO_BASIC_TIME_SERIES_CALCULATORS_H_

#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"

namespace syncline {

class BasicTimeSeriesCalculatorBase : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
  absl::Status Open(CalculatorContext* cc) final;
  absl::Status Process(CalculatorContext* cc) final;

 protected:
  // Makes the header of the output out of that of the input, which is valid. It
  // stays as it is unless this is overridden.
  virtual absl::Status MutateHeader(TimeSeriesHeader* output_header) {
    return absl::OkStatus();
  }
  // A matrix of the shape that the output's header says. The input may have no
  // columns.
  virtual Matrix ProcessMatrix(const Matrix& input) const = 0;

 private:
  TimeSeriesHeader input_header_;
  TimeSeriesHeader output_header_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_BASIC_TIME_SERIES_CALCULATORS_H_
