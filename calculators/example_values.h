// For tests: values of packets as text, in the form of examples.txt.
//
//   7   0.5   true   text   [1 2 3]
//   [1 2; 3 4]                            a matrix of two rows
//   {x: 1 y: 2}   [{x: 1 y: 2} {}]        messages, and a vector of them
//   [SRGB 255,0,0 0,0,0; 1,2,3 4,5,6]     an image of two rows
//   {SRGB 640x480 25 Hz 2 s}              a VideoHeader
//   1000000                               a time or duration, in microseconds;
//                                         a Clock that begins there and is a
//                                         second further each time it is read
//   [1 -]                                 a pair of packets of ints; - is none
//   ['RIFF' 2c 00]                        bytes: text, and two hex digits each
//
// Thread rule: any thread.
// Tested by calculator_examples_test.

#ifndef SYNCLINE_CALCULATORS_EXAMPLE_VALUES_H_
#define SYNCLINE_CALCULATORS_EXAMPLE_VALUES_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"

namespace syncline {

// A type of packets that examples may have.
struct ExampleType {
  // A packet without a timestamp. A text that is no such value fails the test.
  std::function<Packet(absl::string_view)> read;
  // Numbers have six digits. REQUIRES: a packet of the type. Null for a type
  // that no output has.
  std::function<std::string(const Packet&)> write;
};

// By name, such as "vector<float>".
const std::map<std::string, ExampleType>& ExampleTypes();

// Splits at blanks, but not within brackets, braces and the quotes in these.
std::vector<std::string> WordsOf(absl::string_view text);
// The same of the text within "[...]".
std::vector<std::string> WordsInBrackets(absl::string_view text);

// The bytes of "['RIFF' 2c 00]".
std::string BytesOf(absl::string_view text);

// "x: 1" of "{x: 1}".
absl::string_view WithoutBraces(absl::string_view text);

// The number with six digits; what is nearly 0 is 0.
double SixDigits(double value);

// Add the types of messages, times and the like, and of images: the parts of
// the table that are in files of their own.
void AddMessageTypes(std::map<std::string, ExampleType>* types);
void AddImageTypes(std::map<std::string, ExampleType>* types);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_EXAMPLE_VALUES_H_
