// Options and settings are shown as a config has them, as far as they are short
// enough for a picture.

#include "pages/model/config_text.h"

#include <string>

#include "framework/config/calculator.pb.h"
#include "framework/port/parse_text_proto.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Node = CalculatorGraphConfig::Node;

TEST(ConfigTextTest, OptionsAreThoseOfBothForms) {
  const Node node = ParseTextProtoOrDie<Node>(R"pb(
    calculator: "X"
    options {
      [syncline.TestCalculatorOptions.ext] { value: 5 }
    }
    node_options {
      [type.googleapis.com/syncline.TestCalculatorOptions] { shift: 7 }
    })pb");
  EXPECT_THAT(OptionsText(node),
              AllOf(HasSubstr("value: 5"), HasSubstr("shift: 7"),
                    HasSubstr("[type.googleapis.com/"),
                    testing::Not(HasSubstr("calculator"))));
  EXPECT_EQ(OptionsText(Node()), "");
}

TEST(ConfigTextTest, AnOptionsTypeThatNobodyKnowsIsShownAsItIs) {
  Node node;
  auto* const options = node.add_node_options();
  options->set_type_url("type.googleapis.com/far.Away");
  options->set_value("\x08\x01");
  EXPECT_THAT(OptionsText(node), HasSubstr("far.Away"));
}

TEST(ConfigTextTest, SettingsAreAllThatHasNoOtherPlace) {
  const Node node = ParseTextProtoOrDie<Node>(R"pb(
    name: "n"
    calculator: "X"
    executor: "e"
    input_stream: "a"
    output_stream: "b"
    input_side_packet: "c"
    output_side_packet: "d"
    max_in_flight: 3
    input_stream_handler { input_stream_handler: "Mux" })pb");
  EXPECT_THAT(
      NodeSettings(node),
      ElementsAre(AllOf(Field(&PictureSetting::name, "input stream handler"),
                        Field(&PictureSetting::value, HasSubstr("\"Mux\""))),
                  AllOf(Field(&PictureSetting::name, "max in flight"),
                        Field(&PictureSetting::value, "3"))));
}

TEST(ConfigTextTest, TextsOfOtherLanguagesStayReadable) {
  Node node;
  node.add_option_value("größe:名前");
  EXPECT_THAT(NodeSettings(node)[0].value, HasSubstr("größe:名前"));
}

TEST(ConfigTextTest, LongTextsAreCutBetweenCharacters) {
  Node node;
  std::string text = "x";
  for (int i = 0; i < 10000; ++i) text += "ü";
  node.add_option_value(text);
  const std::string shown = NodeSettings(node)[0].value;
  EXPECT_THAT(shown, SizeIs(testing::Lt(8100)));
  EXPECT_THAT(shown, AllOf(HasSubstr("ü\n... and "), EndsWith("more bytes")));
}

TEST(ConfigTextTest, OfManyElementsTheFirstAreShown) {
  CalculatorGraphConfig config;
  for (int i = 0; i < 70; ++i)
    config.add_graph_input_info()->set_reorder_window(1);
  const auto settings = GraphSettings(config);
  ASSERT_THAT(settings, SizeIs(1));
  EXPECT_EQ(settings[0].name, "graph input info");
  EXPECT_THAT(settings[0].value, EndsWith("... and 20 more"));
}

}  // namespace
}  // namespace syncline
