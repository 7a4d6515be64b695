#include "gpu/stand_in/work_queues.h"

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Without threads; what ran is in `ran_`.
class WorkQueuesTest : public ::testing::Test {
 protected:
  explicit WorkQueuesTest(WorkQueuesOptions options = {.has_threads = false})
      : queues_(std::make_unique<WorkQueues>(options, 2)) {
    SYNCLINE_EXPECT_OK(queues_->AddQueue(0, 0, &a_));
    SYNCLINE_EXPECT_OK(queues_->AddQueue(0, 0, &b_));
    SYNCLINE_EXPECT_OK(queues_->AddQueue(1, 0, &far_));
  }

  void Submit(WorkQueues::Queue* queue, const std::string& name) {
    SYNCLINE_EXPECT_OK(queues_->Submit(queue, {.name = name, .run = [=, this] {
                                                 ran_.push_back(name);
                                                 return absl::OkStatus();
                                               }}));
  }
  std::shared_ptr<Recording> Record(WorkQueues::Queue* queue) {
    auto recording = std::make_shared<Recording>();
    SYNCLINE_EXPECT_OK(
        queues_->Submit(queue, {.name = "record", .records = recording}));
    return recording;
  }
  void Wait(WorkQueues::Queue* queue, std::shared_ptr<Recording> recording) {
    SYNCLINE_EXPECT_OK(queues_->Submit(
        queue, {.name = "wait", .after = std::move(recording)}));
  }
  void RunAll() {
    while (queues_->StepBySeed()) {
    }
  }

  std::vector<std::string> ran_;
  std::unique_ptr<WorkQueues> queues_;
  WorkQueues::Queue* a_ = nullptr;
  WorkQueues::Queue* b_ = nullptr;
  WorkQueues::Queue* far_ = nullptr;
};

TEST_F(WorkQueuesTest, StepsRunTheNextWorkOfTheQueueThatIsChosen) {
  Submit(a_, "a1");
  Submit(a_, "a2");
  Submit(b_, "b1");
  EXPECT_EQ(queues_->NumReady(), 2u);
  EXPECT_TRUE(queues_->Step(1));
  EXPECT_TRUE(queues_->Step(0));
  EXPECT_FALSE(queues_->Step(1));
  EXPECT_TRUE(queues_->Step(0));
  EXPECT_FALSE(queues_->Step(0));
  EXPECT_THAT(ran_, ElementsAre("b1", "a1", "a2"));
}

TEST_F(WorkQueuesTest, AQueueWaitsForARecording) {
  Submit(b_, "b1");
  const auto recording = Record(b_);
  Submit(b_, "b2");
  Wait(a_, recording);
  Submit(a_, "a1");
  EXPECT_EQ(queues_->NumReady(), 1u);
  EXPECT_TRUE(queues_->Step(0));  // b1
  EXPECT_EQ(queues_->NumReady(), 1u);
  EXPECT_TRUE(queues_->Step(0));  // the recording
  EXPECT_EQ(queues_->NumReady(), 2u);
  RunAll();
  EXPECT_EQ(ran_[0], "b1");
}

TEST_F(WorkQueuesTest, AHostWaitRunsStepsUntilItCanGoOn) {
  Submit(a_, "a1");
  const auto recording = Record(a_);
  Submit(a_, "a2");
  bool has_ended = true;
  SYNCLINE_EXPECT_OK(queues_->HasEnded(recording, &has_ended));
  EXPECT_FALSE(has_ended);
  SYNCLINE_EXPECT_OK(queues_->HostWaitFor(recording));
  EXPECT_THAT(ran_, ElementsAre("a1"));
  SYNCLINE_EXPECT_OK(queues_->HostWaitFor(a_));
  EXPECT_THAT(ran_, ElementsAre("a1", "a2"));
}

TEST_F(WorkQueuesTest, SeedsFindEveryOrder) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    WorkQueues queues({.has_threads = false, .step_seed = seed}, 1);
    std::string order;
    for (const char* const names : {"ab", "cd"}) {
      WorkQueues::Queue* queue = nullptr;
      SYNCLINE_ASSERT_OK(queues.AddQueue(0, 0, &queue));
      for (const char* name = names; *name != '\0'; ++name) {
        SYNCLINE_ASSERT_OK(
            queues.Submit(queue, {.name = names, .run = [&order, name] {
                                    order += *name;
                                    return absl::OkStatus();
                                  }}));
      }
    }
    while (queues.StepBySeed()) {
    }
    orders.insert(order);
  }
  // Of a, b and of c, d in that order each: 4 over 2.
  EXPECT_EQ(orders.size(), 6u);
}

TEST_F(WorkQueuesTest, OneSeedIsOneOrder) {
  std::set<std::string> orders;
  for (int i = 0; i < 3; ++i) {
    WorkQueues queues({.has_threads = false, .step_seed = 5}, 1);
    std::string order;
    for (const char name : {'a', 'b', 'c', 'd'}) {
      WorkQueues::Queue* queue = nullptr;
      SYNCLINE_ASSERT_OK(queues.AddQueue(0, 0, &queue));
      SYNCLINE_ASSERT_OK(queues.Submit(queue, {.run = [&order, name] {
                                         order += name;
                                         return absl::OkStatus();
                                       }}));
    }
    while (queues.StepBySeed()) {
    }
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 1u);
}

// What the device does within the calls of the host is `answers_`, one for each
// question; then nothing.
class ChosenWorkQueuesTest : public WorkQueuesTest {
 protected:
  using Names = std::vector<std::string>;

  ChosenWorkQueuesTest()
      : WorkQueuesTest(
            {.has_threads = false,
             .choose_in_calls = [this](absl::Span<const std::string> ready) {
               return Answer(ready);
             }}) {}

  absl::optional<std::size_t> Answer(absl::Span<const std::string> ready) {
    questions_.emplace_back(ready.begin(), ready.end());
    if (answers_.empty()) return absl::nullopt;
    const absl::optional<std::size_t> answer = answers_.front();
    answers_.pop_front();
    return answer;
  }

  std::deque<absl::optional<std::size_t>> answers_;
  std::vector<Names> questions_;
};

TEST_F(ChosenWorkQueuesTest, WorkRunsWithinTheCallsThatTheAnswersSay) {
  Submit(a_, "a1");
  EXPECT_THAT(ran_, ElementsAre());
  answers_ = {1, absl::nullopt};
  Submit(b_, "b1");
  EXPECT_THAT(ran_, ElementsAre("b1"));
  answers_ = {0, 0};
  Submit(b_, "b2");
  EXPECT_THAT(ran_, ElementsAre("b1", "a1", "b2"));
  EXPECT_THAT(questions_,
              ElementsAre(Names{"a1"}, Names{"a1", "b1"}, Names{"a1"},
                          Names{"a1", "b2"}, Names{"b2"}));
}

TEST_F(ChosenWorkQueuesTest, RecordsAndWaitsNeedNoAnswer) {
  Submit(b_, "b1");
  const auto recording = Record(b_);
  Wait(a_, recording);
  Wait(a_, recording);
  Submit(a_, "a1");
  EXPECT_THAT(queues_->ReadyWorks(), ElementsAre("b1"));
  bool has_ended = true;
  answers_ = {absl::nullopt};
  SYNCLINE_EXPECT_OK(queues_->HasEnded(recording, &has_ended));
  EXPECT_FALSE(has_ended);
  answers_ = {0};
  SYNCLINE_EXPECT_OK(queues_->HasEnded(recording, &has_ended));
  EXPECT_TRUE(has_ended);
  EXPECT_THAT(queues_->ReadyWorks(), ElementsAre("a1"));
  EXPECT_THAT(questions_.back(), Names{"a1"});
}

TEST_F(ChosenWorkQueuesTest, HostFunctionsWaitForAStepOrAWaitOfTheHost) {
  SYNCLINE_ASSERT_OK(queues_->Submit(a_, {.name = "host function",
                                          .run =
                                              [this] {
                                                ran_.push_back("host");
                                                return absl::OkStatus();
                                              },
                                          .is_host_function = true}));
  EXPECT_THAT(questions_, ElementsAre());
  Submit(b_, "b1");
  EXPECT_THAT(questions_, ElementsAre(Names{"b1"}));
  EXPECT_THAT(queues_->ReadyWorks(), ElementsAre("host function", "b1"));
  EXPECT_THAT(ran_, ElementsAre());
  SYNCLINE_EXPECT_OK(queues_->HostWaitFor(a_));
  EXPECT_THAT(ran_, Contains("host"));
}

TEST_F(ChosenWorkQueuesTest, WorkThatSubmitsWorkIsNotInterrupted) {
  answers_ = {0};
  SYNCLINE_ASSERT_OK(queues_->Submit(a_, {.name = "a1", .run = [this] {
                                            Submit(b_, "b1");
                                            ran_.push_back("a1");
                                            return absl::OkStatus();
                                          }}));
  EXPECT_THAT(ran_, ElementsAre("a1"));
  RunAll();
  EXPECT_THAT(ran_, ElementsAre("a1", "b1"));
}

TEST_F(WorkQueuesTest, AnErrorDropsTheWorkOfTheDeviceAndNobodyWaitsForIt) {
  auto held = std::make_shared<int>(1);
  SYNCLINE_ASSERT_OK(queues_->Submit(
      a_, {.run = [] { return absl::InternalError("broken"); }}));
  SYNCLINE_ASSERT_OK(
      queues_->Submit(b_, {.run = [held] { return absl::OkStatus(); }}));
  const auto recording = Record(b_);
  Wait(far_, recording);
  Submit(far_, "far");
  EXPECT_EQ(held.use_count(), 2);
  EXPECT_TRUE(queues_->Step(0));
  // Dropped without a call.
  EXPECT_EQ(held.use_count(), 1);
  const auto is_broken =
      StatusIs(absl::StatusCode::kInternal, HasSubstr("broken"));
  EXPECT_THAT(queues_->Health(0), is_broken);
  EXPECT_THAT(queues_->HostWaitFor(b_), is_broken);
  EXPECT_THAT(queues_->HostWaitFor(recording), is_broken);
  EXPECT_THAT(queues_->Submit(b_, {}), is_broken);
  // The first error counts.
  queues_->Fail(0, absl::InternalError("later"));
  EXPECT_THAT(queues_->Health(0), is_broken);
  // The other device goes on.
  SYNCLINE_EXPECT_OK(queues_->HostWaitFor(far_));
  EXPECT_THAT(ran_, ElementsAre("far"));
}

TEST_F(WorkQueuesTest, AnExceptionOfWorkIsAnError) {
  SYNCLINE_ASSERT_OK(queues_->Submit(
      a_, {.run = []() -> absl::Status { throw std::runtime_error("oh"); }}));
  EXPECT_THAT(queues_->HostWaitFor(a_), StatusIs(absl::StatusCode::kInternal));
}

TEST_F(WorkQueuesTest, WorkOfADroppedQueueStillRuns) {
  Submit(a_, "a1");
  const auto recording = Record(a_);
  queues_->DropQueue(a_);
  SYNCLINE_EXPECT_OK(queues_->HostWaitFor(recording));
  EXPECT_THAT(ran_, ElementsAre("a1"));
  Submit(b_, "b1");
  queues_.reset();
  EXPECT_THAT(ran_, ElementsAre("a1", "b1"));
}

TEST_F(WorkQueuesTest, WorkThatWaitsForItsDeviceIsAnErrorAndNoDeadlock) {
  for (const bool has_threads : {false, true}) {
    WorkQueues queues({.has_threads = has_threads}, 1);
    WorkQueues::Queue* queue = nullptr;
    SYNCLINE_ASSERT_OK(queues.AddQueue(0, 0, &queue));
    SYNCLINE_ASSERT_OK(queues.Submit(
        queue, {.run = [&] { return queues.HostWaitFor(queue); }}));
    EXPECT_THAT(queues.HostWaitFor(queue),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("which waits for it")));
  }
}

TEST(WorkQueuesThreadsTest, QueuesRunBesideTheHostAndEachOther) {
  WorkQueues queues({}, 1);
  std::atomic<int> step{0};
  const auto wait_until = [&step](int value) {
    while (step.load() != value) std::this_thread::yield();
  };
  WorkQueues::Queue* a = nullptr;
  WorkQueues::Queue* b = nullptr;
  SYNCLINE_ASSERT_OK(queues.AddQueue(0, 0, &a));
  SYNCLINE_ASSERT_OK(queues.AddQueue(0, 0, &b));
  const auto turn = [&](int from) {
    return [&, from] {
      wait_until(from);
      step.store(from + 1);
      return absl::OkStatus();
    };
  };
  SYNCLINE_ASSERT_OK(queues.Submit(a, {.run = turn(1)}));
  SYNCLINE_ASSERT_OK(queues.Submit(b, {.run = turn(2)}));
  SYNCLINE_ASSERT_OK(queues.Submit(a, {.run = turn(3)}));
  step.store(1);
  SYNCLINE_EXPECT_OK(queues.HostWaitFor(a));
  EXPECT_EQ(step.load(), 4);
}

TEST(WorkQueuesThreadsTest, TheMostUrgentQueueGetsTheUnit) {
  WorkQueues queues({.units_per_device = 1}, 1);
  std::vector<std::string> ran;
  std::atomic<bool> has_begun{false};
  std::atomic<bool> may_go{false};
  WorkQueues::Queue* first = nullptr;
  SYNCLINE_ASSERT_OK(queues.AddQueue(0, 0, &first));
  SYNCLINE_ASSERT_OK(queues.Submit(first, {.run = [&] {
                                     has_begun = true;
                                     while (!may_go) std::this_thread::yield();
                                     return absl::OkStatus();
                                   }}));
  while (!has_begun) std::this_thread::yield();
  std::vector<WorkQueues::Queue*> others;
  for (const int priority : {0, -1, -2}) {
    others.emplace_back();
    SYNCLINE_ASSERT_OK(queues.AddQueue(0, priority, &others.back()));
    SYNCLINE_ASSERT_OK(queues.Submit(others.back(), {.run = [&ran, priority] {
                                       ran.push_back(std::to_string(priority));
                                       return absl::OkStatus();
                                     }}));
  }
  may_go = true;
  for (WorkQueues::Queue* const queue : others) {
    SYNCLINE_EXPECT_OK(queues.HostWaitFor(queue));
  }
  EXPECT_THAT(ran, ElementsAre("-2", "-1", "0"));
}

TEST(WorkQueuesThreadsTest, QueuesComeAndGo) {
  WorkQueues queues({.delay_seed = 3}, 1);
  std::atomic<int> num_run{0};
  for (int i = 0; i < 50; ++i) {
    WorkQueues::Queue* queue = nullptr;
    SYNCLINE_ASSERT_OK(queues.AddQueue(0, 0, &queue));
    SYNCLINE_ASSERT_OK(queues.Submit(queue, {.run = [&] {
                                       ++num_run;
                                       return absl::OkStatus();
                                     }}));
    if (i % 2 == 0) {
      SYNCLINE_EXPECT_OK(queues.HostWaitFor(queue));
    }
    queues.DropQueue(queue);
  }
  WorkQueues::Queue* last = nullptr;
  SYNCLINE_ASSERT_OK(queues.AddQueue(0, 0, &last));
  SYNCLINE_EXPECT_OK(queues.HostWaitFor(last));
  while (num_run < 50) std::this_thread::yield();
}

}  // namespace
}  // namespace syncline::gpu
