#include "util/graph_builder_utils.h"

#include "framework/port/parse_text_proto.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(GraphBuilderUtilsTest, FindsPortsByTheirTags) {
  const auto node = ParseTextProtoOrDie<CalculatorGraphConfig::Node>(R"pb(
    calculator: "Any"
    input_stream: "IMAGE:0:image"
    input_stream: "plain"
    output_stream: "SIZES:sizes"
    input_side_packet: "MODEL:model"
    output_side_packet: "COUNT:count"
  )pb");
  EXPECT_TRUE(HasInput(node, "IMAGE"));
  EXPECT_FALSE(HasInput(node, "IMA"));
  EXPECT_FALSE(HasInput(node, "plain"));
  EXPECT_TRUE(HasOutput(node, "SIZES"));
  EXPECT_FALSE(HasOutput(node, "IMAGE"));
  EXPECT_TRUE(HasSideInput(node, "MODEL"));
  EXPECT_FALSE(HasSideInput(node, "COUNT"));
  EXPECT_TRUE(HasSideOutput(node, "COUNT"));
}

}  // namespace
}  // namespace syncline
