// Work that keeps a core busy for a known time.
//
// It does a fixed number of steps instead of watching the time. So two threads
// that share a core take twice as long, as they should.
//
// Thread rule: any thread; the first call of StepsForMicroseconds measures.
#ifndef SYNCLINE_BENCHMARKS_BUSY_WORK_H_
#define SYNCLINE_BENCHMARKS_BUSY_WORK_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace syncline {

// Does `steps` steps, each of which needs the result of the one before.
void DoBusyWork(std::int64_t steps);

// The number of steps that this machine does in that time.
std::int64_t StepsForMicroseconds(int microseconds);

// While it lives, so many threads keep cores busy, as other programs do.
class BusyLoops {
 public:
  explicit BusyLoops(int number);
  ~BusyLoops();
  BusyLoops(const BusyLoops&) = delete;
  BusyLoops& operator=(const BusyLoops&) = delete;

 private:
  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

// How much work two independent threads do in the time that one needs for its
// work: about 2 on a machine with two idle cores. No graph can do better.
double MeasureTwoThreads();

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_BUSY_WORK_H_
