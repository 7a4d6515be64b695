#include "pages/live/watched_streams.h"

#include <memory>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/live/packet_view.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

absl::Time At(int seconds) { return absl::FromUnixSeconds(seconds); }

TEST(WatchedStreamsTest, WhatWasSeenIsThereForWhoAsksNext) {
  WatchedStreams watched;
  EXPECT_TRUE(watched.empty());
  EXPECT_EQ(watched.Ask(7, At(0)).number, 0);
  EXPECT_EQ(watched.Ask(7, At(0)).view, nullptr);
  const auto first = std::make_shared<const PacketView>();
  const auto second = std::make_shared<const PacketView>();
  EXPECT_EQ(watched.See(7, first, At(0)), nullptr);
  EXPECT_EQ(watched.Ask(7, At(1)).number, 1);
  EXPECT_EQ(watched.Ask(7, At(1)).view, first);
  EXPECT_EQ(watched.See(7, second, At(0)), first) << "to be released";
  EXPECT_EQ(watched.Ask(7, At(1)).number, 2);
  EXPECT_EQ(watched.Ask(7, At(1)).view, second);
}

TEST(WatchedStreamsTest, APacketOfAStreamThatNobodyAsksForIsGivenBack) {
  WatchedStreams watched;
  const auto view = std::make_shared<const PacketView>();
  EXPECT_EQ(watched.See(7, view, At(0)), view);
  EXPECT_EQ(watched.Ask(7, At(0)).number, 0);
}

TEST(WatchedStreamsTest, AStreamIsOldWhenNobodyHasAskedForSomeTime) {
  WatchedStreams watched;
  watched.Ask(7, At(0));
  watched.Ask(8, At(2));
  EXPECT_THAT(watched.NotSeenSince(absl::InfiniteFuture()), ElementsAre(7, 8));
  EXPECT_THAT(watched.TakeOld(At(2)), IsEmpty());
  EXPECT_THAT(watched.TakeOld(At(3)), ElementsAre(7));
  EXPECT_THAT(watched.NotSeenSince(absl::InfiniteFuture()), ElementsAre(8));
  EXPECT_THAT(watched.TakeOld(At(5)), ElementsAre(8));
  EXPECT_TRUE(watched.empty());
}

TEST(WatchedStreamsTest, AStreamIsLookedAtAgainSomeTimeAfterItWasSeen) {
  WatchedStreams watched;
  watched.Ask(7, At(0));
  watched.Ask(8, At(0));
  watched.See(7, std::make_shared<const PacketView>(), At(5));
  EXPECT_THAT(watched.NotSeenSince(At(4)), ElementsAre(8));
  EXPECT_THAT(watched.NotSeenSince(At(5)), ElementsAre(7, 8));
}

TEST(WatchedStreamsTest, OfMoreThanFourTheOneAskedForLeastLatelyIsOld) {
  WatchedStreams watched;
  for (const int stream : {1, 2, 3, 4}) watched.Ask(stream, At(0));
  watched.Ask(1, At(1));
  EXPECT_THAT(watched.TakeOld(At(1)), IsEmpty());
  watched.Ask(5, At(1));
  EXPECT_THAT(watched.TakeOld(At(1)), ElementsAre(2));
}

TEST(WatchedStreamsTest, AtTheEndAllAreOld) {
  WatchedStreams watched;
  watched.Ask(1, At(0));
  watched.Ask(2, At(0));
  watched.StopAsking();
  EXPECT_THAT(watched.TakeOld(At(0)), ElementsAre(1, 2));
}

}  // namespace
}  // namespace syncline
