#include "framework/run/run_memory.h"

#include <atomic>
#include <cstddef>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "framework/calculator/packet_times.h"
#include "framework/node/effects.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/poller_queue.h"
#include "framework/run/run_alarms.h"
#include "framework/run/run_look.h"
#include "framework/run/run_parts_test_support.h"
#include "glog/logging.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Node 0 has its first input; the second is behind. All that is in the queue of
// the first may take as many bytes as `settings` say.
class RunMemoryTest : public testing::Test {
 protected:
  void Use(const std::string& settings) {
    run_ = std::make_unique<PartsOfRun>(absl::StrCat(settings, R"(
      input_stream: "a" input_stream: "b"
      node { name: "join" calculator: "TestLambda" input_stream: "a"
             input_stream: "b" })"));
    look_ = std::make_unique<RunLook>(run_->parts());
    memory_ = std::make_unique<RunMemory>(look_.get(), &alarms_);
    run_->Open(0);
  }
  ~RunMemoryTest() override { alarms_.Stop(); }

  static Packet Large(int time) {
    return MakePacket<std::string>(std::string(1000, 'x')).At(Timestamp(time));
  }
  void AddToNode(int from, int to) {
    for (int time = from; time < to; ++time) run_->Add(0, 0, Large(time));
  }
  // What the queue of the node's first input reports.
  Effects::QueueFact Fact(int size, bool is_short = false) {
    return {.stream = run_->plan().nodes()[0].inputs[0].stream,
            .change = 0,
            .is_short = is_short,
            .node = 0,
            .size = size,
            .long_port = 0};
  }
  // The errors of looking at that queue.
  std::vector<absl::Status> Look(int size, bool is_short = false) {
    Effects effects;
    memory_->LookAtQueue(Fact(size, is_short), &effects);
    return effects.errors;
  }

  // The alarm counts how often it rings.
  void AddAlarm() {
    alarms_.Add(RunAlarms::kMemory, [this] { rings_.fetch_add(1); });
  }
  // Whether it rings so often by now or within seconds.
  bool Rings(int times) {
    for (int i = 0; i < 500 && rings_.load() < times; ++i) {
      absl::SleepFor(absl::Milliseconds(10));
    }
    return rings_.load() == times;
  }

  std::atomic<int> rings_{0};
  RunAlarms alarms_;
  std::unique_ptr<PartsOfRun> run_;
  std::unique_ptr<RunLook> look_;
  std::unique_ptr<RunMemory> memory_;
};

TEST_F(RunMemoryTest, AQueueOfTheLengthThatIsAnErrorEndsTheRunOnce) {
  Use("queue_error_size: 5");
  AddToNode(0, 4);
  EXPECT_THAT(Look(4), IsEmpty());
  const std::vector<absl::Status> errors = Look(5);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(errors[0].message(),
              AllOf(HasSubstr("\"join\""), HasSubstr("queue_error_size"),
                    HasSubstr("waits for stream \"b\"")));
  EXPECT_THAT(Look(6), IsEmpty()) << "the run ends already";
}

TEST_F(RunMemoryTest, QueuesThatTakeMoreThanTheBudgetEndTheRunOnce) {
  Use("max_memory_bytes: 100000");
  AddToNode(0, 10);
  EXPECT_THAT(Look(10), IsEmpty());
  AddToNode(10, 200);
  const std::vector<absl::Status> errors = Look(200);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(errors[0].message(),
              AllOf(HasSubstr("max_memory_bytes, which is 100000"),
                    HasSubstr("in the input queue of the node \"join\"")));
  EXPECT_THAT(Look(201), IsEmpty());
}

TEST_F(RunMemoryTest, AShortQueueCountsOnlyIfItsPacketsAreLarge) {
  Use("max_memory_bytes: 100000");
  AddToNode(0, 200);
  EXPECT_THAT(Look(200, /*is_short=*/true), SizeIs(1));
  Use("max_memory_bytes: 10000000");
  AddToNode(0, 200);
  EXPECT_THAT(Look(200, /*is_short=*/true), IsEmpty());
}

TEST_F(RunMemoryTest, APollerThatIsNotReadCounts) {
  Use("max_memory_bytes: 100000");
  const auto poller = std::make_shared<PollerQueue>(
      run_->plan().FindStream("a"), /*observes_bounds=*/false,
      run_->wait_point);
  run_->pollers = {poller};
  const auto look = [&] {
    Effects effects;
    memory_->LookAtPoller(*poller, &effects);
    return effects.errors;
  };
  const auto add = [&](int from, int to) {
    for (int time = from; time < to; ++time) {
      const Packet packet = Large(time);
      poller->Deliver(absl::MakeConstSpan(&packet, 1), Timestamp(time + 1));
    }
  };
  add(0, 10);
  EXPECT_THAT(look(), IsEmpty());
  add(10, 200);
  const std::vector<absl::Status> errors = look();
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0].message(), HasSubstr("in an OutputStreamPoller"));
}

TEST_F(RunMemoryTest, WhatAGraphInputHoldsBackCounts) {
  run_ = std::make_unique<PartsOfRun>(R"(
    max_memory_bytes: 4000
    input_stream: "a"
    graph_input_info { stream: "a" bad_timestamps: REORDER
                       reorder_window: 1000000 }
    node { name: "n" calculator: "TestLambda" input_stream: "a" })");
  look_ = std::make_unique<RunLook>(run_->parts());
  memory_ = std::make_unique<RunMemory>(look_.get(), &alarms_);
  Effects effects;
  for (int time = 0; time < 200; ++time) {
    bool fails_run = false;
    ASSERT_EQ(run_->inputs[0]->Add(
                  MakePacket<int>(time).At(Timestamp(time)), PacketTimes(),
                  [](absl::Span<Packet>, Timestamp) {}, &fails_run),
              absl::OkStatus());
    if (time == 10) {
      memory_->LookAtHeld(*run_->inputs[0], &effects);
      EXPECT_THAT(effects.errors, IsEmpty());
    }
  }
  memory_->LookAtHeld(*run_->inputs[0], &effects);
  ASSERT_THAT(effects.errors, SizeIs(1));
  EXPECT_THAT(effects.errors[0].message(), HasSubstr("reorder_window"));
}

TEST_F(RunMemoryTest, AShortQueueIsNotJudgedByItsLength) {
  Use("queue_error_size: 5");
  AddToNode(0, 6);
  EXPECT_THAT(Look(6, /*is_short=*/true), IsEmpty());
  EXPECT_THAT(Look(6), SizeIs(1));
}

TEST_F(RunMemoryTest, OnceAQueueHoldsLargePacketsAllAreMeasuredSoon) {
  Use("max_memory_bytes: 100000");
  AddAlarm();
  AddToNode(0, 2);
  EXPECT_THAT(Look(2, /*is_short=*/true), IsEmpty());
  AddToNode(2, 20);
  EXPECT_THAT(Look(20, /*is_short=*/true), IsEmpty());
  EXPECT_TRUE(Rings(1)) << "20 kB are more than an eighth of 100 kB, 2 are not";
  EXPECT_THAT(Look(20, /*is_short=*/true), IsEmpty());
  EXPECT_EQ(memory_->LookAtAllQueues(), absl::OkStatus());
  EXPECT_TRUE(Rings(2)) << "each look sets the alarm for the next";
}

TEST_F(RunMemoryTest, LargePacketsInAPollerAreMeasuredSoonToo) {
  Use("max_memory_bytes: 100000");
  AddAlarm();
  const auto poller = std::make_shared<PollerQueue>(
      run_->plan().FindStream("a"), /*observes_bounds=*/false,
      run_->wait_point);
  run_->pollers = {poller};
  for (int time = 0; time < 20; ++time) {
    const Packet packet = Large(time);
    poller->Deliver(absl::MakeConstSpan(&packet, 1), Timestamp(time + 1));
  }
  Effects effects;
  memory_->LookAtPoller(*poller, &effects);
  EXPECT_THAT(effects.errors, IsEmpty());
  EXPECT_TRUE(Rings(1));
}

// Keeps what is logged meanwhile.
class MemoryLog : public google::LogSink {
 public:
  MemoryLog() { google::AddLogSink(this); }
  ~MemoryLog() override { google::RemoveLogSink(this); }
  void send(google::LogSeverity, const char*, const char*, int,
            const struct ::tm*, const char* message, size_t size) override {
    text.append(message, size);
  }
  std::string text;
};

TEST_F(RunMemoryTest, AQueueThatIsFarOverItsLimitIsWarnedOf) {
  Use("max_queue_size: 2 queue_warning_size: 4");
  AddToNode(0, 5);
  MemoryLog log;
  EXPECT_THAT(Look(3), IsEmpty());
  EXPECT_EQ(log.text, "") << "below queue_warning_size";
  EXPECT_THAT(Look(5), IsEmpty());
  EXPECT_THAT(log.text, HasSubstr("\"join\""));
  log.text.clear();
  EXPECT_THAT(Look(6), IsEmpty());
  EXPECT_EQ(log.text, "") << "said again at each tenfold";
}

TEST_F(RunMemoryTest, TheAlarmMeasuresAllQueues) {
  Use("max_memory_bytes: 100000");
  AddAlarm();
  AddToNode(0, 10);
  EXPECT_EQ(memory_->LookAtAllQueues(), absl::OkStatus());
  EXPECT_TRUE(Rings(1));
  AddToNode(10, 200);
  EXPECT_THAT(memory_->LookAtAllQueues().message(),
              HasSubstr("in the input queue of the node \"join\""));
  EXPECT_EQ(memory_->LookAtAllQueues(), absl::OkStatus())
      << "the run ends already";
  absl::SleepFor(absl::Milliseconds(120));
  EXPECT_EQ(rings_.load(), 1) << "there is no next time";
}

}  // namespace
}  // namespace syncline
