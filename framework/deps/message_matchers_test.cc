#include "framework/deps/message_matchers.h"

#include <limits>
#include <vector>

#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/config/calculator_profile.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::Pointwise;

TEST(EqualsProtoTest, ComparesFields) {
  CalculatorGraphConfig a;
  a.add_input_stream("in");
  CalculatorGraphConfig b = a;
  EXPECT_THAT(a, EqualsProto(b));
  b.set_num_threads(2);
  EXPECT_THAT(a, Not(EqualsProto(b)));
  EXPECT_THAT(a, Not(EqualsProto(CalculatorGraphConfig::Node())));
}

TEST(EqualsProtoTest, SaysWhereTheMessagesDiffer) {
  CalculatorGraphConfig a;
  CalculatorGraphConfig b;
  b.set_num_threads(2);
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(a, EqualsProto(b)), "num_threads");
}

TEST(EqualsProtoTest, ReadsATextAsTheTypeThatItIsComparedWith) {
  CalculatorGraphConfig a;
  a.set_num_threads(2);
  EXPECT_THAT(a, EqualsProto("num_threads: 2"));
  EXPECT_THAT(a, Not(EqualsProto("num_threads: 3")));
}

TEST(EqualsProtoTest, ATextThatIsNoMessageFailsInANegationToo) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(CalculatorGraphConfig(), Not(EqualsProto("num_treads: 2"))),
      "num_treads");
}

TEST(EqualsProtoTest, ComparesListsPointwise) {
  std::vector<CalculatorGraphConfig> a(2);
  a[1].set_num_threads(2);
  EXPECT_THAT(a, Pointwise(EqualsProto(), a));
  std::vector<CalculatorGraphConfig> b = a;
  b[1].set_num_threads(3);
  EXPECT_THAT(a, Not(Pointwise(EqualsProto(), b)));
  EXPECT_THAT(a, ElementsAre(EqualsProto(a[0]), EqualsProto("num_threads: 2")));
}

TEST(EqualsProtoTest, ComparesInPartOrInAnyOrder) {
  CalculatorGraphConfig a;
  a.set_num_threads(2);
  a.add_input_stream("x");
  a.add_input_stream("y");
  EXPECT_THAT(a, Partially(EqualsProto("num_threads: 2")));
  EXPECT_THAT(a, Not(Partially(EqualsProto("num_threads: 3"))));
  EXPECT_THAT(a, Not(EqualsProto("num_threads: 2")));
  EXPECT_THAT(a, IgnoringRepeatedFieldOrdering(
                     EqualsProto(R"pb(num_threads: 2
                                      input_stream: [ "y", "x" ])pb")));
}

TEST(EqualsProtoTest, ComparesNumbersApproximately) {
  TemplateArgument a;
  a.set_num(1.0);
  EXPECT_THAT(a, Not(EqualsProto("num: 1.005")));
  EXPECT_THAT(a, Approximately(EqualsProto("num: 1.005"), /*margin=*/0.01));
  EXPECT_THAT(a, Not(Approximately(EqualsProto("num: 1.02"), 0.01)));
  EXPECT_THAT(a, Approximately(EqualsProto("num: 1.02"), 0, 0.05));
  EXPECT_THAT(a, Approximately(EqualsProto("num: 1.00000000000000000001")));
  a.set_num(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(a, Not(EqualsProto("num: nan")));
  EXPECT_THAT(a, TreatingNaNsAsEqual(EqualsProto("num: nan")));
}

TEST(EqualsProtoTest, UnsetFieldsAreEquivalentToDefaults) {
  StreamProfile a;
  a.set_back_edge(false);
  EXPECT_THAT(a, Not(EqualsProto("")));
  EXPECT_THAT(a, EquivToProto(""));
}

}  // namespace
}  // namespace syncline
