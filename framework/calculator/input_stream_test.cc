// What a call sees of an input port.
#include "framework/calculator/input_stream.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/port_layout.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;

InputStreamSet Streams() {
  return MakeInputStreams(
      PortLayout::Create(std::vector<std::string>{"A:frames", "ticks"})
          .value());
}

TEST(InputStreamTest, HasTheNameOfItsStream) {
  InputStreamSet streams = Streams();
  EXPECT_EQ(streams.Tag("A").Name(), "frames");
  EXPECT_EQ(streams.Index(0).Name(), "ticks");
  EXPECT_EQ(InputStream().Name(), "");
}

TEST(InputStreamTest, ShowsThePacketOfTheCall) {
  InputStreamSet streams = Streams();
  InputStream& input = streams.Tag("A");
  EXPECT_TRUE(input.IsEmpty());
  input.Fill(MakePacket<int>(7).At(Timestamp(3)), /*is_done=*/true);
  EXPECT_EQ(input.Get<int>(), 7);
  EXPECT_EQ(input.Value().Timestamp(), Timestamp(3));
  EXPECT_TRUE(input.IsDone());
  input.Clear();
  EXPECT_TRUE(input.IsEmpty());
  EXPECT_FALSE(input.IsDone());
}

TEST(InputStreamTest, WithoutAPacketItShowsTheSettledTimestamp) {
  InputStreamSet streams = Streams();
  streams.Tag("A").Fill(Packet().At(Timestamp(9)), /*is_done=*/false);
  EXPECT_TRUE(streams.Tag("A").IsEmpty());
  EXPECT_EQ(streams.Tag("A").Value().Timestamp(), Timestamp(9));
}

TEST(InputStreamTest, TheHeaderOutlastsCalls) {
  InputStreamSet streams = Streams();
  InputStream& input = streams.Tag("A");
  input.SetHeader(MakePacket<std::string>("rgb"));
  input.Fill(MakePacket<int>(7), false);
  input.Clear();
  EXPECT_EQ(input.Header().Get<std::string>(), "rgb");
}

TEST(InputStreamTest, ThePacketMayBeTakenOut) {
  InputStreamSet streams = Streams();
  streams.Tag("A").Fill(MakePacket<int>(7).At(Timestamp(3)), false);
  const Packet taken = std::move(streams.Tag("A").Value());
  EXPECT_EQ(taken.Get<int>(), 7);
  EXPECT_TRUE(streams.Tag("A").IsEmpty());
}

TEST(InputStreamTest, GetWithoutAPacketNamesTheStream) {
  InputStreamSet streams = Streams();
  streams.Tag("A").Fill(Packet().At(Timestamp(9)), false);
  EXPECT_THAT(CallUserCode([&] {
                streams.Tag("A").Get<int>();
                return absl::OkStatus();
              }),
              StatusIs(StatusCode::kInternal,
                       AllOf(HasSubstr("\"frames\""), HasSubstr("no packet"),
                             HasSubstr("settled at 9"), HasSubstr("IsEmpty()"),
                             HasSubstr("\"int\""))));
}

TEST(InputStreamTest, GetOfAnotherTypeNamesTheStreamAndBothTypes) {
  InputStreamSet streams = Streams();
  streams.Tag("A").Fill(MakePacket<int>(7).At(Timestamp(3)), false);
  EXPECT_THAT(CallUserCode([&] {
                streams.Tag("A").Get<float>();
                return absl::OkStatus();
              }),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"frames\""), HasSubstr("\"int\""),
                             HasSubstr("\"float\""))));
}

TEST(InputStreamTest, KeepsItsNameWhateverElseItGets) {
  const std::string other = "other";
  InputStreamSet streams = Streams();
  InputStream& input = streams.Tag("A");
  EXPECT_TRUE(input.Header().IsEmpty());
  EXPECT_FALSE(input.KeepsMessageTimes());
  input.SetMessageTimes(PacketTimes());
  EXPECT_TRUE(input.KeepsMessageTimes());
  EXPECT_TRUE(input.Header().IsEmpty());
  EXPECT_EQ(input.Name(), "frames");
  input.SetName(&other);
  EXPECT_EQ(input.Name(), "other");
  input.SetHeader(MakePacket<int>(1));
  EXPECT_EQ(input.Name(), "other");
  EXPECT_TRUE(input.KeepsMessageTimes());
  InputStream& bare = streams.Index(0);
  bare.SetName(&other);
  EXPECT_EQ(bare.Name(), "other");
  EXPECT_FALSE(bare.KeepsMessageTimes());
}

}  // namespace
}  // namespace syncline
