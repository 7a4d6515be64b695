// Counts the costs of one call of a node besides time.
//
//   invocation_costs PACKETS
//
// Runs the chain of 10 on one thread, then again twice as long, and prints the
// difference per call: heap allocations (without the one that makes the
// source's packet), pairs of lock and unlock, and reads of the clock. The costs
// of starting a run are not in the difference.
//
// The program replaces functions of the C library to count their calls. That
// changes times, so it measures none. See costs.sh.
//
// Thread rule: the counters are atomic.

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "absl/strings/numbers.h"
#include "benchmarks/graph_subject.h"
#include "benchmarks/subject.h"
#include "benchmarks/workload.h"

namespace {

std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> locks{0};
std::atomic<std::int64_t> clock_reads{0};

void CountOne(std::atomic<std::int64_t>* counter) {
  counter->fetch_add(1, std::memory_order_relaxed);
}

using LockFunction = int(pthread_mutex_t*);
using ClockFunction = int(clockid_t, timespec*);

// The C library's function of that name. A static variable with a guard cannot
// be used here, since it takes a lock itself.
template <typename Function>
Function* Original(std::atomic<Function*>* cache, const char* name) {
  Function* function = cache->load(std::memory_order_relaxed);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    cache->store(function, std::memory_order_relaxed);
  }
  return function;
}

std::atomic<LockFunction*> original_lock{nullptr};
std::atomic<LockFunction*> original_trylock{nullptr};
std::atomic<ClockFunction*> original_clock{nullptr};

void* CountedAllocation(std::size_t size) {
  CountOne(&allocations);
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  CountOne(&locks);
  return Original(&original_lock, "pthread_mutex_lock")(mutex);
}
extern "C" int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  CountOne(&locks);
  return Original(&original_trylock, "pthread_mutex_trylock")(mutex);
}
extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  CountOne(&clock_reads);
  return Original(&original_clock, "clock_gettime")(clock, time);
}

void* operator new(std::size_t size) { return CountedAllocation(size); }
void* operator new[](std::size_t size) { return CountedAllocation(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace syncline {
namespace {

struct Counts {
  double allocations;
  double locks;
  double clock_reads;
};

Counts CountRun(const Workload& workload, std::int64_t packets) {
  allocations = locks = clock_reads = 0;
  const auto result = MakeGraphSubject()->Run(workload, 1, packets);
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.status().ToString().c_str());
    std::exit(1);
  }
  return {static_cast<double>(allocations), static_cast<double>(locks),
          static_cast<double>(clock_reads)};
}

void PrintCosts(std::int64_t packets) {
  const Workload& workload = *FindWorkload("chain of 10");
  // This run makes the allocations that are made only once.
  CountRun(workload, packets);
  const Counts once = CountRun(workload, packets);
  const Counts twice = CountRun(workload, 2 * packets);
  const auto difference = static_cast<double>(packets);
  const double calls =
      difference * static_cast<double>(workload.InvocationsPerPacket());
  std::printf("allocations %.4f\n",
              (twice.allocations - once.allocations - difference) / calls);
  std::printf("lock_pairs %.4f\n", (twice.locks - once.locks) / calls);
  std::printf("clock_reads %.3f\n",
              (twice.clock_reads - once.clock_reads) / calls);
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  std::int64_t packets = 0;
  if (argc != 2 || !absl::SimpleAtoi(argv[1], &packets) || packets < 1) {
    std::fprintf(stderr, "usage: invocation_costs PACKETS\n");
    return 2;
  }
  syncline::PrintCosts(packets);
  return 0;
}
