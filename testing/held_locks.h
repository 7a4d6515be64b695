// How many locks the calling thread holds, and what to do before it takes one.
//
//   EXPECT_EQ(LocksHeld(), 0) << "a callback of the user";
//
//   BeforeEachLock hook([&] { if (--left == 0) MeetAnError(); });
//   graph.Pause();   // the error comes before its first lock, its second, ...
//
// The linker puts functions of this library in front of those of the system, in
// every test that depends on it. So every lock of the framework is counted. A
// lock that a condition variable releases while it waits stays counted, since
// its thread does nothing in that time.
//
// Thread rule: each thread has a count, and a hook, of its own.
// Tested by held_locks_test.

#ifndef SYNCLINE_TESTING_HELD_LOCKS_H_
#define SYNCLINE_TESTING_HELD_LOCKS_H_

#include <functional>

namespace syncline {

int LocksHeld();

// While in scope, `hook` is called before this thread takes a lock, or tries
// to, unless it holds one, or is in the hook. One at a time.
class BeforeEachLock {
 public:
  explicit BeforeEachLock(std::function<void()> hook);
  ~BeforeEachLock();
  BeforeEachLock(const BeforeEachLock&) = delete;
  BeforeEachLock& operator=(const BeforeEachLock&) = delete;

 private:
  std::function<void()> hook_;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_HELD_LOCKS_H_
