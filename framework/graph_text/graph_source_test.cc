// Graphs come as text, as binary or in a file, and are the same config.

#include "framework/graph_text/graph_source.h"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/proto_text.h"
#include "framework/graph_text/testdata/reading.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kText[] = R"(
  package: "mediapipe"
  node { calculator: "mediapipe.A"
         options { [mediapipe.ReadingOptions.ext] { text: "x" } }
         node_options { [type.googleapis.com/mediapipe.ReadingOptions] {} } })";

std::string Write(const std::string& name, absl::string_view contents) {
  std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

std::string Message(const absl::StatusOr<GraphSource>& source) {
  EXPECT_FALSE(source.ok());
  return std::string(source.status().message());
}

TEST(GraphSourceTest, TextHasPositionsAndOurNames) {
  const absl::StatusOr<GraphSource> source = ReadGraphText(kText, "a.pbtxt");
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->config.package(), "syncline");
  EXPECT_EQ(source->config.node(0).calculator(), "syncline.A");
  ASSERT_NE(source->positions, nullptr);
  EXPECT_EQ(source->positions->Node(0).line, 3);
}

TEST(GraphSourceTest, TheNameOfAFileEndsNoLineOfAnError) {
  const std::string name = "two\nlines\x1b[31m", shown = "two\\nlines\\x1b[31m";
  EXPECT_THAT(Message(ReadGraphText("node {", name)), StartsWith(shown));
  EXPECT_THAT(Message(ReadGraphText("node { no: 1 } template { }", name)),
              StartsWith(shown));
  EXPECT_THAT(Message(ReadGraphBinary("\377", name)), StartsWith(shown));
  const absl::StatusOr<GraphSource> source = ReadGraphText(kText, name);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->positions->Node(0).file, shown);
}

TEST(GraphSourceTest, BinaryGivesTheSameConfigWithoutPositions) {
  const absl::StatusOr<GraphSource> text = ReadGraphText(kText);
  ASSERT_TRUE(text.ok());
  CalculatorGraphConfig theirs = text->config;
  theirs.set_package("mediapipe");
  theirs.mutable_node(0)->set_calculator("mediapipe.A");
  theirs.mutable_node(0)->mutable_node_options(0)->set_type_url(
      "type.googleapis.com/mediapipe.ReadingOptions");
  const absl::StatusOr<GraphSource> binary =
      ReadGraphBinary(theirs.SerializeAsString());
  ASSERT_TRUE(binary.ok()) << binary.status();
  EXPECT_EQ(binary->config.DebugString(), text->config.DebugString());
  EXPECT_EQ(binary->positions, nullptr);
}

TEST(GraphSourceTest, OptionsOfUnlinkedCalculatorsSurviveInBinary) {
  CalculatorGraphConfig config;
  config.add_node()->mutable_options()->mutable_unknown_fields()->AddVarint(
      499999999, 7);
  config.mutable_node(0)->add_node_options()->set_type_url("a.com/unknown.X");
  const absl::StatusOr<GraphSource> source =
      ReadGraphBinary(config.SerializeAsString());
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->config.SerializeAsString(), config.SerializeAsString());
}

TEST(GraphSourceTest, AnEmptyGraphIsAGraph) {
  EXPECT_TRUE(ReadGraphText("").ok());
  EXPECT_TRUE(ReadGraphBinary("").ok());
}

TEST(GraphSourceTest, BytesThatAreNoGraphAreAnError) {
  EXPECT_EQ(Message(ReadGraphBinary("\xFF", "x.binarypb")),
            "x.binarypb: not a binary CalculatorGraphConfig.");
  EXPECT_THAT(Message(ReadGraphBinary("node { }", "x.binarypb")),
              HasSubstr("looks like text"));
  // Fields, but none of a graph's.
  EXPECT_THAT(Message(ReadGraphBinary("\x10\x01", "x.binarypb")),
              HasSubstr("not a binary CalculatorGraphConfig"));
  // A name that is not UTF-8.
  EXPECT_FALSE(ReadGraphBinary(absl::string_view("\x9A\x01\x01\xFF", 4)).ok());
}

TEST(GraphSourceTest, VeryManyEntriesAreAnError) {
  std::string bytes;
  for (int i = 0; i < 1'500'000; ++i) bytes.append("\x0A\x00", 2);
  EXPECT_THAT(Message(ReadGraphBinary(bytes)), HasSubstr("entries"));
  EXPECT_THAT(Message(ReadGraphBinary(std::string(kMaxGraphBytes + 1, '\n'))),
              HasSubstr("bytes"));
}

TEST(GraphSourceTest, DeepBinaryMessagesAreAnError) {
  // Unknown groups nest without any length.
  EXPECT_FALSE(ReadGraphBinary(std::string(1'000'000, '\x13')).ok());
  ReadingOptions options;
  for (int i = 0; i < 200; ++i) {
    ReadingOptions outer;
    *outer.mutable_inner() = options;
    options = outer;
  }
  CalculatorGraphConfig config;
  *config.add_node()->mutable_options()->MutableExtension(ReadingOptions::ext) =
      options;
  EXPECT_FALSE(ReadGraphBinary(config.SerializeAsString()).ok());
}

TEST(GraphSourceTest, RandomBytesAreAConfigOrAStatus) {
  const std::string good = ReadGraphText(kText)->config.SerializeAsString();
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good;
    for (int j = static_cast<int>(random() % 4); j >= 0; --j) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    bytes.resize(random() % 2 == 0 ? bytes.size() : random() % bytes.size());
    (void)ReadGraphBinary(bytes);
  }
}

TEST(GraphSourceTest, TheNameOfAFileSaysWhatIsInIt) {
  const std::string binary =
      ReadGraphText("node { calculator: 'A' }")->config.SerializeAsString();
  for (const char* name : {"a.pbtxt", "a.textproto", "a.prototxt", "a.TXT"}) {
    const auto source = ReadGraphFile(Write(name, "node { calculator: 'A' }"));
    ASSERT_TRUE(source.ok()) << source.status();
    EXPECT_EQ(source->config.node(0).calculator(), "A");
    EXPECT_EQ(source->positions->Node(0).file,
              absl::StrCat(testing::TempDir(), "/", name));
    EXPECT_FALSE(ReadGraphFile(Write(name, binary)).ok());
  }
  for (const char* name : {"a.binarypb", "a.pb", "a.binpb"}) {
    const auto source = ReadGraphFile(Write(name, binary));
    ASSERT_TRUE(source.ok()) << source.status();
    EXPECT_EQ(source->config.node(0).calculator(), "A");
    EXPECT_FALSE(ReadGraphFile(Write(name, "node { }")).ok());
  }
}

TEST(GraphSourceTest, AFileOfAnotherNameIsLookedAt) {
  const std::string binary =
      ReadGraphText("node { calculator: 'A' }")->config.SerializeAsString();
  for (const std::string& contents :
       {binary, std::string("# text\n\tnode { calculator: 'A' }\r\n")}) {
    const auto source = ReadGraphFile(Write("graph", contents));
    ASSERT_TRUE(source.ok()) << source.status();
    EXPECT_EQ(source->config.node(0).calculator(), "A");
  }
}

TEST(GraphSourceTest, ErrorsInAFileBeginWithItsPath) {
  const std::string path = Write("bad.pbtxt", "node {\n  nam: 'x'\n}");
  EXPECT_THAT(Message(ReadGraphFile(path)),
              StartsWith(absl::StrCat(path, ":2:")));
}

TEST(GraphSourceTest, AFileThatCannotBeReadIsNamed) {
  const auto missing = ReadGraphFile("/no/such/graph.pbtxt");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Message(missing), HasSubstr("\"/no/such/graph.pbtxt\""));
  EXPECT_FALSE(ReadGraphFile("").ok());
  EXPECT_FALSE(ReadGraphFile(absl::string_view("a\0b", 3)).ok());
}

// A pipe that nobody writes to would be waited for, a device might never end.
TEST(GraphSourceTest, OnlyRegularFilesAreRead) {
  const std::string pipe = absl::StrCat(testing::TempDir(), "/pipe.pbtxt");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path :
       {pipe, std::string("/dev/zero"), std::string("/dev/null"),
        testing::TempDir()}) {
    EXPECT_THAT(Message(ReadGraphFile(path)), HasSubstr("not a regular file"));
  }
}

}  // namespace
}  // namespace syncline
