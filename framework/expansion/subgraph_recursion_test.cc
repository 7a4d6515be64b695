#include "framework/expansion/subgraph_recursion.h"

#include <memory>

#include "absl/status/status.h"
#include "framework/expansion/graph_registry.h"
#include "framework/expansion/node_origin.h"
#include "framework/graph_text/graph_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class SubgraphRecursionTest : public testing::Test {
 protected:
  absl::Status Check(int inside, int max_depth = 10) const {
    return CheckSubgraphRecursion(origins_, inside, type_, max_depth);
  }
  // An expansion of `type` in the expansion `outer`; its id.
  int Expand(int outer, const char* type) {
    return origins_.AddExpansion({.expansion = outer}, "node", type, nullptr);
  }

  SubgraphType type_ = {.name = "T", .source = std::make_shared<GraphSource>()};
  OriginTable origins_;
};

TEST_F(SubgraphRecursionTest, ASubgraphInAnotherTypeMayBeExpanded) {
  EXPECT_EQ(Check(0), absl::OkStatus());
  EXPECT_EQ(Check(Expand(Expand(0, "U"), "V")), absl::OkStatus());
}

TEST_F(SubgraphRecursionTest, ASubgraphThatContainsItselfIsAnError) {
  const absl::Status status = Check(Expand(Expand(0, "T"), "U"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("the subgraph contains itself: T > U > T."));
}

TEST_F(SubgraphRecursionTest, AClassMayEndItsRecursionItself) {
  type_.source = nullptr;
  EXPECT_EQ(Check(Expand(0, "T")), absl::OkStatus());
}

TEST_F(SubgraphRecursionTest, NestingHasALimit) {
  const int inside = Expand(0, "U");
  EXPECT_EQ(Check(inside, 2), absl::OkStatus());
  const absl::Status status = Check(inside, 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("nested more than 1 deep: U > T."));
}

TEST_F(SubgraphRecursionTest, AClassIsHeldToTheLimitToo) {
  type_.source = nullptr;
  EXPECT_EQ(Check(Expand(0, "T"), 1).code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace syncline
