#include "framework/scheduler/waiters.h"

#include <memory>

#include "gtest/gtest.h"

namespace syncline {
namespace {

using For = WaitReason::For;

TEST(WaitersTest, NobodyWaits) {
  Waiters waiters;
  EXPECT_TRUE(waiters.Look(5).reasons.empty());
  EXPECT_EQ(waiters.Look(5).since_ns, Waiters::kNever);
}

TEST(WaitersTest, AThreadWaitsSinceItWasSeenFirst) {
  Waiters waiters;
  const Waiters::Entry entry(&waiters, {.what = For::kPacket, .stream = 3});
  EXPECT_EQ(waiters.Look(10).since_ns, 10);
  const Waiters::Seen seen = waiters.Look(20);
  EXPECT_EQ(seen.since_ns, 10);
  ASSERT_EQ(seen.reasons.size(), 1u);
  EXPECT_EQ(seen.reasons[0].what, For::kPacket);
  EXPECT_EQ(seen.reasons[0].stream, 3);
}

TEST(WaitersTest, WhoHasWaitedLongestCounts) {
  Waiters waiters;
  const Waiters::Entry first(&waiters, {.what = For::kDone});
  waiters.Look(10);
  {
    const Waiters::Entry second(&waiters, {.what = For::kIdle});
    const Waiters::Seen seen = waiters.Look(20);
    EXPECT_EQ(seen.reasons.size(), 2u);
    EXPECT_EQ(seen.since_ns, 10);
  }
  EXPECT_EQ(waiters.Look(30).reasons.size(), 1u);
}

TEST(WaitersTest, OneThatWaitsAgainIsNew) {
  Waiters waiters;
  { const Waiters::Entry entry(&waiters, {.what = For::kPacket}); }
  auto entry = std::make_unique<Waiters::Entry>(
      &waiters, WaitReason{.what = For::kPacket});
  EXPECT_EQ(waiters.Look(20).since_ns, 20);
  entry.reset();
  entry = std::make_unique<Waiters::Entry>(&waiters,
                                           WaitReason{.what = For::kPacket});
  EXPECT_EQ(waiters.Look(30).since_ns, 30);
}

TEST(WaitersTest, ThreadsLeaveInAnyOrder) {
  Waiters waiters;
  auto a = std::make_unique<Waiters::Entry>(&waiters, WaitReason{});
  auto b = std::make_unique<Waiters::Entry>(&waiters, WaitReason{});
  auto c = std::make_unique<Waiters::Entry>(&waiters, WaitReason{});
  b.reset();
  EXPECT_EQ(waiters.Look(1).reasons.size(), 2u);
  c.reset();
  EXPECT_EQ(waiters.Look(1).reasons.size(), 1u);
  a.reset();
  EXPECT_TRUE(waiters.Look(1).reasons.empty());
}

}  // namespace
}  // namespace syncline
