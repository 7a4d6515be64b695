// The goals of the runtime, and whether it reaches them.
//
// A goal compares two medians of one run, or is a figure by itself. The bar
// must be reached; the aim should be reached.
//
// Thread rule: pure functions.
// Tested by report_test.
#ifndef SYNCLINE_BENCHMARKS_GOALS_H_
#define SYNCLINE_BENCHMARKS_GOALS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "benchmarks/samples.h"

namespace syncline {

struct Goal {
  std::string what;
  // Nothing if a part of it was not measured.
  absl::optional<double> value;
  double bar;
  double aim;
  // The unit: "x", "ns", ...
  std::string unit;
  bool more_is_better = false;

  bool ReachesBar() const { return Reaches(bar); }
  bool ReachesAim() const { return Reaches(aim); }

 private:
  bool Reaches(double limit) const {
    return value.has_value() &&
           (more_is_better ? *value >= limit : *value <= limit);
  }
};

// Figures that other programs count, by name; see invocation_costs.cc.
using CostFigures = std::map<std::string, double>;

std::vector<Goal> EvaluateGoals(const Samples& samples,
                                const CostFigures& costs);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_GOALS_H_
