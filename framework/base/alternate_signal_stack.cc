#include "framework/base/alternate_signal_stack.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "framework/base/no_destructor.h"

namespace syncline {
namespace {

// What the system saves of a thread may take some 11 KB of it.
std::size_t StackSize() {
  constexpr long kLeast = 64 << 10;
  return static_cast<std::size_t>(std::max(sysconf(_SC_SIGSTKSZ), kLeast));
}

bool ThreadHasOne() {
  stack_t now = {};
  return sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0;
}

}  // namespace

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
