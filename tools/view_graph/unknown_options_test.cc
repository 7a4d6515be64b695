// What the program has no type for is taken out of the text, and nothing else.

#include "tools/view_graph/unknown_options.h"

#include <string>
#include <vector>

#include "framework/graph_text/graph_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> Taken(std::string* text) {
  std::vector<std::string> texts;
  for (const UnknownOptions& options : TakeUnknownOptions(text)) {
    texts.push_back(options.text);
  }
  return texts;
}

TEST(UnknownOptionsTest, KnownOptionsStay) {
  std::string text = R"(node { calculator: "X"
    options { [syncline.TestCalculatorOptions.ext] { value: 5 } }
    node_options {
      [type.googleapis.com/mediapipe.TestCalculatorOptions] { value: 6 } } })";
  const std::string before = text;
  EXPECT_THAT(Taken(&text), IsEmpty());
  EXPECT_EQ(text, before);
}

TEST(UnknownOptionsTest, UnknownOnesAreTakenInPlace) {
  std::string text =
      "node { calculator: \"X\"\n"
      "  options {\n"
      "    [mediapipe.FaceOptions.ext] {\n"
      "      a: \"}\" # }\n"
      "      b { c: [1, 2] }\n"
      "    }\n"
      "  }\n"
      "  node_options: { [type.googleapis.com/mediapipe.Far] < x: 1 > };\n"
      "  max_in_flight: 3 }";
  const std::vector<UnknownOptions> taken = TakeUnknownOptions(&text);
  ASSERT_THAT(taken, SizeIs(2));
  EXPECT_EQ(taken[0].line, 3);
  EXPECT_THAT(taken[0].text, HasSubstr("b { c: [1, 2] }\n    }"));
  EXPECT_EQ(taken[1].line, 8);
  EXPECT_EQ(taken[1].text, "[type.googleapis.com/mediapipe.Far] < x: 1 >");
  const auto source = ReadGraphText(text, "g.pbtxt");
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->config.node(0).max_in_flight(), 3);
  EXPECT_EQ(source->config.node(0).node_options_size(), 1);
}

TEST(UnknownOptionsTest, ThoseInsideOfKnownOnesAreTaken) {
  std::string text = R"(node { calculator: "X"
    input_stream_handler { input_stream_handler: "Y"
      options { [mediapipe.NoSuchOptions.ext] { a: 1 } } } })";
  EXPECT_THAT(Taken(&text),
              ElementsAre("[mediapipe.NoSuchOptions.ext] { a: 1 }"));
  EXPECT_TRUE(ReadGraphText(text).ok());
}

TEST(UnknownOptionsTest, TheFieldsAreKnownThatTheyAreIn) {
  std::string text = R"(node { calculator: "X{"
    options { [mediapipe.FaceOptions.ext] {
        a: 1
      }
    }
    input_stream_handler: < input_stream_handler: "Y"
      options { [mediapipe.NoSuchOptions.ext]: { a: 1 } } > }
  [no.such.ext] { b: 2 })";
  const std::vector<UnknownOptions> taken = TakeUnknownOptions(&text);
  ASSERT_THAT(taken, SizeIs(3));
  EXPECT_THAT(taken[0].fields, ElementsAre("node", "options"));
  EXPECT_EQ(InTheirFields(taken[0], 1),
            "options {\n"
            "  [mediapipe.FaceOptions.ext] {\n"
            "    a: 1\n"
            "  }\n"
            "}");
  EXPECT_EQ(InTheirFields(taken[1], 1),
            "input_stream_handler {\n"
            "  options {\n"
            "    [mediapipe.NoSuchOptions.ext]: { a: 1 }\n"
            "  }\n"
            "}");
  EXPECT_EQ(InTheirFields(taken[2], 0), "[no.such.ext] { b: 2 }");
}

TEST(UnknownOptionsTest, ValuesOfAllKindsAreTaken) {
  std::string text =
      "options { [no.number]: 5, [no.text]: \"a\" 'b'; [no.list]: [1, 2]\n"
      "  [no . blanks . in]: { } [no.word]: ON }";
  EXPECT_THAT(
      Taken(&text),
      ElementsAre("[no.number]: 5", "[no.text]: \"a\" 'b'", "[no.list]: [1, 2]",
                  "[no . blanks . in]: { }", "[no.word]: ON"));
  EXPECT_THAT(text, Not(HasSubstr(",")));
  EXPECT_THAT(text, Not(HasSubstr(";")));
}

TEST(UnknownOptionsTest, ListsStringsAndCommentsAreNoNames) {
  std::string text =
      "# [no.comment] { }\n"
      "input_stream: [\"[no.string] { }\", \"b\"] executor: []\n"
      "node { name: '[no.name]' }";
  const std::string before = text;
  EXPECT_THAT(Taken(&text), IsEmpty());
  EXPECT_EQ(text, before);
}

TEST(UnknownOptionsTest, TextThatIsNoneEndsSomewhere) {
  for (const char* bad : {"[", "[a", "[a.b", "[a.b]", "[a.b] {", "[a.b]: \"x",
                          "[a.b]:", "[]", "[a.b] { [c.d] { ", "\"", "'\\",
                          "[a.b] }", "[a.b] > <", "#", "[a.b]:\"\\"}) {
    std::string text = bad;
    TakeUnknownOptions(&text);
    EXPECT_EQ(text.size(), std::string(bad).size()) << bad;
  }
}

TEST(UnknownOptionsTest, AMegabyteTakesNoTime) {
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    text += "node { options { [no.such.ext] { value: 5 } } }\n";
  }
  const std::vector<UnknownOptions> taken = TakeUnknownOptions(&text);
  ASSERT_THAT(taken, SizeIs(20000));
  EXPECT_EQ(taken.back().line, 20000);
}

}  // namespace
}  // namespace syncline
