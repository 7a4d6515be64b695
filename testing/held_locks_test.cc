#include "testing/held_locks.h"

#include "framework/base/mutex.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(HeldLocksTest, ALockThatIsHeldIsCounted) {
  Mutex mutex;
  EXPECT_EQ(LocksHeld(), 0);
  {
    MutexLock lock(&mutex);
    EXPECT_EQ(LocksHeld(), 1);
  }
  EXPECT_EQ(LocksHeld(), 0);
  if (!mutex.TryLock()) FAIL() << "it is free";
  EXPECT_EQ(LocksHeld(), 1);
  mutex.Unlock();
  EXPECT_EQ(LocksHeld(), 0);
}

TEST(HeldLocksTest, AHookComesBeforeEachLockThatIsNotInsideOfAnother) {
  Mutex outer, inner, of_hook;
  int calls = 0;
  {
    const BeforeEachLock hook([&] {
      EXPECT_EQ(LocksHeld(), 0);
      MutexLock lock(&of_hook);
      ++calls;
    });
    MutexLock lock(&outer);
    EXPECT_EQ(calls, 1);
    MutexLock second(&inner);
    EXPECT_EQ(calls, 1);
  }
  MutexLock lock(&outer);
  EXPECT_EQ(calls, 1) << "the hook is gone";
}

}  // namespace
}  // namespace syncline
