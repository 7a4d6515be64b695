#include "framework/base/mutex.h"

namespace syncline {
namespace {

// Waits for a moment without giving the core away.
void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void Mutex::LockContended() {
  // Each look takes the cache line from the thread that has the lock, so the
  // times between two looks become longer.
  constexpr int kMostPauses = 32;
  for (int pauses = 1; pauses <= kMostPauses; pauses *= 2) {
    for (int i = 0; i < pauses; ++i) Pause();
    if (mutex_.try_lock()) return;
  }
  mutex_.lock();
}

}  // namespace syncline
