// TestTable: what the tests of a program gave, file by file, as a table at its
// end. For a program that runs where nobody has the build's own reports.
//
//   TestTable table;
//   ... table.Add(*test_info) after each test ...
//   std::cout << table.ToText();
//
// Thread rule: one thread.
// Tested by test_table_test.

#ifndef SYNCLINE_TESTING_GPU_TEST_TABLE_H_
#define SYNCLINE_TESTING_GPU_TEST_TABLE_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

enum class TestOutcome { kPassed, kFailed, kSkipped };

class TestTable {
 public:
  // A test of a file, with why it was skipped. `milliseconds` are what it took.
  void Add(absl::string_view file, TestOutcome outcome,
           absl::string_view reason, double milliseconds);

  int passed() const;
  int failed() const;
  int skipped() const;

  // A line for each file, those with failed tests first, then each reason of
  // tests that were skipped with their number, and the sum.
  std::string ToText() const;

 private:
  struct Counts {
    int passed = 0;
    int failed = 0;
    int skipped = 0;
    double milliseconds = 0;
  };

  Counts Sum() const;

  std::map<std::string, Counts> files_;
  std::map<std::string, int> reasons_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_GPU_TEST_TABLE_H_
