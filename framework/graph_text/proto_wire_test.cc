#include "framework/graph_text/proto_wire.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::FileDescriptorProto;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(ProtoWireTest, AMessageIsTakenApartAndPutTogether) {
  CalculatorGraphConfig::Node node;
  node.set_name("a");
  node.add_input_stream("in");
  node.add_input_stream("more");
  node.set_max_in_flight(300);
  const std::string bytes = node.SerializeAsString();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(WireMessage message,
                                SplitMessage(bytes, node.GetDescriptor()));
  const WireField* const inputs =
      message.Find(CalculatorGraphConfig::Node::kInputStreamFieldNumber);
  ASSERT_NE(inputs, nullptr);
  ASSERT_THAT(inputs->values, SizeIs(2));
  EXPECT_EQ(inputs->values[0].bytes, "in");
  EXPECT_EQ(inputs->values[1].bytes, "more");
  EXPECT_EQ(inputs->values[1].origin, -1);
  EXPECT_EQ(message.Find(CalculatorGraphConfig::Node::kExecutorFieldNumber),
            nullptr);
  EXPECT_EQ(message.Serialize(), bytes);
  message.fields.push_back(
      {.number = CalculatorGraphConfig::Node::kExecutorFieldNumber,
       .values = {{.wire_type = 2, .bytes = "pool"}}});
  ASSERT_TRUE(node.ParseFromString(message.Serialize()));
  EXPECT_EQ(node.executor(), "pool");
  EXPECT_EQ(node.max_in_flight(), 300);
}

TEST(ProtoWireTest, PackedValuesComeOutOneByOne) {
  FileDescriptorProto file;
  file.add_public_dependency(1);
  file.add_public_dependency(200);
  // As a writer that packs them has it: field 10, two varints.
  const std::string packed =
      std::string("\x52\x03", 2) + VarintBytes(1) + VarintBytes(200);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const WireMessage message,
                                SplitMessage(packed, file.GetDescriptor()));
  ASSERT_THAT(message.fields, SizeIs(1));
  ASSERT_THAT(message.fields[0].values, SizeIs(2));
  EXPECT_EQ(message.fields[0].values[1].bytes, VarintBytes(200));
  FileDescriptorProto read;
  ASSERT_TRUE(read.ParseFromString(message.Serialize()));
  EXPECT_EQ(read.SerializeAsString(), file.SerializeAsString());
  // Nobody says that they are packed.
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const WireMessage unknown,
                                SplitMessage(packed, nullptr));
  EXPECT_THAT(unknown.fields[0].values, SizeIs(1));
  EXPECT_EQ(unknown.Serialize(), packed);
}

TEST(ProtoWireTest, GroupsStayWhole) {
  // Group 1 with field 2 = 5 in it.
  const std::string bytes = "\x0b\x10\x05\x0c";
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const WireMessage message,
                                SplitMessage(bytes, nullptr));
  ASSERT_THAT(message.fields, SizeIs(1));
  EXPECT_EQ(message.fields[0].values[0].bytes, "\x10\x05");
  EXPECT_EQ(message.Serialize(), bytes);
}

TEST(ProtoWireTest, OtherBytesAreNoMessage) {
  for (const std::string& bytes :
       {std::string("\x0a\x05"), std::string("\x08"), std::string("\x0b\x08"),
        std::string("\x0c"), std::string("\x00", 1), std::string("\xff")}) {
    EXPECT_TRUE(absl::IsInvalidArgument(SplitMessage(bytes, nullptr).status()))
        << testing::PrintToString(bytes);
  }
}

TEST(ProtoWireTest, ValuesOfEachWireTypeAreUnpacked) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto fixed32,
                                UnpackValues(Fixed32Bytes(1) + Fixed32Bytes(2),
                                             FieldDescriptor::TYPE_FLOAT));
  EXPECT_THAT(fixed32, ElementsAre(Fixed32Bytes(1), Fixed32Bytes(2)));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const auto fixed64,
      UnpackValues(Fixed64Bytes(3), FieldDescriptor::TYPE_DOUBLE));
  EXPECT_THAT(fixed64, ElementsAre(Fixed64Bytes(3)));
  EXPECT_FALSE(UnpackValues("abc", FieldDescriptor::TYPE_FLOAT).ok());
  EXPECT_FALSE(UnpackValues("abc", FieldDescriptor::TYPE_DOUBLE).ok());
  EXPECT_FALSE(UnpackValues("\x80", FieldDescriptor::TYPE_INT32).ok());
  EXPECT_FALSE(UnpackValues("a", FieldDescriptor::TYPE_STRING).ok());
}

TEST(ProtoWireTest, NumbersHaveTheirBytes) {
  EXPECT_EQ(VarintBytes(0), std::string(1, '\0'));
  EXPECT_EQ(VarintBytes(300), "\xac\x02");
  EXPECT_EQ(VarintBytes(~uint64_t{0}).size(), 10);
  EXPECT_EQ(Fixed32Bytes(0x01020304), "\x04\x03\x02\x01");
  EXPECT_EQ(Fixed64Bytes(1).size(), 8);
}

TEST(ProtoWireTest, ZeroIsThatOfTheType) {
  const auto* const node = CalculatorGraphConfig::Node::descriptor();
  EXPECT_EQ(ZeroValue(*node->FindFieldByName("max_in_flight")), VarintBytes(0));
  EXPECT_EQ(ZeroValue(*node->FindFieldByName("name")), "");
  const auto* const option =
      google::protobuf::UninterpretedOption::descriptor();
  EXPECT_EQ(ZeroValue(*option->FindFieldByName("double_value")),
            Fixed64Bytes(0));
}

TEST(ProtoWireTest, AnUnknownTypeHasALength) {
  EXPECT_EQ(WireTypeOf(0), 2);
  EXPECT_EQ(WireTypeOf(99), 2);
  EXPECT_EQ(WireTypeOf(FieldDescriptor::TYPE_BOOL), 0);
  EXPECT_EQ(WireTypeOf(FieldDescriptor::TYPE_SFIXED32), 5);
}

}  // namespace
}  // namespace syncline
