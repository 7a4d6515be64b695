#include "tools/graph_argument.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/util/detection_label_id_to_text_calculator.pb.h"
#include "framework/config/calculator.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;

void ExpectArguments(const std::vector<std::string>& flags,
                     const std::string& expected) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const TemplateDict arguments,
                                TemplateArguments(flags));
  EXPECT_TRUE(MessageDifferencer::Equals(
      arguments, ParseTextProtoOrDie<TemplateDict>(expected)))
      << arguments.DebugString();
}

TEST(GraphArgumentTest, AValueIsATextOrAList) {
  ExpectArguments({}, "");
  ExpectArguments({"name=left", "number=2"},
                  "arg { key: 'name' value { str: 'left' } }"
                  "arg { key: 'number' value { str: '2' } }");
  ExpectArguments({"names=left;right"},
                  "arg { key: 'names' value {"
                  "  element { str: 'left' } element { str: 'right' } } }");
  // One element, and none.
  ExpectArguments({"names=left;"},
                  "arg { key: 'names' value { element { str: 'left' } } }");
  ExpectArguments({"names=;"}, "arg { key: 'names' }");
}

TEST(GraphArgumentTest, OnlyTheFirstEqualsSignEndsTheName) {
  ExpectArguments({"option=a=b", "empty="},
                  "arg { key: 'option' value { str: 'a=b' } }"
                  "arg { key: 'empty' value { str: '' } }");
}

TEST(GraphArgumentTest, OtherFormsAreErrors) {
  for (const std::string flag : {"name", "=left", ""}) {
    EXPECT_THAT(
        TemplateArguments({"fine=1", flag}),
        StatusIs(StatusCode::kInvalidArgument,
                 HasSubstr(absl::StrCat(
                     "--template_args takes NAME=VALUE, not \"", flag, "\""))));
  }
}

TEST(GraphArgumentTest, ABinaryGraphReadsAsItWas) {
  const auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node { calculator: "PassThroughCalculator" input_stream: "in" }
  )pb");
  const std::string path = absl::StrCat(::testing::TempDir(), "/a.binarypb");
  SYNCLINE_ASSERT_OK(WriteBinaryGraph(config, path));
  std::stringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  CalculatorGraphConfig read;
  ASSERT_TRUE(read.ParseFromString(bytes.str()));
  EXPECT_TRUE(MessageDifferencer::Equals(read, config));
}

// Protobuf keeps the entries of a map in an order of its own for each message.
TEST(GraphArgumentTest, TheSameGraphHasTheSameBytes) {
  const auto bytes_of = [](int first, int step) {
    CalculatorGraphConfig config;
    auto* const items =
        config.add_node()
            ->mutable_options()
            ->MutableExtension(DetectionLabelIdToTextCalculatorOptions::ext)
            ->mutable_label_items();
    for (int i = 0; i < 100; ++i) (*items)[first + step * i].set_name("name");
    const std::string path = absl::StrCat(::testing::TempDir(), "/b.binarypb");
    SYNCLINE_EXPECT_OK(WriteBinaryGraph(config, path));
    std::stringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
  };
  EXPECT_EQ(bytes_of(0, 1) == bytes_of(99, -1), true);
}

TEST(GraphArgumentTest, AFileThatCannotBeWrittenIsNamed) {
  EXPECT_THAT(
      std::string(WriteBinaryGraph({}, "/no/such/folder/graph").message()),
      HasSubstr("/no/such/folder/graph"));
}

}  // namespace
}  // namespace syncline
