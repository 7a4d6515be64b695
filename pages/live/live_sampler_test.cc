// Samples are taken while somebody asks, and hold the state of whatever run
// there is.
#include "pages/live/live_sampler.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/live/watched_streams.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kPass[] = R"(
  input_stream: "in"
  node { name: "pass" calculator: "TestLambda" input_stream: "in"
         output_stream: "out" input_side_packet: "PROCESS:f" })";

absl::Status PassIt(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

// As a server does for who asks it.
LiveSampler::Taken AskAndWait(LiveSampler::Form form, LiveSampler* sampler) {
  LiveSampler::Reply reply = sampler->Ask(form);
  const absl::Time deadline = absl::Now() + reply.patience;
  while (reply.patience > absl::ZeroDuration()) {
    absl::SleepFor(absl::Milliseconds(1));
    if (absl::Now() > deadline) return sampler->Ask(form, {}).taken;
    reply = sampler->Ask(form);
  }
  return reply.taken;
}

class LiveSamplerTest : public ::testing::Test {
 protected:
  explicit LiveSamplerTest(const std::string& text = kPass)
      : graph_(Workers{.threads = 2}, text) {
    graph_.Give("f", PassIt);
    LiveSampler::Forms forms;
    forms.state = [this](const LiveSample& sample) {
      ++num_texts_;
      return sample.state.phase;
    };
    forms.metrics = [this](const LiveSample& sample) {
      ++num_metrics_;
      return absl::StrCat("metrics of ", sample.number);
    };
    forms.on_taken = [this] { ++num_told_; };
    auto sampler = LiveSampler::Start(&graph_.graph(), std::move(forms));
    EXPECT_TRUE(sampler.ok()) << sampler.status();
    sampler_ = *std::move(sampler);
  }
  LiveSampler::Taken Ask(LiveSampler::Form form = LiveSampler::Form::kState) {
    return AskAndWait(form, sampler_.get());
  }
  std::shared_ptr<const LiveSample> New() {
    const LiveSampler::Taken taken = sampler_->AskNew(absl::Seconds(20));
    EXPECT_NE(taken.sample, nullptr);
    if (taken.sample == nullptr) return std::make_shared<LiveSample>();
    EXPECT_EQ(*taken.state, taken.sample->state.phase);
    return taken.sample;
  }
  // Asks until something was seen, or for ten seconds.
  LiveSampler::Seen SeenOf(int stream, std::int64_t since) {
    LiveSampler::Seen seen;
    for (int i = 0; i < 1000; ++i) {
      seen = sampler_->AskPacket(stream);
      if (seen.number > since) break;
      absl::SleepFor(absl::Milliseconds(10));
    }
    return seen;
  }

  TestGraph graph_;
  std::atomic<int> num_texts_{0};
  std::atomic<int> num_metrics_{0};
  std::atomic<int> num_told_{0};
  std::unique_ptr<LiveSampler> sampler_;
};

TEST_F(LiveSamplerTest, TellsTheRunsFromStartToEnd) {
  EXPECT_EQ(New()->state.phase, "not started");
  for (int run = 1; run <= 2; ++run) {
    graph_.Start();
    for (int i = 0; i < run; ++i) graph_.Add("in", i, i);
    graph_.Idle();
    EXPECT_EQ(New()->state.phase, "running");
    graph_.Finish();
    const auto last = New();
    EXPECT_EQ(last->state.phase, "ended");
    EXPECT_EQ(last->run.number, run);
    EXPECT_EQ(last->state.num_packets[graph_.graph().plan().FindStream("out")],
              run);
    EXPECT_EQ(last->state.elapsed_us, New()->state.elapsed_us);
  }
}

TEST_F(LiveSamplerTest, ARunThatFailsSaysItsError) {
  graph_.Give("f", [](CalculatorContext*) {
    return absl::DataLossError("lens cap on");
  });
  graph_.Start();
  graph_.Add("in", 1, 1);
  EXPECT_FALSE(graph_.FinishWithStatus().ok());
  EXPECT_EQ(New()->state.phase, "failed");
  EXPECT_THAT(New()->state.error, HasSubstr("lens cap on"));
}

TEST_F(LiveSamplerTest, ARunThatIsCancelledWasInterrupted) {
  graph_.Start();
  graph_.graph().Cancel();
  EXPECT_TRUE(absl::IsCancelled(graph_.graph().WaitUntilDone()));
  EXPECT_EQ(New()->state.phase, "interrupted");
  EXPECT_EQ(New()->state.error, "");
}

TEST_F(LiveSamplerTest, ManyWhoAskShareASample) {
  graph_.Start();
  for (int i = 0; i < 1000; ++i) EXPECT_NE(Ask().sample, nullptr);
  EXPECT_LE(num_texts_.load(), 20);
  EXPECT_GE(num_texts_.load(), 1);
  graph_.Finish();
}

TEST_F(LiveSamplerTest, NothingIsDoneWhileNobodyAsks) {
  graph_.Start();
  New();
  const int before = num_texts_.load();
  absl::SleepFor(absl::Milliseconds(300));
  EXPECT_EQ(num_texts_.load(), before);
  EXPECT_EQ(sampler_->last_asked(), absl::InfinitePast());
  Ask();
  EXPECT_NE(sampler_->last_asked(), absl::InfinitePast());
  graph_.Finish();
}

TEST_F(LiveSamplerTest, AskingAgainLaterGivesAnotherSample) {
  graph_.Start();
  const std::int64_t first = Ask().sample->number;
  absl::SleepFor(2 * LiveSampler::kPeriod);
  EXPECT_GT(Ask().sample->number, first);
  graph_.Finish();
}

TEST_F(LiveSamplerTest, MetricsAreMadeForThoseWhoWantThemOncePerSample) {
  graph_.Start();
  EXPECT_EQ(Ask().metrics, nullptr);
  EXPECT_EQ(num_metrics_, 0);
  for (int i = 0; i < 100; ++i) {
    const LiveSampler::Taken taken = Ask(LiveSampler::Form::kMetrics);
    ASSERT_NE(taken.metrics, nullptr);
    EXPECT_EQ(*taken.metrics,
              absl::StrCat("metrics of ", taken.sample->number));
  }
  EXPECT_LE(num_metrics_, num_texts_);
  EXPECT_GE(num_told_, 1);
  graph_.Finish();
}

TEST_F(LiveSamplerTest, WhoAsksAgainAndAgainGetsTheNextSampleAtOnce) {
  graph_.Start();
  const auto ask = [this](std::int64_t knows) {
    return sampler_->Ask(LiveSampler::Form::kState, LiveSampler::kPatience,
                         knows);
  };
  std::int64_t second = 0;
  int num_told = 0;
  LiveSampler::Reply reply;
  // Again where the machine took too long for it.
  do {
    const std::int64_t first = New()->number;
    second = New()->number;
    num_told = num_told_;
    absl::SleepFor(LiveSampler::kPeriod + absl::Milliseconds(10));
    reply = ask(first);
  } while (absl::Now() - reply.taken.time >= LiveSampler::kStillNew);
  EXPECT_EQ(reply.patience, absl::ZeroDuration());
  EXPECT_EQ(reply.taken.sample->number, second);
  // A newer one is taken, of which nobody is told, since nobody waits.
  std::int64_t last = second;
  for (int i = 0; i < 2000 && last == second; ++i) {
    absl::SleepFor(absl::Milliseconds(5));
    last = sampler_->Ask(LiveSampler::Form::kState, {}).taken.sample->number;
  }
  EXPECT_EQ(last, second + 1);
  EXPECT_EQ(num_told_, num_told);
  // Who knows it waits for the next one.
  absl::SleepFor(LiveSampler::kPeriod + absl::Milliseconds(10));
  EXPECT_GT(ask(last).patience, absl::ZeroDuration());
  graph_.Finish();
}

TEST_F(LiveSamplerTest, ASampleThatTakesLongIsFollowedByAPause) {
  LiveSampler::Forms forms;
  forms.state = [](const LiveSample&) {
    // Of the time of the thread, not that of the clock.
    timespec time = {};
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    while (time.tv_sec == 0 && time.tv_nsec < 100'000'000);
    return std::string("text");
  };
  auto sampler = LiveSampler::Start(&graph_.graph(), std::move(forms));
  SYNCLINE_ASSERT_OK(sampler.status());
  const LiveSampler::Taken first = (*sampler)->AskNew(absl::Seconds(20));
  absl::SleepFor(2 * LiveSampler::kPeriod);
  const LiveSampler::Reply reply = (*sampler)->Ask(LiveSampler::Form::kState);
  EXPECT_EQ(reply.patience, absl::ZeroDuration());
  EXPECT_EQ(reply.taken.sample->number, first.sample->number);
}

TEST_F(LiveSamplerTest, PacketsAreSeenWhileSomebodyAsksForTheStream) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  const int out = graph_.graph().plan().FindStream("out");
  graph_.Start();
  graph_.Add("in", 1, 7);
  graph_.Idle();
  EXPECT_EQ(sampler_->AskPacket(out).number, 0);
  // It is asked for once the sampler has looked at the graph.
  New();
  graph_.Add("in", 2, 8);
  graph_.Idle();
  const LiveSampler::Seen seen = SeenOf(out, 0);
  ASSERT_NE(seen.view, nullptr);
  EXPECT_EQ(seen.view->text, "8");
  EXPECT_EQ(seen.view->timestamp, "2");
  graph_.Add("in", 3, 9);
  graph_.Idle();
  EXPECT_EQ(SeenOf(out, seen.number).view->text, "9");
  graph_.Finish();
}

// The first node sends on what it gets, and the second takes the values.
class ConsumingGraphTest : public LiveSamplerTest {
 protected:
  ConsumingGraphTest()
      : LiveSamplerTest(R"(
          input_stream: "in"
          node { calculator: "TestLambda" input_stream: "in"
                 output_stream: "out" input_side_packet: "PROCESS:f" }
          node { calculator: "TestLambda" input_stream: "out"
                 input_side_packet: "PROCESS:g" })") {
    graph_.Give("g", [this](CalculatorContext* cc) {
      // Longer now and then, so that the sampler has some packets to look at.
      if (++num_taken_ % 50 == 0) absl::SleepFor(absl::Milliseconds(20));
      return cc->Inputs().Index(0).Value().Consume<int>().status();
    });
  }

  std::atomic<int> num_taken_{0};
};

TEST_F(ConsumingGraphTest, AReaderThatTakesValuesIsNotDisturbedByLooking) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  const int in = graph_.graph().plan().FindStream("in");
  const int out = graph_.graph().plan().FindStream("out");
  graph_.Start();
  std::int64_t num_seen = 0;
  int num_added = 0;
  const absl::Time end = absl::Now() + absl::Seconds(20);
  while (num_added < 2000 || (num_seen < 3 && absl::Now() < end)) {
    graph_.Add("in", num_added, num_added);
    ++num_added;
    num_seen = std::max(num_seen, sampler_->AskPacket(in).number);
    num_seen = std::max(num_seen, sampler_->AskPacket(out).number);
  }
  graph_.Finish();
  EXPECT_EQ(num_taken_, num_added);
  EXPECT_GE(num_seen, 3);
}

// However often somebody asks: looking at packets takes time from the graph.
TEST_F(LiveSamplerTest, PacketsAreLookedAtTenTimesASecondAtMost) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  const int out = graph_.graph().plan().FindStream("out");
  graph_.Start();
  const absl::Time begin = absl::Now();
  std::int64_t num_seen = 0;
  for (int i = 0; absl::Now() - begin < absl::Seconds(1); ++i) {
    graph_.Add("in", i, i);
    num_seen = sampler_->AskPacket(out).number;
    absl::SleepFor(absl::Milliseconds(1));
  }
  EXPECT_GT(num_seen, 0);
  EXPECT_LE(num_seen, (absl::Now() - begin) / LiveSampler::kPeriod + 1);
  graph_.Finish();
}

TEST_F(LiveSamplerTest, AStreamThatNobodyAsksForAnyMoreIsLetGo) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  const int out = graph_.graph().plan().FindStream("out");
  graph_.Start();
  sampler_->AskPacket(out);
  New();
  absl::SleepFor(WatchedStreams::kPatience + absl::Milliseconds(300));
  New();
  graph_.Add("in", 1, 7);
  graph_.Idle();
  EXPECT_TRUE(graph_.graph().LookAtStream("out")->IsEmpty());
  graph_.Finish();
}

// A node whose call does not return holds no lock, so the graph answers; a
// text that does not get ready stands for a graph that does not.
TEST(StuckSamplerTest, AGraphThatDoesNotAnswerKeepsNobodyWaiting) {
  TestGraph graph(Workers{.threads = 1}, kPass);
  graph.Give("f", PassIt);
  absl::Notification goes_on;
  LiveSampler::Forms forms;
  forms.state = [&](const LiveSample& sample) {
    if (sample.number > 1) goes_on.WaitForNotification();
    return std::string("text");
  };
  auto sampler = LiveSampler::Start(&graph.graph(), std::move(forms));
  SYNCLINE_ASSERT_OK(sampler.status());
  const auto ask = [&] {
    return AskAndWait(LiveSampler::Form::kState, sampler->get()).sample->number;
  };
  const std::int64_t first = ask();
  absl::SleepFor(2 * LiveSampler::kPeriod);
  const absl::Time start = absl::Now();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(ask(), first);
  }
  EXPECT_LT(absl::Now() - start, absl::Seconds(2));
  EXPECT_EQ((*sampler)->AskNew(absl::Milliseconds(50)).sample, nullptr);
  goes_on.Notify();
  EXPECT_NE((*sampler)->AskNew(absl::Seconds(20)).sample, nullptr);
}

}  // namespace
}  // namespace syncline
