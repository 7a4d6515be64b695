// Input sets of streams that are known from the start.
#include "testing/literal_streams.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/port_layout.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::HasSubstr;

Packet At(Timestamp timestamp) { return MakePacket<int>(1).At(timestamp); }
Packet At(int64_t timestamp) { return At(Timestamp(timestamp)); }
Packet Bound(int64_t timestamp) { return Packet().At(Timestamp(timestamp)); }

class LiteralStreamsTest : public testing::Test {
 protected:
  LiteralStreamsTest()
      : inputs_(MakeInputStreams(
            PortLayout::Create(std::vector<std::string>{"a", "b"}).value())) {}

  void Add(std::vector<Packet> packets) {
    SYNCLINE_EXPECT_OK(streams_.Add(std::move(packets)));
  }
  // "packet@5", "empty@4 done", ...
  std::string Shown(int index) {
    const InputStream& input = inputs_.Index(index);
    return std::string(input.IsEmpty() ? "empty@" : "packet@") +
           input.Value().Timestamp().DebugString() +
           (input.IsDone() ? " done" : "");
  }

  LiteralStreams streams_;
  InputStreamSet inputs_;
};

TEST_F(LiteralStreamsTest, PacketsOfOneTimeComeTogether) {
  Add({At(1), At(5)});
  Add({At(5), At(9)});
  EXPECT_EQ(streams_.NextTime(), Timestamp(1));
  EXPECT_TRUE(streams_.TakeTogether(&inputs_));
  EXPECT_EQ(Shown(0), "packet@1");
  EXPECT_EQ(Shown(1), "empty@4") << "settled up to its next packet";
  EXPECT_TRUE(streams_.TakeTogether(&inputs_));
  EXPECT_EQ(Shown(0), "packet@5 done");
  EXPECT_EQ(Shown(1), "packet@5");
  EXPECT_TRUE(streams_.TakeTogether(&inputs_));
  EXPECT_EQ(Shown(0), "empty@Timestamp::Max() done");
  EXPECT_EQ(Shown(1), "packet@9 done");
  EXPECT_EQ(streams_.NextTime(), Timestamp::Done());
}

TEST_F(LiteralStreamsTest, AnEmptyPacketIsATimeWithoutPackets) {
  Add({Bound(3), At(7)});
  Add({});
  EXPECT_EQ(streams_.NextTime(), Timestamp(3));
  EXPECT_FALSE(streams_.TakeTogether(&inputs_));
  EXPECT_EQ(Shown(0), "empty@6");
  EXPECT_EQ(Shown(1), "empty@Timestamp::Max() done");
  EXPECT_TRUE(streams_.TakeTogether(&inputs_));
}

TEST_F(LiteralStreamsTest, TakenOneByOneTheFirstPortComesFirst) {
  Add({At(5)});
  Add({At(4), At(5)});
  EXPECT_TRUE(streams_.TakeOne(&inputs_));
  EXPECT_EQ(Shown(0), "empty@4");
  EXPECT_EQ(Shown(1), "packet@4");
  EXPECT_TRUE(streams_.TakeOne(&inputs_));
  EXPECT_EQ(Shown(0), "packet@5 done");
  EXPECT_EQ(Shown(1), "empty@4");
  EXPECT_TRUE(streams_.TakeOne(&inputs_));
  EXPECT_EQ(Shown(1), "packet@5 done");
}

TEST_F(LiteralStreamsTest, WhatNoStreamCarriesIsRefused) {
  EXPECT_THAT(
      streams_.Add({At(5), At(5)}),
      StatusIs(StatusCode::kInvalidArgument, HasSubstr("is 6 but received 5")));
  EXPECT_THAT(streams_.Add({MakePacket<int>(1)}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("timestamp not specified")));
  EXPECT_THAT(streams_.Add({At(1), At(Timestamp::Done())}),
              StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(streams_.Add({At(Timestamp::PreStream()), At(1)}),
              StatusIs(StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace syncline
