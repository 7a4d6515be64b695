#include "framework/node/arrival_times.h"

#include <array>

#include "absl/types/span.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/input_queue.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ArrivalTimesTest : public ::testing::Test {
 protected:
  void Add(int port, int timestamp) {
    queues_[port].Add(MakePacket<int>(1).At(Timestamp(timestamp)));
  }
  void Note(int port, int now_ns) { times_.Note(port, queues_[port], now_ns); }

  std::array<InputQueue, 2> queues_;
  ArrivalTimes times_;
};

TEST_F(ArrivalTimesTest, NoneAreKeptAtFirst) {
  EXPECT_FALSE(times_.are_kept());
  times_.Trim(queues_);
  EXPECT_THAT(times_.times(), IsEmpty());
  times_.Keep(2);
  EXPECT_TRUE(times_.are_kept());
}

TEST_F(ArrivalTimesTest, EachPacketHasItsTime) {
  times_.Keep(2);
  Add(0, 1);
  Add(0, 2);
  Note(0, 70);
  Add(0, 3);
  Note(0, 80);
  Add(1, 3);
  Note(1, 90);
  Note(1, 95);
  EXPECT_THAT(times_.times(),
              ElementsAre(ElementsAre(70, 70, 80), ElementsAre(90)));
}

TEST_F(ArrivalTimesTest, PacketsLeaveAtTheFront) {
  times_.Keep(2);
  Add(0, 1);
  Note(0, 70);
  Add(0, 2);
  Note(0, 80);
  Add(1, 1);
  Note(1, 85);
  queues_[0].TakeFront();
  queues_[1].TakeFront();
  times_.Trim(queues_);
  EXPECT_THAT(times_.times(), ElementsAre(ElementsAre(80), IsEmpty()));
}

TEST_F(ArrivalTimesTest, APacketThatLeftBeforeItWasNotedLeavesNoTime) {
  times_.Keep(2);
  Add(0, 1);
  queues_[0].TakeFront();
  Note(0, 70);
  EXPECT_THAT(times_.times()[0], IsEmpty());
  Add(0, 2);
  Note(0, 80);
  EXPECT_THAT(times_.times()[0], ElementsAre(80));
}

}  // namespace
}  // namespace syncline
