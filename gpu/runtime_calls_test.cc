#include "gpu/runtime_calls.h"

#include <gtest/gtest.h>

namespace syncline::gpu {
namespace {

TEST(RuntimeCallsTest, CallsAreCountedByKind) {
  const RuntimeCallCounts before = CountRuntimeCalls();
  internal::CountRuntimeCall(RuntimeCall::kLaunch);
  internal::CountRuntimeCall(RuntimeCall::kLaunch);
  internal::CountRuntimeCall(RuntimeCall::kOther);
  const RuntimeCallCounts between = CountRuntimeCalls() - before;
  EXPECT_EQ(between[RuntimeCall::kLaunch], 2);
  EXPECT_EQ(between[RuntimeCall::kOther], 1);
  EXPECT_EQ(between[RuntimeCall::kAllocate], 0);
  EXPECT_EQ(between.ToString(), "launch 2, other 1");
}

TEST(RuntimeCallsTest, NothingHasATextToo) {
  EXPECT_EQ(RuntimeCallCounts().ToString(), "none");
}

}  // namespace
}  // namespace syncline::gpu
