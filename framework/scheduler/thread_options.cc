#include "framework/scheduler/thread_options.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/core_performance.h"

namespace syncline {
namespace {

using Options = ThreadPoolExecutorOptions;

// No kernel has more CPUs.
constexpr int kMaxCpus = 8192;
// More than this is a mistake, not a wish: 1 GiB.
constexpr int kMaxStackBytes = 1 << 30;
// The kernel counts the run time of deadline threads in this unit.
constexpr std::int64_t kMinRuntimeNs = 1024;
// The kernel cuts names of threads here.
constexpr size_t kMaxThreadName = 15;

absl::Status Invalid(absl::string_view field, absl::string_view rule,
                     std::int64_t value) {
  return absl::InvalidArgumentError(
      absl::StrCat("The ", field, " field in ThreadPoolExecutorOptions should ",
                   rule, " but is ", value, "."));
}

// --- Reading

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
    if (cpu < 0 || cpu >= kMaxCpus) {
      return Invalid("cpu", absl::StrCat("be from 0 to ", kMaxCpus - 1), cpu);
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

// --- Applying

// `what` was refused with `error`.
absl::Status Refused(absl::string_view what, int error) {
  absl::string_view hint;
  if (error == EPERM || error == EACCES) {
    hint =
        " The process needs CAP_SYS_NICE or a limit that allows it (ulimit -r "
        "and -e); with if_refused: FALLBACK it does without.";
  } else if (error == EBUSY) {
    hint = " The CPUs have no run time left to promise; ask for less.";
  }
  const std::string message = absl::StrCat("The system refuses ", what, " (",
                                           std::strerror(error), ").", hint);
  switch (error) {
    case EPERM:
    case EACCES:
      return absl::PermissionDeniedError(message);
    case EINVAL:
      return absl::InvalidArgumentError(message);
    case ENOSYS:
      return absl::UnimplementedError(message);
    default:
      return absl::ResourceExhaustedError(message);
  }
}

// A set for any number of CPUs that a kernel may have.
class CpuMask {
 public:
  CpuMask() : set_(CPU_ALLOC(kMaxCpus)) { CPU_ZERO_S(size(), set_); }
  CpuMask(const CpuMask&) = delete;
  CpuMask& operator=(const CpuMask&) = delete;
  ~CpuMask() { CPU_FREE(set_); }

  static size_t size() { return CPU_ALLOC_SIZE(kMaxCpus); }
  cpu_set_t* get() { return set_; }
  void Add(int cpu) { CPU_SET_S(cpu, size(), set_); }
  bool Has(int cpu) const { return CPU_ISSET_S(cpu, size(), set_) != 0; }

 private:
  cpu_set_t* const set_;
};

absl::Status RunOnCpus(const std::set<int>& cpus) {
  if (cpus.empty()) return absl::OkStatus();
  CpuMask wanted;
  for (const int cpu : cpus) {
    if (cpu >= 0 && cpu < kMaxCpus) wanted.Add(cpu);
  }
  const std::string what = absl::StrCat("cpu ", absl::StrJoin(cpus, ", "));
  if (sched_setaffinity(0, CpuMask::size(), wanted.get()) != 0) {
    return Refused(what, errno);
  }
  // The kernel leaves out, without a word, what it does not have.
  CpuMask granted;
  if (sched_getaffinity(0, CpuMask::size(), granted.get()) != 0) {
    return Refused(what, errno);
  }
  std::vector<int> missing;
  for (const int cpu : cpus) {
    if (cpu < 0 || cpu >= kMaxCpus || !granted.Has(cpu)) missing.push_back(cpu);
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("This process may not run on cpu ",
                   absl::StrJoin(missing, ", "), ", or there is no such CPU."));
}

// The kernel's struct sched_attr, which the C library does not offer.
struct SchedulingAttributes {
  std::uint32_t size;
  std::uint32_t policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime;
  std::uint64_t deadline;
  std::uint64_t period;
};

int KernelPolicy(Options::SchedulingPolicy policy) {
  constexpr int kDeadline = 6;  // SCHED_DEADLINE
  switch (policy) {
    case Options::FIFO:
      return SCHED_FIFO;
    case Options::RR:
      return SCHED_RR;
    case Options::DEADLINE:
      return kDeadline;
    case Options::OTHER:
      break;
  }
  return SCHED_OTHER;
}

absl::Status UseScheduling(const ThreadScheduling& scheduling, int nice) {
  // Threads that are started by calculators are nobody's promise.
  constexpr std::uint64_t kResetOnFork = 1;
  SchedulingAttributes attributes = {
      .size = sizeof(SchedulingAttributes),
      .policy = static_cast<std::uint32_t>(KernelPolicy(scheduling.policy)),
      .flags = scheduling.policy == Options::OTHER ? 0 : kResetOnFork,
      .nice = scheduling.policy == Options::OTHER ? nice : 0,
      .priority = static_cast<std::uint32_t>(scheduling.realtime_priority),
      .runtime = static_cast<std::uint64_t>(scheduling.runtime_ns),
      .deadline = static_cast<std::uint64_t>(scheduling.deadline_ns),
      .period = static_cast<std::uint64_t>(scheduling.period_ns)};
  if (syscall(SYS_sched_setattr, 0, &attributes, 0) == 0) {
    return absl::OkStatus();
  }
  const int error = errno;
  std::string what = absl::StrCat(
      "scheduling_policy ", Options::SchedulingPolicy_Name(scheduling.policy));
  if (scheduling.realtime_priority != 0) {
    absl::StrAppend(&what, " with realtime_priority ",
                    scheduling.realtime_priority);
  }
  return Refused(what, error);
}

int CurrentNice() {
  return getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
}

}  // namespace

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
  if (options.nice_priority_level() < -20 ||
      options.nice_priority_level() > 19) {
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

absl::Status ApplyPreferences(const ThreadOptions& options, int number) {
  const std::string suffix = absl::StrCat("/", number);
  const size_t room = kMaxThreadName - std::min(kMaxThreadName, suffix.size());
  pthread_setname_np(
      pthread_self(),
      absl::StrCat(options.name_prefix().substr(0, room), suffix).c_str());
  absl::Status status;
  if (options.nice_priority_level() != 0) {
    const auto thread = static_cast<id_t>(syscall(SYS_gettid));
    if (setpriority(PRIO_PROCESS, thread, options.nice_priority_level()) != 0) {
      status.Update(Refused(
          absl::StrCat("nice_priority_level ", options.nice_priority_level()),
          errno));
    }
  }
  if (!options.cpu_set_is_required())
    status.Update(RunOnCpus(options.cpu_set()));
  return status;
}

absl::Status ApplyRequirements(const ThreadOptions& options) {
  absl::Status status;
  if (options.cpu_set_is_required()) status = RunOnCpus(options.cpu_set());
  if (options.scheduling().has_value()) {
    status.Update(UseScheduling(*options.scheduling(), CurrentNice()));
  }
  return status;
}

}  // namespace syncline
