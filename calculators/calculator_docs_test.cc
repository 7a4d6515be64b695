// The comment that opens the file of each calculator shows a valid node, and
// says what an empty input means.

#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "calculators/calculator_table.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

std::vector<std::string> LinesOf(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  return absl::StrSplit(std::string((std::istreambuf_iterator<char>(file)),
                                    std::istreambuf_iterator<char>()),
                        '\n');
}

// The comment that opens a file, and the comments of the templates that its
// calculators come from.
std::string CommentOf(const std::string& path) {
  constexpr absl::string_view kInclude = "#include \"calculators/";
  std::string comment;
  bool is_opening = true;
  for (const std::string& line : LinesOf(path)) {
    is_opening = is_opening && absl::StartsWith(line, "//");
    if (is_opening) absl::StrAppend(&comment, line.substr(2), "\n");
    if (absl::StartsWith(line, kInclude) &&
        (absl::EndsWith(line, "_calculator.h\"") ||
         absl::EndsWith(line, "_calculators.h\""))) {
      absl::StrAppend(
          &comment,
          CommentOf(std::vector<std::string>(absl::StrSplit(line, '"'))[1]));
    }
  }
  return comment;
}

// The text from `begin` to the brace that closes the first one.
std::string Block(const std::string& text, std::size_t begin) {
  int depth = 0;
  char within = 0;  // a string, or a comment
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (within != 0) {
      if (c == (within == '#' ? '\n' : within)) within = 0;
    } else if (c == '"' || c == '\'' || c == '#') {
      within = c;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text.substr(begin, i + 1 - begin);
    }
  }
  return text.substr(begin);
}

// The blocks of `node { ... }` at the beginnings of lines.
std::vector<std::string> NodesIn(const std::string& comment) {
  std::vector<std::string> nodes;
  for (const char* const start : {"\n   node {", "\n   contained_node {"}) {
    for (std::size_t at = comment.find(start); at != std::string::npos;
         at = comment.find(start, at + 1)) {
      nodes.push_back(
          absl::StrCat("node ", Block(comment, comment.find('{', at))));
    }
  }
  return nodes;
}

// A node in a SwitchContainer, which has the container's ports.
bool IsContained(const CalculatorGraphConfig::Node& node) {
  return node.input_stream_size() + node.output_stream_size() +
             node.input_side_packet_size() + node.output_side_packet_size() ==
         0;
}

// A graph of the node alone, whose inputs are those of the graph. A calculator
// that is not registered is one that a user would make of a template.
void ExpectIsAGraph(const std::string& node) {
  CalculatorGraphConfig config;
  ASSERT_TRUE(ParseTextProto(node, &config)) << node;
  ASSERT_EQ(config.node_size(), 1);
  CalculatorGraphConfig::Node& only = *config.mutable_node(0);
  if (!CalculatorBaseRegistry::IsRegistered(only.calculator()) ||
      IsContained(only)) {
    return;
  }
  const auto name_of = [](const std::string& port) {
    return std::vector<std::string>(absl::StrSplit(port, ':')).back();
  };
  for (const std::string& port : only.input_stream()) {
    config.add_input_stream(name_of(port));
  }
  for (const std::string& port : only.input_side_packet()) {
    config.add_input_side_packet(name_of(port));
  }
  only.clear_input_stream_info();  // a sink has no outputs
  only.clear_executor();
  CalculatorGraph graph;
  SYNCLINE_EXPECT_OK(graph.Initialize(config)) << node;
}

TEST(CalculatorDocsTest, EachFileShowsNodesThatAreGraphs) {
  std::set<std::string> shown;
  for (const auto& [name, origin] : RegisteredCalculators()) {
    const std::string path =
        std::vector<std::string>(absl::StrSplit(origin, ':'))[0];
    if (!shown.insert(path).second) continue;
    SCOPED_TRACE(path);
    const std::vector<std::string> nodes = NodesIn(CommentOf(path));
    EXPECT_FALSE(nodes.empty());
    for (const std::string& node : nodes) ExpectIsAGraph(node);
  }
  EXPECT_GT(shown.size(), 50u);
}

TEST(CalculatorDocsTest, EachFileSaysWhatAnEmptyInputMeans) {
  const std::map<std::string, Row> rows = RowsByName();
  for (const auto& [name, origin] : RegisteredCalculators()) {
    // "side OPTIONAL_VALUE:T?, DEFAULT_VALUE:T → side VALUE:T": nothing is
    // empty where there are no input streams.
    const std::string& ports = rows.at(name).ports;
    if (absl::StartsWith(ports, " side") || absl::StartsWith(ports, " →") ||
        absl::StartsWith(ports, " none")) {
      continue;
    }
    const std::string path =
        std::vector<std::string>(absl::StrSplit(origin, ':'))[0];
    EXPECT_THAT(CommentOf(path), AnyOf(HasSubstr("empty"), HasSubstr("Empty")))
        << path;
  }
}

}  // namespace
}  // namespace syncline
