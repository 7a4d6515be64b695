// Text in code becomes a message; text that cannot be parsed is an error, false
// or the end of the process, as the caller chooses.

#include "framework/port/parse_text_proto.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/config/calculator.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(ParseTextProtoTest, AMessageIsFilledOrLeftWithFalse) {
  CalculatorGraphConfig config;
  config.set_num_threads(3);
  EXPECT_TRUE(ParseTextProto("node { calculator: 'mediapipe.A' }", &config));
  EXPECT_EQ(config.node(0).calculator(), "syncline.A");
  EXPECT_EQ(config.num_threads(), 0);
  EXPECT_FALSE(ParseTextProto("nod {", &config));
}

TEST(ParseTextProtoTest, AStatusSaysWhereAndWhat) {
  const absl::StatusOr<InputStreamInfo> info =
      ParseTextProto<InputStreamInfo>("tag_index: 'A' back_edge: true");
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->tag_index(), "A");
  EXPECT_THAT(std::string(ParseTextProto<InputStreamInfo>("\nback_edg: true")
                              .status()
                              .message()),
              HasSubstr("<text>:2:9: message \"syncline.InputStreamInfo\" has "
                        "no field \"back_edg\". Did you mean \"back_edge\"?"));
}

TEST(ParseTextProtoTest, OrDieReturnsTheMessage) {
  EXPECT_EQ(
      ParseTextProtoOrDie<CalculatorGraphConfig::Node>("name: 'x'").name(),
      "x");
}

TEST(ParseTextProtoTest, OrDieEndsTheCallOfACalculator) {
  const absl::Status status = CallUserCode([] {
    ParseTextProtoOrDie<CalculatorGraphConfig>("nod {");
    return absl::OkStatus();
  });
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"nod\""));
}

TEST(ParseTextProtoDeathTest, OrDieEndsTheProcessElsewhere) {
  EXPECT_DEATH(ParseTextProtoOrDie<CalculatorGraphConfig>("nod {"), "nod");
}

}  // namespace
}  // namespace syncline
