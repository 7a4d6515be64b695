// For tests: the calculators of the project, from the registry and from the
// table of README.md. Without OpenCV, the calculators under the heading of that
// name are missing.
//
// Thread rule: any thread.
// Tested by calculator_table_test.

#ifndef SYNCLINE_CALCULATORS_CALCULATOR_TABLE_H_
#define SYNCLINE_CALCULATORS_CALCULATOR_TABLE_H_

#include <map>
#include <string>
#include <vector>

namespace syncline {

inline constexpr bool kHasOpenCv = SYNCLINE_TEST_HAS_OPENCV != 0;

// The calculators of calculators/, with the place of their registration.
std::map<std::string, std::string> RegisteredCalculators();

// A row of the table.
struct Row {
  std::vector<std::string> names;
  std::string target;  // "core:gate_calculator"
  std::string ports;
  std::string options;  // a message, or ""
  bool needs_opencv;    // stands under a heading that requires OpenCV

  bool is_here() const { return kHasOpenCv || !needs_opencv; }
};

std::map<std::string, Row> RowsByName();

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CALCULATOR_TABLE_H_
