// The engine agrees with the reference run on 2,000 random graphs, each on the
// application's thread or on a pool. oracle_soak does the same for longer.
#include <cstdint>

#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/oracle_comparison.h"
#include "testing/random_graph.h"

namespace syncline {
namespace {

constexpr std::uint64_t kSeedsPerTest = 100;

class OracleTest : public testing::TestWithParam<int> {};

TEST_P(OracleTest, TheEngineAgreesWithTheReferenceRun) {
  static constexpr int kThreads[] = {0, 1, 2, 8};
  for (std::uint64_t i = 0; i < kSeedsPerTest; ++i) {
    const std::uint64_t seed = GetParam() * kSeedsPerTest + i;
    SYNCLINE_ASSERT_OK(
        CompareWithOracle(MakeRandomCase(seed), kThreads[seed % 4]));
  }
}

INSTANTIATE_TEST_SUITE_P(Hundreds, OracleTest, testing::Range(0, 20));

}  // namespace
}  // namespace syncline
