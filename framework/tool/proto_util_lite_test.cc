// Fields of messages in their binary encoding, against Protobuf's own view.

#include "framework/tool/proto_util_lite.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/field_data.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace tool {
namespace {

using ::testing::ElementsAre;
using Lite = ProtoUtilLite;
using WireFormatLite = Lite::WireFormatLite;

CalculatorGraphConfig Graph() {
  CalculatorGraphConfig graph;
  graph.add_input_stream("in");
  for (const char* name : {"a", "b"}) {
    auto* node = graph.add_node();
    node->set_name(name);
    node->add_input_stream("x");
    node->add_input_stream("y");
    node->add_input_stream("z");
  }
  for (int type : {1, 2, 300}) {
    graph.mutable_profiler_config()->add_trace_event_types_disabled(type);
  }
  return graph;
}

constexpr auto kString = WireFormatLite::TYPE_STRING;
constexpr auto kInt32 = WireFormatLite::TYPE_INT32;

TEST(ProtoUtilLiteTest, ARangeOfValuesIsReplaced) {
  std::string bytes = Graph().SerializeAsString();
  SYNCLINE_ASSERT_OK(Lite::ReplaceFieldRange(&bytes, {{1, 1}, {3, 1}}, 1,
                                             kString, {"p", "q"}));
  SYNCLINE_ASSERT_OK(
      Lite::ReplaceFieldRange(&bytes, {{10, 1}}, 0, kString, {"more"}));
  SYNCLINE_ASSERT_OK(
      Lite::ReplaceFieldRange(&bytes, {{1, 0}, {3, 0}}, 3, kString, {}));
  CalculatorGraphConfig graph;
  ASSERT_TRUE(graph.ParseFromString(bytes));
  EXPECT_THAT(graph.node(0).input_stream(), ElementsAre());
  EXPECT_THAT(graph.node(1).input_stream(), ElementsAre("x", "p", "q", "z"));
  EXPECT_EQ(graph.node(1).name(), "b");
  EXPECT_THAT(graph.input_stream(), ElementsAre("in", "more"));
}

TEST(ProtoUtilLiteTest, ValuesAreReadAndCounted) {
  const std::string bytes = Graph().SerializeAsString();
  std::vector<std::string> values;
  SYNCLINE_ASSERT_OK(
      Lite::GetFieldRange(bytes, {{1, 0}, {3, 1}}, -1, kString, &values));
  EXPECT_THAT(values, ElementsAre("y", "z"));
  int count = 0;
  SYNCLINE_ASSERT_OK(
      Lite::GetFieldCount(bytes, {{1, 0}, {3, 0}}, kString, &count));
  EXPECT_EQ(count, 3);
  SYNCLINE_ASSERT_OK(Lite::GetFieldCount(bytes, {{2, 0}}, kString, &count));
  EXPECT_EQ(count, 0);
}

TEST(ProtoUtilLiteTest, PackedValuesAreValuesOneByOne) {
  std::string bytes = Graph().SerializeAsString();
  std::vector<std::string> values;
  SYNCLINE_ASSERT_OK(
      Lite::GetFieldRange(bytes, {{18, 0}, {8, 0}}, -1, kInt32, &values));
  std::vector<std::string> texts;
  SYNCLINE_ASSERT_OK(Lite::Deserialize(values, kInt32, &texts));
  EXPECT_THAT(texts, ElementsAre("1", "2", "300"));
  values.clear();
  SYNCLINE_ASSERT_OK(Lite::Serialize({"-7", "8"}, kInt32, &values));
  SYNCLINE_ASSERT_OK(
      Lite::ReplaceFieldRange(&bytes, {{18, 0}, {8, 1}}, 1, kInt32, values));
  CalculatorGraphConfig graph;
  ASSERT_TRUE(graph.ParseFromString(bytes));
  EXPECT_THAT(graph.profiler_config().trace_event_types_disabled(),
              ElementsAre(1, -7, 8, 300));
}

TEST(ProtoUtilLiteTest, PathsThatLeadNowhereAreErrors) {
  std::string bytes = Graph().SerializeAsString();
  const std::string before = bytes;
  const auto out_of_range = StatusIs(absl::StatusCode::kOutOfRange);
  EXPECT_THAT(
      Lite::ReplaceFieldRange(&bytes, {{1, 2}, {3, 0}}, 1, kString, {"a"}),
      out_of_range);
  EXPECT_THAT(Lite::ReplaceFieldRange(&bytes, {{10, 2}}, 0, kString, {"a"}),
              out_of_range);
  EXPECT_THAT(Lite::ReplaceFieldRange(&bytes, {{10, 0}}, 2, kString, {"a"}),
              out_of_range);
  EXPECT_THAT(Lite::ReplaceFieldRange(&bytes, {{10, -1}}, 1, kString, {"a"}),
              out_of_range);
  EXPECT_FALSE(Lite::ReplaceFieldRange(&bytes, {}, 1, kString, {"a"}).ok());
  EXPECT_EQ(bytes, before);
  std::vector<std::string> values;
  EXPECT_THAT(Lite::GetFieldRange(bytes, {{10, 0}}, 2, kString, &values),
              out_of_range);
  EXPECT_THAT(Lite::GetFieldRange(bytes, {{1, 0}, {3, 9}}, 1, kString, &values),
              out_of_range);
  std::string no_message = "\xff\xff";
  EXPECT_THAT(Lite::ReplaceFieldRange(&no_message, {{1, 0}}, 1, kString, {"a"}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ProtoUtilLiteTest, EveryTypeGoesToTextAndBack) {
  const struct {
    Lite::FieldType type;
    const char* text;
  } cases[] = {
      {WireFormatLite::TYPE_INT32, "-2147483648"},
      {WireFormatLite::TYPE_SINT32, "-5"},
      {WireFormatLite::TYPE_SFIXED32, "-5"},
      {WireFormatLite::TYPE_INT64, "-9223372036854775808"},
      {WireFormatLite::TYPE_SINT64, "-9007199254740993"},
      {WireFormatLite::TYPE_SFIXED64, "-5"},
      {WireFormatLite::TYPE_UINT32, "4294967295"},
      {WireFormatLite::TYPE_FIXED32, "7"},
      {WireFormatLite::TYPE_UINT64, "18446744073709551615"},
      {WireFormatLite::TYPE_FIXED64, "7"},
      {WireFormatLite::TYPE_DOUBLE, "0.1"},
      {WireFormatLite::TYPE_FLOAT, "0.5"},
      {WireFormatLite::TYPE_BOOL, "true"},
      {WireFormatLite::TYPE_ENUM, "3"},
      {WireFormatLite::TYPE_STRING, "text"},
  };
  for (const auto& c : cases) {
    std::vector<std::string> bytes;
    SYNCLINE_ASSERT_OK(Lite::Serialize({c.text}, c.type, &bytes));
    std::vector<std::string> texts;
    SYNCLINE_ASSERT_OK(Lite::Deserialize(bytes, c.type, &texts));
    EXPECT_THAT(texts, ElementsAre(c.text)) << c.type;
    FieldData data;
    SYNCLINE_ASSERT_OK(Lite::ReadValue(bytes[0], c.type, "", &data));
    std::string again;
    SYNCLINE_ASSERT_OK(Lite::WriteValue(data, c.type, &again));
    EXPECT_EQ(again, bytes[0]) << c.type;
  }
  std::vector<std::string> bytes;
  EXPECT_FALSE(Lite::Serialize({"x"}, kInt32, &bytes).ok());
  EXPECT_FALSE(Lite::Serialize({"3000000000"}, kInt32, &bytes).ok());
  FieldData data;
  EXPECT_FALSE(Lite::ReadValue("", kInt32, "", &data).ok());
  data.set_string_value("x");
  EXPECT_FALSE(Lite::WriteValue(data, kInt32, &bytes.emplace_back()).ok());
  SYNCLINE_ASSERT_OK(
      Lite::ReadValue("\n", WireFormatLite::TYPE_MESSAGE, "a.B", &data));
  EXPECT_EQ(data.message_value().type_url(), "type.googleapis.com/a.B");
  EXPECT_FALSE(Lite::WriteValue(data, kInt32, &bytes.emplace_back()).ok());
}

}  // namespace
}  // namespace tool
}  // namespace syncline
