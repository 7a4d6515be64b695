// Measures the costs of nodes that wait for times and events.
//
//   ./bazelw run -c opt //benchmarks:waiting_nodes [-- --seconds=10]
//
// Periodic: 10,000 sources with periods drawn uniformly from 10 ms to 1 s,
// whose calls do nothing: share of one core, waits of threads a second (each
// ends with a wake-up), and how late calls are. The lateness is measured in a
// second run, whose calls record it. Idle: one source that waits for a far
// time: what happens until then. Hour: an hour of a simulated clock at 100
// ticks a second, with a node behind the source. Event: a thread sets an event,
// a node runs, and so on: wake-ups of the pool for each, and the time from
// setting it to the call.
//
// Prints one line for each figure, with the bar where there is one.

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/condition/periodic_condition.h"
#include "framework/port/parse_text_proto.h"
#include "framework/thread_pool_executor.h"
#include "glog/logging.h"

ABSL_FLAG(int, seconds, 10, "How long the periodic nodes run, each time.");
ABSL_FLAG(int, nodes, 10000, "How many periodic nodes.");

namespace syncline {
namespace {

// A histogram of how late calls were, in microseconds. The last entry counts
// all later calls.
constexpr int kBuckets = 100000;
std::vector<std::atomic<std::int32_t>> lateness(kBuckets);
std::atomic<std::int64_t> ticks{0};

}  // namespace

class IdleTicker : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    ticks.fetch_add(1, std::memory_order_relaxed);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(IdleTicker);

class MeasuredTicker : public IdleTicker {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    condition_ = cc->Condition<PeriodicCondition>("PeriodicCondition");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const std::int64_t now_ns = cc->Clock()->NowNs();
    // At the start all sources run at once; this is not measured.
    if (count_ == 0) start_ns_ = condition_->last_run_timestamp();
    if (count_ > 0) {
      const std::int64_t late_us =
          (now_ns - start_ns_ - count_ * condition_->recess_period_ns()) / 1000;
      lateness[std::clamp<std::int64_t>(late_us, 0, kBuckets - 1)].fetch_add(
          1, std::memory_order_relaxed);
    }
    ++count_;
    return absl::OkStatus();
  }

 private:
  std::shared_ptr<PeriodicCondition> condition_;
  std::int64_t start_ns_ = 0;
  std::int64_t count_ = 0;
};
REGISTER_CALCULATOR(MeasuredTicker);

class ClockTicker : public IdleTicker {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    const std::int64_t us = cc->Clock()->NowNs() / 1000;
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(us)));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ClockTicker);

class TickCounter : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override {
    ticks.fetch_add(1, std::memory_order_relaxed);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TickCounter);

// Runs once for each event, and records the time.
class EventTicker : public IdleTicker {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    const absl::Status status =
        cc->Condition<AsynchronousCondition>("AsynchronousCondition")
            ->event_state(AsynchronousEventState::EVENT_WAITING);
    if (!status.ok()) return status;
    run_ns.store(std::chrono::steady_clock::now().time_since_epoch().count());
    ticks.fetch_add(1);
    return absl::OkStatus();
  }
  static std::atomic<std::int64_t> run_ns;
};
std::atomic<std::int64_t> EventTicker::run_ns{0};
REGISTER_CALCULATOR(EventTicker);

namespace {

struct Usage {
  double cpu_seconds = 0;
  std::int64_t waits = 0;

  static Usage Now() {
    rusage usage;
    CHECK_EQ(getrusage(RUSAGE_SELF, &usage), 0);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) +
             static_cast<double>(time.tv_usec) * 1e-6;
    };
    return {seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_nvcsw};
  }
};

void Print(const std::string& what, double value, const std::string& unit,
           const std::string& bar = "") {
  std::printf("%-52s %12.3f %-14s %s\n", what.c_str(), value, unit.c_str(),
              bar.empty() ? "" : ("bar: " + bar).c_str());
  std::fflush(stdout);
}

std::string Condition(const std::string& type, const std::string& options) {
  return absl::StrCat("condition { type: \"", type, "\" options { [syncline.",
                      type, "Options.ext] { ", options, " } } }");
}

CalculatorGraphConfig Periodic(const std::string& calculator) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> period_us(10'000, 1'000'000);
  std::string text = "num_threads: 2 ";
  for (int i = 0; i < absl::GetFlag(FLAGS_nodes); ++i) {
    absl::StrAppend(
        &text, "node { calculator: \"", calculator, "\" output_stream: \"s", i,
        "\" ",
        Condition("PeriodicCondition",
                  absl::StrCat("recess_period: \"", period_us(random), "us\"")),
        " } ");
  }
  return ParseTextProtoOrDie<CalculatorGraphConfig>(text);
}

// Measures while the graph runs undisturbed.
Usage RunFor(CalculatorGraph* graph, int seconds, std::int64_t* counted) {
  CHECK_EQ(graph->StartRun({}), absl::OkStatus());
  absl::SleepFor(absl::Seconds(2));
  const Usage before = Usage::Now();
  const std::int64_t ticks_before = ticks;
  absl::SleepFor(absl::Seconds(seconds));
  const Usage after = Usage::Now();
  *counted = ticks - ticks_before;
  graph->Cancel();
  graph->WaitUntilDone().IgnoreError();
  return {after.cpu_seconds - before.cpu_seconds, after.waits - before.waits};
}

double LatenessMs(double share) {
  std::int64_t all = 0;
  for (const auto& count : lateness) all += count;
  std::int64_t seen = 0;
  for (int us = 0; us < kBuckets; ++us) {
    seen += lateness[us];
    if (static_cast<double>(seen) >= share * static_cast<double>(all)) {
      return us / 1000.0;
    }
  }
  return kBuckets / 1000.0;
}

void RunPeriodic() {
  const int seconds = absl::GetFlag(FLAGS_seconds);
  std::int64_t counted = 0;
  {
    CalculatorGraph graph(Periodic("IdleTicker"));
    const Usage usage = RunFor(&graph, seconds, &counted);
    Print("periodic: ticks", static_cast<double>(counted) / seconds,
          "a second");
    Print("periodic: CPU", 100 * usage.cpu_seconds / seconds, "% of a core",
          "10");
    Print("periodic: waits of threads",
          static_cast<double>(usage.waits) / seconds, "a second", "1100");
  }
  CalculatorGraph graph(Periodic("MeasuredTicker"));
  RunFor(&graph, seconds, &counted);
  Print("periodic: lateness, median", LatenessMs(0.5), "ms", "1");
  Print("periodic: lateness, p99", LatenessMs(0.99), "ms", "5");
}

void RunIdle() {
  CalculatorGraph graph(ParseTextProtoOrDie<CalculatorGraphConfig>(
      "num_threads: 2 node { calculator: \"IdleTicker\" output_stream: \"s\" " +
      Condition("PeriodicCondition", "recess_period: \"1000s\"") + " }"));
  std::int64_t counted = 0;
  const Usage usage = RunFor(&graph, 3, &counted);
  // One wait is that of the measuring thread.
  Print("idle: waits of threads in 3 s", static_cast<double>(usage.waits), "",
        "1");
}

void RunHour(int threads) {
  CalculatorGraph graph(ParseTextProtoOrDie<CalculatorGraphConfig>(absl::StrCat(
      "clock { type: \"ManualClock\" } ",
      threads == 0 ? "executor { type: \"ApplicationThreadExecutor\" }"
                   : absl::StrCat("num_threads: ", threads),
      " node { calculator: \"ClockTicker\" output_stream: \"s\" ",
      Condition("PeriodicCondition", "recess_period: \"10ms\""),
      Condition("CountCondition", "count: 360000"),
      " } node { calculator: \"TickCounter\" input_stream: \"s\" }")));
  ticks = 0;
  const absl::Time start = absl::Now();
  CHECK_EQ(graph.Run(), absl::OkStatus());
  const double seconds = absl::ToDoubleSeconds(absl::Now() - start);
  CHECK_EQ(ticks, 360000);
  Print(absl::StrCat("hour: 360,000 ticks, ", threads, " threads"), seconds,
        "s", "1");
}

void RunEvents() {
  constexpr int kEvents = 5000;
  auto pool = std::make_shared<ThreadPoolExecutor>(2);
  CalculatorGraph graph;
  CHECK_EQ(graph.SetExecutor("", pool), absl::OkStatus());
  CHECK_EQ(graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
               "node { name: \"n\" calculator: \"EventTicker\" output_stream: "
               "\"s\" condition { type: \"AsynchronousCondition\" } }")),
           absl::OkStatus());
  ticks = 0;
  CHECK_EQ(graph.StartRun({}), absl::OkStatus());
  const auto condition =
      graph.GetCondition<AsynchronousCondition>("n/AsynchronousCondition");
  CHECK_EQ(condition.status(), absl::OkStatus());
  std::vector<double> latencies_us;
  const auto wait_for = [](std::int64_t count) {
    while (ticks < count) std::this_thread::yield();
    // Lets the pool's thread go to sleep.
    absl::SleepFor(absl::Microseconds(100));
  };
  wait_for(1);
  const std::int64_t wakeups = pool->wakeups();
  for (int i = 0; i < kEvents; ++i) {
    const std::int64_t set_ns =
        std::chrono::steady_clock::now().time_since_epoch().count();
    CHECK_EQ((*condition)->event_state(AsynchronousEventState::EVENT_DONE),
             absl::OkStatus());
    wait_for(i + 2);
    latencies_us.push_back(static_cast<double>(EventTicker::run_ns - set_ns) /
                           1000);
  }
  Print("event: wake-ups for each",
        static_cast<double>(pool->wakeups() - wakeups) / kEvents, "", "1");
  std::sort(latencies_us.begin(), latencies_us.end());
  Print("event: from set to call, median", latencies_us[kEvents / 2], "us");
  graph.Cancel();
  graph.WaitUntilDone().IgnoreError();
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  google::InitGoogleLogging(argv[0]);
  absl::SetProgramUsageMessage(
      "Measures what nodes cost that wait for times and events.");
  absl::ParseCommandLine(argc, argv);
  syncline::RunHour(0);
  syncline::RunHour(1);
  syncline::RunHour(2);
  syncline::RunEvents();
  syncline::RunIdle();
  syncline::RunPeriodic();
  return 0;
}
