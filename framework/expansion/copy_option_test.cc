#include "framework/expansion/copy_option.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/config/callback_packet_calculator.pb.h"
#include "framework/config/field_data.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/config/switch_container.pb.h"
#include "framework/graph_text/option_path.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// `to` after the copy, or the error.
template <typename To, typename From>
std::string Copied(const std::string& from_text, const std::string& value_text,
                   const std::string& to_text = "") {
  From from;
  To to;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(from_text, &from));
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(to_text, &to));
  const OptionValue value = ParseOptionValue(value_text).value();
  const absl::StatusOr<size_t> copied =
      CopyOption(from, *ResolveOptionPath(value.graph, *From::descriptor()),
                 &to, *ResolveOptionPath(value.node, *To::descriptor()));
  return copied.ok() ? to.ShortDebugString() : "error";
}

std::string Number(const std::string& from, const std::string& to_field) {
  const std::string field = from.substr(0, from.find(':'));
  return Copied<FieldData, FieldData>(from, absl::StrCat(to_field, ":", field));
}

TEST(CopyOptionTest, NumbersChangeTheirTypeWhereTheyKeepTheirValue) {
  EXPECT_EQ(Number("int32_value: 5", "uint64_value"), "uint64_value: 5");
  EXPECT_EQ(Number("int32_value: -5", "int64_value"), "int64_value: -5");
  EXPECT_EQ(Number("int32_value: 5", "float_value"), "float_value: 5");
  EXPECT_EQ(Number("double_value: 0.5", "float_value"), "float_value: 0.5");
  EXPECT_EQ(Number("int32_value: -5", "uint32_value"), "error");
  EXPECT_EQ(Number("uint64_value: 5000000000", "int32_value"), "error");
  EXPECT_EQ(Number("double_value: 5", "int32_value"), "error");
  EXPECT_EQ(Number("double_value: 1e300", "float_value"), "error");
  EXPECT_EQ(Number("string_value: \"5\"", "int32_value"), "error");
  EXPECT_EQ(Number("bool_value: true", "bool_value"), "bool_value: true");
  EXPECT_EQ(Number("bool_value: true", "int32_value"), "error");
}

TEST(CopyOptionTest, EnumsGoByNumber) {
  EXPECT_EQ((Copied<CallbackPacketCalculatorOptions, FieldData>(
                "int32_value: 2", "type:int32_value")),
            "type: POST_STREAM_PACKET");
  EXPECT_EQ((Copied<CallbackPacketCalculatorOptions, FieldData>(
                "int32_value: 99", "type:int32_value")),
            "error");
  EXPECT_EQ((Copied<FieldData, CallbackPacketCalculatorOptions>(
                "type: VECTOR_PACKET", "int64_value:type")),
            "int64_value: 1");
}

using Switch = SwitchContainerOptions;

TEST(CopyOptionTest, ARepeatedFieldReplacesTheOneThatIsThere) {
  constexpr char kTwo[] = "tick_input_stream: \"a\" tick_input_stream: \"b\"";
  EXPECT_EQ((Copied<Switch, Switch>(kTwo, "tick_input_stream:tick_input_stream",
                                    "tick_input_stream: \"old\"")),
            kTwo);
  EXPECT_EQ((Copied<Switch, Switch>("", "tick_input_stream:tick_input_stream",
                                    "tick_input_stream: \"old\"")),
            "tick_input_stream: \"old\"");
}

TEST(CopyOptionTest, ElementsAreCopiedByIndex) {
  constexpr char kTwo[] = "tick_input_stream: \"a\" tick_input_stream: \"b\"";
  EXPECT_EQ(
      (Copied<FieldData, Switch>(kTwo, "string_value:tick_input_stream[1]")),
      "string_value: \"b\"");
  EXPECT_EQ(
      (Copied<FieldData, Switch>(kTwo, "string_value:tick_input_stream/0")),
      "string_value: \"a\"");
  EXPECT_EQ((Copied<FieldData, Switch>(kTwo, "string_value:tick_input_stream")),
            "error");
  EXPECT_EQ(
      (Copied<Switch, FieldData>("string_value: \"c\"",
                                 "tick_input_stream[1]:string_value", kTwo)),
      "tick_input_stream: \"a\" tick_input_stream: \"c\"");
  EXPECT_EQ(
      (Copied<Switch, FieldData>("string_value: \"c\"",
                                 "tick_input_stream[2]:string_value", kTwo)),
      absl::StrCat(kTwo, " tick_input_stream: \"c\""));
}

TEST(CopyOptionTest, MessagesOnTheWayAreMadeAndThoseAtTheEndMerged) {
  EXPECT_EQ((Copied<Switch, FieldData>("string_value: \"n\"",
                                       "contained_node[0]/name:string_value")),
            "contained_node { name: \"n\" }");
  EXPECT_EQ((Copied<Switch, Switch>("contained_node { name: \"n\" }",
                                    "contained_node[0]:contained_node[0]",
                                    "contained_node { calculator: \"c\" }")),
            "contained_node { name: \"n\" calculator: \"c\" }");
}

TEST(CopyOptionTest, AnExtensionOnTheWayIsNamedInBrackets) {
  EXPECT_EQ(
      (Copied<Switch, FieldData>("int32_value: 4",
                                 "contained_node[0]/options/"
                                 "[mediapipe.NodeChainSubgraphOptions.ext]/"
                                 "chain_length:int32_value")),
      "contained_node { options { [syncline.NodeChainSubgraphOptions.ext]"
      " { chain_length: 4 } } }");
}

// `message` after what is at the path was cleared.
std::string Cleared(const std::string& text, const std::string& path) {
  Switch message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message));
  ClearOption(&message, *ResolveOptionPath(ParseOptionPath(path).value(),
                                           *Switch::descriptor()));
  return message.ShortDebugString();
}

TEST(ClearOptionTest, ClearsFieldsElementsAndWholeMessages) {
  constexpr char kAll[] =
      "select: 1 contained_node { name: \"n\" executor: "
      "\"e\" }";
  EXPECT_EQ(Cleared(kAll, "select"),
            "contained_node { name: \"n\" executor: \"e\" }");
  EXPECT_EQ(Cleared(kAll, "contained_node[0]/name"),
            "contained_node { executor: \"e\" } select: 1");
  EXPECT_EQ(Cleared(kAll, "contained_node"), "select: 1");
  EXPECT_EQ(Cleared(kAll, "contained_node[0]"), "contained_node { } select: 1");
  EXPECT_EQ(Cleared(kAll, "options"), "");
}

TEST(ClearOptionTest, WhatIsNotSetStaysNotSet) {
  EXPECT_EQ(Cleared("select: 1", "contained_node[0]/name"), "select: 1");
  EXPECT_EQ(Cleared("select: 1", "enable"), "select: 1");
}

}  // namespace
}  // namespace syncline
