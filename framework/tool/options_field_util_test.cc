// The functions that read and change options by path, one by one.

#include "framework/tool/options_field_util.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/field_data.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/config/switch_container.pb.h"
#include "framework/deps/message_matchers.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/tool/options_map.h"
#include "framework/tool/options_registry.h"
#include "framework/tool/options_syntax_util.h"
#include "framework/tool/options_util.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace tool {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Node = CalculatorGraphConfig::Node;
using options_field_util::AsFieldData;
using options_field_util::FieldPath;

const Descriptor* SwitchType() {
  return OptionsRegistry::GetProtobufDescriptor(
      "mediapipe.SwitchContainerOptions");
}

TEST(OptionsRegistryTest, KnowsWhatIsLinked) {
  EXPECT_EQ(SwitchType(), SwitchContainerOptions::descriptor());
  EXPECT_EQ(GetProtobufDescriptor("syncline.CalculatorGraphConfig"),
            CalculatorGraphConfig::descriptor());
  EXPECT_EQ(GetProtobufDescriptor("syncline.NoSuchOptions"), nullptr);
  std::vector<const FieldDescriptor*> extensions;
  OptionsRegistry::FindAllExtensions("mediapipe.CalculatorOptions",
                                     &extensions);
  const int wanted = SwitchContainerOptions::ext.number();
  EXPECT_TRUE(std::any_of(
      extensions.begin(), extensions.end(),
      [&](const FieldDescriptor* f) { return f->number() == wanted; }));
}

TEST(OptionsSyntaxUtilTest, SplitsAndFindsPaths) {
  const OptionsSyntaxUtil syntax;
  EXPECT_THAT(syntax.StrSplitTags("a/b:options/Ext::x.Y/c"),
              ElementsAre("a/b", "options/Ext::x.Y/c"));
  EXPECT_EQ(syntax.OptionFieldsTag("options/a"), "OPTIONS/a");
  EXPECT_EQ(syntax.OptionFieldsTag("a/b"), "OPTIONS/a/b");
  EXPECT_EQ(OptionsSyntaxUtil("OPT").OptionFieldsTag("a"), "OPT/a");

  const FieldPath path =
      syntax.OptionFieldPath("options/contained_node[1]/name", SwitchType());
  ASSERT_THAT(path, SizeIs(3));
  EXPECT_EQ(path[0].field, nullptr);
  EXPECT_EQ(path[1].field->name(), "contained_node");
  EXPECT_EQ(path[1].index, 1);
  EXPECT_EQ(path[2].field->name(), "name");
  EXPECT_THAT(syntax.OptionFieldPath("options", SwitchType()), SizeIs(1));
  EXPECT_THAT(syntax.OptionFieldPath("no_field", SwitchType()), SizeIs(1));
  EXPECT_EQ(options_field_util::ExtensionType("options/Ext::mediapipe::Foo/a"),
            "syncline.Foo");
  EXPECT_EQ(options_field_util::ExtensionType("options/a"), "*");
}

FieldPath PathTo(const std::string& text) {
  return OptionsSyntaxUtil().OptionFieldPath(text, SwitchType());
}

FieldData SwitchData() {
  return AsFieldData(ParseTextProtoOrDie<SwitchContainerOptions>(R"pb(
    contained_node { name: "a" }
    contained_node { name: "b" calculator: "B" }
    select: 4
  )pb"));
}

SwitchContainerOptions SwitchIn(const FieldData& data) {
  SwitchContainerOptions options;
  EXPECT_TRUE(options_field_util::AsAnyProto(data).UnpackTo(&options));
  return options;
}

// Protobuf itself would end the process for such a path.
TEST(OptionsFieldUtilTest, APathForAnotherMessageIsAnError) {
  const FieldData chain = AsFieldData(NodeChainSubgraphOptions());
  const FieldPath select = PathTo("select");
  FieldPath without_index = PathTo("contained_node/name");
  FieldPath with_index = select;
  with_index.back().index = 0;
  FieldPath through_number = select;
  through_number.push_back(PathTo("contained_node[1]/name").back());
  const struct {
    FieldPath path;
    FieldData data;
    const char* error;
  } cases[] = {
      {select, chain, "is no field of \"syncline.NodeChainSubgraphOptions\""},
      {without_index, SwitchData(), "needs an index"},
      {with_index, SwitchData(), "takes no index"},
      {through_number, SwitchData(), "a value that is no message"},
  };
  for (const auto& [path, data, error] : cases) {
    FieldData value;
    const auto is_refused =
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(error));
    EXPECT_THAT(options_field_util::GetField(path, data, &value), is_refused);
    value.set_int32_value(1);
    FieldData changed = data;
    EXPECT_THAT(options_field_util::SetField(path, value, &changed),
                is_refused);
    EXPECT_THAT(options_field_util::MergeField(path, value, &changed),
                is_refused);
  }
}

TEST(OptionsFieldUtilTest, AFieldIsRead) {
  FieldData result;
  SYNCLINE_ASSERT_OK(
      options_field_util::GetField(PathTo("select"), SwitchData(), &result));
  EXPECT_EQ(result.int32_value(), 4);
  SYNCLINE_ASSERT_OK(options_field_util::GetField(
      PathTo("contained_node[1]/name"), SwitchData(), &result));
  EXPECT_EQ(result.string_value(), "b");
  SYNCLINE_ASSERT_OK(options_field_util::GetField(PathTo("contained_node[1]"),
                                                  SwitchData(), &result));
  EXPECT_EQ(options_field_util::MessageType(result),
            "syncline.CalculatorGraphConfig.Node");
  SYNCLINE_ASSERT_OK(
      options_field_util::GetField(PathTo("enable"), SwitchData(), &result));
  EXPECT_EQ(result.value_case(), FieldData::VALUE_NOT_SET);
}

TEST(OptionsFieldUtilTest, AFieldIsWritten) {
  FieldData data = SwitchData();
  FieldData value;
  value.set_bool_value(true);
  SYNCLINE_ASSERT_OK(
      options_field_util::SetField(PathTo("enable"), value, &data));
  EXPECT_TRUE(SwitchIn(data).enable());
  EXPECT_EQ(SwitchIn(data).select(), 4);
  EXPECT_THAT(options_field_util::SetField(PathTo("select"), value, &data),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("cannot take the value")));
}

TEST(OptionsFieldUtilTest, AMessageReplacesAnotherOrIsMerged) {
  Node node;
  node.set_name("new");
  FieldData set = SwitchData();
  SYNCLINE_ASSERT_OK(options_field_util::SetField(PathTo("contained_node[1]"),
                                                  AsFieldData(node), &set));
  EXPECT_THAT(SwitchIn(set).contained_node(1), EqualsProto(node));
  FieldData merged = SwitchData();
  SYNCLINE_ASSERT_OK(options_field_util::MergeField(
      PathTo("contained_node[1]"), AsFieldData(node), &merged));
  EXPECT_EQ(SwitchIn(merged).contained_node(1).name(), "new");
  EXPECT_EQ(SwitchIn(merged).contained_node(1).calculator(), "B");

  SwitchContainerOptions over;
  over.set_select(9);
  FieldData both;
  SYNCLINE_ASSERT_OK(options_field_util::MergeOptionsMessages(
      SwitchData(), AsFieldData(over), &both));
  EXPECT_EQ(SwitchIn(both).select(), 9);
  EXPECT_EQ(SwitchIn(both).contained_node_size(), 2);
  SYNCLINE_ASSERT_OK(options_field_util::MergeOptionsMessages(
      FieldData(), AsFieldData(over), &both));
  EXPECT_THAT(SwitchIn(both), EqualsProto(over));
}

TEST(OptionsFieldUtilTest, BytesOfAnotherTypeAreAnError) {
  FieldData data;
  EXPECT_FALSE(options_field_util::ReadMessage(
                   "\xff", "syncline.SwitchContainerOptions", &data)
                   .ok());
  EXPECT_THAT(options_field_util::ReadMessage("", "my.Missing", &data),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("not linked into this binary")));
  SYNCLINE_EXPECT_OK(options_field_util::ReadMessage(
      "", "syncline.SwitchContainerOptions", &data));
}

Node NodeWithBothStyles() {
  return ParseTextProtoOrDie<Node>(R"pb(
    options {
      [syncline.SwitchContainerOptions.ext] { select: 1 }
    }
    node_options {
      [type.googleapis.com/syncline.NodeChainSubgraphOptions] {
        chain_length: 2
      }
    }
  )pb");
}

TEST(OptionsFieldUtilTest, OptionsOfANodeAreFoundInBothStyles) {
  const FieldData node = AsFieldData(NodeWithBothStyles());
  FieldData result;
  SYNCLINE_ASSERT_OK(options_field_util::GetNodeOptions(
      node, "syncline.NodeChainSubgraphOptions", &result));
  EXPECT_EQ(options_field_util::MessageType(result),
            "syncline.NodeChainSubgraphOptions");
  SYNCLINE_ASSERT_OK(options_field_util::GetNodeOptions(node, "*", &result));
  EXPECT_EQ(SwitchIn(result).select(), 1);
  SYNCLINE_ASSERT_OK(
      options_field_util::GetNodeOptions(node, "my.Other", &result));
  EXPECT_FALSE(result.has_message_value());

  CalculatorGraphConfig graph;
  graph.add_graph_options()->PackFrom(NodeChainSubgraphOptions());
  SYNCLINE_ASSERT_OK(
      options_field_util::GetGraphOptions(AsFieldData(graph), "*", &result));
  EXPECT_EQ(options_field_util::MessageType(result),
            "syncline.NodeChainSubgraphOptions");
}

TEST(OptionsFieldUtilTest, OptionsAreStoredInNodeOptions) {
  Node node = NodeWithBothStyles();
  SYNCLINE_ASSERT_OK(
      options_field_util::SetOptionsMessage(SwitchData(), &node));
  EXPECT_FALSE(node.has_options());
  EXPECT_THAT(node.node_options(), SizeIs(2));
  OptionsMap map;
  EXPECT_EQ(map.Initialize(node).Get<SwitchContainerOptions>().select(), 4);
}

TEST(OptionsMapTest, OptionsOfANodeMayBeHadWithoutAMap) {
  Node node = NodeWithBothStyles();
  SwitchContainerOptions options;
  GetNodeOptions(node, &options);
  EXPECT_EQ(options.select(), 1);
  EXPECT_TRUE(HasNodeOptions<NodeChainSubgraphOptions>(node));
  NodeChainSubgraphOptions chain;
  chain.set_chain_length(6);
  SetNodeOptions(node, &chain);
  GetNodeOptions(node, &chain);
  EXPECT_EQ(chain.chain_length(), 6);
}

TEST(DefineGraphOptionsTest, NodesTakeTheOptionsOfTheNodeThatStandsForThem) {
  auto graph = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    graph_options {
      [type.googleapis.com/syncline.NodeChainSubgraphOptions] {}
    }
    node {
      calculator: "A"
      node_options {
        [type.googleapis.com/syncline.SwitchContainerOptions] {}
      }
      option_value: "select:options/chain_length"
    }
  )pb");
  Node parent;
  parent.mutable_options()
      ->MutableExtension(NodeChainSubgraphOptions::ext)
      ->set_chain_length(8);
  SYNCLINE_ASSERT_OK(DefineGraphOptions(parent, &graph));
  OptionsMap map;
  EXPECT_EQ(
      map.Initialize(graph.node(0)).Get<SwitchContainerOptions>().select(), 8);
  graph.mutable_node(0)->add_option_value("selec:options/chain_length");
  EXPECT_THAT(DefineGraphOptions(parent, &graph),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("Did you mean \"select\"?")));
}

}  // namespace
}  // namespace tool
}  // namespace syncline
