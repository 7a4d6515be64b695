// For tests: examples.txt of a folder, in parts. The head of
// calculators/core/examples.txt describes the form.
//
// Thread rule: any thread.
// Tested by calculator_examples_test.

#ifndef SYNCLINE_CALCULATORS_EXAMPLE_TABLE_H_
#define SYNCLINE_CALCULATORS_EXAMPLE_TABLE_H_

#include <string>
#include <vector>

#include "framework/calculator_framework.h"

namespace syncline {

struct ExampleLine {
  std::string place;  // "calculators/core/examples.txt:21"
  std::string kind;   // "rule", "node", "in" and so on
  std::string port;   // of "in", "out" and so on; the name of a file
  std::string type;
  std::string text;
};
// The first line is the rule, the second the node.
using Example = std::vector<ExampleLine>;

// The examples of calculators/FOLDER; each ends with an empty line.
std::vector<Example> ReadExamples(const std::string& folder);

// The name in "calculator: 'X'", also if its options are not linked here.
std::string CalculatorOf(const Example& example);

// What is wrong with the form of an example: a kind of line that there is not,
// a type without values, or an output of the node that no line has.
std::vector<std::string> FormErrorsOf(const Example& example,
                                      const CalculatorGraphConfig::Node& node);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_EXAMPLE_TABLE_H_
