#include "framework/scheduler/request_ring.h"

#include <memory>
#include <vector>

#include "framework/scheduler/executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(RequestRingTest, GivesBackInTheOrderOfAddingThroughGrowthAndWrapping) {
  RequestRing ring;
  std::vector<int> got;
  int added = 0;
  for (int round = 0; round < 30; ++round) {
    for (int i = 0; i < 7; ++i) {
      ring.Push({.task = [&got, value = added] { got.push_back(value); }});
      ++added;
    }
    for (int i = 0; i < 5; ++i) ring.Pop().task();
  }
  EXPECT_EQ(ring.size(), 60u);
  while (!ring.empty()) ring.Pop().task();
  ASSERT_EQ(static_cast<int>(got.size()), added);
  for (int i = 0; i < added; ++i) EXPECT_EQ(got[i], i);
}

TEST(RequestRingTest, KeepsNothingOfWhatWasTaken) {
  RequestRing ring;
  auto held = std::make_shared<int>(1);
  ring.Push({.task = [held] {}});
  EXPECT_EQ(held.use_count(), 2);
  ring.Pop();
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace syncline
