#include "framework/graph_text/template_encoding.h"

#include <string>

#include "absl/types/optional.h"
#include "framework/graph_text/proto_wire.h"
#include "framework/graph_text/template_values.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::google::protobuf::FieldDescriptor;

absl::optional<std::string> Encoded(FieldDescriptor::Type type,
                                    const TemplateValue& value) {
  return EncodeTemplateValue(type, nullptr, value);
}

TEST(TemplateEncodingTest, WholeNumbersHaveTheEncodingOfTheirType) {
  const TemplateValue two(2);
  for (const auto type :
       {FieldDescriptor::TYPE_INT32, FieldDescriptor::TYPE_INT64,
        FieldDescriptor::TYPE_UINT32, FieldDescriptor::TYPE_UINT64}) {
    EXPECT_EQ(Encoded(type, two), VarintBytes(2)) << type;
  }
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_SINT32, two), VarintBytes(4));
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_SINT64, two), VarintBytes(4));
  for (const auto type :
       {FieldDescriptor::TYPE_FIXED32, FieldDescriptor::TYPE_SFIXED32}) {
    EXPECT_EQ(Encoded(type, two), Fixed32Bytes(2)) << type;
  }
  for (const auto type :
       {FieldDescriptor::TYPE_FIXED64, FieldDescriptor::TYPE_SFIXED64}) {
    EXPECT_EQ(Encoded(type, two), Fixed64Bytes(2)) << type;
  }
}

TEST(TemplateEncodingTest, NegativeNumbersHaveTenBytesOrAZigZag) {
  const TemplateValue minus(-1);
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_INT32, minus)->size(), 10);
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_SINT32, minus), VarintBytes(1));
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_SFIXED32, minus),
            Fixed32Bytes(~uint32_t{0}));
  EXPECT_FALSE(Encoded(FieldDescriptor::TYPE_UINT32, minus).has_value());
}

TEST(TemplateEncodingTest, NumbersThatDoNotFitAreRefused) {
  EXPECT_FALSE(
      Encoded(FieldDescriptor::TYPE_INT32, TemplateValue(0x1p31)).has_value());
  EXPECT_TRUE(
      Encoded(FieldDescriptor::TYPE_INT32, TemplateValue(-0x1p31)).has_value());
  EXPECT_FALSE(
      Encoded(FieldDescriptor::TYPE_INT32, TemplateValue(1.5)).has_value());
  EXPECT_FALSE(
      Encoded(FieldDescriptor::TYPE_INT64, TemplateValue(0x1p63)).has_value());
  EXPECT_FALSE(
      Encoded(FieldDescriptor::TYPE_FLOAT, TemplateValue(1e300)).has_value());
  EXPECT_FALSE(
      Encoded(FieldDescriptor::TYPE_INT32, TemplateValue("x")).has_value());
}

TEST(TemplateEncodingTest, LargeNumbersAreReadFromTextWithoutRounding) {
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_UINT64,
                    TemplateValue("18446744073709551615")),
            VarintBytes(~uint64_t{0}));
}

TEST(TemplateEncodingTest, FractionsAndTexts) {
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_FLOAT, TemplateValue(1)),
            Fixed32Bytes(0x3f800000));
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_DOUBLE, TemplateValue(1)),
            Fixed64Bytes(0x3ff0000000000000));
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_STRING, TemplateValue("a")), "a");
  EXPECT_EQ(Encoded(FieldDescriptor::TYPE_BYTES, TemplateValue(2)), "2");
  EXPECT_FALSE(Encoded(FieldDescriptor::TYPE_STRING,
                       TemplateValue(TemplateValue::List()))
                   .has_value());
}

TEST(TemplateEncodingTest, BoolsAreWordsOrBits) {
  for (const char* const text : {"true", "True", "1"}) {
    EXPECT_EQ(Encoded(FieldDescriptor::TYPE_BOOL, TemplateValue(text)),
              VarintBytes(1));
  }
  for (const char* const text : {"false", "False", "0"}) {
    EXPECT_EQ(Encoded(FieldDescriptor::TYPE_BOOL, TemplateValue(text)),
              VarintBytes(0));
  }
  EXPECT_FALSE(
      Encoded(FieldDescriptor::TYPE_BOOL, TemplateValue("2")).has_value());
}

TEST(TemplateEncodingTest, EnumsGoByNameOrNumber) {
  const auto* const type = google::protobuf::FieldOptions::CType_descriptor();
  const auto encoded = [&](const TemplateValue& value) {
    return EncodeTemplateValue(FieldDescriptor::TYPE_ENUM, type, value);
  };
  EXPECT_EQ(encoded(TemplateValue("CORD")), VarintBytes(1));
  EXPECT_EQ(encoded(TemplateValue(2)), VarintBytes(2));
  EXPECT_FALSE(encoded(TemplateValue("NONE")).has_value());
  EXPECT_FALSE(
      Encoded(FieldDescriptor::TYPE_ENUM, TemplateValue("CORD")).has_value());
}

TEST(TemplateEncodingTest, AMessageHasNoValue) {
  EXPECT_FALSE(
      Encoded(FieldDescriptor::TYPE_MESSAGE, TemplateValue("a")).has_value());
}

}  // namespace
}  // namespace syncline
