// What the kernel says of threads that compute, that wait, and that are gone.

#include "framework/base/thread_state.h"

#include <pthread.h>
#include <sched.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(ThreadStateTest, AThreadThatComputesIsRunnableWhateverItsName) {
  std::atomic<bool> is_over{false};
  std::atomic<pid_t> id{0};
  std::thread computes([&] {
    pthread_setname_np(pthread_self(), "a) S (b");
    id = ThisThreadId();
    while (!is_over) {
    }
  });
  while (id == 0) std::this_thread::yield();
  EXPECT_NE(id, ThisThreadId());
  EXPECT_EQ(ThreadName(id), "a) S (b");
  EXPECT_TRUE(IsRunnable(ThisThreadId()));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(IsRunnable(id));
  is_over = true;
  computes.join();
}

TEST(ThreadStateTest, AThreadThatIsGoneHasNoName) {
  pid_t id = 0;
  std::thread([&] { id = ThisThreadId(); }).join();
  EXPECT_EQ(ThreadName(id), "");
}

TEST(ThreadStateTest, AThreadThatWaitsIsNotAndNeitherIsOneThatIsGone) {
  std::atomic<int> word{0};
  std::atomic<pid_t> id{0};
  std::thread waits([&] {
    id = ThisThreadId();
    word.wait(0);
  });
  while (id == 0) std::this_thread::yield();
  // It spins for a moment before it waits.
  for (int i = 0; i < 1000 && IsRunnable(id); ++i) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  EXPECT_FALSE(IsRunnable(id));
  word = 1;
  word.notify_one();
  waits.join();
  EXPECT_FALSE(IsRunnable(id));
  EXPECT_FALSE(IsRunnable(0));
}

// Two threads on one core: while one of them reads, the other is there, too.
TEST(ThreadStateTest, OtherThreadsSeeOnWhichCoreAThreadWasLast) {
  if (ThisThreadCore() == nullptr) GTEST_SKIP() << "no rseq";
  const int core = sched_getcpu();
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  std::atomic<const volatile std::uint32_t*> other{nullptr};
  std::atomic<bool> is_over{false};
  std::thread pinned([&] {
    EXPECT_EQ(pthread_setaffinity_np(pthread_self(), sizeof(cores), &cores), 0);
    other = ThisThreadCore();
    EXPECT_EQ(*other.load(), static_cast<std::uint32_t>(core));
    while (!is_over) std::this_thread::yield();
  });
  while (other == nullptr) std::this_thread::yield();
  EXPECT_NE(other.load(), ThisThreadCore());
  EXPECT_EQ(*other.load(), static_cast<std::uint32_t>(core));
  is_over = true;
  pinned.join();
}

}  // namespace
}  // namespace syncline
