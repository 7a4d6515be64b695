// SplitRanges: the checked contents of SplitVectorCalculatorOptions; for all
// calculators that split.
//
// Thread rule: immutable once made.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_SPLIT_RANGES_H_
#define SYNCLINE_CALCULATORS_CORE_SPLIT_RANGES_H_

#include <cstddef>
#include <vector>

#include "calculators/core/split_vector_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {

struct SplitRanges {
  struct Part {
    std::size_t begin;
    std::size_t end;  // exclusive
  };

  std::vector<Part> parts;
  bool element_only = false;
  bool combine = false;
  // The smallest number of elements that contains all ranges.
  std::size_t size_needed = 0;
  // The number of elements of all parts together.
  std::size_t total = 0;

  // INVALID_ARGUMENT if the options contradict each other or the number of
  // outputs. An element that is moved can go to one output only.
  static absl::StatusOr<SplitRanges> Create(
      const SplitVectorCalculatorOptions& options, int num_outputs,
      bool moves_elements);

  // INVALID_ARGUMENT if `size` elements are too few.
  absl::Status CheckSize(std::size_t size) const;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_SPLIT_RANGES_H_
