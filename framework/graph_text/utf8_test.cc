// What is taken for UTF-8 is what Protobuf takes for it.

#include "framework/graph_text/utf8.h"

#include <cstdint>
#include <string>

#include "framework/config/calculator.pb.h"
#include "framework/graph_text/testdata/reading.pb.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/wrappers.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// What Protobuf itself takes when it reads a proto3 string.
bool ProtobufTakes(const std::string& text) {
  const google::protobuf::LogSilencer quiet;
  google::protobuf::BytesValue bytes;
  bytes.set_value(text);
  google::protobuf::StringValue string;
  return string.ParseFromString(bytes.SerializeAsString());
}

TEST(Utf8Test, AgreesWithProtobufOnAllOneAndTwoByteStrings) {
  for (int a = 0; a < 256; ++a) {
    std::string text(1, static_cast<char>(a));
    EXPECT_EQ(IsValidUtf8(text), ProtobufTakes(text)) << a;
    text += ' ';
    for (int b = 0; b < 256; ++b) {
      text[1] = static_cast<char>(b);
      EXPECT_EQ(IsValidUtf8(text), ProtobufTakes(text)) << a << " " << b;
    }
  }
}

TEST(Utf8Test, AgreesWithProtobufAtTheEdgesOfLongSequences) {
  for (const uint8_t a :
       {0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5}) {
    for (const uint8_t b : {0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0}) {
      for (const uint8_t c : {0x7F, 0x80, 0xBF, 0xC0}) {
        std::string text = {static_cast<char>(a), static_cast<char>(b),
                            static_cast<char>(c)};
        EXPECT_EQ(IsValidUtf8(text), ProtobufTakes(text))
            << int{a} << " " << int{b} << " " << int{c};
        text += '\x80';
        EXPECT_EQ(IsValidUtf8(text), ProtobufTakes(text))
            << int{a} << " " << int{b} << " " << int{c} << " 128";
      }
    }
  }
}

TEST(Utf8Test, TheFirstBadStringOfAMessageIsNamed) {
  CalculatorGraphConfig config;
  config.add_node()->set_name("good");
  config.add_node()->add_input_stream("good");
  EXPECT_EQ(FindInvalidUtf8(config), "");
  config.mutable_node(1)->add_input_stream("\xFF");
  EXPECT_EQ(FindInvalidUtf8(config), "node[1].input_stream[1]");
  config.mutable_node(0)
      ->mutable_options()
      ->MutableExtension(ReadingOptions::ext)
      ->add_node()
      ->set_name("\xFF");
  EXPECT_EQ(FindInvalidUtf8(config),
            "node[0].options.[syncline.ReadingOptions.ext].node[0].name");
}

// Protobuf takes any bytes there.
TEST(Utf8Test, StringsOfProto2MayBeAnything) {
  ReadingOptions options;
  options.set_text("\xFF");
  EXPECT_EQ(FindInvalidUtf8(options), "");
}

}  // namespace
}  // namespace syncline
