// For tests: which calculators the project has, as the registry knows them and
// as the table of README.md tells of them. Where there is no OpenCV, what the
// table has under the heading with its name is not here.
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

// The calculators of calculators/, with where each is registered.
std::map<std::string, std::string> RegisteredCalculators();

// A row of the table.
struct Row {
  std::vector<std::string> names;
  std::string target;  // "core:gate_calculator"
  std::string ports;
  std::string options;  // a message, or ""
  bool needs_opencv;    // stands under a heading that says so

  bool is_here() const { return kHasOpenCv || !needs_opencv; }
};

std::map<std::string, Row> RowsByName();

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CALCULATOR_TABLE_H_
