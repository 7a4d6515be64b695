#include "util/cpu_util.h"

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(CpuUtilTest, EveryMachineHasACore) { EXPECT_GE(NumCPUCores(), 1); }

TEST(CpuUtilTest, NoCoreIsSlowAndFast) {
  for (const int core : InferLowerCoreIds()) {
    EXPECT_EQ(InferHigherCoreIds().count(core), 0u);
    EXPECT_LT(core, NumCPUCores());
  }
}

}  // namespace
}  // namespace syncline
