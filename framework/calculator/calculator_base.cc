// See the header.
#include "framework/calculator/calculator_base.h"

#include <algorithm>

#include "framework/calculator/context.h"
#include "framework/packet/timestamp.h"

namespace syncline {

Timestamp CalculatorBase::SourceProcessOrder(
    const CalculatorContext* cc) const {
  Timestamp earliest = Timestamp::Max();
  for (const OutputStream& output : cc->Outputs()) {
    if (!output.IsClosed()) {
      earliest = std::min(earliest, output.NextTimestampBound());
    }
  }
  return earliest;
}

}  // namespace syncline
