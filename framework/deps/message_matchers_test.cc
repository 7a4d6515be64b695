#include "framework/deps/message_matchers.h"

#include "framework/config/calculator.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Not;

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

}  // namespace
}  // namespace syncline
