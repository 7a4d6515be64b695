// The calculators of batch.pbtxt: each has one input, one output and a
// function.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "framework/calculator_framework.h"
#include "framework/port/file_helpers.h"

namespace syncline {
namespace {

using Words = std::vector<std::string>;

// A calculator that applies a function to its input.
template <typename In, typename Out,
          absl::StatusOr<Out> (*kFunction)(const In&)>
class FunctionCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<In>();
    cc->Outputs().Index(0).Set<Out>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(Out out,
                              kFunction(cc->Inputs().Index(0).Get<In>()));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<Out>(std::move(out)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};

absl::StatusOr<Words> ReadWords(const std::string& path) {
  std::string text;
  SYNCLINE_RETURN_IF_ERROR(file::GetContents(path, &text));
  absl::AsciiStrToLower(&text);
  return Words(
      absl::StrSplit(text, absl::ByAnyChar(" \n\t.,;"), absl::SkipEmpty()));
}

absl::StatusOr<int> CountAll(const Words& words) {
  return static_cast<int>(words.size());
}

absl::StatusOr<int> CountDifferent(const Words& words) {
  return static_cast<int>(
      std::set<std::string>(words.begin(), words.end()).size());
}

}  // namespace

using ReadWordsCalculator = FunctionCalculator<std::string, Words, ReadWords>;
using CountAllCalculator = FunctionCalculator<Words, int, CountAll>;
using CountDifferentCalculator = FunctionCalculator<Words, int, CountDifferent>;
REGISTER_CALCULATOR(ReadWordsCalculator);
REGISTER_CALCULATOR(CountAllCalculator);
REGISTER_CALCULATOR(CountDifferentCalculator);

}  // namespace syncline
