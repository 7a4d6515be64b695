// The steps of SingleCall, and its end against an arrival.

#include "framework/node/single_call.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(SingleCallTest, ACallEndsAtOnceWhereNothingArrived) {
  SingleCall call;
  EXPECT_TRUE(call.IsIdle());
  call.Begin(/*looks_again=*/false);
  EXPECT_FALSE(call.IsIdle());
  EXPECT_TRUE(call.TryEnd());
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, WhatArrivesMeanwhileIsLookedAtInTheEnd) {
  SingleCall call;
  call.Begin(/*looks_again=*/false);
  EXPECT_TRUE(call.Arrived());
  EXPECT_TRUE(call.Arrived()) << "more changes nothing";
  EXPECT_FALSE(call.TryEnd());
  EXPECT_FALSE(call.IsIdle());
  call.End();
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, WhatWasThereBeforeIsLookedAtInTheEnd) {
  SingleCall call;
  call.Begin(/*looks_again=*/true);
  EXPECT_TRUE(call.Arrived());
  EXPECT_FALSE(call.TryEnd());
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
  EXPECT_TRUE(call.TryEnd());
}

// Whoever comes second sees the first: either the end of the call sees what has
// arrived, or its sender sees that no call is left.
TEST(SingleCallTest, WhatArrivesAtTheEndIsNotLost) {
  for (int round = 0; round < 2000; ++round) {
    SingleCall call;
    call.Begin(/*looks_again=*/false);
    std::atomic<bool> go{false};
    bool ended = false;
    std::thread caller([&] {
      while (!go.load()) {
      }
      ended = call.TryEnd();
    });
    go.store(true);
    const bool is_looked_at = call.Arrived();
    caller.join();
    ASSERT_NE(ended, is_looked_at) << "round " << round;
    ASSERT_EQ(call.IsIdle(), ended);
  }
}

}  // namespace
}  // namespace syncline
