// Work that keeps a core busy for a known time.
//
// It counts steps, not time: a thread that loses its core does not get the time
// for free, so two threads that share a core are not measured as fast.
//
// Thread rule: any thread; the first call of StepsForMicroseconds measures.
#ifndef SYNCLINE_BENCHMARKS_BUSY_WORK_H_
#define SYNCLINE_BENCHMARKS_BUSY_WORK_H_

#include <cstdint>

namespace syncline {

// Each step needs the result of the one before.
void DoBusyWork(std::int64_t steps);

// How many steps this machine does in that time.
std::int64_t StepsForMicroseconds(int microseconds);

// How much two threads that need nothing from each other get done in the time
// of one: about 2 on a machine with two idle cores. No graph can do better.
double MeasureTwoThreads();

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_BUSY_WORK_H_
