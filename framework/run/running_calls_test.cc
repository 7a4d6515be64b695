#include "framework/run/running_calls.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/types/optional.h"
#include "framework/base/thread_state.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Only their addresses count.
const int kRun = 1;
const int kInnerRun = 2;
const int kCall = 3;
const int kInnerCall = 4;

std::vector<RunningCalls::Call> CallsOf(const int& run) {
  return RunningCalls::Look(&run);
}

TEST(RunningCallsTest, ACallIsSeenUntilItsThreadLeavesTheRun) {
  EXPECT_TRUE(CallsOf(kRun).empty());
  {
    const RunningCalls::Scope scope(&kRun);
    RunningCalls::Begin(&kCall);
    const std::vector<RunningCalls::Call> calls = CallsOf(kRun);
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].call, &kCall);
    EXPECT_EQ(calls[0].thread, ThisThreadId());
    EXPECT_EQ(calls[0].observed_stream, -1);
  }
  EXPECT_TRUE(CallsOf(kRun).empty());
}

TEST(RunningCallsTest, ANewScopeForgetsTheCallOfTheOneBefore) {
  {
    const RunningCalls::Scope scope(&kRun);
    RunningCalls::Begin(&kCall);
  }
  const RunningCalls::Scope scope(&kRun);
  ASSERT_EQ(CallsOf(kRun).size(), 1u);
  EXPECT_EQ(CallsOf(kRun)[0].call, nullptr);
}

TEST(RunningCallsTest, ARunInsideACallLeavesTheOuterCallInSight) {
  const RunningCalls::Scope outer(&kRun);
  RunningCalls::Begin(&kCall);
  {
    const RunningCalls::Scope inner(&kInnerRun);
    RunningCalls::Begin(&kInnerCall);
    ASSERT_EQ(CallsOf(kInnerRun).size(), 1u);
    EXPECT_EQ(CallsOf(kInnerRun)[0].call, &kInnerCall);
    ASSERT_EQ(CallsOf(kRun).size(), 1u);
    EXPECT_EQ(CallsOf(kRun)[0].call, &kCall);
  }
  EXPECT_TRUE(CallsOf(kInnerRun).empty());
  EXPECT_EQ(CallsOf(kRun).size(), 1u);
}

TEST(RunningCallsTest, AnObserverBelongsToTheCallThatSends) {
  const RunningCalls::Scope scope(&kRun);
  RunningCalls::Begin(&kCall);
  {
    const RunningCalls::Observing observing(/*stream=*/3);
    const std::vector<RunningCalls::Call> calls = CallsOf(kRun);
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].call, &kCall);
    EXPECT_EQ(calls[0].observed_stream, 3);
  }
  ASSERT_EQ(CallsOf(kRun).size(), 1u);
  EXPECT_EQ(CallsOf(kRun)[0].observed_stream, -1);
}

TEST(RunningCallsTest, AnApplicationThatCallsAnObserverIsInNoCall) {
  EXPECT_FALSE(RunningCalls::IsIn(&kRun));
  {
    const RunningCalls::Scope scope(&kRun);
    EXPECT_TRUE(RunningCalls::IsIn(&kRun));
    EXPECT_FALSE(RunningCalls::IsIn(&kInnerRun));
    const RunningCalls::Observing observing(/*stream=*/3);
    const std::vector<RunningCalls::Call> calls = CallsOf(kRun);
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].call, nullptr);
    EXPECT_EQ(calls[0].observed_stream, 3);
  }
  EXPECT_TRUE(CallsOf(kRun).empty());
}

// More than there is room for.
void Nest(int levels) {
  if (levels == 0) return;
  const RunningCalls::Scope scope(&kInnerRun);
  RunningCalls::Begin(&kInnerCall);
  Nest(levels - 1);
}

TEST(RunningCallsTest, ManyNestedRunsLeaveTheFirstOnesAsTheyWere) {
  const RunningCalls::Scope outer(&kRun);
  RunningCalls::Begin(&kCall);
  Nest(20);
  ASSERT_EQ(CallsOf(kRun).size(), 1u);
  EXPECT_EQ(CallsOf(kRun)[0].call, &kCall);
  EXPECT_TRUE(CallsOf(kInnerRun).empty());
}

TEST(RunningCallsTest, ThreadsAreSeenWhileTheyLive) {
  absl::Notification is_inside;
  absl::Notification may_go;
  pid_t id = 0;
  std::thread thread([&] {
    id = ThisThreadId();
    const RunningCalls::Scope scope(&kRun);
    RunningCalls::Begin(&kCall);
    is_inside.Notify();
    may_go.WaitForNotification();
  });
  is_inside.WaitForNotification();
  const std::vector<RunningCalls::Call> calls = CallsOf(kRun);
  EXPECT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls.empty() ? 0 : calls[0].thread, id);
  may_go.Notify();
  thread.join();
  EXPECT_TRUE(CallsOf(kRun).empty());
}

// Its destructor runs a task while the thread ends.
struct RunsAtTheEnd {
  ~RunsAtTheEnd() {
    const RunningCalls::Scope scope(&kRun);
    RunningCalls::Begin(&kCall);
    *seen = CallsOf(kRun).size();
  }
  std::size_t* seen = nullptr;
};

TEST(RunningCallsTest, AThreadThatEndsMayStillRunTasks) {
  std::size_t seen = 99;
  std::thread thread([&] {
    static thread_local RunsAtTheEnd at_the_end;  // destroyed last
    at_the_end.seen = &seen;
    const RunningCalls::Scope scope(&kRun);
  });
  thread.join();
  EXPECT_EQ(seen, 1u);
  EXPECT_TRUE(CallsOf(kRun).empty());
}

// A thread that is in a call until it is told to end.
class CallingThread {
 public:
  CallingThread() { is_inside_.WaitForNotification(); }
  ~CallingThread() {
    may_go_.Notify();
    thread_.join();
  }

 private:
  absl::Notification is_inside_;
  absl::Notification may_go_;
  std::thread thread_{[this] {
    const RunningCalls::Scope scope(&kRun);
    RunningCalls::Begin(&kCall);
    is_inside_.Notify();
    may_go_.WaitForNotification();
  }};
};

TEST(RunningCallsTest, ThreadsMayEndInAnyOrder) {
  std::vector<int> order = {0, 1, 2, 3};
  do {
    std::array<absl::optional<CallingThread>, 4> threads;
    for (auto& thread : threads) thread.emplace();
    std::size_t num_left = threads.size();
    for (const int ends : order) {
      EXPECT_EQ(CallsOf(kRun).size(), num_left);
      threads[static_cast<std::size_t>(ends)].reset();
      --num_left;
    }
    EXPECT_TRUE(CallsOf(kRun).empty());
  } while (std::next_permutation(order.begin(), order.end()));
}

// Keys of pthreads are destroyed in several rounds; the list's is in the first.
struct LateKey {
  static void Late(void* value) {
    auto* const self = static_cast<LateKey*>(value);
    if (++self->rounds < 3) {
      pthread_setspecific(self->key, self);
      return;
    }
    const RunningCalls::Scope scope(&kRun);
    self->seen = CallsOf(kRun).size();
  }
  LateKey() { pthread_key_create(&key, Late); }
  ~LateKey() { pthread_key_delete(key); }

  pthread_key_t key;
  int rounds = 0;
  std::size_t seen = 99;
};

TEST(RunningCallsTest, AThreadThatHasLeftTheListDoesNotComeBack) {
  LateKey late;
  std::thread thread([&late] {
    pthread_setspecific(late.key, &late);
    const RunningCalls::Scope scope(&kRun);
  });
  thread.join();
  EXPECT_EQ(late.rounds, 3);
  EXPECT_EQ(late.seen, 0u);
  EXPECT_TRUE(CallsOf(kRun).empty());
}

}  // namespace
}  // namespace syncline
