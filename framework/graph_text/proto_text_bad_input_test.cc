// Text that was made to do harm gives a status, in time that is linear in its
// length.

#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/proto_text.h"
#include "framework/graph_text/testdata/reading.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/message.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

absl::Status Read(absl::string_view text) {
  google::protobuf::LinkMessageReflection<ReadingOptions>();
  CalculatorGraphConfig config;
  return ParseProtoText(text, "a.pbtxt", &config);
}

std::string Repeat(absl::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) absl::StrAppend(&all, text);
  return all;
}

TEST(ProtoTextBadInputTest, DeepNestingIsAnError) {
  const std::string start = "node { options { [syncline.ReadingOptions.ext] { ";
  EXPECT_TRUE(Read(start + Repeat("inner { ", 50) + Repeat("}", 53)).ok());
  for (const int depth : {200, 100000}) {
    EXPECT_FALSE(
        Read(start + Repeat("inner { ", depth) + Repeat("}", depth + 3)).ok());
    EXPECT_FALSE(Read(start + Repeat("inner { ", depth)).ok());
    EXPECT_FALSE(Read(start + Repeat("inner < ", depth)).ok());
  }
}

TEST(ProtoTextBadInputTest, DeepAnysAreAnError) {
  const std::string level =
      "any { [type.googleapis.com/mediapipe.ReadingOptions] { ";
  const std::string start = "node { options { [syncline.ReadingOptions.ext] { ";
  EXPECT_TRUE(Read(start + Repeat(level, 20) + Repeat("}", 43)).ok());
  EXPECT_FALSE(Read(start + Repeat(level, 10000) + Repeat("}", 20003)).ok());
}

// Protobuf's parser does not count an Any that is the value of an Any, and
// calls itself for each.
TEST(ProtoTextBadInputTest, AnysRightInsideEachOtherAreAnErrorWithItsPlace) {
  const std::string start = "node {\n node_options { ";
  const std::string level = "[type.googleapis.com/google.protobuf.Any] {\n";
  EXPECT_TRUE(Read(start + Repeat(level, 150) + Repeat("}", 152)).ok());
  for (const int depth : {200, 6300, 20000}) {
    const absl::Status status =
        Read(start + Repeat(level, depth) + Repeat("}", depth + 2));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    // The 201st bracket: the 199th Any's, which is in line 200.
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("a.pbtxt:200:43: more than 200 messages"));
  }
  EXPECT_FALSE(Read(start + Repeat(level, 20000)).ok());
}

TEST(ProtoTextBadInputTest, BracketsInStringsAndCommentsAreNotNested) {
  const std::string many(500, '{');
  EXPECT_TRUE(Read("type: '" + many + "'").ok());
  EXPECT_TRUE(Read("type: \"\\\"" + many + "'\" # " + many).ok());
  EXPECT_TRUE(Read(Repeat("node { name: '}' }", 500)).ok());
  // Bad strings end with their line, and what follows counts.
  const std::string deep =
      "[type.googleapis.com/google.protobuf.Any] { " + std::string(2, '\n');
  for (const char* broken : {"type: '\n", "type: 'a\\\n", "# '\n"}) {
    EXPECT_FALSE(Read(broken + std::string("node { node_options { ") +
                      Repeat(deep, 20000))
                     .ok());
  }
  const std::string with_nul("type: '\0", 8);
  EXPECT_FALSE(
      Read(with_nul + "node { node_options { " + Repeat(deep, 20000)).ok());
}

TEST(ProtoTextBadInputTest, TooMuchTextIsAnError) {
  EXPECT_THAT(std::string(Read(std::string(kMaxGraphBytes + 1, ' ')).message()),
              HasSubstr("bytes"));
  EXPECT_TRUE(Read(std::string(kMaxGraphBytes, ' ')).ok());
  EXPECT_THAT(std::string(Read(Repeat("node{}", 3'000'000)).message()),
              HasSubstr("messages"));
}

TEST(ProtoTextBadInputTest, LongTokensAreReadInLinearTime) {
  const std::string million(1'000'000, 'a');
  EXPECT_TRUE(Read(absl::StrCat("type: '", million, "'")).ok());
  EXPECT_TRUE(Read(absl::StrCat("# ", million)).ok());
  EXPECT_TRUE(Read(absl::StrCat("type: ", Repeat("'a' ", 500'000))).ok());
  for (const std::string& text :
       {million, absl::StrCat("max_queue_size: ", std::string(1'000'000, '9')),
        absl::StrCat("node { options { [", million, "] {} } }"),
        absl::StrCat("node { node_options { [type.googleapis.com/", million,
                     "] {} } }"),
        absl::StrCat("node { node_options { [", million, "/x] {} } }"),
        absl::StrCat("type: '", million), std::string(1'000'000, '\xFF'),
        std::string(1'000'000, '-'), std::string(1'000'000, '\0'),
        std::string(1'000'000, '['), std::string(1'000'000, '\'')}) {
    const absl::Status status = Read(text);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_LT(status.message().size(), 10'000u);
  }
}

TEST(ProtoTextBadInputTest, TextCutAnywhereIsAConfigOrAStatus) {
  const std::string text = R"(
    input_stream: 'a' executor { name: "x" options {
      [mediapipe.ThreadPoolExecutorOptions.ext] { num_threads: 3 } } }
    node { calculator: "\303\244" input_stream: ['a', "b" 'c']
      node_options { [type.googleapis.com/mediapipe.ReadingOptions] {
        any { [type.googleapis.com/mediapipe.ReadingOptions] { number: -1 } } } }
      options < [mediapipe.ReadingOptions.ext]: { number: [1, 0x7] } > })";
  for (size_t length = 0; length <= text.size(); ++length) {
    (void)Read(absl::string_view(text).substr(0, length));
  }
}

TEST(ProtoTextBadInputTest, RandomTokensAreAConfigOrAStatus) {
  const std::vector<std::string> tokens = {"node",
                                           "{",
                                           "}",
                                           "<",
                                           ">",
                                           "[",
                                           "]",
                                           "options",
                                           ":",
                                           "name",
                                           "'a'",
                                           "\"",
                                           "\\377",
                                           "mediapipe.",
                                           "type.googleapis.com/",
                                           "mediapipe.ReadingOptions",
                                           ".ext",
                                           "any",
                                           "inner",
                                           "1",
                                           "-",
                                           "0x",
                                           "1e999",
                                           "#",
                                           "\n",
                                           ",",
                                           ";",
                                           "node_options",
                                           "type_url",
                                           "value",
                                           "\xFF",
                                           std::string(1, '\0')};
  std::mt19937 random(1);
  int good = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int j = static_cast<int>(random() % 12); j >= 0; --j) {
      absl::StrAppend(&text, tokens[random() % tokens.size()],
                      random() % 2 == 0 ? " " : "");
    }
    if (Read(text).ok()) ++good;
  }
  EXPECT_GT(good, 0);
  EXPECT_LT(good, 20000);
}

}  // namespace
}  // namespace syncline
