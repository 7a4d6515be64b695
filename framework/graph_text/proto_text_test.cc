// Text as people write it, here and for MediaPipe, and what they are told when
// it is not right.

#include "framework/graph_text/proto_text.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/graph_text/testdata/foreign.pb.h"
#include "framework/graph_text/testdata/reading.pb.h"
#include "framework/graph_text/testdata/reading_proto3.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CalculatorGraphConfig Read(absl::string_view text) {
  CalculatorGraphConfig config;
  const absl::Status status = ParseProtoText(text, "a.pbtxt", &config);
  EXPECT_TRUE(status.ok()) << status;
  return config;
}

std::string Error(absl::string_view text) {
  CalculatorGraphConfig config;
  const absl::Status status = ParseProtoText(text, "a.pbtxt", &config);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ProtoTextTest, EverySyntaxOfProtobufTextIsRead) {
  const CalculatorGraphConfig config = Read(R"(
    # A comment.
    input_stream: "a"   # with double quotes
    input_stream: 'b'   # with single quotes
    input_stream: "c" 'd'
                  "e"   # strings next to each other are one
    input_stream: [ "f", "g" ]
    node: { calculator: "WithColon" }
    node { calculator: "WithoutColon" },
    node < calculator: "InAngles" >;
    node: [ { calculator: "InList" }, { calculator: "InList2" } ]
    max_queue_size: 0x10; report_deadlock: true,
    num_threads: -1
  )");
  EXPECT_THAT(config.input_stream(), ElementsAre("a", "b", "cde", "f", "g"));
  ASSERT_EQ(config.node_size(), 5);
  EXPECT_EQ(config.node(4).calculator(), "InList2");
  EXPECT_EQ(config.max_queue_size(), 16);
  EXPECT_EQ(config.num_threads(), -1);
  EXPECT_TRUE(config.report_deadlock());
}

TEST(ProtoTextTest, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(Read("\xEF\xBB\xBFnode {}").node_size(), 1);
}

TEST(ProtoTextTest, ExtensionsAreReadUnderBothNames) {
  for (const char* package : {"syncline", "mediapipe"}) {
    const CalculatorGraphConfig config = Read(absl::StrCat(
        "node { options { [", package, ".ReadingOptions.ext] { text: 'x' } } }",
        "executor { options: { [", package,
        ".ThreadPoolExecutorOptions.ext]: { num_threads: 3 } } }"));
    EXPECT_EQ(config.node(0).options().GetExtension(ReadingOptions::ext).text(),
              "x");
    EXPECT_EQ(config.executor(0)
                  .options()
                  .GetExtension(ThreadPoolExecutorOptions::ext)
                  .num_threads(),
              3);
  }
}

TEST(ProtoTextTest, AnysAreReadUnderBothNamesAndHaveOurs) {
  for (const char* package : {"syncline", "mediapipe"}) {
    const CalculatorGraphConfig config =
        Read(absl::StrCat("node { node_options { [type.googleapis.com/",
                          package, ".ReadingProto3Options] { text: 'x' } } }"));
    ReadingProto3Options options;
    ASSERT_TRUE(config.node(0).node_options(0).UnpackTo(&options));
    EXPECT_EQ(options.text(), "x");
  }
}

TEST(ProtoTextTest, AnysMayBeWrittenAsTypeAndBytes) {
  const CalculatorGraphConfig config = Read(
      R"(node { node_options {
           type_url: "type.googleapis.com/mediapipe.ReadingProto3Options"
           value: "\n\001x" } })");
  ReadingProto3Options options;
  ASSERT_TRUE(config.node(0).node_options(0).UnpackTo(&options));
  EXPECT_EQ(options.text(), "x");
}

TEST(ProtoTextTest, ExtensionsAndAnysInsideAnysAreRead) {
  const CalculatorGraphConfig config = Read(R"(
    node { node_options { [type.googleapis.com/mediapipe.ReadingOptions] {
      node { calculator: "mediapipe.Inner"
             options { [mediapipe.ReadingOptions.ext] { text: "y" } } }
      any { [type.googleapis.com/mediapipe.ReadingProto3Options] { text: "z" } }
    } } })");
  ReadingOptions outer;
  ASSERT_TRUE(config.node(0).node_options(0).UnpackTo(&outer));
  EXPECT_EQ(outer.node(0).calculator(), "syncline.Inner");
  EXPECT_EQ(outer.node(0).options().GetExtension(ReadingOptions::ext).text(),
            "y");
  ReadingProto3Options inner;
  ASSERT_TRUE(outer.any().UnpackTo(&inner));
  EXPECT_EQ(inner.text(), "z");
}

TEST(ProtoTextTest, AUsersOwnTypesInMediaPipesPackageAreFoundAsWritten) {
  const CalculatorGraphConfig config = Read(R"(
    node { options { [mediapipe.ForeignOptions.ext] { text: "x" } } }
    node { node_options {
      [type.googleapis.com/mediapipe.ForeignOptions] { text: "y" } } })");
  EXPECT_EQ(config.node(0)
                .options()
                .GetExtension(mediapipe::ForeignOptions::ext)
                .text(),
            "x");
  EXPECT_TRUE(config.node(1).node_options(0).Is<mediapipe::ForeignOptions>());
}

TEST(ProtoTextTest, DeprecatedFieldsAreRead) {
  EXPECT_EQ(Read("node { options { merge_fields: true } }")
                .node(0)
                .options()
                .ByteSizeLong(),
            2u);
}

// As for rules of templates, and in editors.
TEST(ProtoTextTest, ATabIsOneColumn) {
  CalculatorGraphConfig config;
  EXPECT_EQ(ParseProtoText("node {\n\tname: \"\t\"\tcalculator: 3 }", "a.pbtxt",
                           &config)
                .ToString(),
            "INVALID_ARGUMENT: a.pbtxt:2:24: Expected string, got: 3");
}

TEST(ProtoTextTest, ErrorsSayFileLineAndColumn) {
  EXPECT_EQ(Error("node {\n  calculator: 3\n}"),
            "a.pbtxt:2:15: Expected string, got: 3");
  CalculatorGraphConfig config;
  EXPECT_EQ(ParseProtoText("node", "", &config).ToString(),
            "INVALID_ARGUMENT: <text>:1:5: Expected \"{\", found \"\".");
}

TEST(ProtoTextTest, AnUnknownFieldGetsTheNearestNames) {
  EXPECT_THAT(Error("node {\n input_steam: 'a' }"),
              testing::AllOf(
                  HasSubstr("a.pbtxt:2:"),
                  HasSubstr("message \"syncline.CalculatorGraphConfig.Node\" "
                            "has no field \"input_steam\"."),
                  HasSubstr("Did you mean \"input_stream\"")));
}

TEST(ProtoTextTest, AnExtensionThatIsNotLinkedInSaysWhatToAdd) {
  EXPECT_THAT(
      Error("node { options { [mediapipe.ReadinOptions.ext] { } } }"),
      testing::AllOf(HasSubstr("a.pbtxt:1:"),
                     HasSubstr("\"syncline.ReadinOptions\" is not linked"),
                     HasSubstr("deps"),
                     HasSubstr("Did you mean "
                               "\"syncline.ReadingOptions\"?")));
}

TEST(ProtoTextTest, AnAnyThatIsNotLinkedInSaysWhatToAdd) {
  EXPECT_THAT(
      Error("node { node_options { "
            "[type.googleapis.com/mediapipe.ReadinProto3Options] { } } }"),
      testing::AllOf(
          HasSubstr("\"syncline.ReadinProto3Options\" is not linked"),
          HasSubstr("Did you mean \"syncline.ReadingProto3Options\"")));
}

TEST(ProtoTextTest, AnExtensionOfSomethingElseSaysWhereItBelongs) {
  EXPECT_THAT(
      Error("executor { options { [syncline.ReadingOptions.ext] {} } }"),
      HasSubstr("belongs into a \"syncline.CalculatorOptions\", not "
                "into a \"syncline.SynclineOptions\""));
  EXPECT_THAT(Error("node { [syncline.ReadingOptions.ext] {} }"),
              HasSubstr("takes no extensions"));
}

TEST(ProtoTextTest, OptionsWithoutExtensionSayHowTheyAreWritten) {
  EXPECT_THAT(
      Error("node { options { [mediapipe.ReadingProto3Options.ext] {} } }"),
      HasSubstr("write node_options { "
                "[type.googleapis.com/syncline.ReadingProto3Options]"));
}

TEST(ProtoTextTest, AnyTypesHaveTheUsualPrefix) {
  EXPECT_THAT(Error("node { node_options { [a.com/syncline.X] {} } }"),
              HasSubstr("\"type.googleapis.com/\""));
}

TEST(ProtoTextTest, AStringThatIsNotUtf8IsNamed) {
  EXPECT_THAT(Error("node { } node { name: '\\377' }"),
              HasSubstr("\"node[1].name\" is not valid UTF-8"));
  EXPECT_THAT(Error("node { name: '\xFF' }"),
              HasSubstr("\"node[0].name\" is not valid UTF-8"));
  EXPECT_EQ(Read("node { name: '\xC3\xA4\\303\\244' }").node(0).name(),
            "\xC3\xA4\xC3\xA4");
}

}  // namespace
}  // namespace syncline
