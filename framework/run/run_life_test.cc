// What a run does when nobody is busy, and what those who wait for it see. What
// happens while a test waits comes from tasks that its own thread runs at the
// wait point.

#include "framework/run/run_life.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/report/left_at_end.h"
#include "framework/run/deadlock_timeout.h"
#include "framework/run/idle_decision.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using Next = RunLife::IdleStep::Next;

class RunLifeTest : public ::testing::Test {
 protected:
  // A view of the run as it is. Without state it would end.
  RunLife::IdleView View(IdleState state = {}) {
    return {.period = activity_.period(), .state = state, .left = &left_};
  }
  static IdleState WithError() {
    IdleState state;
    state.has_error = true;
    return state;
  }
  void RunWhileWaiting(std::function<void()> function) {
    executor_.Schedule(std::move(function));
  }

  const std::shared_ptr<WaitPoint> wait_point_ = std::make_shared<WaitPoint>();
  ApplicationThreadExecutor executor_{wait_point_};
  Activity activity_;
  std::vector<LeftAtEnd> left_ = {{.node = "n", .packets = 2}};
  RunLife life_{wait_point_.get(), &activity_, DeadlockTimeout(true, 0)};
};

TEST_F(RunLifeTest, GoesThroughItsPhases) {
  EXPECT_FALSE(life_.is_running());
  EXPECT_FALSE(life_.IsFinished());
  EXPECT_EQ(life_.DecideWhenIdle(View()).next, Next::kLeave);
  EXPECT_FALSE(life_.IsFinished()) << "it has not begun";
  life_.Begin(0);
  EXPECT_TRUE(life_.is_running());
  EXPECT_FALSE(life_.IsFinished());
  EXPECT_EQ(life_.DecideWhenIdle(View()).next, Next::kLeave);
  EXPECT_FALSE(life_.is_running());
  EXPECT_TRUE(life_.IsFinished());
  EXPECT_FALSE(activity_.busy());
  life_.BeginIfPreparing();
  EXPECT_TRUE(life_.IsFinished()) << "too late";
}

TEST_F(RunLifeTest, OneThatCannotBeginCanEnd) {
  life_.BeginIfPreparing();
  EXPECT_TRUE(life_.is_running());
  life_.DecideWhenIdle(View(WithError()));
  EXPECT_TRUE(life_.IsFinished());
}

TEST_F(RunLifeTest, GoesOnWhileSomebodyIsBusy) {
  life_.Begin(0);
  RunLife::IdleView before = View();
  activity_.Add();
  EXPECT_EQ(life_.DecideWhenIdle(View()).next, Next::kLeave);
  EXPECT_TRUE(life_.is_running());
  activity_.Remove();
  EXPECT_EQ(life_.DecideWhenIdle(std::move(before)).next, Next::kLeave);
  EXPECT_TRUE(life_.is_running()) << "who was busy decides";
  life_.DecideWhenIdle(View());
  EXPECT_TRUE(life_.IsFinished());
}

TEST_F(RunLifeTest, OpenInputsKeepItWaiting) {
  life_.Begin(2);
  EXPECT_FALSE(life_.InputsClosed());
  const RunLife::IdleStep step = life_.DecideWhenIdle(View());
  EXPECT_EQ(step.next, Next::kLeave);
  EXPECT_EQ(step.action, IdleAction::kWait);
  EXPECT_TRUE(life_.is_running());
  life_.CloseInput();
  life_.DecideWhenIdle(View());
  EXPECT_TRUE(life_.is_running());
  life_.CloseInput();
  EXPECT_TRUE(life_.InputsClosed());
  life_.DecideWhenIdle(View());
  EXPECT_TRUE(life_.IsFinished());
}

TEST_F(RunLifeTest, AFullInputMattersWhileItIsOpen) {
  IdleState state;
  state.has_full_input = state.has_full_queue = true;
  life_.Begin(1);
  EXPECT_EQ(life_.DecideWhenIdle(View(state)).action, IdleAction::kRelieve);
  activity_.Remove();
  life_.CloseInput();
  EXPECT_EQ(life_.DecideWhenIdle(View(state)).action, IdleAction::kFinish);
}

TEST_F(RunLifeTest, WhoHasToActIsCountedFirst) {
  IdleState state;
  state.pending_sources = 1;
  life_.Begin(0);
  const RunLife::IdleStep step = life_.DecideWhenIdle(View(state));
  EXPECT_EQ(step.next, Next::kAct);
  EXPECT_EQ(step.action, IdleAction::kStartSources);
  EXPECT_TRUE(activity_.busy());
  EXPECT_TRUE(activity_.Remove()) << "once";
}

TEST_F(RunLifeTest, LooksAtWhatIsLeftBeforeItEndsWell) {
  life_.Begin(0);
  RunLife::IdleView view = View();
  view.left = nullptr;
  EXPECT_EQ(life_.DecideWhenIdle(std::move(view)).next, Next::kLookAtLeft);
  EXPECT_TRUE(life_.is_running());
  EXPECT_FALSE(activity_.busy()) << "looking changes nothing";
  life_.DecideWhenIdle(View());
  EXPECT_TRUE(life_.IsFinished());
  ASSERT_EQ(life_.GetLeftAtEnd().size(), 1);
  EXPECT_EQ(life_.GetLeftAtEnd()[0].packets, 2);
}

TEST_F(RunLifeTest, WithAnErrorItEndsAtOnceAndKeepsNothing) {
  life_.Begin(1);
  RunLife::IdleView view = View(WithError());
  view.left = nullptr;
  EXPECT_EQ(life_.DecideWhenIdle(std::move(view)).next, Next::kLeave);
  EXPECT_TRUE(life_.IsFinished());
  EXPECT_TRUE(life_.GetLeftAtEnd().empty());
}

TEST_F(RunLifeTest, PacketsThatAreAnErrorAreKeptUntilTheyAreForgotten) {
  life_.Begin(0);
  EXPECT_FALSE(life_.EndedByPacketsLeft());
  life_.SetPacketsLeft(left_, /*is_first_error=*/false);
  EXPECT_FALSE(life_.EndedByPacketsLeft());
  life_.SetPacketsLeft(left_, /*is_first_error=*/true);
  EXPECT_TRUE(life_.EndedByPacketsLeft());
  EXPECT_EQ(life_.GetLeftAtEnd().size(), 1);
  life_.AddSentInVain({{.node = "closed last", .sent_in_vain = 3}});
  ASSERT_EQ(life_.GetLeftAtEnd().size(), 2);
  EXPECT_EQ(life_.GetLeftAtEnd()[0].packets, 2);
  EXPECT_EQ(life_.GetLeftAtEnd()[1].sent_in_vain, 3);
  life_.ForgetLeftAtEnd();
  EXPECT_TRUE(life_.GetLeftAtEnd().empty());
}

TEST_F(RunLifeTest, WarnsOnceOfAStall) {
  IdleState state;
  state.has_full_input = state.has_full_queue = state.at_ceiling = true;
  state.has_full_poller = true;
  life_.Begin(1);
  ASSERT_EQ(DecideWhenIdle([&] {
              IdleState open = state;
              open.has_open_inputs = true;
              return open;
            }()),
            IdleAction::kWait);
  EXPECT_EQ(life_.DecideWhenIdle(View(state)).next, Next::kWarnOfStall);
  EXPECT_TRUE(activity_.busy());
  EXPECT_TRUE(activity_.Remove());
  EXPECT_FALSE(activity_.is_idle()) << "who warned asks again";
  EXPECT_EQ(life_.DecideWhenIdle(View(state)).next, Next::kLeave);
  EXPECT_TRUE(activity_.is_idle());
  EXPECT_FALSE(activity_.busy());
}

TEST_F(RunLifeTest, IsNotIdleWhileHoldsWillKeepItBusy) {
  life_.Begin(1);
  activity_.Add();
  activity_.Remove();
  RunLife::IdleView view = View();
  view.has_holds = true;
  life_.DecideWhenIdle(std::move(view));
  EXPECT_FALSE(activity_.is_idle());
  life_.DecideWhenIdle(View());
  EXPECT_TRUE(activity_.is_idle());
}

// A thread counts itself busy, again and again, while another one decides.
TEST_F(RunLifeTest, DoesNotEndWithAThreadThatHasComeIn) {
  for (int round = 0; round < 200; ++round) {
    Activity activity;
    RunLife life(wait_point_.get(), &activity, DeadlockTimeout(true, 0));
    life.Begin(0);
    std::atomic<bool> is_over{false};
    std::thread caller([&] {
      while (!is_over) {
        activity.Add();
        const bool has_come_in = life.is_running();
        EXPECT_FALSE(has_come_in && life.IsFinished());
        activity.Remove();
      }
    });
    while (!life.IsFinished()) {
      std::vector<LeftAtEnd> left = left_;
      life.DecideWhenIdle({.period = activity.period(), .left = &left});
      EXPECT_EQ(left.empty(), life.IsFinished()) << "what is left is kept once";
    }
    is_over = true;
    caller.join();
  }
}

// The same once for each run, at times that go over the whole decision: a run
// that was about to end goes on with a thread that came in just then.
TEST_F(RunLifeTest, GoesOnWithAThreadThatComesInWhileItDecides) {
  constexpr int kRounds = 20'000;
  struct Round {
    Activity activity;
    std::unique_ptr<RunLife> life;
  };
  std::vector<Round> rounds(kRounds);
  for (Round& round : rounds) {
    round.life = std::make_unique<RunLife>(wait_point_.get(), &round.activity,
                                           DeadlockTimeout(true, 0));
    round.life->Begin(0);
  }
  std::atomic<int> deciding{-1};
  std::atomic<int> done{-1};
  std::thread caller([&] {
    for (int i = 0; i < kRounds; ++i) {
      for (int spin = 0; deciding.load() < i; ++spin) {
        if (spin > 1000) std::this_thread::yield();
      }
      rounds[i].activity.Add();
      const bool has_come_in = rounds[i].life->is_running();
      EXPECT_FALSE(has_come_in && rounds[i].life->IsFinished()) << i;
      done = i;
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    RunLife& life = *rounds[i].life;
    std::vector<LeftAtEnd> left = left_;
    RunLife::IdleView view = {.period = rounds[i].activity.period(),
                              .left = &left};
    deciding = i;
    for (int spin = 0; spin < i % 200; ++spin) done.load();
    life.DecideWhenIdle(std::move(view));
    EXPECT_EQ(left.empty(), life.IsFinished()) << "what is left is kept once";
    EXPECT_NE(life.is_running(), life.IsFinished());
    for (int spin = 0; done.load() < i; ++spin) {
      if (spin > 1000) std::this_thread::yield();
    }
  }
  caller.join();
}

TEST_F(RunLifeTest, BeingIdleWakesNobodyWhoWaitsForSomethingElse) {
  life_.Begin(1);
  life_.DecideWhenIdle(View());
  life_.WaitUntilIdle();
  // From here on nobody waits for the run to be idle.
  std::atomic<int> tests{0};
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    wait_point_->Wait([&] {
      ++tests;
      return is_over.load();
    });
  });
  // It sleeps once it has tested twice.
  while (tests < 2) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(life_.DecideWhenIdle(View()).action, IdleAction::kWait);
    absl::SleepFor(absl::Milliseconds(1));
  }
  EXPECT_LE(tests, 4) << "apart from a wake-up without cause";
  is_over = true;
  wait_point_->SignalAtomicChange();
  other.join();
}

TEST_F(RunLifeTest, HeldNodesEndItOnceTheQuietTimeIsOver) {
  IdleState state;
  state.is_held = true;
  constexpr std::int64_t kHourNs = std::int64_t{3600} * 1'000'000'000;
  RunLife slow(wait_point_.get(), &activity_, DeadlockTimeout(true, kHourNs));
  slow.Begin(0);
  const RunLife::IdleStep step = slow.DecideWhenIdle(View(state));
  EXPECT_EQ(step.action, IdleAction::kWait);
  ASSERT_TRUE(step.ask_at_ns.has_value());
  EXPECT_GT(*step.ask_at_ns, 0);
  EXPECT_TRUE(slow.is_running());
  state.has_error = true;
  slow.DecideWhenIdle(View(state));
  EXPECT_TRUE(slow.IsFinished()) << "an error is not waited with";

  state.has_error = false;
  life_.Begin(0);
  EXPECT_EQ(life_.DecideWhenIdle(View(state)).action, IdleAction::kFinish);
  EXPECT_TRUE(life_.IsFinished());
}

TEST_F(RunLifeTest, WaitsUntilItIsFinished) {
  life_.Begin(1);
  bool has_run = false;
  RunWhileWaiting([&] { has_run = true; });
  RunWhileWaiting([&] { life_.CloseInput(); });
  RunWhileWaiting([&] { life_.DecideWhenIdle(View()); });
  life_.WaitUntilFinished();
  EXPECT_TRUE(has_run);
  EXPECT_TRUE(life_.IsFinished());
  life_.WaitUntilIdle();
}

TEST_F(RunLifeTest, WaitsUntilItIsIdle) {
  life_.Begin(1);
  activity_.Add();
  bool has_run = false;
  RunWhileWaiting([&] { has_run = true; });
  RunWhileWaiting([&] {
    activity_.Remove();
    life_.DecideWhenIdle(View());
  });
  life_.WaitUntilIdle();
  EXPECT_TRUE(has_run);
  EXPECT_TRUE(life_.is_running());
}

// Each of these sleeps on a thread of its own until it is woken.
TEST_F(RunLifeTest, WhoSleepsIsWoken) {
  life_.Begin(2);
  std::atomic<int> step{0};
  const auto sleeper = [&](std::function<void()> wait) {
    std::thread thread([&step, wait = std::move(wait)] {
      wait();
      ++step;
    });
    absl::SleepFor(absl::Milliseconds(30));  // so that it sleeps
    return thread;
  };
  const auto join = [&](std::thread thread, int last) {
    thread.join();
    EXPECT_EQ(step, last);
  };

  std::atomic<bool> is_due{false};
  const auto wait_until_due = [&] {
    wait_point_->Wait([&] { return is_due.load(); });
  };
  std::thread closing = sleeper(wait_until_due);
  is_due = true;
  life_.CloseInput();
  join(std::move(closing), 1);

  is_due = false;
  std::thread waking = sleeper(wait_until_due);
  is_due = true;
  life_.Wake();
  join(std::move(waking), 2);

  activity_.Add();
  std::thread idle = sleeper([&] { life_.WaitUntilIdle(); });
  activity_.Remove();
  life_.DecideWhenIdle(View());
  join(std::move(idle), 3);

  std::thread finish = sleeper([&] { life_.WaitUntilFinished(); });
  life_.DecideWhenIdle(View(WithError()));
  join(std::move(finish), 4);

  std::thread result = sleeper([&] { life_.WaitForResult().IgnoreError(); });
  life_.SetResult(absl::OkStatus());
  join(std::move(result), 5);
}

TEST_F(RunLifeTest, OneClaimsTheEndAndOthersWaitForTheResult) {
  EXPECT_TRUE(life_.ClaimEnd());
  EXPECT_FALSE(life_.ClaimEnd());
  RunWhileWaiting([&] { life_.SetResult(absl::CancelledError("so")); });
  EXPECT_EQ(life_.WaitForResult(), absl::CancelledError("so"));
}

}  // namespace
}  // namespace syncline
