// How the running thread becomes what its ThreadOptions say: what the kernel is
// asked for, and what its refusal means.

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/thread_options.h"

namespace syncline {
namespace {

using Options = ThreadPoolExecutorOptions;

constexpr int kMaxCpus = ThreadOptions::kMaxCpus;
// The kernel cuts names of threads here.
constexpr size_t kMaxThreadName = 15;

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

// Its name, niceness and preferred CPUs.
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

// The CPUs and the policy that are required.
absl::Status ApplyRequirements(const ThreadOptions& options) {
  absl::Status status;
  if (options.cpu_set_is_required()) status = RunOnCpus(options.cpu_set());
  if (options.scheduling().has_value()) {
    status.Update(UseScheduling(*options.scheduling(), CurrentNice()));
  }
  return status;
}

}  // namespace

ThreadRefusals ApplyThreadOptions(const ThreadOptions& options, int number) {
  ThreadRefusals refused = {.is_logged = ApplyPreferences(options, number)};
  (options.runs_if_refused() ? refused.is_logged : refused.fails_start)
      .Update(ApplyRequirements(options));
  return refused;
}

}  // namespace syncline
