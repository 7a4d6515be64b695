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
  EXPECT_TRUE(call.HasNoCall());
  call.Begin(/*looks_again=*/false);
  EXPECT_FALSE(call.HasNoCall());
  EXPECT_TRUE(call.TryEnd(/*may_be_claimed=*/false));
  EXPECT_TRUE(call.HasNoCall());
}

TEST(SingleCallTest, WhatArrivesMeanwhileIsLookedAtInTheEnd) {
  SingleCall call;
  call.Begin(/*looks_again=*/false);
  EXPECT_TRUE(call.Arrived());
  EXPECT_TRUE(call.Arrived()) << "more changes nothing";
  EXPECT_FALSE(call.TryEnd(/*may_be_claimed=*/false));
  EXPECT_FALSE(call.HasNoCall());
  call.End();
  EXPECT_TRUE(call.HasNoCall());
}

TEST(SingleCallTest, WhatWasThereBeforeIsLookedAtInTheEnd) {
  SingleCall call;
  call.Begin(/*looks_again=*/true);
  EXPECT_TRUE(call.Arrived());
  EXPECT_FALSE(call.TryEnd(/*may_be_claimed=*/false));
  call.End();
  EXPECT_TRUE(call.HasNoCall());
}

TEST(SingleCallTest, WithoutACallWhoeverBringsSomethingLooksAtIt) {
  SingleCall call;
  EXPECT_FALSE(call.Arrived());
  EXPECT_TRUE(call.HasNoCall());
}

TEST(SingleCallTest, TheNextCallBeginsAnew) {
  SingleCall call;
  call.Begin(/*looks_again=*/true);
  call.End();
  call.Begin(/*looks_again=*/false);
  EXPECT_TRUE(call.TryEnd(/*may_be_claimed=*/false));
}

// --- Calls that begin by a claim

TEST(SingleCallTest, OnlyANodeThatWasOfferedIsClaimed) {
  SingleCall call;
  EXPECT_FALSE(call.Claim());
  EXPECT_FALSE(call.Arrived());
  call.Offer();
  EXPECT_TRUE(call.HasNoCall());
  EXPECT_TRUE(call.Claim());
  EXPECT_FALSE(call.HasNoCall());
  EXPECT_FALSE(call.Claim()) << "one call at a time";
  EXPECT_TRUE(call.TryEnd(/*may_be_claimed=*/true));
  EXPECT_TRUE(call.HasNoCall());
  EXPECT_TRUE(call.Claim()) << "the end of the call has offered it again";
  EXPECT_TRUE(call.TryEnd(/*may_be_claimed=*/false));
  EXPECT_FALSE(call.Claim());
}

TEST(SingleCallTest, WhoLooksAtAFreeNodeKeepsClaimsOut) {
  SingleCall call;
  call.Offer();
  EXPECT_FALSE(call.Arrived());
  EXPECT_TRUE(call.HasNoCall());
  EXPECT_FALSE(call.Claim());
  call.Begin(/*looks_again=*/false);
  EXPECT_FALSE(call.Claim());
  EXPECT_TRUE(call.TryEnd(/*may_be_claimed=*/true));
  EXPECT_TRUE(call.Claim());
}

TEST(SingleCallTest, WhatArrivesInAClaimedCallIsLookedAtInTheEnd) {
  SingleCall call;
  call.Offer();
  EXPECT_TRUE(call.Claim());
  EXPECT_TRUE(call.Arrived());
  EXPECT_FALSE(call.TryEnd(/*may_be_claimed=*/true));
  EXPECT_FALSE(call.Claim());
  call.End();
  EXPECT_TRUE(call.HasNoCall());
  EXPECT_FALSE(call.Claim()) << "its thread looks at the node";
  call.Offer();
  EXPECT_TRUE(call.Claim());
  call.LookAgain();
  EXPECT_FALSE(call.TryEnd(/*may_be_claimed=*/true));
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
    while (!call.HasNoCall()) {
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
    ASSERT_TRUE(call.HasNoCall());
  }
}

// One thread claims, another one looks under the lock: never both at a time.
TEST(SingleCallTest, AClaimAndALookExcludeEachOther) {
  SingleCall call;
  Mutex node;
  int owned = 0;  // by who has the call, or looks at the node without one
  call.Offer();
  std::thread claimer([&] {
    for (int calls = 0; calls < 2000;) {
      if (!call.Claim()) continue;
      ++calls;
      ++owned;
      if (call.TryEnd(/*may_be_claimed=*/true)) continue;
      const MutexLock lock(&node);
      ++owned;
      call.End();
      call.Offer();
    }
  });
  int looks = 0;
  for (int round = 0; round < 2000; ++round) {
    const MutexLock lock(&node);
    if (call.Arrived()) continue;
    ++looks;
    ++owned;
    call.Offer();
  }
  claimer.join();
  EXPECT_GE(owned, 2000 + looks);
}

}  // namespace
}  // namespace syncline
