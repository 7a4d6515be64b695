// What calculators compute is what examples.txt says: literal inputs and
// outputs, each with the rule or the formula that the outputs follow from. The
// outputs were worked out by hand, not taken from a run.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "calculators/calculator_table.h"
#include "calculators/example_table.h"
#include "calculators/example_values.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The folders that have examples.
constexpr const char* kFolders[] = {"audio", "core", "image", "util", "video"};

// Whether the calculator is built here.
bool IsHere(const Example& example) {
  const std::map<std::string, Row> rows = RowsByName();
  const auto row = rows.find(CalculatorOf(example));
  return row == rows.end() || row->second.is_here();
}

// --- Running

std::int64_t Int64Of(const std::string& text) {
  std::int64_t value = 0;
  EXPECT_TRUE(absl::SimpleAtoi(text, &value)) << text;
  return value;
}

// "a@10", or "-@30", a bound; at "PreStream" and "PostStream" too.
Packet PacketOf(const ExampleType& type, const std::string& text) {
  const std::size_t at = text.rfind('@');
  EXPECT_NE(at, std::string::npos) << text << " has no timestamp";
  if (at == std::string::npos) return Packet();
  const std::string when = text.substr(at + 1);
  const Timestamp time = when == "PreStream"    ? Timestamp::PreStream()
                         : when == "PostStream" ? Timestamp::PostStream()
                                                : Timestamp(Int64Of(when));
  const std::string value = text.substr(0, at);
  return value == "-" ? Packet().At(time) : type.read(value).At(time);
}
std::vector<Packet> PacketsOf(const ExampleLine& line) {
  const ExampleType& type = ExampleTypes().at(line.type);
  std::vector<Packet> packets;
  for (const std::string& text : WordsOf(line.text)) {
    packets.push_back(PacketOf(type, text));
  }
  return packets;
}

std::string TextOf(const ExampleLine& line,
                   const std::vector<Packet>& packets) {
  const ExampleType& type = ExampleTypes().at(line.type);
  std::vector<std::string> texts;
  for (const Packet& packet : packets) {
    texts.push_back(absl::StrCat(packet.IsEmpty() ? "-" : type.write(packet),
                                 "@", packet.Timestamp().DebugString()));
  }
  return absl::StrJoin(texts, " ");
}

// What an output sent, with an empty packet wherever it was settled further
// than its packets say. That it ends is left out.
std::vector<Packet> WithBounds(const CalculatorHarness& harness,
                               const std::string& port) {
  std::vector<Packet> result;
  auto packet = harness.Output(port).begin();
  const auto end = harness.Output(port).end();
  for (const Timestamp bound : harness.OutputBounds(port)) {
    while (packet != end && packet->Timestamp() < bound) {
      result.push_back(*packet++);
    }
    if (bound > Timestamp::Max() ||
        (!result.empty() &&
         result.back().Timestamp().NextAllowedInStream() == bound)) {
      continue;
    }
    result.push_back(Packet().At(bound.PreviousAllowedInStream()));
  }
  result.insert(result.end(), packet, end);
  return result;
}

// The files of an example are in a folder of their own, "$DIR" in texts.
std::string FolderOf(const Example& example) {
  const std::string folder = absl::StrCat(
      testing::TempDir(), "/",
      absl::StrReplaceAll(example[0].place, {{"/", "_"}, {":", "_"}}));
  std::filesystem::create_directories(folder);
  return folder;
}

// What a line says is in a file.
std::string ContentOf(const ExampleLine& line) {
  return line.type == "bytes" ? BytesOf(line.text) : line.text;
}

void FeedExample(const Example& example, CalculatorHarness* harness) {
  const std::string folder = FolderOf(example);
  TimeSeriesHeader series;
  for (const ExampleLine& line : example) {
    if (line.kind == "rate") {
      double rate = 0;
      EXPECT_TRUE(absl::SimpleAtod(line.text, &rate)) << line.place;
      series.set_sample_rate(rate);
    } else if (line.kind == "file") {
      std::ofstream(absl::StrCat(folder, "/", line.port), std::ios::binary)
          << ContentOf(line);
    } else if (line.kind == "side") {
      harness->SetSidePacket(
          line.port, ExampleTypes().at(line.type).read(
                         absl::StrReplaceAll(line.text, {{"$DIR", folder}})));
    } else if (line.kind == "header") {
      harness->SetHeader(line.port,
                         ExampleTypes().at(line.type).read(line.text));
    } else if (line.kind == "in") {
      std::vector<Packet> packets = PacketsOf(line);
      if (line.type == "Matrix" && !packets.empty() && !packets[0].IsEmpty()) {
        const auto& samples = packets[0].Get<Matrix>();
        series.set_num_channels(static_cast<int>(samples.rows()));
        series.set_num_samples(static_cast<int>(samples.cols()));
      }
      harness->Feed(line.port, std::move(packets));
    }
  }
  if (series.has_sample_rate()) {
    harness->SetHeader("", MakePacket<TimeSeriesHeader>(series));
  }
}

void ExpectFile(const ExampleLine& line, const std::string& folder) {
  std::ifstream file(absl::StrCat(folder, "/", line.port), std::ios::binary);
  EXPECT_TRUE(file.good()) << line.place << ": there is no such file";
  const std::string content(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(absl::BytesToHexString(content),
            absl::BytesToHexString(ContentOf(line)))
      << line.place;
}

void ExpectOutput(const ExampleLine& line, const CalculatorHarness& harness) {
  const auto expect_packet = [&line](const Packet& packet) {
    const ExampleType& type = ExampleTypes().at(line.type);
    ASSERT_FALSE(packet.IsEmpty()) << line.place;
    EXPECT_EQ(type.write(packet), type.write(type.read(line.text)))
        << line.place;
  };
  if (line.kind == "out") {
    const std::vector<Packet> expected =
        line.text == "nothing" ? std::vector<Packet>() : PacketsOf(line);
    const bool has_bounds =
        std::any_of(expected.begin(), expected.end(),
                    [](const Packet& packet) { return packet.IsEmpty(); });
    EXPECT_EQ(TextOf(line, has_bounds ? WithBounds(harness, line.port)
                                      : harness.Output(line.port)),
              TextOf(line, expected))
        << line.place;
  } else if (line.kind == "out_header") {
    expect_packet(harness.OutputHeader(line.port));
  } else if (line.kind == "side_out") {
    if (line.text == "nothing") {
      EXPECT_TRUE(harness.OutputSidePacket(line.port).IsEmpty()) << line.place;
    } else {
      expect_packet(harness.OutputSidePacket(line.port));
    }
  }
}

// Runs an example and compares its outputs.
void RunExample(const Example& example) {
  EXPECT_EQ(example[0].kind, "rule") << example[0].place;
  EXPECT_FALSE(example[0].text.empty()) << example[0].place;
  CalculatorGraphConfig::Node node;
  ASSERT_TRUE(example.size() > 2 && example[1].kind == "node" &&
              ParseTextProto(example[1].text, &node))
      << example[0].place << ": no node, or one that is not valid";
  ASSERT_THAT(FormErrorsOf(example, node), IsEmpty());
  CalculatorHarness harness(node);
  FeedExample(example, &harness);
  SYNCLINE_ASSERT_OK(harness.Run())
      << example[0].place << " " << node.calculator();
  for (const ExampleLine& line : example) {
    if (line.kind == "out_file") {
      ExpectFile(line, FolderOf(example));
    } else {
      ExpectOutput(line, harness);
    }
  }
}

TEST(CalculatorExamplesTest, OutputsAreThoseThatFollowFromTheRule) {
  const std::map<std::string, std::string> registered = RegisteredCalculators();
  for (const char* const folder : kFolders) {
    for (const Example& example : ReadExamples(folder)) {
      if (!IsHere(example)) continue;
      RunExample(example);
      const std::string calculator = CalculatorOf(example);
      const auto entry = registered.find(calculator);
      ASSERT_NE(entry, registered.end())
          << example[0].place << " " << calculator;
      EXPECT_TRUE(absl::StartsWith(entry->second,
                                   absl::StrCat("calculators/", folder, "/")))
          << example[0].place << " " << calculator;
    }
  }
}

TEST(CalculatorExamplesTest, BytesAreTextAndHexDigits) {
  EXPECT_EQ(BytesOf("['RIFF' 2c 00 ff]"), std::string("RIFF,\0\xff", 7));
  EXPECT_EQ(BytesOf("[]"), "");
  const ExampleType& type = ExampleTypes().at("bytes");
  EXPECT_EQ(type.write(type.read("['a' 0a]")), "[61 0a]");
  EXPECT_NONFATAL_FAILURE(BytesOf("[2]"), "\"2\" is no byte");
  EXPECT_NONFATAL_FAILURE(BytesOf("[0g]"), "\"0g\" is no byte");
}

TEST(CalculatorExamplesTest, BoundsBesidePacketsAreCompared) {
  CalculatorHarness harness(
      "calculator: 'GateCalculator' input_stream: 'a' "
      "input_stream: 'ALLOW:b' output_stream: 'c'");
  harness.Feed("", {MakePacket<int>(1).At(Timestamp(10)),
                    MakePacket<int>(2).At(Timestamp(20))});
  harness.Feed("ALLOW", {MakePacket<bool>(false).At(Timestamp(10)),
                         MakePacket<bool>(true).At(Timestamp(20))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ExpectOutput({"f:1", "out", ":0", "int", "-@10 2@20"}, harness);
  ExpectOutput({"f:1", "out", ":0", "int", "2@20"}, harness);
  EXPECT_NONFATAL_FAILURE(
      ExpectOutput({"f:1", "out", ":0", "int", "-@9 2@20"}, harness), "-@10");
  EXPECT_NONFATAL_FAILURE(
      ExpectOutput({"f:1", "out", ":0", "int", "2@20 -@25"}, harness), "f:1");
}

TEST(CalculatorExamplesTest, AnExampleHasALineForEachOutputAndNoOther) {
  const std::string node_text =
      "calculator: 'X' input_stream: 'a' output_stream: 'b' "
      "output_stream: 'c' output_side_packet: 'S:d'";
  const auto errors_of = [&node_text](const std::vector<ExampleLine>& lines) {
    Example example = {{"f:1", "rule", "", "", "r"},
                       {"f:2", "node", "", "", node_text}};
    example.insert(example.end(), lines.begin(), lines.end());
    CalculatorGraphConfig::Node node;
    EXPECT_TRUE(ParseTextProto(node_text, &node));
    return FormErrorsOf(example, node);
  };
  const ExampleLine first{"f:3", "out", ":0", "int", "1@1"};
  const ExampleLine second{"f:4", "out", ":1", "int", "1@1"};
  const ExampleLine side{"f:5", "side_out", "S:0", "int", "1"};
  EXPECT_THAT(errors_of({first, second, side}), IsEmpty());
  EXPECT_THAT(errors_of({first, side}),
              ElementsAre(HasSubstr("{out :0, side_out S}, but the node has "
                                    "{out :0, out :1, side_out S}")));
  EXPECT_THAT(
      errors_of({first, second, side, {"f:6", "ouut", ":0", "int", ""}}),
      ElementsAre("f:6: what is \"ouut\"?"));
  EXPECT_THAT(errors_of({first, second, side, {"f:6", "in", ":0", "itn", ""}}),
              ElementsAre("f:6: unknown type \"itn\""));
  EXPECT_THAT(errors_of({}), SizeIs(1));
  EXPECT_THAT(errors_of({first, second, side, {"f:6", "file", "a", "int", ""}}),
              ElementsAre("f:6: unknown type \"int\""));
  EXPECT_THAT(
      errors_of({first, second, side, {"f:6", "out_file", "a", "bytes", "[]"}}),
      IsEmpty());
}

// --- Which calculators have examples

// Calculators whose examples are in tests of their own, for these reasons.
const std::map<std::string, std::string>& WithoutExamples() {
  static const auto* const names = new std::map<std::string, std::string>{
      {"SynchronizationCalculator", "needs a handler, so a graph"},
      {"GraphProfileCalculator", "measures a graph"},
      {"SpectrogramImageCalculator", "draws with a palette"},
      {"OpenCvImageEncoderCalculator", "its bytes are the codec's"},
      {"OpenCvVideoDecoderCalculator", "its files are the codec's"},
      {"OpenCvVideoEncoderCalculator", "its bytes are the codec's"},
  };
  return *names;
}

TEST(CalculatorExamplesTest, EveryCalculatorHasAnExample) {
  std::set<std::string> shown;
  for (const char* const folder : kFolders) {
    for (const Example& example : ReadExamples(folder)) {
      shown.insert(CalculatorOf(example));
    }
  }
  const std::map<std::string, Row> rows = RowsByName();
  for (const auto& [name, reason] : WithoutExamples()) {
    EXPECT_TRUE(rows.contains(name) && !shown.contains(name)) << name;
    shown.insert(name);
  }
  for (const auto& [name, row] : rows) {
    const std::string folder =
        std::vector<std::string>(absl::StrSplit(row.target, ':'))[0];
    if (std::find(std::begin(kFolders), std::end(kFolders), folder) ==
        std::end(kFolders)) {
      continue;
    }
    // A row has one calculator, or a template with several types.
    EXPECT_TRUE(std::any_of(
        row.names.begin(), row.names.end(),
        [&shown](const std::string& one) { return shown.contains(one); }))
        << name;
  }
}

}  // namespace
}  // namespace syncline
