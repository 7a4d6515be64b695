#include "framework/scheduler/default_num_threads.h"

#include <algorithm>

#include "framework/base/usable_cores.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(DefaultNumThreadsTest, ThereIsAThreadForEachCoreThatIsOfUse) {
  const int cores = NumUsableCores();
  EXPECT_EQ(DefaultNumThreads(0), 1);
  EXPECT_EQ(DefaultNumThreads(1), 1);
  EXPECT_EQ(DefaultNumThreads(cores - 1), std::max(1, cores - 1));
  EXPECT_EQ(DefaultNumThreads(cores + 1), cores);
  EXPECT_EQ(DefaultNumThreads(1'000'000), cores);
}

TEST(DefaultNumThreadsTest, ASharedPoolHasAThreadForEachCore) {
  EXPECT_EQ(DefaultNumSharedThreads(), NumUsableCores());
}

}  // namespace
}  // namespace syncline
