#include "framework/node/single_call.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(SingleCallTest, ACallWithoutNewsEndsAtOnce) {
  SingleCall call;
  EXPECT_TRUE(call.IsIdle());
  call.Begin(/*has_news=*/false);
  EXPECT_FALSE(call.IsIdle());
  EXPECT_TRUE(call.TryEnd());
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, WhatArrivesMeanwhileIsLookedAtInTheEnd) {
  SingleCall call;
  call.Begin(/*has_news=*/false);
  EXPECT_TRUE(call.NoteNews());
  EXPECT_TRUE(call.NoteNews()) << "more news change nothing";
  EXPECT_FALSE(call.TryEnd());
  EXPECT_FALSE(call.IsIdle());
  call.End();
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, WhatWasThereBeforeIsLookedAtInTheEnd) {
  SingleCall call;
  call.Begin(/*has_news=*/true);
  EXPECT_TRUE(call.NoteNews());
  EXPECT_FALSE(call.TryEnd());
  call.End();
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, NewsWithoutACallAreForTheCaller) {
  SingleCall call;
  EXPECT_FALSE(call.NoteNews());
  EXPECT_TRUE(call.IsIdle());
}

TEST(SingleCallTest, NewsOfACallAreNotThoseOfTheNext) {
  SingleCall call;
  call.Begin(/*has_news=*/true);
  call.End();
  call.Begin(/*has_news=*/false);
  EXPECT_TRUE(call.TryEnd());
}

// Whoever comes second sees the first: either the news are seen by the end of
// the call, or their sender sees that no call is left.
TEST(SingleCallTest, NewsThatComeAtTheEndAreNotLost) {
  for (int round = 0; round < 2000; ++round) {
    SingleCall call;
    call.Begin(/*has_news=*/false);
    std::atomic<bool> go{false};
    bool ended = false;
    std::thread caller([&] {
      while (!go.load()) {
      }
      ended = call.TryEnd();
    });
    go.store(true);
    const bool is_looked_at = call.NoteNews();
    caller.join();
    ASSERT_NE(ended, is_looked_at) << "round " << round;
    ASSERT_EQ(call.IsIdle(), ended);
  }
}

}  // namespace
}  // namespace syncline
