// ThreadOptions: what the threads of a pool are like, and how a thread becomes
// like that.
//
// Two kinds. PREFERENCES (name, niceness, kind of core) cost a little when the
// kernel refuses them, so that is only logged, as MediaPipe does. REQUIREMENTS
// (CPUs, scheduling policy) are what the design of an application relies on: if
// a pool cannot have them, it is made only if the options say so.
//
// Thread rule: a value. The functions set up the thread that calls them.
// Tested by thread_options_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/config/thread_pool_executor.pb.h"

namespace syncline {

// Which threads the kernel lets run first. See ThreadPoolExecutorOptions.
struct ThreadScheduling {
  ThreadPoolExecutorOptions::SchedulingPolicy policy =
      ThreadPoolExecutorOptions::OTHER;
  int realtime_priority = 0;
  std::int64_t runtime_ns = 0;
  std::int64_t deadline_ns = 0;
  std::int64_t period_ns = 0;
};

class ThreadOptions {
 public:
  // No kernel has more CPUs.
  static constexpr int kMaxCpus = 8192;

  // In bytes; 0 for the system's default.
  std::size_t stack_size() const { return stack_size_; }
  ThreadOptions& set_stack_size(std::size_t bytes) {
    stack_size_ = bytes;
    return *this;
  }

  int nice_priority_level() const { return nice_priority_level_; }
  ThreadOptions& set_nice_priority_level(int level) {
    nice_priority_level_ = level;
    return *this;
  }

  // The CPUs that threads should prefer or, if `required`, must be granted.
  // Empty: all.
  const std::set<int>& cpu_set() const { return cpu_set_; }
  bool cpu_set_is_required() const { return cpu_set_is_required_; }
  ThreadOptions& set_cpu_set(std::set<int> cpus, bool required = false) {
    cpu_set_ = std::move(cpus);
    cpu_set_is_required_ = required;
    return *this;
  }

  const std::string& name_prefix() const { return name_prefix_; }
  ThreadOptions& set_name_prefix(std::string prefix) {
    name_prefix_ = std::move(prefix);
    return *this;
  }

  // Absent: as the thread that makes the pool.
  const absl::optional<ThreadScheduling>& scheduling() const {
    return scheduling_;
  }
  ThreadOptions& set_scheduling(const ThreadScheduling& scheduling) {
    scheduling_ = scheduling;
    return *this;
  }

  // Whether a thread that is refused what is required runs without it.
  bool runs_if_refused() const { return runs_if_refused_; }
  ThreadOptions& set_runs_if_refused(bool runs) {
    runs_if_refused_ = runs;
    return *this;
  }

  // A pool has to wait until its threads know whether they got what they need.
  bool MayFailInThread() const {
    return !runs_if_refused_ && (scheduling_.has_value() ||
                                 (cpu_set_is_required_ && !cpu_set_.empty()));
  }

 private:
  std::size_t stack_size_ = 0;
  int nice_priority_level_ = 0;
  std::set<int> cpu_set_;
  bool cpu_set_is_required_ = false;
  std::string name_prefix_ = "syncline";
  absl::optional<ThreadScheduling> scheduling_;
  bool runs_if_refused_ = false;
};

// INVALID_ARGUMENT names the option that no machine could grant.
absl::StatusOr<ThreadOptions> ReadThreadOptions(
    const ThreadPoolExecutorOptions& options);

// INVALID_ARGUMENT if no pool can have so many threads (base/thread_limits.h),
// or such a small stack.
absl::Status CheckThreads(const ThreadOptions& options, int num_threads);

// The smallest stack that the system gives a thread of this program, in bytes.
// It has room for what a thread needs to run, for a page to guard it, and for
// what the program and its libraries keep for each thread.
std::size_t MinStackSize();

// What the kernel refused a thread of a pool.
struct ThreadRefusals {
  absl::Status fails_start;  // it was required, and nothing else will do
  absl::Status is_logged;    // the thread runs without it
};
// Makes the thread that runs what a pool's thread `number` has to be. What can
// be granted is, also where something else was refused.
ThreadRefusals ApplyThreadOptions(const ThreadOptions& options, int number);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_OPTIONS_H_
