#include "framework/base/fatal_signal_hook.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"

namespace syncline {
namespace {

constexpr std::array<int, 6> kSignals = {SIGSEGV, SIGBUS,  SIGFPE,
                                         SIGILL,  SIGABRT, SIGSYS};
constexpr std::size_t kNumTurns = 2;

// What handlers read, without a lock.
struct Installed {
  std::array<std::atomic<FatalSignalHook::Function>, kNumTurns> hooks{};
  // The handlers that were there before, as in kSignals.
  std::array<struct sigaction, kSignals.size()> before{};
  // The thread that calls the hooks; 0: none.
  std::atomic<std::int64_t> caller{0};
  std::atomic<bool> is_done{false};
};
Installed installed;

struct Count {
  Mutex mutex;
  int hooks ABSL_GUARDED_BY(mutex) = 0;
};
Count& TheCount() {
  static NoDestructor<Count> count;
  return *count;
}

// --- What follows runs in a signal handler.

const struct sigaction& Former(int signal) {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) return installed.before[i];
  }
  return installed.before[0];
}

void CallFormer(int signal, siginfo_t* info, void* context) {
  const struct sigaction& before = Former(signal);
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    return before.sa_sigaction(signal, info, context);
  }
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    return before.sa_handler(signal);
  }
  // The signal comes again when this handler returns, and ends the process.
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  raise(signal);
}

// One that somebody has sent can be ignored, a mistake cannot.
bool IsIgnored(int signal, const siginfo_t& info) {
  const struct sigaction& before = Former(signal);
  return (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_IGN &&
         info.si_code <= 0;
}

void HandleFatalSignal(int signal, siginfo_t* info, void* context) {
  if (IsIgnored(signal, *info)) return;
  const int saved_errno = errno;
  const auto self = static_cast<std::int64_t>(syscall(SYS_gettid));
  std::int64_t caller = 0;
  if (installed.caller.compare_exchange_strong(caller, self)) {
    for (const auto& hook : installed.hooks) {
      const FatalSignalHook::Function function = hook.load();
      if (function != nullptr) function(signal, info);
    }
    installed.is_done.store(true);
  } else if (caller != self) {
    constexpr int kMostWaits = 100;
    constexpr timespec kWait = {.tv_sec = 0, .tv_nsec = 10'000'000};
    for (int i = 0; i < kMostWaits && !installed.is_done.load(); ++i) {
      nanosleep(&kWait, nullptr);
    }
  }
  errno = saved_errno;
  CallFormer(signal, info, context);
}

// --- What follows does not.

bool IsOurs(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 &&
         action.sa_sigaction == HandleFatalSignal;
}

void InstallHandlers() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action = {};
    action.sa_sigaction = HandleFatalSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    // Known before ours can be called.
    struct sigaction before = {};
    sigaction(kSignals[i], nullptr, &before);
    // Ours has stayed, behind a handler that has been removed since.
    if (IsOurs(before)) continue;
    installed.before[i] = before;
    sigaction(kSignals[i], &action, nullptr);
  }
}

void RemoveHandlers() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now = {};
    sigaction(kSignals[i], nullptr, &now);
    if (IsOurs(now)) sigaction(kSignals[i], &installed.before[i], nullptr);
  }
}

// What the system saves of a thread may take some 11 KB of it.
std::size_t StackSize() {
  constexpr long kLeast = 64 << 10;
  return static_cast<std::size_t>(std::max(sysconf(_SC_SIGSTKSZ), kLeast));
}

bool ThreadHasOne() {
  stack_t now = {};
  return sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0;
}

std::atomic<FatalSignalHook::Function>& HookOf(FatalSignalHook::Stage stage) {
  return installed.hooks[static_cast<std::size_t>(stage)];
}

}  // namespace

FatalSignalHook::FatalSignalHook(Stage stage, Function function)
    : stage_(stage) {
  AlternateSignalStack::ForMainThread();
  MutexLock lock(&TheCount().mutex);
  HookOf(stage).store(function);
  if (TheCount().hooks++ == 0) InstallHandlers();
}

FatalSignalHook::~FatalSignalHook() {
  MutexLock lock(&TheCount().mutex);
  HookOf(stage_).store(nullptr);
  if (--TheCount().hooks == 0) RemoveHandlers();
}

AlternateSignalStack::AlternateSignalStack() {
  if (ThreadHasOne()) return;
  // Pages that are never touched take no memory.
  const std::size_t size = StackSize();
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  const stack_t stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = size};
  if (sigaltstack(&stack, nullptr) != 0) {
    munmap(memory, size);
    return;
  }
  memory_ = memory;
  size_ = size;
}

AlternateSignalStack::~AlternateSignalStack() {
  if (memory_ == nullptr) return;
  // Somebody else may have put another one in its place.
  stack_t now = {};
  sigaltstack(nullptr, &now);
  if (now.ss_sp == memory_) {
    const stack_t none = {
        .ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, nullptr);
  }
  munmap(memory_, size_);
}

void AlternateSignalStack::ForMainThread() {
  if (syscall(SYS_gettid) != getpid()) return;
  static const NoDestructor<AlternateSignalStack> stack;
  static_cast<void>(stack);
}

}  // namespace syncline
