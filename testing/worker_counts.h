// Workers: how a graph under test is run.
//
//   class JoinTest : public WorkersTest {};
//   SYNCLINE_TEST_WITH_ALL_WORKERS(JoinTest);
//   TEST_P(JoinTest, WaitsForBoth) {
//     GraphHarness graph("...", GetParam());
//
// What a graph does must not depend on how many threads it has. A test of a
// whole graph runs with the application's thread, with 1, 2 and 8 threads, and
// with some seeds, each of which chooses an order of its own in which ready
// calls run, one at a time.
//
// Thread rule: none.

#ifndef SYNCLINE_TESTING_WORKER_COUNTS_H_
#define SYNCLINE_TESTING_WORKER_COUNTS_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/lifetimes.h"

namespace syncline {

struct Workers {
  // 0: the application's thread, inside of functions that wait.
  int threads = 0;
  // Not 0: one task at a time, on the application's thread, in the order that
  // this seed chooses.
  std::uint64_t seed = 0;

  // Nothing happens except inside of functions that wait.
  bool is_application_thread() const { return threads == 0; }
  std::string Name() const {
    if (seed != 0) return absl::StrCat("Seed", seed);
    return threads == 0 ? "ApplicationThread"
                        : absl::StrCat("Threads", threads);
  }
  friend void PrintTo(const Workers& workers, std::ostream* out) {
    *out << workers.Name();
  }
};

inline std::vector<Workers> ThreadWorkers() {
  return {{.threads = 0}, {.threads = 1}, {.threads = 2}, {.threads = 8}};
}
inline std::vector<Workers> AllWorkers() {
  std::vector<Workers> workers = ThreadWorkers();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    workers.push_back({.seed = seed});
  }
  return workers;
}

class WorkersTest : public LifetimesTest,
                    public ::testing::WithParamInterface<Workers> {};

}  // namespace syncline

#define SYNCLINE_TEST_WITH_ALL_WORKERS(suite) \
  SYNCLINE_TEST_WITH_WORKERS_(suite, ::syncline::AllWorkers())
// For what a single task at a time cannot show.
#define SYNCLINE_TEST_WITH_THREADS(suite) \
  SYNCLINE_TEST_WITH_WORKERS_(suite, ::syncline::ThreadWorkers())
#define SYNCLINE_TEST_WITH_WORKERS_(suite, workers)                   \
  INSTANTIATE_TEST_SUITE_P(                                           \
      Workers, suite, ::testing::ValuesIn(workers),                   \
      [](const ::testing::TestParamInfo<::syncline::Workers>& info) { \
        return info.param.Name();                                     \
      })

#endif  // SYNCLINE_TESTING_WORKER_COUNTS_H_
