// The calculators that SwitchContainer is made of send each packet to the
// channel that is selected at its timestamp, in whatever order packets arrive,
// and wait for no stream that is not needed.
#include <memory>
#include <set>
#include <string>

#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "framework/tool/container_util.h"
#include "framework/tool/tag_map_helper.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::Pair;

class SwitchDemuxTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SwitchDemuxTest);
class SwitchMuxTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SwitchMuxTest);
class PacketSequencerTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(PacketSequencerTest);

// --- Names of channels

TEST(ContainerUtilTest, ChannelTagsAreMadeAndSplit) {
  EXPECT_EQ(tool::ChannelTag("IMAGE", 1), "C1__IMAGE");
  EXPECT_EQ(tool::ChannelTag("", 12), "C12__");
  EXPECT_THAT(tool::ParseChannelTag("C1__IMAGE"), Optional(Pair(1, "IMAGE")));
  EXPECT_THAT(tool::ParseChannelTag("C12__"), Optional(Pair(12, "")));
  for (const char* other : {"IMAGE", "C__A", "C01__A", "C1_A", "CA1__A", "",
                            "C99999999999__A", "C10001__A", "1__A"}) {
    EXPECT_EQ(tool::ParseChannelTag(other), absl::nullopt) << other;
  }
}

TEST(ContainerUtilTest, ChannelsOfPortsAreCounted) {
  const auto ports =
      tool::CreateTagMap({"SELECT:s", "C0__A:a", "C2__A:b", "C2__:c"});
  SYNCLINE_ASSERT_OK(ports);
  EXPECT_EQ(tool::ChannelCount(*ports), 3);
  EXPECT_THAT(tool::ChannelTags(*ports), ElementsAre("", "A"));
  EXPECT_EQ(tool::ChannelCount(*tool::CreateTagMap({"A:a"})), 0);
}

// --- Demux

constexpr char kDemux[] = R"pb(
  input_stream: "enable"
  input_stream: "a"
  input_stream: "b"
  node {
    calculator: "SwitchDemuxCalculator"
    input_stream: "ENABLE:enable"
    input_stream: "A:a"
    input_stream: "B:b"
    output_stream: "C0__A:a0"
    output_stream: "C0__B:b0"
    output_stream: "C1__A:a1"
    output_stream: "C1__B:b1"
  }
)pb";

TEST_P(SwitchDemuxTest, APacketTakesTheChannelOfItsTimestamp) {
  GraphHarness graph(kDemux, GetParam());
  graph.Feed<bool>("enable", {{10, true}, {30, false}});
  graph.Feed("a", {{5, 1}, {10, 2}, {29, 3}, {30, 4}, {40, 5}});
  graph.Feed("b", {{20, 6}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("a0", {{5, 1}, {30, 4}, {40, 5}});
  graph.Expect("a1", {{10, 2}, {29, 3}});
  graph.Expect("b0", {});
  graph.Expect("b1", {{20, 6}});
}

TEST_P(SwitchDemuxTest, PacketsWaitForTheSelectionAndNotForOtherInputs) {
  GraphHarness graph(kDemux, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{10, 1}, {20, 2}});
  graph.Idle();
  graph.Expect("a0", {});
  graph.Feed<bool>("enable", {{10, false}});
  graph.Idle();
  graph.Expect("a0", {{10, 1}});
  graph.SetBound("enable", 21);
  graph.Idle();
  graph.Expect("a0", {{10, 1}, {20, 2}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchDemuxTest, ChannelsThatAreNotSelectedGetTheBounds) {
  GraphHarness graph(kDemux, GetParam());
  graph.CollectBounds("a1");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed<bool>("enable", {{10, false}});
  graph.Feed("a", {{10, 1}});
  graph.Idle();
  ASSERT_EQ(graph.Count("a1"), 1);
  EXPECT_TRUE(graph.Packets("a1")[0].IsEmpty());
  EXPECT_THAT(graph.Packets("a1")[0], HasTimestamp(10));
  // No packet of "a" waits, so the selection need not be known.
  graph.SetBound("a", 100);
  graph.Idle();
  EXPECT_THAT(graph.Packets("a1").back(), HasTimestamp(99));
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchDemuxTest, PreStreamAndPostStreamPacketsGoThrough) {
  GraphHarness graph(kDemux, GetParam());
  graph.Feed<bool>("enable", {{10, true}});
  graph.Feed("a", {{Timestamp::PreStream(), 1}});
  graph.Feed("b", {{Timestamp::PostStream(), 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("a0", {{Timestamp::PreStream(), 1}});
  graph.Expect("b1", {{Timestamp::PostStream(), 2}});
}

TEST_P(SwitchDemuxTest, SynchronizedInputsWaitForEachOther) {
  std::string text = kDemux;
  text.insert(text.rfind('}'),
              "options { [syncline.SwitchContainerOptions.ext] { "
              "synchronize_io: true } }");
  GraphHarness graph(text, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed<bool>("enable", {{10, true}});
  graph.Feed("a", {{10, 1}});
  graph.Idle();
  graph.Expect("a1", {});
  graph.Feed("b", {{10, 2}});
  graph.Idle();
  graph.Expect("a1", {{10, 1}});
  graph.Expect("b1", {{10, 2}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchDemuxTest, SidePacketsAndHeadersGoToAllChannels) {
  GraphHarness graph(R"pb(
                       input_stream: "a"
                       input_side_packet: "select"
                       input_side_packet: "size"
                       node {
                         calculator: "SwitchDemuxCalculator"
                         input_stream: "a"
                         input_side_packet: "SELECT:select"
                         input_side_packet: "SIZE:size"
                         output_stream: "C0__:a0"
                         output_stream: "C1__:a1"
                         output_side_packet: "C0__SIZE:size0"
                         output_side_packet: "C1__SIZE:size1"
                       }
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "OPEN:open"
                         input_stream: "a0"
                         input_stream: "a1"
                       }
                     )pb",
                     GetParam());
  graph.SetSidePacket("select", MakePacket<int>(1));
  graph.SetSidePacket("size", MakePacket<int>(7));
  graph.SetFunction("open", [](CalculatorContext* cc) -> absl::Status {
    for (const InputStream& input : cc->Inputs()) {
      RET_CHECK_EQ(input.Header().Get<int>(), 3);
    }
    return absl::OkStatus();
  });
  graph.Feed("a", {{10, 1}});
  SYNCLINE_ASSERT_OK(graph.Start({{"a", MakePacket<int>(3)}}));
  graph.Feed("a", {{20, 2}});
  SYNCLINE_ASSERT_OK(graph.Finish());
  EXPECT_EQ(graph.Count("a0"), 0);
  EXPECT_GE(graph.Count("a1"), 1);
  for (const char* name : {"size0", "size1"}) {
    const auto size = graph.graph().GetOutputSidePacket(name);
    SYNCLINE_ASSERT_OK(size);
    EXPECT_EQ(size->Get<int>(), 7);
  }
}

TEST_P(SwitchDemuxTest, AChannelThatIsNotThereIsAnError) {
  for (const int channel : {2, -1}) {
    GraphHarness graph(R"pb(
                         input_stream: "select"
                         input_stream: "a"
                         node {
                           calculator: "SwitchDemuxCalculator"
                           input_stream: "SELECT:select"
                           input_stream: "A:a"
                           output_stream: "C0__A:a0"
                           output_stream: "C1__A:a1"
                         }
                       )pb",
                       GetParam());
    graph.Feed("select", {{10, channel}});
    EXPECT_THAT(graph.Run(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(absl::StrCat("channel ", channel,
                                                " is selected at 10, but "
                                                "there are 2"))));
  }
}

// --- Mux

constexpr char kMux[] = R"pb(
  input_stream: "select"
  input_stream: "x0"
  input_stream: "x1"
  input_stream: "tick"
  node {
    calculator: "SwitchMuxCalculator"
    input_stream: "SELECT:select"
    input_stream: "C0__X:x0"
    input_stream: "C1__X:x1"
    input_stream: "TICK:tick"
    output_stream: "X:x"
  }
)pb";

TEST_P(SwitchMuxTest, TheOutputIsThatOfTheChannelSelectedAtTheTime) {
  GraphHarness graph(kMux, GetParam());
  graph.Feed("select", {{0, 0}, {15, 1}, {35, 0}, {36, 1}, {37, 0}});
  graph.Feed("x0", {{10, 1}, {20, 2}, {30, 3}, {40, 4}});
  graph.Feed("x1", {{10, -1}, {20, -2}, {30, -3}, {36, -4}, {40, -5}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("x", {{10, 1}, {20, -2}, {30, -3}, {36, -4}, {40, 4}});
}

TEST_P(SwitchMuxTest, AChannelThatIsNotSelectedKeepsNothingWaiting) {
  GraphHarness graph(kMux, GetParam());
  graph.CollectBounds("x");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("select", {{10, 1}});
  graph.Feed("x1", {{10, 5}});
  graph.SetBound("select", 1000);
  graph.SetBound("x0", 10);
  graph.Idle();
  EXPECT_THAT(graph.Packets("x"), testing::Contains(PacketIs<int>(10, 5)));
  graph.SetBound("x1", 500);
  graph.Idle();
  EXPECT_THAT(graph.Packets("x").back(), HasTimestamp(499));
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchMuxTest, TheOldChannelSettlesBeforeTheNewOneSpeaks) {
  GraphHarness graph(kMux, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("select", {{0, 0}, {15, 1}});
  graph.SetBound("select", 100);
  graph.Feed("x1", {{20, -2}});
  graph.Idle();
  graph.Expect("x", {});
  graph.Feed("x0", {{10, 1}});
  graph.Idle();
  graph.Expect("x", {{10, 1}});
  graph.SetBound("x0", 15);
  graph.Idle();
  graph.Expect("x", {{10, 1}, {20, -2}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchMuxTest, WithTicksTheOldChannelSettlesAtTheLastOne) {
  GraphHarness graph(kMux, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("tick", {{10, 0}, {12, 0}, {20, 0}});
  graph.Feed("select", {{0, 0}, {15, 1}});
  graph.SetBound("select", 100);
  graph.Feed("x1", {{20, -2}});
  graph.Feed("x0", {{10, 1}});
  graph.Idle();
  graph.Expect("x", {{10, 1}});
  // After this packet, x0 is settled up to 12. It never settles up to the
  // change at 15.
  graph.Feed("x0", {{12, 2}});
  graph.Idle();
  graph.Expect("x", {{10, 1}, {12, 2}, {20, -2}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchMuxTest, WhatAChannelSendsAfterItsLastTickIsDroppedAndCounted) {
  GraphHarness graph(kMux, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("tick", {{10, 0}, {20, 0}});
  graph.Feed("select", {{0, 0}, {15, 1}});
  graph.SetBound("select", 100);
  graph.Feed("x0", {{10, 1}});
  graph.Feed("x1", {{20, -2}});
  graph.Idle();
  graph.Expect("x", {{10, 1}, {20, -2}});
  graph.Feed("x0", {{12, 2}});
  SYNCLINE_ASSERT_OK(graph.Finish());
  graph.Expect("x", {{10, 1}, {20, -2}});
  EXPECT_EQ(graph.graph()
                .GetCounterFactory()
                ->GetCounter("SwitchMuxCalculator-Dropped")
                ->Get(),
            1);
}

TEST_P(SwitchMuxTest, AnEndlessUnselectedChannelIsDropped) {
  GraphHarness graph(
      R"pb(
        input_stream: "x0"
        node {
          calculator: "NumberSourceCalculator"
          output_stream: "x1"
          node_options {
            [type.googleapis.com/syncline.TestCalculatorOptions] {
              count: 30000
            }
          }
        }
        node {
          calculator: "SwitchMuxCalculator"
          input_stream: "C0__X:x0"
          input_stream: "C1__X:x1"
          output_stream: "X:x"
        }
      )pb",
      GetParam());
  graph.Feed("x0", {{10, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("x", {{10, 1}});
}

TEST_P(SwitchMuxTest, AnOldChannelThatNeverSettlesIsAnErrorInTheEnd) {
  GraphHarness graph(
      R"pb(
        input_stream: "select"
        input_stream: "x0"
        node {
          calculator: "NumberSourceCalculator"
          output_stream: "x1"
          node_options {
            [type.googleapis.com/syncline.TestCalculatorOptions] {
              count: 30000
            }
          }
        }
        node {
          calculator: "SwitchMuxCalculator"
          input_stream: "SELECT:select"
          input_stream: "C0__X:x0"
          input_stream: "C1__X:x1"
          output_stream: "X:x"
        }
      )pb",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("select", {{5, 1}});
  graph.Close("select");
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted,
                               HasSubstr("channel 0 was selected before")));
}

TEST_P(SwitchMuxTest, SidePacketsAreThoseOfTheFirstChannel) {
  GraphHarness graph(R"pb(
                       input_side_packet: "enable"
                       input_side_packet: "s0"
                       input_side_packet: "s1"
                       node {
                         calculator: "SwitchMuxCalculator"
                         input_side_packet: "ENABLE:enable"
                         input_side_packet: "C0__:s0"
                         input_side_packet: "C1__:s1"
                         output_side_packet: "s"
                       }
                     )pb",
                     GetParam());
  graph.SetSidePacket("enable", MakePacket<bool>(true));
  graph.SetSidePacket("s0", MakePacket<int>(0));
  graph.SetSidePacket("s1", MakePacket<int>(1));
  SYNCLINE_ASSERT_OK(graph.Run());
  const auto packet = graph.graph().GetOutputSidePacket("s");
  SYNCLINE_ASSERT_OK(packet);
  EXPECT_EQ(packet->Get<int>(), 1);
}

TEST(SwitchMuxConfigTest, TwoSelectionsAreAnError) {
  GraphHarness graph(R"pb(
    input_stream: "select"
    input_stream: "enable"
    input_stream: "x0"
    node {
      calculator: "SwitchMuxCalculator"
      input_stream: "SELECT:select"
      input_stream: "ENABLE:enable"
      input_stream: "C0__X:x0"
      output_stream: "X:x"
    }
  )pb");
  EXPECT_THAT(graph.Initialize(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("not by both SELECT and ENABLE")));
}

TEST(SwitchMuxConfigTest, AHighChannelOnManyPortsIsAnError) {
  std::string mux =
      "node { calculator: 'SwitchMuxCalculator' input_stream: 'C10000__A:in' ";
  std::string demux =
      "node { calculator: 'SwitchDemuxCalculator' "
      "output_stream: 'C10000__A:out' ";
  for (int i = 0; i < 1000; ++i) {
    absl::StrAppend(&mux, "output_stream: 'A:", i, ":out", i, "' ");
    absl::StrAppend(&demux, "input_stream: 'A:", i, ":in' ");
  }
  for (const std::string& node : {mux, demux}) {
    EXPECT_THAT(GraphHarness("input_stream: 'in' " + node + "}").Initialize(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("a switch of 10001 channels with 1000")));
  }
}

// --- Sequencer

constexpr char kSequencer[] = R"pb(
  input_stream: "command"
  input_stream: "frames"
  input_stream: "sound"
  node {
    calculator: "PacketSequencerCalculator"
    input_stream: "INPUT:command"
    input_stream: "TICK:0:frames"
    input_stream: "TICK:1:sound"
    output_stream: "OUTPUT:timed"
  }
)pb";

TEST_P(PacketSequencerTest, CommandsBeforeTheFirstTickComeFirstOfAll) {
  GraphHarness graph(kSequencer, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("command", {{30000, 1}, {40000, 2}});
  graph.Idle();
  graph.Expect("timed", {{Timestamp::Min(), 1}, {Timestamp::Min() + 1, 2}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(PacketSequencerTest, ACommandFollowsTheNewestTick) {
  GraphHarness graph(kSequencer, GetParam());
  graph.CollectBounds("timed");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("frames", {{10, 0}, {20, 0}});
  graph.Feed("sound", {{12, 0}});
  graph.Idle();
  EXPECT_THAT(graph.Packets("timed").back(), HasTimestamp(20));
  graph.Feed("command", {{5, 1}, {5000, 2}});
  graph.Idle();
  graph.Feed("frames", {{30, 0}});
  graph.Idle();
  graph.Feed("command", {{6000, 3}});
  graph.Idle();
  SYNCLINE_ASSERT_OK(graph.Finish());
  std::vector<Packet> packets;
  for (const Packet& packet : graph.Packets("timed")) {
    if (!packet.IsEmpty()) packets.push_back(packet);
  }
  EXPECT_THAT(packets, StreamIs({{21, 1}, {22, 2}, {31, 3}}));
}

TEST_P(PacketSequencerTest, WhereTicksAreWaitedForCommandsKeepTheirTimes) {
  std::string text = kSequencer;
  text.insert(text.rfind('}'),
              "input_stream_handler { input_stream_handler: "
              "'DefaultInputStreamHandler' }");
  GraphHarness graph(text, GetParam());
  graph.Feed("command", {{5, 1}, {10, 2}, {25, 3}});
  graph.Feed("frames", {{10, 0}, {20, 0}, {30, 0}});
  graph.Feed("sound", {{11, 0}, {40, 0}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("timed", {{5, 1}, {10, 2}, {25, 3}});
}

TEST_P(PacketSequencerTest, CommandsAfterAllTicksAreDropped) {
  GraphHarness graph(kSequencer, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("frames", {{10, 0}});
  graph.Close("frames");
  graph.Close("sound");
  graph.Idle();
  graph.Feed("command", {{5, 1}});
  SYNCLINE_ASSERT_OK(graph.Finish());
  graph.Expect("timed", {});
}

TEST(PacketSequencerConfigTest, EachInputNeedsAnOutput) {
  GraphHarness graph(R"pb(
    input_stream: "command"
    node {
      calculator: "PacketSequencerCalculator"
      input_stream: "INPUT:command"
    }
  )pb");
  EXPECT_THAT(graph.Initialize(), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("1 INPUT and 0 OUTPUT")));
}

}  // namespace
}  // namespace syncline
