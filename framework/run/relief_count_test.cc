#include "framework/run/relief_count.h"

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

TEST(ReliefCountTest, TheFirstAndEachTenfoldAreWarnedOf) {
  ReliefCount count;
  std::vector<std::int64_t> warned;
  for (int i = 1; i <= 1200; ++i) {
    const bool warns = count.WarnsOfNext();
    const absl::optional<std::int64_t> which = count.Add();
    EXPECT_EQ(which.has_value(), warns);
    if (!which.has_value()) continue;
    EXPECT_EQ(*which, i);
    warned.push_back(i);
  }
  EXPECT_THAT(warned, ElementsAre(1, 10, 100, 1000));
}

}  // namespace
}  // namespace syncline
