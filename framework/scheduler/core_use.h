// CoreUse: which threads of a queue compute, and whether they lack nothing but
// a core.
//
// A thread that serves the queue computes, unless its task sleeps
// (Task::kSleeps). While as many compute as there are cores, one more would
// only take the core from one of them. If nothing comes back from these
// threads, they may all have lost their cores to other programs, or may wait
// for something after all. The kernel knows which. But a thread can also wait
// by computing, in a loop that only another task ends: so after kMostLooks
// looks at which nothing had come back, another thread is let in.
//
// Thread rule: the owner has a lock for all but Sleeper and LackCores.
// Tested by core_use_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_CORE_USE_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_CORE_USE_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace syncline {

class CoreUse {
 public:
  static constexpr int kMostLooks = 8;
  static constexpr int kMostNoted = 256;

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

  // This thread serves the queue from now on, and until End. It is not noted
  // where there are kMostNoted already; then others come in sooner.
  void Begin();
  void End();

  // A thread wants to come in without having been asked for. Returns those that
  // it has to ask the kernel about, with LackCores; none if it may come in.
  // `returns` changes whenever a thread comes back from a task.
  std::vector<pid_t> Computing(std::uint64_t returns);
  // Whether so many of them as there are cores wait for nothing but a core.
  bool LackCores(const std::vector<pid_t>& threads) const;

 private:
  const int cores_;
  std::atomic<int> asleep_{0};
  // Of the threads that serve, where they can be more than the cores. Has its
  // memory from the start.
  std::vector<pid_t> ids_;
  int looks_ = 0;  // since this number of returns
  std::uint64_t returns_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_CORE_USE_H_
