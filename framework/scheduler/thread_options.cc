#include "framework/scheduler/thread_options.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/base/thread_limits.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/core_performance.h"

namespace syncline {
namespace {

using Options = ThreadPoolExecutorOptions;

// The kernel counts the run time of deadline threads in this unit.
constexpr std::int64_t kMinRuntimeNs = 1024;

absl::Status Invalid(absl::string_view field, absl::string_view rule,
                     std::int64_t value) {
  return absl::InvalidArgumentError(
      absl::StrCat("The ", field, " field in ThreadPoolExecutorOptions should ",
                   rule, " but is ", value, "."));
}

absl::Status ReadCpus(const Options& options, ThreadOptions* read) {
  if (options.cpu_size() == 0) {
    const std::vector<int> cores =
        CoresWithPerformance(options.require_processor_performance());
    read->set_cpu_set({cores.begin(), cores.end()});
    return absl::OkStatus();
  }
  if (options.require_processor_performance() != Options::NORMAL) {
    return absl::InvalidArgumentError(
        "ThreadPoolExecutorOptions has both cpu and "
        "require_processor_performance; it can have one of them.");
  }
  for (const int cpu : options.cpu()) {
    if (cpu < 0 || cpu >= ThreadOptions::kMaxCpus) {
      return Invalid("cpu",
                     absl::StrCat("be from 0 to ", ThreadOptions::kMaxCpus - 1),
                     cpu);
    }
  }
  read->set_cpu_set({options.cpu().begin(), options.cpu().end()},
                    /*required=*/true);
  return absl::OkStatus();
}

absl::Status CheckDeadline(const Options& options) {
  const std::int64_t runtime = options.deadline_runtime_ns();
  const std::int64_t deadline = options.deadline_ns();
  const std::int64_t period = options.deadline_period_ns();
  if (options.scheduling_policy() == Options::DEADLINE) {
    if (runtime < kMinRuntimeNs) {
      return Invalid("deadline_runtime_ns",
                     absl::StrCat("be at least ", kMinRuntimeNs), runtime);
    }
    if (deadline < runtime) {
      return Invalid("deadline_ns", "not be below deadline_runtime_ns",
                     deadline);
    }
    if (period < deadline) {
      return Invalid("deadline_period_ns", "not be below deadline_ns", period);
    }
    return absl::OkStatus();
  }
  if (!options.has_deadline_runtime_ns() && !options.has_deadline_ns() &&
      !options.has_deadline_period_ns()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "deadline_runtime_ns, deadline_ns and deadline_period_ns in "
      "ThreadPoolExecutorOptions are for scheduling_policy DEADLINE only.");
}

absl::Status ReadScheduling(const Options& options, ThreadOptions* read) {
  const Options::SchedulingPolicy policy = options.scheduling_policy();
  if (policy == Options::FIFO || policy == Options::RR) {
    if (options.realtime_priority() < 1 || options.realtime_priority() > 99) {
      return Invalid("realtime_priority",
                     absl::StrCat("be from 1 to 99 for scheduling_policy ",
                                  Options::SchedulingPolicy_Name(policy)),
                     options.realtime_priority());
    }
  } else if (options.has_realtime_priority()) {
    return absl::InvalidArgumentError(
        "realtime_priority in ThreadPoolExecutorOptions is for "
        "scheduling_policy FIFO and RR only.");
  }
  SYNCLINE_RETURN_IF_ERROR(CheckDeadline(options));
  if (!options.has_scheduling_policy()) return absl::OkStatus();
  read->set_scheduling({.policy = policy,
                        .realtime_priority = options.realtime_priority(),
                        .runtime_ns = options.deadline_runtime_ns(),
                        .deadline_ns = options.deadline_ns(),
                        .period_ns = options.deadline_period_ns()});
  return absl::OkStatus();
}

}  // namespace

std::size_t MinStackSize() {
  // Only the C library knows how large variables of threads are. glibc tells
  // those who ask for this name; so do other runtimes.
  using MinStack = std::size_t (*)(const pthread_attr_t*);
  static const auto min_stack =
      reinterpret_cast<MinStack>(dlsym(RTLD_DEFAULT, "__pthread_get_minstack"));
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t least = static_cast<std::size_t>(PTHREAD_STACK_MIN) + page;
  if (min_stack != nullptr) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    least = std::max(least, min_stack(&attributes));
    pthread_attr_destroy(&attributes);
  }
  return (least + page - 1) / page * page;
}

absl::Status CheckThreads(const ThreadOptions& options, int num_threads) {
  if (num_threads <= 0) {
    return Invalid("num_threads", "be positive", num_threads);
  }
  if (num_threads > kMaxPoolThreads) {
    return Invalid("num_threads", absl::StrCat("be at most ", kMaxPoolThreads),
                   num_threads);
  }
  const size_t stack_size = options.stack_size();
  if (stack_size == 0 || stack_size >= MinStackSize()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "The stack_size field in ThreadPoolExecutorOptions should be at least ",
      MinStackSize(), " bytes in this program but is ", stack_size,
      "; calls of calculators need more than that. Leave it out for the "
      "system's default."));
}

absl::StatusOr<ThreadOptions> ReadThreadOptions(const Options& options) {
  ThreadOptions read;
  if (options.has_stack_size()) {
    if (options.stack_size() <= 0) {
      return Invalid("stack_size", "be positive", options.stack_size());
    }
    if (options.stack_size() > kMaxStackBytes) {
      return Invalid("stack_size", absl::StrCat("be at most ", kMaxStackBytes),
                     options.stack_size());
    }
    read.set_stack_size(static_cast<size_t>(options.stack_size()));
  }
  if (!IsNiceLevel(options.nice_priority_level())) {
    return Invalid("nice_priority_level", "be from -20 to 19",
                   options.nice_priority_level());
  }
  read.set_nice_priority_level(options.nice_priority_level());
  if (!options.thread_name_prefix().empty()) {
    read.set_name_prefix(options.thread_name_prefix());
  }
  read.set_runs_if_refused(options.if_refused() == Options::FALLBACK);
  SYNCLINE_RETURN_IF_ERROR(ReadCpus(options, &read));
  SYNCLINE_RETURN_IF_ERROR(ReadScheduling(options, &read));
  return read;
}

}  // namespace syncline
