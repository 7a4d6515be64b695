// The five calculators of hello_graph.pbtxt: a source, two branches, a join and
// a sink, each as short as it can be. Start here to write your own.
#include <cstdint>
#include <iostream>
#include <string>

#include "examples/hello_graph/hello_calculators.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {

// A source: sends 1, 2, ... at timestamps 1, 2, ... and then stops.
class CountToCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    RET_CHECK_GE(cc->Options<CountToCalculatorOptions>().last(), 1)
        << "set \"last\" to the number to count to";
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    ++number_;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(number_).At(Timestamp(number_)));
    const int last = cc->Options<CountToCalculatorOptions>().last();
    return number_ < last ? absl::OkStatus() : tool::StatusStop();
  }

 private:
  int number_ = 0;
};
REGISTER_CALCULATOR(CountToCalculator);

class InWordsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    static const char* const kWords[] = {"zero",  "one",  "two",
                                         "three", "four", "five"};
    const int number = cc->Inputs().Index(0).Get<int>();
    std::string word = number >= 0 && number <= 5 ? kWords[number] : "many";
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(std::move(word)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(InWordsCalculator);

class SquareCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int64_t>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int64_t number = cc->Inputs().Index(0).Get<int>();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int64_t>(number * number).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SquareCalculator);

// A join: one call gets the packets of both inputs with the same timestamp.
class SentenceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("WORD").Set<std::string>();
    cc->Inputs().Tag("SQUARE").Set<int64_t>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(
            absl::StrCat(cc->Inputs().Tag("WORD").Get<std::string>(),
                         " squared is ",
                         cc->Inputs().Tag("SQUARE").Get<int64_t>()))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SentenceCalculator);

// A sink: it has no output.
class PrintCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    std::cout << cc->Inputs().Index(0).Get<std::string>() << std::endl;
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PrintCalculator);

}  // namespace syncline
