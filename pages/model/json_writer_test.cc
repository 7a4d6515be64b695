// What is written is JSON that reads back as it was.
#include "pages/model/json_writer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace syncline {
namespace {

using nlohmann::json;

TEST(JsonWriterTest, ObjectsAndArraysStandInEachOther) {
  JsonWriter writer;
  writer.BeginObject();
  writer.Key("none").BeginArray().EndArray();
  writer.Key("some").BeginArray().Int(1).Null().Bool(true).BeginObject();
  writer.Key("a").Int(-2);
  writer.EndObject().BeginArray().EndArray().EndArray();
  writer.Key("empty").BeginObject().EndObject();
  writer.Key("no").Bool(false);
  writer.EndObject();
  EXPECT_EQ(std::move(writer).Text(),
            R"({"none":[],"some":[1,null,true,{"a":-2},[]],"empty":{},)"
            R"("no":false})");
}

std::string NumberText(double number) {
  JsonWriter writer;
  writer.Number(number);
  return std::move(writer).Text();
}

TEST(JsonWriterTest, NumbersHaveThousandths) {
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(1.5), "1.500");
  EXPECT_EQ(NumberText(-0.0625), "-0.063");
  EXPECT_EQ(NumberText(2.00049), "2");
  EXPECT_EQ(NumberText(0.007), "0.007");
  EXPECT_EQ(NumberText(1e12), "1000000000000");
  EXPECT_EQ(NumberText(1e300), "null");
  EXPECT_EQ(NumberText(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(NumberText(-std::numeric_limits<double>::infinity()), "null");
  JsonWriter writer;
  writer.Int(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(std::move(writer).Text(), "-9223372036854775808");
}

TEST(JsonWriterTest, StringsComeBackAsTheyWere) {
  for (const std::string& text :
       {std::string("plain"), std::string(""), std::string("q\"b\\s"),
        std::string("</script><!-- & \n\t\1\177"), std::string("\0a", 2),
        std::string("gr\xc3\xbc\xc3\x9f")}) {
    JsonWriter writer;
    writer.String(text);
    const std::string written = std::move(writer).Text();
    EXPECT_EQ(json::parse(written).get<std::string>(), text);
    EXPECT_EQ(written.find_first_of("<>&\n"), std::string::npos);
    EXPECT_TRUE(std::all_of(written.begin(), written.end(),
                            [](char c) { return c >= ' ' && c <= '~'; }));
  }
  JsonWriter invalid;
  invalid.String("\xff");
  EXPECT_EQ(std::move(invalid).Text(), "\"\\ufffd\"");
}

}  // namespace
}  // namespace syncline
