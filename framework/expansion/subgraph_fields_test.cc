#include "framework/expansion/subgraph_fields.h"

#include <string>

#include "framework/config/calculator.pb.h"
#include "framework/graph_text/test_graphs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CalculatorGraphConfig::Node Node(const std::string& fields) {
  return ParseGraph("node { " + fields + " }").node(0);
}

TEST(SubgraphFieldsTest, FieldsAreSetThatHaveAValue) {
  const auto node = Node(
      "name: \"\" input_stream: \"a\" max_in_flight: 2 gxf_defaults: false "
      "batch { }");
  EXPECT_THAT(FieldsThatAreSet(node, {"name", "max_in_flight", "input_stream",
                                      "output_stream", "gxf_defaults", "batch",
                                      "input_stream_handler"}),
              ElementsAre("max_in_flight", "input_stream", "batch"));
}

TEST(SubgraphFieldsTest, FieldsOfCalculatorsAreForbidden) {
  EXPECT_THAT(
      ForbiddenSubgraphFields(Node(
          "source_layer: 1 buffer_size_hint: 2 output_stream_handler { } "
          "input_stream_info { } condition { } any_of { } gxf_defaults: true "
          "batch { } persistent: true")),
      ElementsAre("source_layer", "buffer_size_hint", "output_stream_handler",
                  "input_stream_info", "condition", "any_of", "gxf_defaults",
                  "batch", "persistent"));
  EXPECT_THAT(ForbiddenSubgraphFields(Node("executor: \"e\"")), IsEmpty());
  EXPECT_EQ(OnlyForCalculatorsText({"a", "b"}),
            "the subgraph node has a field that is only applicable to "
            "calculators: a, b.");
}

TEST(SubgraphFieldsTest, SomeFieldsDoNothing) {
  EXPECT_THAT(IgnoredSubgraphFields(Node("executor: \"e\" max_in_flight: 1 "
                                         "input_stream_handler { } batch { }")),
              ElementsAre("executor", "input_stream_handler", "max_in_flight"));
}

}  // namespace
}  // namespace syncline
