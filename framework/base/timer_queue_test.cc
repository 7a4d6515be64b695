// Times come out in order, whatever was set, replaced and removed.

#include "framework/base/timer_queue.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Timers = TimerQueue<int>;

template <typename Key>
std::vector<Key> Due(TimerQueue<Key>* timers, std::int64_t now_ns) {
  std::vector<Key> due;
  Key key;
  while (timers->TakeDue(now_ns, &key)) due.push_back(key);
  return due;
}

TEST(TimerQueueTest, TakesWhatIsDueTheEarliestFirst) {
  Timers timers(4);
  EXPECT_EQ(timers.Next(), Timers::kNone);
  timers.Set(0, 30);
  timers.Set(1, 10);
  timers.Set(2, 20);
  EXPECT_EQ(timers.Next(), 10);
  EXPECT_THAT(Due(&timers, 9), IsEmpty());
  EXPECT_THAT(Due(&timers, 20), ElementsAre(1, 2));
  EXPECT_THAT(Due(&timers, 30), ElementsAre(0));
  EXPECT_EQ(timers.Next(), Timers::kNone);
}

TEST(TimerQueueTest, OfEqualTimesTheSmallerKeyComesFirst) {
  Timers timers(5);
  for (const int node : {3, 0, 4, 1, 2}) timers.Set(node, 7);
  EXPECT_THAT(Due(&timers, 7), ElementsAre(0, 1, 2, 3, 4));
}

TEST(TimerQueueTest, AnotherTimeReplacesTheFirst) {
  Timers timers(2);
  timers.Set(0, 10);
  timers.Set(1, 20);
  timers.Set(0, 30);
  EXPECT_EQ(timers.Next(), 20);
  timers.Set(0, 5);
  EXPECT_EQ(timers.Next(), 5);
  EXPECT_EQ(timers.NextKey(), 0);
  timers.Remove(0);
  timers.Remove(0);
  EXPECT_THAT(Due(&timers, 100), ElementsAre(1));
}

TEST(TimerQueueTest, AnEarlierTimeReplacesTheFirstAndALaterOneDoesNot) {
  Timers timers(1);
  timers.SetEarlier(0, 10);
  timers.SetEarlier(0, 20);
  EXPECT_EQ(timers.Next(), 10);
  timers.SetEarlier(0, 5);
  EXPECT_EQ(timers.Next(), 5);
}

TEST(TimerQueueTest, PointersAreFoundToo) {
  int things[3];
  TimerQueue<int*> timers;
  EXPECT_TRUE(timers.empty());
  for (int i = 0; i < 3; ++i) timers.Set(&things[i], 30 - i);
  timers.Set(&things[2], 40);
  timers.Remove(&things[0]);
  timers.Remove(&things[0]);
  EXPECT_THAT(Due(&timers, 100), ElementsAre(&things[1], &things[2]));
  EXPECT_TRUE(timers.empty());
}

TEST(TimerQueueTest, AgreesWithAPlainModel) {
  constexpr int kNodes = 50;
  for (int seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Timers timers(kNodes);
    std::map<int, std::int64_t> model;
    for (int step = 0; step < 2000; ++step) {
      const int node = static_cast<int>(random() % kNodes);
      const std::int64_t time = static_cast<std::int64_t>(random() % 100);
      switch (random() % 4) {
        case 0:
        case 1:
          timers.Set(node, time);
          model[node] = time;
          break;
        case 2:
          timers.Remove(node);
          model.erase(node);
          break;
        case 3: {
          std::vector<std::pair<std::int64_t, int>> expected;
          for (const auto& [key, target] : model) {
            if (target <= time / 4) expected.emplace_back(target, key);
          }
          std::sort(expected.begin(), expected.end());
          const std::vector<int> due = Due(&timers, time / 4);
          ASSERT_EQ(due.size(), expected.size());
          for (size_t i = 0; i < due.size(); ++i) {
            ASSERT_EQ(due[i], expected[i].second);
            model.erase(due[i]);
          }
        }
      }
      std::int64_t next = Timers::kNone;
      for (const auto& [key, target] : model) {
        next = std::min(next, target);
      }
      ASSERT_EQ(timers.Next(), next);
    }
  }
}

}  // namespace
}  // namespace syncline
