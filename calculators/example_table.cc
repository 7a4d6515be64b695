#include "calculators/example_table.h"

#include <cstddef>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "calculators/example_values.h"
#include "framework/calculator_framework.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// "TAG:0:name" or the nth port without a tag as "TAG" or ":n". An index of 0 is
// left out with a tag.
std::string PortOf(absl::string_view entry, int* untagged) {
  const std::vector<std::string> parts = absl::StrSplit(entry, ':');
  if (parts.size() == 1) return absl::StrCat(":", (*untagged)++);
  if (parts[0].empty()) return absl::StrCat(":", parts[1]);
  if (parts.size() == 2 || parts[1] == "0") return parts[0];
  return absl::StrCat(parts[0], ":", parts[1]);
}
std::string PortOf(const ExampleLine& line) {
  return line.port[0] == ':' ? line.port
                             : std::string(absl::StripSuffix(line.port, ":0"));
}

}  // namespace

std::vector<Example> ReadExamples(const std::string& folder) {
  const std::string path =
      absl::StrCat("calculators/", folder, "/examples.txt");
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::vector<Example> examples = {{}};
  int number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    if (absl::StartsWith(text, "#")) continue;
    if (text.empty()) {
      if (!examples.back().empty()) examples.emplace_back();
      continue;
    }
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(text, absl::MaxSplits(": ", 1));
    const std::vector<std::string> words =
        absl::StrSplit(parts.first, absl::MaxSplits(' ', 2));
    ExampleLine line{absl::StrCat(path, ":", number), words[0], "", "",
                     std::string(absl::StripAsciiWhitespace(parts.second))};
    if (words.size() > 1) line.port = words[1];
    if (words.size() > 2) line.type = words[2];
    examples.back().push_back(std::move(line));
  }
  if (examples.back().empty()) examples.pop_back();
  return examples;
}

std::string CalculatorOf(const Example& example) {
  const std::string text = example.size() < 2 ? "" : example[1].text;
  const std::vector<std::string> parts = absl::StrSplit(text, '\'');
  return parts.size() > 1 && absl::StartsWith(text, "calculator: '") ? parts[1]
                                                                     : "";
}

std::vector<std::string> FormErrorsOf(const Example& example,
                                      const CalculatorGraphConfig::Node& node) {
  static const auto* const kinds =
      new std::set<std::string>{"file",     "header",     "in",   "out",
                                "out_file", "out_header", "side", "side_out"};
  std::vector<std::string> errors;
  std::set<std::string> outputs;
  bool has_file = false;
  for (std::size_t i = 2; i < example.size(); ++i) {
    const ExampleLine& line = example[i];
    if (line.kind == "rate") continue;
    if (!kinds->contains(line.kind) || line.port.empty()) {
      errors.push_back(
          absl::StrCat(line.place, ": what is \"", line.kind, "\"?"));
      continue;
    }
    const bool is_file = line.kind == "file" || line.kind == "out_file";
    has_file |= line.kind == "out_file";
    if (is_file && line.type.empty()) continue;
    if (is_file ? line.type != "bytes" : !ExampleTypes().contains(line.type)) {
      errors.push_back(
          absl::StrCat(line.place, ": unknown type \"", line.type, "\""));
    }
    if (line.kind == "out" || line.kind == "side_out") {
      outputs.insert(absl::StrCat(line.kind, " ", PortOf(line)));
    }
  }
  std::set<std::string> expected;
  int untagged = 0;
  for (const std::string& entry : node.output_stream()) {
    expected.insert(absl::StrCat("out ", PortOf(entry, &untagged)));
  }
  untagged = 0;
  for (const std::string& entry : node.output_side_packet()) {
    expected.insert(absl::StrCat("side_out ", PortOf(entry, &untagged)));
  }
  if (outputs != expected || (outputs.empty() && !has_file)) {
    errors.push_back(absl::StrCat(example[0].place, ": there are lines for {",
                                  absl::StrJoin(outputs, ", "),
                                  "}, but the node has {",
                                  absl::StrJoin(expected, ", "), "}"));
  }
  return errors;
}

}  // namespace syncline
