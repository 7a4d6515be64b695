#include "framework/calculator/calculator_base.h"

#include <algorithm>

namespace syncline {

Timestamp CalculatorBase::SourceProcessOrder(
    const CalculatorContext* cc) const {
  Timestamp lowest = Timestamp::Max();
  for (const OutputStream& output : cc->Outputs()) {
    lowest = std::min(lowest, output.NextTimestampBound());
  }
  return lowest;
}

}  // namespace syncline
