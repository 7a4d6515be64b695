// CoreUse: which threads of a queue compute, and whether a core is all that
// they lack.
//
// A thread that serves the queue computes, unless its task sleeps
// (Task::kSleeps). While as many compute as there are cores, one more would
// only take the core from one of them. If these threads finish no task for a
// while, they may all have lost their cores to other programs, or may wait for
// something after all. The kernel knows which of the two it is. But a thread
// can also wait by computing, in a loop that only another task ends. So if no
// thread has come back for kMostLooks looks, another is let in.
//
// On a busy machine two threads that serve may share a core although another
// core is free. Then a source that sends as fast as it can uses up its slices
// of some milliseconds, while the thread whose result the graph waits for gets
// no time. So before a source runs, its thread looks from time to time for such
// neighbours. Neighbours that run a source themselves do not count: two threads
// that gave way to each other would lose all the time that other programs take
// meanwhile.
//
// Thread rule: the owner has a lock for all but Sleeper, LackCores, ThisThread,
// SetRunsSource and IsTimeToLook.
// Tested by core_use_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_CORE_USE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_CORE_USE_H_

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"

namespace syncline {

class CoreUse {
 public:
  static constexpr int kMostLooks = 8;
  static constexpr int kMostNoted = 256;
  // Sources that run between two looks for neighbours: a few microseconds.
  static constexpr int kSourcesBetweenLooks = 16;
  // The same after a look that found neighbours which wait for something else.
  static constexpr int kSourcesAfterVainLook = 4096;

  CoreUse(int max_threads, int cores);

  int cores() const { return cores_; }
  // How many of the threads that serve sleep. May be old by a moment.
  int asleep() const { return asleep_.load(std::memory_order_relaxed); }

  // The task of this thread sleeps while one of these lives.
  class Sleeper {
   public:
    explicit Sleeper(CoreUse* use) : use_(*use) { use_.asleep_.fetch_add(1); }
    ~Sleeper() { use_.asleep_.fetch_sub(1); }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;

   private:
    CoreUse& use_;
  };

  // A thread that serves.
  struct Server {
    pid_t id;
    const volatile std::uint32_t* core;  // ThisThreadCore
    const std::atomic<bool>* runs_source;
  };
  static Server ThisThread();
  // Whether the task that this thread runs next is a source.
  static void SetRunsSource(bool is_source) {
    RunsSource().store(is_source, std::memory_order_relaxed);
  }

  // It serves the queue from now on, and until End. It is not noted where there
  // are kMostNoted already; then others come in sooner.
  void Begin(const Server& server = ThisThread());
  void End(pid_t id);

  // A thread wants to come in without having been asked for. Returns the
  // threads that it has to ask the kernel about, with LackCores; none if it may
  // come in. `returns` changes whenever a thread comes back from a task.
  std::vector<pid_t> Computing(std::uint64_t returns);
  // Whether so many of them as there are cores wait for nothing but a core.
  bool LackCores(const std::vector<pid_t>& threads) const;

  // --- Neighbours

  // Before a source runs: whether its thread is to look for neighbours now.
  bool IsTimeToLook() {
    if (num_serving_.load(std::memory_order_relaxed) < 2) return false;
    const int left = until_look_.load(std::memory_order_relaxed) - 1;
    until_look_.store(left, std::memory_order_relaxed);
    return left <= 0;
  }
  // The look is over, and said whether a neighbour lacks nothing but a core.
  void HasLooked(bool in_vain);
  // The other threads that serve, run no source, and were last on the core of
  // this thread. None of them runs while this thread does. To need no memory,
  // returns at most kMostNeighbours.
  static constexpr std::size_t kMostNeighbours = 4;
  using Neighbours = absl::InlinedVector<pid_t, kMostNeighbours>;
  Neighbours NeighboursOf(const Server& server) const;

 private:
  static std::atomic<bool>& RunsSource() {
    static thread_local constinit std::atomic<bool> runs_source{false};
    return runs_source;
  }

  const int cores_;
  const bool can_lack_cores_;  // there can be more threads than cores
  std::atomic<int> asleep_{0};
  // Any thread may write an old number: then a look comes a little later.
  std::atomic<int> until_look_{kSourcesBetweenLooks};
  std::atomic<int> num_serving_{0};
  // Has its memory from the start. Stays empty where only one thread serves.
  std::vector<Server> servers_;
  int looks_ = 0;  // since this number of returns
  std::uint64_t returns_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_CORE_USE_H_
