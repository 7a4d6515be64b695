#include "framework/scheduler/watch_list.h"

#include <atomic>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A queue as its owner and the watch see it.
struct Watched : TaskQueue {
  void RunNextTask() override {}
  WatchedWork work;
  std::atomic<bool> flag{true};
};

class WatchListTest : public ::testing::Test {
 protected:
  void Add(Watched* watched) {
    list_.Add(watched, &watched->work, &watched->flag);
  }
  std::vector<TaskQueue*> Look() {
    std::vector<TaskQueue*> due;
    list_.Look(&due);
    return due;
  }

  WatchList list_;
};

TEST_F(WatchListTest, AQueueWhoseTurnsStandStillIsDue) {
  Watched a, b;
  a.work.waiting = 1;
  b.work.waiting = 1;
  Add(&a);
  Add(&b);
  b.work.returns = 1;
  EXPECT_THAT(Look(), ElementsAre(&a));
  EXPECT_THAT(Look(), ElementsAre(&a, &b));
}

TEST_F(WatchListTest, AQueueThatLacksCoresIsDueAlsoWhileItMoves) {
  Watched a;
  a.work.waiting = 1;
  a.work.lacks_cores = true;
  Add(&a);
  ++a.work.returns;
  EXPECT_THAT(Look(), ElementsAre(&a));
  a.work.lacks_cores = false;
  ++a.work.returns;
  EXPECT_THAT(Look(), IsEmpty());
  a.work.lacks_cores = true;
  a.work.waiting = 0;
  ++a.work.returns;
  EXPECT_THAT(Look(), IsEmpty());
}

TEST_F(WatchListTest, TurnsBeforeTheWatchDoNotCount) {
  Watched a;
  a.work.returns = 7;
  a.work.waiting = 1;
  Add(&a);
  EXPECT_THAT(Look(), ElementsAre(&a));
}

TEST_F(WatchListTest, LooksLessOftenWhileTheQueueMoves) {
  Watched a;
  a.work.waiting = 1;
  Add(&a);
  std::vector<absl::Duration> intervals;
  for (int i = 0; i < 5; ++i) {
    intervals.push_back(list_.interval());
    ++a.work.returns;
    EXPECT_THAT(Look(), IsEmpty());
  }
  EXPECT_THAT(intervals,
              ElementsAre(absl::Milliseconds(1), absl::Milliseconds(2),
                          absl::Milliseconds(4), absl::Milliseconds(8),
                          absl::Milliseconds(8)));
  // It has stopped.
  EXPECT_THAT(Look(), ElementsAre(&a));
  EXPECT_EQ(list_.interval(), absl::Milliseconds(1));
}

TEST_F(WatchListTest, LooksLessOftenAtAQueueThatNobodyCanHelp) {
  Watched a;
  a.work.waiting = 1;
  Add(&a);
  for (int i = 0; i < 5; ++i) EXPECT_THAT(Look(), ElementsAre(&a));
  EXPECT_EQ(list_.interval(), absl::Milliseconds(8));
}

TEST_F(WatchListTest, ANewQueueIsLookedAtSoon) {
  Watched a, b;
  a.work.waiting = 1;
  Add(&a);
  for (int i = 0; i < 5; ++i) {
    ++a.work.returns;
    Look();
  }
  b.work.waiting = 1;
  Add(&b);
  EXPECT_EQ(list_.interval(), absl::Milliseconds(1));
}

TEST_F(WatchListTest, EndsAndLowersTheFlagWhenNothingWaits) {
  Watched a, b;
  b.work.waiting = 1;
  Add(&a);
  Add(&b);
  EXPECT_THAT(Look(), ElementsAre(&b));
  EXPECT_FALSE(a.flag);
  EXPECT_TRUE(b.flag);
  EXPECT_FALSE(list_.empty());
  b.work.waiting = 0;
  EXPECT_THAT(Look(), IsEmpty());
  EXPECT_FALSE(b.flag);
  EXPECT_TRUE(list_.empty());
}

TEST_F(WatchListTest, AQueueThatIsBusyNowAndThenStaysWatched) {
  Watched a;
  Add(&a);
  for (int i = 0; i < 5; ++i) {
    ++a.work.returns;  // and nothing waits any more
    EXPECT_THAT(Look(), IsEmpty());
    EXPECT_TRUE(a.flag);
  }
  EXPECT_EQ(list_.interval(), absl::Milliseconds(8));
  // Somebody was here since the last look, and then got stuck.
  ++a.work.returns;
  a.work.waiting = 1;
  EXPECT_THAT(Look(), IsEmpty());
  EXPECT_THAT(Look(), ElementsAre(&a));
  a.work.waiting = 0;
  EXPECT_THAT(Look(), IsEmpty());
  EXPECT_FALSE(a.flag);
  EXPECT_TRUE(list_.empty());
}

TEST_F(WatchListTest, WorkThatComesJustAsTheFlagIsLoweredIsNotForgotten) {
  Watched queues[16];
  for (Watched& queue : queues) queue.flag = false;
  Mutex mutex;
  std::atomic<bool> wants_lock{false};
  std::atomic<bool> stop{false};
  std::thread watcher([&] {
    while (!stop) {
      while (wants_lock) std::this_thread::yield();
      MutexLock lock(&mutex);
      for (TaskQueue* due : Look()) {
        static_cast<Watched*>(due)->work.waiting = 0;
      }
    }
  });
  // As owners that leave one task after the other to the watch.
  const absl::Time end = absl::Now() + absl::Seconds(1);
  bool is_forgotten = false;
  while (absl::Now() < end && !is_forgotten) {
    for (Watched& queue : queues) {
      queue.work.waiting.fetch_add(1);
      if (queue.flag.exchange(true)) continue;
      wants_lock = true;
      MutexLock lock(&mutex);
      wants_lock = false;
      Add(&queue);
    }
    const absl::Time latest = absl::Now() + absl::Seconds(20);
    for (Watched& queue : queues) {
      for (int spins = 1; queue.work.waiting > 0 && !is_forgotten; ++spins) {
        if (spins % 1000 != 0) continue;
        std::this_thread::yield();
        is_forgotten = absl::Now() > latest;
      }
    }
  }
  EXPECT_FALSE(is_forgotten);
  stop = true;
  watcher.join();
}

TEST_F(WatchListTest, RemovesAllEntriesOfAQueue) {
  Watched a, b;
  a.work.waiting = 1;
  b.work.waiting = 1;
  Add(&a);
  Add(&b);
  Add(&a);
  list_.Remove(&a);
  EXPECT_THAT(Look(), ElementsAre(&b));
}

}  // namespace
}  // namespace syncline
