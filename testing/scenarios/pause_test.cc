// Pausing a graph, with others at work meanwhile: whatever happens between two
// steps of Pause() or Resume(), an error that comes later ends the run, and
// nothing stays behind that nobody can wake.

#include <signal.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/held_locks.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

class PauseTest : public WorkersTest {
 protected:
  static void SetUpTestSuite() {
    signal(SIGALRM, [](int) {
      constexpr char kText[] = "A run that was paused does not end.\n";
      [[maybe_unused]] const auto size = write(2, kText, sizeof(kText) - 1);
      _exit(1);
    });
    alarm(60);
  }
  static void TearDownTestSuite() { alarm(0); }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(PauseTest);

class PausedPass : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(PausedPass);

// A node on the default executor, and one on each of two others.
CalculatorGraphConfig ThreeExecutors() {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    executor {
      name: "one"
      type: "ThreadPoolExecutor"
      options {
        [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 }
      }
    }
    executor {
      name: "two"
      type: "ThreadPoolExecutor"
      options {
        [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 }
      }
    }
    node { calculator: "PausedPass" input_stream: "in" }
    node { calculator: "PausedPass" input_stream: "in" executor: "one" }
    node { calculator: "PausedPass" input_stream: "in" executor: "two" }
  )pb");
}

using Call = std::function<void(CalculatorGraph*)>;

// Runs a graph in which `call` is made, and before its lock number `step`
// another thread makes `other`. False: it takes fewer locks.
bool RunWith(const Workers& workers, const Call& call, int step,
             const Call& other) {
  WorkersGraph graph(workers);
  SYNCLINE_EXPECT_OK(graph.Initialize(ThreeExecutors()));
  SYNCLINE_EXPECT_OK(graph.StartRun({}));
  graph.AddPacketToInputStream("in", MakePacket<int>(0).At(Timestamp(0)))
      .IgnoreError();
  SYNCLINE_EXPECT_OK(graph.WaitUntilIdle());
  bool is_made = false;
  {
    int locks = 0;
    const BeforeEachLock hook([&] {
      if (++locks != step) return;
      is_made = true;
      std::thread([&] { other(&graph); }).join();
    });
    call(&graph);
  }
  // What is ready now may have to wait, and the error has to end that.
  graph.AddPacketToInputStream("in", MakePacket<int>(1).At(Timestamp(1)))
      .IgnoreError();
  graph.RecordError(absl::AbortedError("enough"));
  EXPECT_FALSE(graph.WaitUntilDone().ok());
  return is_made;
}

const Call kPause = [](CalculatorGraph* graph) { graph->Pause(); };
const Call kResume = [](CalculatorGraph* graph) { graph->Resume(); };
const Call kFail = [](CalculatorGraph* graph) {
  graph->RecordError(absl::InternalError("meanwhile"));
};
const Call kCancel = [](CalculatorGraph* graph) { graph->Cancel(); };

TEST_P(PauseTest, AnErrorEndsTheRunWhateverComesBetweenTheStepsOfPause) {
  for (const Call& other : {kResume, kFail, kCancel, kPause}) {
    int steps = 0;
    while (RunWith(GetParam(), kPause, steps + 1, other)) ++steps;
    EXPECT_GE(steps, 3) << "an executor each";
  }
}

TEST_P(PauseTest, AnErrorEndsTheRunWhateverComesBetweenTheStepsOfResume) {
  const Call pause_and_resume = [](CalculatorGraph* graph) {
    graph->Pause();
    graph->Resume();
  };
  for (const Call& other : {kPause, kFail, kCancel}) {
    int steps = 0;
    while (RunWith(GetParam(), pause_and_resume, steps + 1, other)) ++steps;
    EXPECT_GE(steps, 6) << "an executor each, twice";
  }
}

}  // namespace
}  // namespace syncline
