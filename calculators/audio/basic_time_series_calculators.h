// A base class for calculators that make one matrix of each matrix of a stream.
//
//   class NegateCalculator : public BasicTimeSeriesCalculatorBase {
//    protected:
//     Matrix ProcessMatrix(const Matrix& input) const override {
//       return -input;
//     }
//   };
//   REGISTER_CALCULATOR(NegateCalculator);
//
// The input and the output have a TimeSeriesHeader; MutateHeader changes it for
// the output. A packet whose shape differs from its header ends the run with an
// error. An empty input sends nothing; the bound passes through (timestamp
// offset 0).
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
  // Changes the header of the input, which is valid, into that of the output.
  // By default both are the same.
  virtual absl::Status MutateHeader(TimeSeriesHeader* output_header) {
    return absl::OkStatus();
  }
  // Returns a matrix of the shape that the output's header says. The input may
  // have no columns.
  virtual Matrix ProcessMatrix(const Matrix& input) const = 0;

 private:
  TimeSeriesHeader input_header_;
  TimeSeriesHeader output_header_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_BASIC_TIME_SERIES_CALCULATORS_H_
