// What calculators compute is what examples.txt says: literal inputs and
// outputs, each with the rule or the formula that the outputs follow from. The
// outputs were worked out by hand, not taken from a run.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "calculators/calculator_table.h"
#include "calculators/example_values.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

// The folders that have examples.
constexpr const char* kFolders[] = {"audio", "core", "util"};

// --- Examples

// "a@10 [1 2]@20": packets, or "-@30", a bound.
std::vector<std::string> PacketTexts(absl::string_view text) {
  std::vector<std::string> result = {""};
  int depth = 0;
  for (const char c : text) {
    depth += (c == '[') - (c == ']');
    if (c == ' ' && depth == 0) {
      result.emplace_back();
    } else {
      result.back().push_back(c);
    }
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

std::int64_t Int64Of(const std::string& text) {
  std::int64_t value = 0;
  EXPECT_TRUE(absl::SimpleAtoi(text, &value)) << text;
  return value;
}

Packet PacketOf(const ExampleType& type, const std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos) return type.read(text);  // a side packet
  const Timestamp time(Int64Of(text.substr(at + 1)));
  const std::string value = text.substr(0, at);
  return value == "-" ? Packet().At(time) : type.read(value).At(time);
}

std::string TextOf(const ExampleType& type,
                   const std::vector<Packet>& packets) {
  std::vector<std::string> texts;
  for (const Packet& packet : packets) {
    texts.push_back(absl::StrCat(type.write(packet), "@",
                                 packet.Timestamp().DebugString()));
  }
  return absl::StrJoin(texts, " ");
}

struct Line {
  std::string place;
  std::string kind;  // "rule", "node", "in" and so on
  std::string port;
  std::string type;
  std::string text;
};

// The examples of a file; each ends with an empty line.
std::vector<std::vector<Line>> ReadExamples(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::vector<std::vector<Line>> examples = {{}};
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
    const std::vector<std::string> words = absl::StrSplit(parts.first, ' ');
    Line line{absl::StrCat(path, ":", number), words[0], "", "",
              std::string(absl::StripAsciiWhitespace(parts.second))};
    if (words.size() == 3) {
      line.port = words[1];
      line.type = words[2];
    }
    examples.back().push_back(std::move(line));
  }
  if (examples.back().empty()) examples.pop_back();
  return examples;
}

// Runs an example and compares its outputs. Returns the calculator.
std::string RunExample(const std::vector<Line>& example) {
  EXPECT_EQ(example[0].kind, "rule") << example[0].place;
  CalculatorGraphConfig::Node node;
  if (example.size() < 3 || example[1].kind != "node" ||
      !ParseTextProto(example[1].text, &node)) {
    ADD_FAILURE() << example[0].place << ": no node, or one that is not valid";
    return "";
  }
  CalculatorHarness harness(node);
  TimeSeriesHeader header;
  for (const Line& line : example) {
    if (line.kind == "rate") {
      double rate = 0;
      EXPECT_TRUE(absl::SimpleAtod(line.text, &rate)) << line.place;
      header.set_sample_rate(rate);
    }
    if (line.kind != "in" && line.kind != "side") continue;
    const auto type = ExampleTypes().find(line.type);
    if (type == ExampleTypes().end()) {
      ADD_FAILURE() << line.place << ": unknown type \"" << line.type << "\"";
      return "";
    }
    std::vector<Packet> packets;
    for (const std::string& text : PacketTexts(line.text)) {
      packets.push_back(PacketOf(type->second, text));
    }
    if (line.kind == "side") {
      harness.SetSidePacket(line.port, packets.at(0));
    } else {
      if (line.type == "Matrix" && !packets.empty()) {
        const auto& samples = packets[0].Get<Matrix>();
        header.set_num_channels(static_cast<int>(samples.rows()));
        header.set_num_samples(static_cast<int>(samples.cols()));
      }
      harness.Feed(line.port, std::move(packets));
    }
  }
  if (header.has_sample_rate()) {
    harness.SetHeader("", MakePacket<TimeSeriesHeader>(header));
  }
  const absl::Status status = harness.Run();
  SYNCLINE_EXPECT_OK(status) << example[0].place;
  if (!status.ok()) return node.calculator();
  for (const Line& line : example) {
    if (line.kind == "out") {
      EXPECT_EQ(TextOf(ExampleTypes().at(line.type), harness.Output(line.port)),
                line.text == "nothing" ? "" : line.text)
          << line.place << " " << node.calculator();
    } else if (line.kind == "side_out") {
      EXPECT_EQ(ExampleTypes().at(line.type).write(
                    harness.OutputSidePacket(line.port)),
                line.text)
          << line.place << " " << node.calculator();
    }
  }
  return node.calculator();
}

// Calculators of core whose examples are in tests of their own, since they have
// messages, packets or profiles as values, or need a graph.
const std::set<std::string>& WithoutExamples() {
  static const auto* const names = new std::set<std::string>{
      "SynchronizationCalculator",
      "MakePairCalculator",
      "GraphProfileCalculator",
      "ConcatenateDetectionVectorCalculator",
      "ConcatenateLandmarkListCalculator",
      "SplitLandmarkListCalculator",
      "MergeDetectionsToVectorCalculator",
      "ClipDetectionVectorSizeCalculator",
      "ClipNormalizedRectVectorSizeCalculator",
      "GetDetectionVectorItemCalculator",
      "LandmarkListVectorSizeCalculator",
  };
  return *names;
}

TEST(CalculatorExamplesTest, EveryCalculatorOfCoreHasAnExample) {
  std::set<std::string> shown = WithoutExamples();
  for (const std::vector<Line>& example :
       ReadExamples("calculators/core/examples.txt")) {
    CalculatorGraphConfig::Node node;
    ASSERT_TRUE(ParseTextProto(example.at(1).text, &node)) << example[0].place;
    shown.insert(node.calculator());
  }
  for (const auto& [name, row] : RowsByName()) {
    // A row has one calculator, or a template with several types.
    EXPECT_TRUE(!absl::StartsWith(row.target, "core:") ||
                std::any_of(row.names.begin(), row.names.end(),
                            [&shown](const std::string& one) {
                              return shown.contains(one);
                            }))
        << name;
  }
}

TEST(CalculatorExamplesTest, OutputsAreThoseThatFollowFromTheRule) {
  for (const char* const folder : kFolders) {
    const std::string path =
        absl::StrCat("calculators/", folder, "/examples.txt");
    const std::map<std::string, std::string> registered =
        RegisteredCalculators();
    for (const std::vector<Line>& example : ReadExamples(path)) {
      const std::string calculator = RunExample(example);
      const auto entry = registered.find(calculator);
      ASSERT_NE(entry, registered.end()) << example[0].place;
      EXPECT_TRUE(absl::StartsWith(entry->second,
                                   absl::StrCat("calculators/", folder, "/")))
          << example[0].place << " " << calculator;
    }
  }
}

}  // namespace
}  // namespace syncline
