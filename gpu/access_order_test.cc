#include "gpu/access_order.h"

#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

TEST(AccessOrderTest, WorkOfOneStreamIsOrdered) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const WorkPosition first = order.Add(a);
  EXPECT_TRUE(order.IsKnown(a, first));
  EXPECT_EQ(order.Now(a).number, 1u);
  EXPECT_FALSE(order.HostKnows(first));
}

TEST(AccessOrderTest, StreamsAreNotOrderedByChance) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const StreamId b = order.AddStream();
  const WorkPosition first = order.Add(a);
  order.Add(b);
  EXPECT_FALSE(order.IsKnown(b, first));
}

TEST(AccessOrderTest, AWaitOrdersWhatWasSubmittedBeforeTheEvent) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const StreamId b = order.AddStream();
  const WorkPosition before = order.Add(a);
  const WorkClock event = order.ClockOf(a);
  const WorkPosition after = order.Add(a);
  order.StreamWaits(b, event);
  EXPECT_TRUE(order.IsKnown(b, before));
  EXPECT_FALSE(order.IsKnown(b, after));
  EXPECT_FALSE(order.HostKnows(before));
}

TEST(AccessOrderTest, WaitsGoOnOverOtherStreams) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const StreamId b = order.AddStream();
  const StreamId c = order.AddStream();
  const WorkPosition first = order.Add(a);
  order.StreamWaits(b, order.ClockOf(a));
  order.StreamWaits(c, order.ClockOf(b));
  EXPECT_TRUE(order.IsKnown(c, first));
}

// Else an event from before the wait would do for those who come after it.
TEST(AccessOrderTest, AWaitIsAPieceOfWork) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const StreamId b = order.AddStream();
  order.Add(a);
  const WorkPosition before = order.Now(b);
  order.StreamWaits(b, order.ClockOf(a));
  EXPECT_GT(order.Now(b).number, before.number);
}

TEST(AccessOrderTest, WorkComesAfterAllThatTheHostSawEnd) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const StreamId b = order.AddStream();
  const StreamId c = order.AddStream();
  const WorkPosition first = order.Add(a);
  order.HostWaited(order.ClockOf(a));
  EXPECT_TRUE(order.HostKnows(first));
  EXPECT_TRUE(order.IsKnown(b, first));
  // The knowledge is part of what is submitted next, and goes on with it.
  order.Add(b);
  EXPECT_TRUE(order.ClockOf(b).Covers(first));
  order.StreamWaits(c, order.ClockOf(b));
  EXPECT_TRUE(order.ClockOf(c).Covers(first));
}

TEST(AccessOrderTest, AStreamThatBeginsLaterKnowsWhatTheHostKnows) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const WorkPosition first = order.Add(a);
  const StreamId b = order.AddStream();
  EXPECT_FALSE(order.IsKnown(b, first));
  order.HostWaited(order.ClockOf(a));
  const StreamId c = order.AddStream();
  EXPECT_TRUE(order.ClockOf(c).Covers(first));
}

TEST(AccessOrderTest, AnIdIsUsedAgainWhenTheWorkHasEnded) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const WorkPosition last = order.Add(a);
  const WorkClock event = order.ClockOf(a);
  order.DropStream(a);
  const StreamId b = order.AddStream();
  EXPECT_NE(b, a);
  order.HostWaited(event);
  const StreamId c = order.AddStream();
  EXPECT_EQ(c, a);
  // The numbers go on, so that nobody takes old work for new.
  EXPECT_GT(order.Add(c).number, last.number);
  EXPECT_FALSE(order.IsKnown(b, order.Now(c)));
  EXPECT_TRUE(order.IsKnown(b, last));
}

// The host may be told of the end of a stream without waiting for it. That is
// order for nobody but those who come after.
TEST(AccessOrderTest, AnIdIsUsedAgainWhenTheStreamIsSaidToHaveEnded) {
  AccessOrder order;
  const StreamId a = order.AddStream();
  const StreamId b = order.AddStream();
  const WorkPosition last = order.Add(a);
  order.DropStream(a);
  order.DroppedStreamEnded(a);
  order.DroppedStreamEnded(a);
  const StreamId c = order.AddStream();
  EXPECT_EQ(c, a);
  EXPECT_EQ(order.Add(c).number, last.number + 1);
  EXPECT_FALSE(order.IsKnown(b, last));
  EXPECT_NE(order.AddStream(), a);
}

}  // namespace
}  // namespace syncline::gpu
