// MovingAverageCalculator: the average of the last values of a stream.
//
//   node {
//     calculator: "MovingAverageCalculator"
//     input_stream: "value"        # double
//     output_stream: "average"     # double
//     options { [syncline.MovingAverageCalculatorOptions.ext] { count: 3 } }
//   }
//
// For each value it sends the average of that value and the ones before it, at
// most `count` values. An empty input sends nothing; the bound passes through
// (timestamp offset 0).
#include <deque>
#include <numeric>

#include "examples/write_a_calculator/moving_average_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {

class MovingAverageCalculator : public CalculatorBase {
 public:
  // Called before the graph runs: says what the node takes, sends and promises.
  // An error here is an error of the graph, with the place in its file.
  static absl::Status GetContract(CalculatorContract* cc) {
    const int count = cc->Options<MovingAverageCalculatorOptions>().count();
    if (count < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("count is ", count, ", but has to be at least 1"));
    }
    cc->Inputs().Index(0).Set<double>();
    cc->Outputs().Index(0).Set<double>();
    // An output has the timestamp of its input. So where the input is settled,
    // the output is settled too, and the nodes that read it need not wait.
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  // Called once, before the first packet.
  absl::Status Open(CalculatorContext* cc) override {
    count_ = cc->Options<MovingAverageCalculatorOptions>().count();
    return absl::OkStatus();
  }

  // Called for each input packet; one call at a time, so state needs no lock.
  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    values_.push_back(cc->Inputs().Index(0).Get<double>());
    if (values_.size() > count_) values_.pop_front();
    const double sum = std::accumulate(values_.begin(), values_.end(), 0.0);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<double>(sum / static_cast<double>(values_.size()))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  std::size_t count_ = 1;
  std::deque<double> values_;
};
REGISTER_CALCULATOR(MovingAverageCalculator);

}  // namespace syncline
