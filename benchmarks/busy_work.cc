#include "benchmarks/busy_work.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "benchmarks/subject.h"

namespace syncline {
namespace {

// Takes the fastest of several tries, since interruptions only make a try
// slower.
double MeasureStepsPerNs() {
  constexpr std::int64_t kSteps = 100000;
  double best = 0;
  for (int i = 0; i < 50; ++i) {
    const Stopwatch stopwatch;
    DoBusyWork(kSteps);
    best = std::max(best, static_cast<double>(kSteps) / stopwatch.ElapsedNs());
  }
  return best;
}

}  // namespace

BusyLoops::BusyLoops(int number) {
  for (int i = 0; i < number; ++i) {
    threads_.emplace_back([this] {
      while (!is_over_.load(std::memory_order_relaxed)) DoBusyWork(1000);
    });
  }
}

BusyLoops::~BusyLoops() {
  is_over_ = true;
  for (std::thread& thread : threads_) thread.join();
}

void DoBusyWork(std::int64_t steps) {
  std::uint64_t value = 1;
  for (std::int64_t i = 0; i < steps; ++i) {
    value = value * 6364136223846793005u + 1442695040888963407u;
    // Keeps the compiler from computing several steps at once.
    asm volatile("" : "+r"(value));
  }
}

std::int64_t StepsForMicroseconds(int microseconds) {
  static const double steps_per_ns = MeasureStepsPerNs();
  return static_cast<std::int64_t>(steps_per_ns * 1000.0 * microseconds);
}

double MeasureTwoThreads() {
  const std::int64_t steps = StepsForMicroseconds(5000);
  std::vector<double> ratios;
  for (int i = 0; i < 21; ++i) {
    const Stopwatch one;
    DoBusyWork(steps);
    const double one_ns = one.ElapsedNs();
    const Stopwatch two;
    std::thread other(DoBusyWork, steps);
    DoBusyWork(steps);
    other.join();
    ratios.push_back(2 * one_ns / two.ElapsedNs());
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios[ratios.size() / 2];
}

}  // namespace syncline
