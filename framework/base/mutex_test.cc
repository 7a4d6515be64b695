#include "framework/base/mutex.h"

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/cond_var.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

struct Counter {
  Mutex mutex;
  CondVar changed;
  int value ABSL_GUARDED_BY(mutex) = 0;
};

TEST(MutexTest, OneThreadAtATimeHasTheLock) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 1000;
  Counter counter;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&counter] {
      for (int round = 0; round < kRounds; ++round) {
        MutexLock lock(&counter.mutex);
        ++counter.value;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  MutexLock lock(&counter.mutex);
  EXPECT_EQ(counter.value, kThreads * kRounds);
}

TEST(MutexTest, TryLockDoesNotWait) {
  Mutex mutex;
  MutexLock lock(&mutex);
  std::thread([&mutex] {
    const bool locked = mutex.TryLock();
    EXPECT_FALSE(locked);
    if (locked) mutex.Unlock();
  }).join();
}

TEST(MutexTest, TryLockTakesAFreeLock) {
  Mutex mutex;
  if (mutex.TryLock()) {
    mutex.Unlock();
  } else {
    ADD_FAILURE() << "nobody else has the lock";
  }
}

TEST(MutexUnlockTest, GivesTheLockUpUntilTheEndOfTheScope) {
  Mutex mutex;
  const auto is_free = [&mutex] {
    bool is_free = false;
    std::thread([&] {
      const bool locked = mutex.TryLock();
      if (locked) mutex.Unlock();
      is_free = locked;
    }).join();
    return is_free;
  };
  MutexLock lock(&mutex);
  {
    const MutexUnlock unlock(&mutex);
    EXPECT_TRUE(is_free());
  }
  EXPECT_FALSE(is_free());
  try {
    const MutexUnlock unlock(&mutex);
    throw std::runtime_error("an exception");
  } catch (const std::runtime_error&) {
    EXPECT_FALSE(is_free()) << "an exception ends the scope as well";
  }
}

TEST(CondVarTest, ASignalWakesAWaiter) {
  Counter counter;
  std::thread waiter([&counter] {
    MutexLock lock(&counter.mutex);
    while (counter.value == 0) counter.changed.Wait(&counter.mutex);
    counter.value = 2;
  });
  {
    MutexLock lock(&counter.mutex);
    counter.value = 1;
    counter.changed.Signal();
  }
  waiter.join();
  MutexLock lock(&counter.mutex);
  EXPECT_EQ(counter.value, 2);
}

TEST(CondVarTest, SignalAllWakesEveryWaiter) {
  Counter counter;
  std::vector<std::thread> waiters;
  for (int i = 0; i < 3; ++i) {
    waiters.emplace_back([&counter] {
      MutexLock lock(&counter.mutex);
      while (counter.value == 0) counter.changed.Wait(&counter.mutex);
    });
  }
  {
    MutexLock lock(&counter.mutex);
    counter.value = 1;
    counter.changed.SignalAll();
  }
  for (std::thread& waiter : waiters) waiter.join();
}

TEST(CondVarTest, AWaitWithATimeoutEndsAndSaysSo) {
  Counter counter;
  const absl::Time start = absl::Now();
  MutexLock lock(&counter.mutex);
  while (!counter.changed.WaitWithTimeout(&counter.mutex,
                                          absl::Milliseconds(20))) {
  }
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(15));
  EXPECT_TRUE(
      counter.changed.WaitWithTimeout(&counter.mutex, absl::Seconds(-1)));
  EXPECT_TRUE(counter.changed.WaitUntil(&counter.mutex,
                                        std::chrono::steady_clock::now()));
}

TEST(CondVarTest, ATimeoutTooLongForTheClockWaitsForTheSignal) {
  for (const absl::Duration timeout :
       {absl::InfiniteDuration(), absl::Hours(24 * 365 * 1000)}) {
    Counter counter;
    std::thread waiter([&counter, timeout] {
      MutexLock lock(&counter.mutex);
      counter.value = 1;
      while (counter.value == 1) {
        EXPECT_FALSE(counter.changed.WaitWithTimeout(&counter.mutex, timeout));
      }
    });
    // The waiter holds the lock from setting 1 until it waits.
    while (true) {
      MutexLock lock(&counter.mutex);
      if (counter.value == 0) continue;
      counter.value = 2;
      counter.changed.Signal();
      break;
    }
    waiter.join();
  }
}

}  // namespace
}  // namespace syncline
