// QuantizedRange: the numbers that bytes encode.
//
// [min, max] is divided into 255 steps. A number becomes the byte of the step
// that contains it; numbers outside become the first or the last byte. A byte
// becomes a number near the middle of its step, so that errors are not all in
// one direction. A number that is encoded and decoded changes by less than a
// step.
//
// Thread rule: a value.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_QUANTIZED_RANGE_H_
#define SYNCLINE_CALCULATORS_CORE_QUANTIZED_RANGE_H_

#include <algorithm>
#include <cmath>

#include "framework/calculator_framework.h"

namespace syncline {

struct QuantizedRange {
  float min = 0;
  float max = 1;

  // INVALID_ARGUMENT if a limit is missing, or if they are in the wrong order.
  // `name` is the name of the options.
  template <typename Options>
  static absl::StatusOr<QuantizedRange> Create(const Options& options,
                                               absl::string_view name) {
    if (!options.has_max_quantized_value() ||
        !options.has_min_quantized_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("Both max_quantized_value and min_quantized_value must "
                       "be provided in ",
                       name));
    }
    const QuantizedRange range{options.min_quantized_value(),
                               options.max_quantized_value()};
    // Written with `!`, so that NaN is an error, too.
    if (!(range.max > range.min)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "max_quantized_value must be greater than min_quantized_value in ",
          name, ", but they are ", range.max, " and ", range.min));
    }
    if (!std::isfinite(range.min) || !std::isfinite(range.max)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "max_quantized_value and min_quantized_value must be finite in ",
          name, ", but they are ", range.max, " and ", range.min));
    }
    return range;
  }

  unsigned char Encode(float value) const {
    if (!(value > min)) return 0;
    if (value >= max) return 255;
    const double steps = (double{value} - min) * 255 / (double{max} - min);
    return static_cast<unsigned char>(std::min(255.0, steps));
  }
  float Decode(unsigned char byte) const {
    const double width = double{max} - min;
    return static_cast<float>(min + width * byte / 255 + width / 512);
  }
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_QUANTIZED_RANGE_H_
