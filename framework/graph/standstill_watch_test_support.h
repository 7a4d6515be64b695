// What the tests of the watch share: a graph that is watched, and what is told
// of it.
//
//   TEST_P(StandstillWatchTest, AJoinWhoseSecondInputGetsNothing) {
//     TestGraph graph(GetParam(), kJoin);
//     Start(&graph);
//     graph.Add("a", 7, 1);
//     EXPECT_THAT(ToldOf(&graph), StartsWith("\"join\" waits for"));
//
// Thread rule: as graph_test_support.h.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_STANDSTILL_WATCH_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_STANDSTILL_WATCH_TEST_SUPPORT_H_

#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "gtest/gtest.h"

namespace syncline {

inline constexpr absl::Duration kAfter = absl::Milliseconds(100);
inline constexpr absl::Duration kLong = absl::Seconds(5);
inline constexpr absl::Duration kShort = absl::Milliseconds(5);

// The texts that a watch has told. Outlives the graph.
class Told {
 public:
  void Watch(CalculatorGraph* graph, absl::Duration after = kAfter,
             bool program_waits = false) {
    CalculatorGraph::StandstillOptions options;
    options.after = after;
    options.program_waits = program_waits;
    options.tell = [this](const std::string& text) {
      MutexLock lock(&mutex_);
      texts_.push_back(text);
    };
    graph->ExplainStandstills(std::move(options));
  }
  std::vector<std::string> Texts() const {
    MutexLock lock(&mutex_);
    return texts_;
  }
  // The text of this number, from 0; empty if it does not come.
  std::string WaitFor(std::size_t number = 0) const {
    const absl::Time end = absl::Now() + kLong;
    while (absl::Now() < end) {
      if (Texts().size() > number) return Texts()[number];
      absl::SleepFor(kShort);
    }
    return "";
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> texts_ ABSL_GUARDED_BY(mutex_);
};

// Calls the graph on a thread of its own, as a program does that waits for it.
class Waiting {
 public:
  explicit Waiting(std::function<void()> wait) : thread_(std::move(wait)) {}
  explicit Waiting(CalculatorGraph* graph)
      : Waiting([graph] { graph->WaitUntilDone().IgnoreError(); }) {}
  ~Waiting() { thread_.join(); }

 private:
  std::thread thread_;
};

// One suite for all files of the test.
class StandstillWatchTest : public ::testing::TestWithParam<Workers> {
 protected:
  // What is told of a graph that has started, while somebody waits until it is
  // done. `let_go` lets calls return.
  std::string ToldOf(
      TestGraph* graph, const std::function<void()>& let_go = [] {}) {
    const Waiting waiting(&graph->graph());
    std::string text = told_.WaitFor();
    graph->graph().Cancel();
    let_go();
    return text;
  }
  // Watches the graph, and starts it.
  void Start(TestGraph* graph) {
    told_.Watch(&graph->graph());
    graph->Start();
  }

  Told told_;
  absl::Notification let_go_;
};

inline constexpr char kJoin[] = R"(
  input_stream: "a" input_stream: "b"
  node { name: "join" calculator: "TestLambda" input_stream: "X:0:a"
         input_stream: "X:1:b" })";

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_STANDSTILL_WATCH_TEST_SUPPORT_H_
