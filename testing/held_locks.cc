#include "testing/held_locks.h"

#include <pthread.h>

#include <functional>
#include <utility>

namespace syncline {
namespace {

constinit thread_local int locks_held = 0;
constinit thread_local const std::function<void()>* before_lock = nullptr;

void CallHook() {
  if (before_lock == nullptr || locks_held > 0) return;
  const std::function<void()>* const hook = std::exchange(before_lock, nullptr);
  (*hook)();
  before_lock = hook;
}

}  // namespace

int LocksHeld() { return locks_held; }

BeforeEachLock::BeforeEachLock(std::function<void()> hook)
    : hook_(std::move(hook)) {
  before_lock = &hook_;
}

BeforeEachLock::~BeforeEachLock() { before_lock = nullptr; }

}  // namespace syncline

extern "C" {
// The names are the linker's.
int __real_pthread_mutex_lock(pthread_mutex_t* mutex);     // NOLINT
int __real_pthread_mutex_trylock(pthread_mutex_t* mutex);  // NOLINT
int __real_pthread_mutex_unlock(pthread_mutex_t* mutex);   // NOLINT

int __wrap_pthread_mutex_lock(pthread_mutex_t* mutex) {  // NOLINT
  syncline::CallHook();
  const int result = __real_pthread_mutex_lock(mutex);
  if (result == 0) ++syncline::locks_held;
  return result;
}
int __wrap_pthread_mutex_trylock(pthread_mutex_t* mutex) {  // NOLINT
  syncline::CallHook();
  const int result = __real_pthread_mutex_trylock(mutex);
  if (result == 0) ++syncline::locks_held;
  return result;
}
int __wrap_pthread_mutex_unlock(pthread_mutex_t* mutex) {  // NOLINT
  --syncline::locks_held;
  return __real_pthread_mutex_unlock(mutex);
}
}
