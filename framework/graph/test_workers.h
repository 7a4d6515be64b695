// Workers: how a graph under test is run.
//
//   class JoinTest : public ::testing::TestWithParam<Workers> {};
//   SYNCLINE_TEST_WITH_ALL_WORKERS(JoinTest);
//   TEST_P(JoinTest, WaitsForBoth) {
//     TestGraph graph(GetParam(), "...");
//
// What a graph does must not depend on how many threads it has, nor on which of
// them comes first. So a test of a whole graph runs on the application's
// thread, with 1, 2 and 8 threads, and with some seeds, each of which chooses
// an order of its own in which ready calls run, one at a time.
//
// What a single task at a time cannot show has SYNCLINE_TEST_WITH_THREADS:
// calls that wait for each other, or for the thread of the test.
//
// Tests outside of the framework have GraphHarness and WorkersTest of testing/,
// which are built on this.
//
// Thread rule: a WorkersGraph is a CalculatorGraph; Workers are a value.
// Tested by workers_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEST_WORKERS_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEST_WORKERS_H_

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "framework/base/mutex.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/scheduler/task_chooser.h"
#include "gtest/gtest.h"

namespace syncline {

struct Workers {
  // 0: the application's thread, inside of functions that wait.
  int threads = 0;
  // Not 0: one task at a time, on the application's thread, in the order that
  // this seed chooses.
  std::uint64_t seed = 0;

  // Nothing happens except inside of functions that wait.
  bool is_application_thread() const { return threads == 0; }
  bool is_seeded() const { return seed != 0; }
  std::string Name() const;
  friend void PrintTo(const Workers& workers, std::ostream* out) {
    *out << workers.Name();
  }
};

// The application's thread, and pools of 1, 2 and 8.
std::vector<Workers> ThreadWorkers();
// The workers of ThreadWorkers, and some that are seeded.
std::vector<Workers> AllWorkers();
// The application's thread, and a pool of one.
std::vector<Workers> OneThreadWorkers();

// Any order in which tasks can run one at a time; the same for the same seed.
// Locked, since any number of the application's threads may wait for a graph.
class SeededChooser : public TaskChooser {
 public:
  explicit SeededChooser(std::uint64_t seed) : random_(seed) {}
  std::size_t Choose(std::size_t count) override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  Mutex mutex_;
  std::mt19937_64 random_ ABSL_GUARDED_BY(mutex_);
};

namespace workers_internal {
// Before the graph, which borrows it.
struct ChooserOfGraph {
  SeededChooser chooser;
};
}  // namespace workers_internal

// A graph whose default executor is what `workers` say. Executors with a name
// stay as the config describes them, except that under a seed all calls run on
// the thread that waits.
class WorkersGraph : private workers_internal::ChooserOfGraph,
                     public CalculatorGraph {
 public:
  explicit WorkersGraph(const Workers& workers);
  absl::Status Initialize(CalculatorGraphConfig config);

 private:
  const Workers workers_;
};

}  // namespace syncline

#define SYNCLINE_TEST_WITH_ALL_WORKERS(suite) \
  SYNCLINE_TEST_WITH_WORKERS_(suite, ::syncline::AllWorkers())
// For what a single task at a time cannot show.
#define SYNCLINE_TEST_WITH_THREADS(suite) \
  SYNCLINE_TEST_WITH_WORKERS_(suite, ::syncline::ThreadWorkers())
// For the order that priorities give, which seeds replace.
#define SYNCLINE_TEST_WITH_ONE_THREAD(suite) \
  SYNCLINE_TEST_WITH_WORKERS_(suite, ::syncline::OneThreadWorkers())
#define SYNCLINE_TEST_WITH_WORKERS_(suite, workers)                   \
  INSTANTIATE_TEST_SUITE_P(                                           \
      Workers, suite, ::testing::ValuesIn(workers),                   \
      [](const ::testing::TestParamInfo<::syncline::Workers>& info) { \
        return info.param.Name();                                     \
      })

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEST_WORKERS_H_
