// The steps of SingleCall, and its end against an arrival.

#include "framework/node/single_call.h"

#include <atomic>
#include <thread>

#include "framework/base/mutex.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(SingleCallTest, ACallEndsAtOnceWhereNothingArrived) {
  SingleCall call;
  EXPECT_TRUE(call.IsIdle());
  call.Begin(/*looks_again=*/false);
  EXPECT_FALSE(call.IsIdle());
  EXPECT_TRUE(call.TryEnd(/*may_be_claimed=*/false));
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, WhatArrivesMeanwhileIsLookedAtInTheEnd) {
  SingleCall call;
  call.Begin(/*looks_again=*/false);
  EXPECT_TRUE(call.Arrived());
  EXPECT_TRUE(call.Arrived()) << "more changes nothing";
  EXPECT_FALSE(call.TryEnd(/*may_be_claimed=*/false));
  EXPECT_FALSE(call.IsIdle());
  call.End();
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, WhatWasThereBeforeIsLookedAtInTheEnd) {
  SingleCall call;
  call.Begin(/*looks_again=*/true);
  EXPECT_TRUE(call.Arrived());
  EXPECT_FALSE(call.TryEnd(/*may_be_claimed=*/false));
  call.End();
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, WithoutACallWhoeverBringsSomethingLooksAtIt) {
  SingleCall call;
  EXPECT_FALSE(call.Arrived());
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, TheNextCallBeginsAnew) {
  SingleCall call;
  call.Begin(/*looks_again=*/true);
  call.End();
  call.Begin(/*looks_again=*/false);
  EXPECT_TRUE(call.TryEnd(/*may_be_claimed=*/false));
}

// The tests below hand over plain data besides. The thread sanitizer finds a
// data race there if a memory order is too weak.

TEST(SingleCallTest, WhoSeesACallIdleSeesWhatItDid) {
  for (int round = 0; round < 50; ++round) {
    SingleCall call;
    call.Begin(/*looks_again=*/false);
    int result = 0;
    std::thread caller([&] {
      result = 1;
      call.TryEnd(/*may_be_claimed=*/false);
    });
    while (!call.IsIdle()) {
    }
    EXPECT_EQ(result, 1);
    caller.join();
  }
}

TEST(SingleCallTest, WhoArrivesAfterACallSeesWhatItDid) {
  for (int round = 0; round < 50; ++round) {
    SingleCall call;
    call.Begin(/*looks_again=*/false);
    int result = 0;
    std::atomic<bool> has_ended{false};
    std::thread caller([&] {
      result = 1;
      call.TryEnd(/*may_be_claimed=*/false);
      has_ended.store(true, std::memory_order_relaxed);  // orders nothing
    });
    while (!has_ended.load(std::memory_order_relaxed)) {
    }
    EXPECT_FALSE(call.Arrived());
    EXPECT_EQ(result, 1);
    caller.join();
  }
}

// Whoever comes second sees the first: either the end of the call sees what has
// arrived, or its sender sees that no call is left, and what the call did.
TEST(SingleCallTest, WhatArrivesAtTheEndIsNotLost) {
  for (int round = 0; round < 2000; ++round) {
    SingleCall call;
    Mutex node;  // as the lock of the node
    call.Begin(/*looks_again=*/false);
    int result = 0;
    int arrived = 0;
    std::atomic<bool> go{false};
    bool ended = false;
    std::thread caller([&] {
      while (!go.load(std::memory_order_relaxed)) {
      }
      result = 1;
      ended = call.TryEnd(/*may_be_claimed=*/false);
      if (ended) return;
      const MutexLock lock(&node);
      EXPECT_EQ(arrived, 1);
      call.End();
    });
    go.store(true, std::memory_order_relaxed);
    bool is_looked_at = false;
    {
      const MutexLock lock(&node);
      arrived = 1;
      is_looked_at = call.Arrived();
      if (!is_looked_at) {
        EXPECT_EQ(result, 1);
      }
    }
    caller.join();
    ASSERT_NE(ended, is_looked_at) << "round " << round;
    ASSERT_TRUE(call.IsIdle());
  }
}

}  // namespace
}  // namespace syncline
