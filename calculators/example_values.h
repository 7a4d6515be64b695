// For tests: values of packets as text, in the form of examples.txt.
//
//   7   0.5   true   any text   [1 2 3]   [1 2; 3 4], a matrix of two rows
//
// Thread rule: any thread.
// Tested by calculator_examples_test.

#ifndef SYNCLINE_CALCULATORS_EXAMPLE_VALUES_H_
#define SYNCLINE_CALCULATORS_EXAMPLE_VALUES_H_

#include <functional>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"

namespace syncline {

// A type of packets that examples may have.
struct ExampleType {
  // A packet without a timestamp. A text that is no such value fails the test.
  std::function<Packet(absl::string_view)> read;
  // Numbers have six digits. REQUIRES: a packet of the type
  std::function<std::string(const Packet&)> write;
};

// By name, such as "vector<float>".
const std::map<std::string, ExampleType>& ExampleTypes();

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_EXAMPLE_VALUES_H_
