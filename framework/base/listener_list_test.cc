// Listeners are called when they are told to, until their token ends, and never
// afterwards.
#include "framework/base/listener_list.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace {
thread_local bool has_no_memory = false;
}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = has_no_memory ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace syncline {
namespace {

TEST(ListenerListTest, CallsListenersInTheOrderInWhichTheyCame) {
  ListenerList list;
  list.Notify();
  std::string calls;
  const Listener first = list.Add([&] { calls += "1"; });
  const Listener second = list.Add([&] { calls += "2"; });
  list.Notify();
  EXPECT_EQ(calls, "12");
}

TEST(ListenerListTest, AListenerEndsWithItsToken) {
  ListenerList list;
  std::string calls;
  auto held = std::make_shared<int>(1);
  Listener kept;
  {
    const Listener ended = list.Add([&calls, held] { calls += "e"; });
    kept = list.Add([&] { calls += "k"; });
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1) << "what the function holds goes with it";
  list.Notify();
  EXPECT_EQ(calls, "k");
  kept = Listener();
  list.Notify();
  EXPECT_EQ(calls, "k");
}

TEST(ListenerListTest, AnEmptyFunctionIsNeverCalled) {
  ListenerList list;
  const Listener none = list.Add(nullptr);
  list.Notify();
}

// Destructors do both, as of a buffer that goes back to its pool.
TEST(ListenerListTest, ListenersAreToldAndEndWhereThereIsNoMemory) {
  ListenerList list;
  int kept_calls = 0;
  int ended_calls = 0;
  auto held = std::make_shared<int>(1);
  const Listener kept = list.Add([&] { ++kept_calls; });
  {
    const Listener ended = list.Add([&ended_calls, held] { ++ended_calls; });
    has_no_memory = true;
    list.Notify();
  }
  list.Notify();
  has_no_memory = false;
  EXPECT_EQ(kept_calls, 2);
  EXPECT_EQ(ended_calls, 1);
  EXPECT_EQ(held.use_count(), 1) << "what the function holds goes with it";
  list.Notify();
  EXPECT_EQ(kept_calls, 3);
  EXPECT_EQ(ended_calls, 1);
}

TEST(ListenerListTest, AFunctionThatThrowsKeepsNobodyFromEndingIt) {
  ListenerList list;
  Listener listener = list.Add([] { throw std::bad_alloc(); });
  EXPECT_THROW(list.Notify(), std::bad_alloc);
  std::thread([&] { listener.End(); }).join();
}

TEST(ListenerListTest, ATokenMayOutliveItsList) {
  Listener listener;
  {
    ListenerList list;
    listener = list.Add([] {});
  }
  listener.End();
}

TEST(ListenerListTest, AListenerMayEndItselfAndAddOthers) {
  ListenerList list;
  int calls = 0;
  Listener added;
  Listener once;
  once = list.Add([&] {
    ++calls;
    once.End();
    added = list.Add([&] { calls += 10; });
  });
  list.Notify();
  EXPECT_EQ(calls, 1);
  list.Notify();
  EXPECT_EQ(calls, 11);
}

TEST(ListenerListTest, AListenerMayNotifyAgain) {
  ListenerList list;
  int depth = 0;
  const Listener listener = list.Add([&] {
    if (++depth < 3) list.Notify();
  });
  list.Notify();
  EXPECT_EQ(depth, 3);
}

TEST(ListenerListTest, EndingWaitsForACallOnAnotherThread) {
  ListenerList list;
  absl::Notification is_inside;
  std::atomic<bool> has_left{false};
  Listener listener = list.Add([&] {
    is_inside.Notify();
    absl::SleepFor(absl::Milliseconds(30));
    has_left = true;
  });
  std::thread notifier([&] { list.Notify(); });
  is_inside.WaitForNotification();
  listener.End();
  EXPECT_TRUE(has_left);
  notifier.join();
}

TEST(ListenerListTest, ComingGoingAndNotifyingMayHappenAtOnce) {
  ListenerList list;
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (!is_over) list.Notify();
    });
  }
  for (int i = 0; i < 300; ++i) {
    auto count = std::make_unique<std::atomic<int>>(0);
    Listener listener = list.Add([&count] { ++*count; });
    list.Notify();
    EXPECT_GE(*count, 1);
    listener.End();
    // Reported by a sanitizer if it were still called.
    count.reset();
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace syncline
