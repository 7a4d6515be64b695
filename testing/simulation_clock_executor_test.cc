// A graph in simulated time: sleeps cost nothing, minutes take milliseconds,
// and every repetition is the same, times included.
#include "testing/simulation_clock_executor.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/status_stop.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/deps/clock.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/executor_conformance_suite.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/lifetimes.h"
#include "testing/simulation_clock.h"
#include "testing/test_calculators.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::Duration SinceStart(Clock& clock) {
  return clock.TimeNow() - absl::UnixEpoch();
}

// A frame each `period`, `count` of them, at its simulated time in
// microseconds.
LambdaFunction Camera(Clock* clock, absl::Duration period, int count) {
  return [=, frames = std::make_shared<int>(0)](CalculatorContext* cc) {
    if (++*frames > count) return tool::StatusStop();
    clock->Sleep(period);
    cc->Outputs().Index(0).AddPacket(MakeCounted<int>(*frames).At(
        Timestamp(absl::ToInt64Microseconds(SinceStart(*clock)))));
    return absl::OkStatus();
  };
}

// Passes its input on after so long.
LambdaFunction Work(Clock* clock, absl::Duration duration) {
  return [=](CalculatorContext* cc) {
    clock->Sleep(duration);
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  };
}

constexpr char kCameraAndWork[] = R"pb(
  node {
    calculator: "LambdaCalculator"
    input_side_packet: "PROCESS:camera"
    output_stream: "frames"
  }
  node {
    calculator: "LambdaCalculator"
    input_side_packet: "PROCESS:work"
    input_stream: "frames"
    output_stream: "out"
  }
)pb";

constexpr char kLimitedWork[] = R"pb(
  node {
    calculator: "FlowLimiterCalculator"
    input_stream: "frames"
    input_stream: "FINISHED:out"
    input_stream_info: { tag_index: "FINISHED" back_edge: true }
    output_stream: "limited"
  }
  node {
    calculator: "LambdaCalculator"
    input_side_packet: "PROCESS:work"
    input_stream: "limited"
    output_stream: "out"
  }
)pb";

constexpr char kCamera[] = R"pb(
  node {
    calculator: "LambdaCalculator"
    input_side_packet: "PROCESS:camera"
    output_stream: "frames"
  }
)pb";

// One run of a graph in simulated time.
class Simulation {
 public:
  explicit Simulation(int threads)
      : executor_(std::make_shared<SimulationClockExecutor>(threads)),
        clock_(executor_->GetClock()) {}

  SimulationClock& clock() { return *clock_; }
  void SetFunction(const std::string& name, LambdaFunction function) {
    side_packets_[name] = MakePacket<LambdaFunction>(std::move(function));
  }

  absl::Status Start(const std::string& graph_text) {
    SYNCLINE_RETURN_IF_ERROR(graph_.SetExecutor("", executor_));
    SYNCLINE_RETURN_IF_ERROR(graph_.Initialize(
        ParseTextProtoOrDie<CalculatorGraphConfig>(graph_text)));
    SYNCLINE_RETURN_IF_ERROR(
        graph_.ObserveOutputStream("out", [this](const Packet& packet) {
          MutexLock lock(&mutex_);
          values_.push_back(packet.Get<int>());
          times_.push_back(
              absl::StrCat(packet.Timestamp().DebugString(), " at ",
                           absl::FormatDuration(SinceStart(*clock_))));
          return absl::OkStatus();
        }));
    return graph_.StartRun(side_packets_);
  }
  // The application does nothing but wait.
  void Run(const std::string& graph_text) {
    {
      SimulatedThread application(clock_.get(), "the application");
      SYNCLINE_ASSERT_OK(Start(graph_text));
    }
    SYNCLINE_ASSERT_OK(graph_.WaitUntilDone());
  }

  CalculatorGraph& graph() { return graph_; }
  std::vector<int> values() {
    MutexLock lock(&mutex_);
    return values_;
  }
  // With the simulated time at which each packet came.
  std::vector<std::string> times() {
    MutexLock lock(&mutex_);
    return times_;
  }

 private:
  const std::shared_ptr<SimulationClockExecutor> executor_;
  const std::shared_ptr<SimulationClock> clock_;
  std::map<std::string, Packet> side_packets_;
  CalculatorGraph graph_;
  Mutex mutex_;
  std::vector<int> values_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> times_ ABSL_GUARDED_BY(mutex_);
};

class SimulationTest : public LifetimesTest,
                       public ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, SimulationTest, ::testing::Values(1, 2, 8));

TEST_P(SimulationTest, SleepsPassSimulatedTimeOnly) {
  std::vector<std::string> first;
  for (int repetition = 0; repetition < 20; ++repetition) {
    Simulation simulation(GetParam());
    SimulationClock* const clock = &simulation.clock();
    simulation.SetFunction("camera", Camera(clock, absl::Seconds(60), 10));
    simulation.SetFunction("work", Work(clock, absl::Seconds(30)));
    simulation.Run(kCameraAndWork);
    EXPECT_THAT(simulation.values(),
                ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    // One thread has to do both in turn.
    EXPECT_EQ(
        SinceStart(*clock),
        absl::Minutes(10) + (GetParam() == 1 ? 10 : 1) * absl::Seconds(30));
    if (repetition == 0) first = simulation.times();
    EXPECT_EQ(simulation.times(), first);
  }
}

// Work ends at the very time of a frame when it takes 300 ms: then it is the
// order of the sleeps that decides whether that frame is dropped.
TEST_P(SimulationTest, TenMinutesOfALimitedCameraTakeMilliseconds) {
  for (const int work_ms : {250, 300}) {
    std::vector<std::string> first;
    for (int repetition = 0; repetition < 3; ++repetition) {
      Simulation simulation(GetParam());
      SimulationClock* const clock = &simulation.clock();
      simulation.SetFunction("camera",
                             Camera(clock, absl::Milliseconds(100), 6000));
      simulation.SetFunction("work", Work(clock, absl::Milliseconds(work_ms)));
      simulation.Run(absl::StrCat(kCamera, kLimitedWork));
      EXPECT_GE(SinceStart(*clock), absl::Minutes(10));
      if (GetParam() > 1) {
        EXPECT_LT(SinceStart(*clock), absl::Minutes(10) + absl::Seconds(1));
        EXPECT_GE(simulation.values().size(), 1500u);
        EXPECT_LE(simulation.values().size(), 2000u);
      }
      if (repetition == 0) first = simulation.times();
      ASSERT_EQ(simulation.times(), first);
    }
  }
}

TEST_P(SimulationTest, AnApplicationTakesPart) {
  std::vector<std::string> first;
  for (int repetition = 0; repetition < 20; ++repetition) {
    Simulation simulation(GetParam());
    SimulationClock* const clock = &simulation.clock();
    simulation.SetFunction("work", Work(clock, absl::Milliseconds(25)));
    {
      SimulatedThread application(clock, "the application");
      SYNCLINE_ASSERT_OK(simulation.Start(
          absl::StrCat("input_stream: \"frames\"", kLimitedWork)));
      for (int i = 0; i < 100; ++i) {
        clock->Sleep(absl::Milliseconds(10));
        SYNCLINE_ASSERT_OK(simulation.graph().AddPacketToInputStream(
            "frames", MakeCounted<int>(i).At(Timestamp(i))));
      }
      SYNCLINE_ASSERT_OK(simulation.graph().CloseAllInputStreams());
    }
    SYNCLINE_ASSERT_OK(simulation.graph().WaitUntilDone());
    ASSERT_GE(simulation.times().size(), 33u);
    EXPECT_EQ(simulation.times()[0], "0 at 35ms");
    // A thread that works cannot say no to frames that come meanwhile: the
    // limiter sees 1 and 2 when it is done.
    EXPECT_EQ(simulation.times()[1],
              GetParam() == 1 ? "2 at 60ms" : "3 at 65ms");
    if (repetition == 0) first = simulation.times();
    EXPECT_EQ(simulation.times(), first);
  }
}

TEST_P(SimulationTest, AnApplicationThatOnlyStartsAndFinishesIsWaitedFor) {
  Simulation simulation(GetParam());
  SimulationClock* const clock = &simulation.clock();
  simulation.SetFunction("work", Work(clock, absl::Milliseconds(25)));
  clock->ThreadStart();
  SYNCLINE_ASSERT_OK(
      simulation.Start(absl::StrCat("input_stream: \"frames\"", kLimitedWork)));
  for (int i = 0; i < 6; ++i) {
    SYNCLINE_ASSERT_OK(simulation.graph().AddPacketToInputStream(
        "frames", MakeCounted<int>(i).At(Timestamp(i))));
    clock->Sleep(absl::Milliseconds(10));
  }
  clock->ThreadFinish();
  SYNCLINE_ASSERT_OK(simulation.graph().CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(simulation.graph().WaitUntilDone());
  if (GetParam() == 1) {
    EXPECT_THAT(simulation.times(),
                ElementsAre("0 at 25ms", "2 at 50ms", "4 at 75ms"));
  } else {
    EXPECT_THAT(simulation.times(), ElementsAre("0 at 25ms", "3 at 55ms"));
  }
}

// Something without a thread acts at a time of the same clock.
TEST_P(SimulationTest, ARunCanBeCancelledAtASimulatedTime) {
  Simulation simulation(GetParam());
  SimulationClock* const clock = &simulation.clock();
  simulation.SetFunction("camera", Camera(clock, absl::Seconds(1), 1'000'000));
  simulation.SetFunction("work", Work(clock, absl::Milliseconds(700)));
  {
    SimulatedThread application(clock, "the application");
    SYNCLINE_ASSERT_OK(simulation.Start(kCameraAndWork));
    clock->CallAt(absl::UnixEpoch() + absl::Milliseconds(60'100),
                  [&] { simulation.graph().Cancel(); });
  }
  EXPECT_EQ(simulation.graph().WaitUntilDone().code(),
            absl::StatusCode::kCancelled);
  // The calls that slept were not disturbed, and no other was made.
  EXPECT_GE(SinceStart(*clock), absl::Milliseconds(60'100));
  EXPECT_LE(SinceStart(*clock), absl::Milliseconds(61'100));
  EXPECT_EQ(simulation.values().size(), GetParam() == 1 ? 35u : 60u);
}

TEST_P(SimulationTest, ATypeInAConfigGivesCalculatorsItsClock) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(absl::StrCat(
          R"pb(
            node {
              calculator: "LambdaCalculator"
              input_side_packet: "OPEN:open"
              output_side_packet: "unused"
            }
            executor { type: "SimulationClockExecutor"
                       options {
                         [syncline.ThreadPoolExecutorOptions.ext] {)pb",
          "num_threads: ", GetParam(), "} } }"))));
  absl::Duration slept;
  const LambdaFunction open = [&](CalculatorContext* cc) {
    SimulatedClock* const clock = SimulatedClock::OfThisThread();
    if (clock == nullptr) return absl::InternalError("no clock");
    clock->Sleep(absl::Hours(1));
    slept = SinceStart(*clock);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(graph.Run({{"open", MakePacket<LambdaFunction>(open)}}));
  EXPECT_EQ(slept, absl::Hours(1));
}

TEST_P(SimulationTest, ACallThatWaitsForSomethingElseIsReported) {
  Latch reported;
  std::string report;
  auto clock = std::make_shared<SimulationClock>(
      SimulatedClockOptions{.stuck_after = absl::Milliseconds(50),
                            .on_stuck = [&](const std::string& text) {
                              report = text;
                              reported.Open();
                            }});
  auto executor = std::make_shared<SimulationClockExecutor>(GetParam(), clock);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.SetExecutor("", executor));
  SYNCLINE_ASSERT_OK(graph.Initialize(
      ParseTextProtoOrDie<CalculatorGraphConfig>(kCameraAndWork)));
  const LambdaFunction wait = [&](CalculatorContext* cc) {
    reported.Wait();
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(graph.StartRun(
      {{"camera",
        MakePacket<LambdaFunction>(Camera(clock.get(), absl::Seconds(1), 3))},
       {"work", MakePacket<LambdaFunction>(wait)}}));
  // Somebody has to wait for the clock to notice.
  clock->Sleep(absl::Minutes(1));
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  EXPECT_THAT(report,
              HasSubstr("\"a thread of SimulationClockExecutor\", which "
                        "has the permit"));
}

TEST(SimulationClockExecutorTest, ATaskMayDestroyIt) {
  Latch destroyed;
  {
    auto executor = std::make_shared<SimulationClockExecutor>(2);
    SimulationClockExecutor* const scheduler = executor.get();
    scheduler->Schedule([executor = std::move(executor), &destroyed]() mutable {
      executor.reset();
      destroyed.Open();
    });
  }
  destroyed.Wait();
}

TEST(SimulationClockExecutorTest, BadOptionsAreRefused) {
  SynclineOptions options;
  EXPECT_THAT(
      SimulationClockExecutor::Create(options).status().ToString(),
      HasSubstr("INVALID_ARGUMENT: SimulationClockExecutor needs num_threads"));
  options.MutableExtension(ThreadPoolExecutorOptions::ext)->set_num_threads(-1);
  EXPECT_THAT(SimulationClockExecutor::Create(options).status().ToString(),
              HasSubstr("it is -1."));
}

}  // namespace

// With more threads it runs so many only in simulated time, which the suite
// does not know.
INSTANTIATE_TEST_SUITE_P(
    Simulation, ExecutorConformanceTest,
    ::testing::Values(ExecutorUnderTest{
        .name = "SimulationClockExecutor",
        .make = [] { return std::make_unique<SimulationClockExecutor>(1); },
        .drains = true,
        .catches = true}),
    ExecutorUnderTest::Name);

}  // namespace syncline
