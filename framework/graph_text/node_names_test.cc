#include "framework/graph_text/node_names.h"

#include <string>
#include <vector>

#include "framework/config/calculator.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

CalculatorGraphConfig Parse(const std::string& text) {
  CalculatorGraphConfig config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &config));
  return config;
}

TEST(NodeNamesTest, CanonicalNameIsTheNameOrTheType) {
  const auto config = Parse(R"pb(
    node { calculator: "Gate" }
    node { name: "mine" calculator: "Mux" }
  )pb");
  EXPECT_THAT(CanonicalNames(config.node()), ElementsAre("Gate", "mine"));
}

TEST(NodeNamesTest, AllDuplicatesAreNumberedInOrderOfAppearance) {
  const auto config = Parse(R"pb(
    node { calculator: "Gate" }
    node { calculator: "Mux" }
    node { name: "Gate" calculator: "Mux" }
    node { calculator: "Gate" }
  )pb");
  EXPECT_THAT(CanonicalNames(config.node()),
              ElementsAre("Gate_1", "Mux", "Gate_2", "Gate_3"));
}

TEST(NodeNamesTest, NumbersGoOnBehindThoseOfEarlierNodes) {
  EXPECT_THAT(NumberedNames({"Gate", "Mux", "Gate", "Sub"},
                            {{"Gate", 2}, {"Sub", 1}, {"Sink", 5}}),
              ElementsAre("Gate_3", "Mux", "Gate_4", "Sub_2"));
}

TEST(NodeNamesTest, AHundredThousandEqualNamesAreFast) {
  CalculatorGraphConfig config;
  for (int i = 0; i < 100000; ++i) config.add_node()->set_calculator("X");
  const std::vector<std::string> names = CanonicalNames(config.node());
  ASSERT_THAT(names, SizeIs(100000));
  EXPECT_EQ(names.back(), "X_100000");
}

TEST(NodeNamesTest, DebugNameDescribesUnnamedNodesByTypeAndStreams) {
  const auto config = Parse(R"pb(
    node {
      calculator: "Split"
      input_stream: "a"
      output_stream: "b"
      output_stream: "c"
    }
    node { name: "n" calculator: "Split" input_stream: "a" }
    node { calculator: "Sink" input_stream: "a" }
    node { calculator: "Alone" }
  )pb");
  EXPECT_EQ(DebugName(config.node(0)),
            "[Split, input stream: a, and output streams: <b,c>]");
  EXPECT_EQ(DebugName(config.node(1)), "n");
  EXPECT_EQ(DebugName(config.node(2)), "[Sink, input stream: a]");
  EXPECT_EQ(DebugName(config.node(3)), "[Alone]");
}

TEST(NodeNamesTest, LabelHasNameAndType) {
  const auto config = Parse(R"pb(
    node { name: "n" calculator: "Split" input_stream: "a" }
    node { calculator: "Sink" input_stream: "a" }
  )pb");
  EXPECT_EQ(NodeLabel(config.node(0)), "node \"n\" (Split)");
  EXPECT_EQ(NodeLabel(config.node(1)), "node [Sink, input stream: a]");
}

TEST(NodeNamesTest, StrangeAndEndlessNamesStayReadable) {
  EXPECT_EQ(Quoted("a\n\x01"), "\"a\\n\\x01\"");
  EXPECT_LT(Quoted(std::string(1 << 20, 'x')).size(), 300);

  CalculatorGraphConfig::Node node;
  node.set_calculator("Wide");
  for (int i = 0; i < 1000; ++i) node.add_input_stream("s");
  EXPECT_EQ(DebugName(node), "[Wide, input streams: <s,s,s,s,s,s,s,s,...>]");
}

// Each field that holds messages counts, one that is added later as well.
TEST(NodeNamesTest, ANodeWithAnyMessageInItHasMessages) {
  using Node = CalculatorGraphConfig::Node;
  const google::protobuf::Descriptor& type = *Node::descriptor();
  int num_fields = 0;
  for (int i = 0; i < type.field_count(); ++i) {
    const google::protobuf::FieldDescriptor* const field = type.field(i);
    if (field->message_type() == nullptr) continue;
    ++num_fields;
    Node node;
    if (field->is_repeated()) {
      node.GetReflection()->AddMessage(&node, field);
    } else {
      node.GetReflection()->MutableMessage(&node, field);
    }
    EXPECT_EQ(HasNoMessages(node), field->name() == "profiler_config")
        << field->name();
  }
  EXPECT_EQ(num_fields, kMessageFieldsOfNode);
}

TEST(NodeNamesTest, NamesAndNumbersAreNoMessages) {
  const auto config = Parse(R"pb(
    node {
      name: "n"
      calculator: "C"
      input_stream: "a"
      output_stream: "b"
      input_side_packet: "c"
      output_side_packet: "d"
      executor: "e"
      source_layer: 1
      max_in_flight: 2
      option_value: "f"
      persistent: true
      log_level: "INFO"
    }
  )pb");
  EXPECT_TRUE(HasNoMessages(config.node(0)));
  EXPECT_TRUE(HasNoMessages(CalculatorGraphConfig::Node()));
}

}  // namespace
}  // namespace syncline
