// What a call may send on an output port, what the engine reads afterwards, and
// what is said where something is wrong.
#include "framework/calculator/output_stream.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/calculator/call.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class OutputStreamTest : public testing::Test {
 protected:
  OutputStreamTest()
      : node_(R"pb(
                calculator: "Sender"
                name: "sender"
                output_stream: "OUT:numbers"
                output_stream: "ANY:anything"
                output_stream: "SOME:some"
              )pb",
              [](CalculatorContract* cc) {
                cc->Outputs().Tag("OUT").Set<int>();
                cc->Outputs().Tag("ANY").SetAny();
                cc->Outputs().Tag("SOME").SetOneOf<int, float>();
              }) {}

  // Begins Process at `bound`, and returns the stream OUT.
  OutputStream& Process(Timestamp bound = Timestamp::PreStream(),
                        bool had_packets = false) {
    return node_.Begin(CallPhase::kProcess, Timestamp(0), bound, had_packets)
        .Outputs()
        .Tag("OUT");
  }
  OutputStream& Open() {
    return node_.Begin(CallPhase::kOpen, Timestamp::Unstarted())
        .Outputs()
        .Tag("OUT");
  }

  absl::Status status() { return node_.context().call().status(); }
  std::vector<int> Sent(const OutputStream& output) {
    std::vector<int> values;
    for (const Packet& packet : output.packets()) {
      values.push_back(packet.Get<int>());
    }
    return values;
  }

  TestNode node_;
};

Packet Number(int value, Timestamp timestamp) {
  return MakePacket<int>(value).At(timestamp);
}
Packet Number(int value, int64_t timestamp) {
  return Number(value, Timestamp(timestamp));
}

TEST_F(OutputStreamTest, KnowsWhetherACallDidNothingButSendAPacket) {
  OutputStream& output = Process();
  EXPECT_FALSE(output.HasOnePacketOnly());
  output.AddPacket(Number(1, 10));
  EXPECT_TRUE(output.HasOnePacketOnly());
  output.AddPacket(Number(2, 11));
  EXPECT_FALSE(output.HasOnePacketOnly()) << "two";
  output.Clear();
  output.AddPacket(Number(1, 12));
  output.SetNextTimestampBound(Timestamp(20));
  EXPECT_FALSE(output.HasOnePacketOnly()) << "a bound";
  output.Clear();
  output.AddPacket(Number(1, 13), PacketTimes());
  EXPECT_FALSE(output.HasOnePacketOnly()) << "times";
  output.Clear();
  output.AddPacket(Number(1, 14));
  output.Close();
  EXPECT_FALSE(output.HasOnePacketOnly()) << "the end";
}

TEST_F(OutputStreamTest, AfterOnePacketTheNextCallBeginsWhereTheStreamIs) {
  OutputStream& output = Process();
  output.AddPacket(Number(1, 10));
  output.packets()[0] = Packet();
  output.EndOnePacket();
  EXPECT_THAT(output.packets(), IsEmpty());
  EXPECT_EQ(output.packet_bound(), Timestamp(11));
  output.AddPacket(Number(1, Timestamp::PostStream()));
  EXPECT_FALSE(status().ok()) << "it had others";
}

TEST_F(OutputStreamTest, CollectsPacketsInOrder) {
  OutputStream& output = Process();
  output.AddPacket(Number(1, 10));
  const Packet second = Number(2, 11);
  output.AddPacket(second);
  output.Add(new int(3), Timestamp(15));
  EXPECT_THAT(Sent(output), ElementsAre(1, 2, 3));
  EXPECT_EQ(output.NextTimestampBound(), Timestamp(16));
  EXPECT_EQ(output.explicit_bound(), Timestamp::Unset());
  SYNCLINE_EXPECT_OK(status());
  output.Clear();
  EXPECT_THAT(output.packets(), IsEmpty());
}

TEST_F(OutputStreamTest, ABurstDoesNotKeepItsMemory) {
  OutputStream& output = Process();
  for (int i = 0; i < 1000; ++i) output.AddPacket(Number(i, i));
  EXPECT_THAT(output.packets(), SizeIs(1000));
  output.Clear();
  output.AddPacket(Number(1, 1000));
  EXPECT_THAT(Sent(output), ElementsAre(1));
}

TEST_F(OutputStreamTest, ABoundIsAFactForTheEngine) {
  OutputStream& output = Process(Timestamp(5));
  EXPECT_EQ(output.NextTimestampBound(), Timestamp(5));
  output.SetNextTimestampBound(Timestamp(20));
  EXPECT_EQ(output.explicit_bound(), Timestamp(20));
  EXPECT_EQ(output.NextTimestampBound(), Timestamp(20));
  SYNCLINE_EXPECT_OK(status());
}

TEST_F(OutputStreamTest, TheBoundThatWasSetLastCountsAndAPacketReplacesIt) {
  OutputStream& output = Process();
  output.SetNextTimestampBound(Timestamp(20));
  output.SetNextTimestampBound(Timestamp(15));
  EXPECT_EQ(output.explicit_bound(), Timestamp(15));
  output.AddPacket(Number(1, 30));
  EXPECT_EQ(output.explicit_bound(), Timestamp::Unset());
  EXPECT_EQ(output.NextTimestampBound(), Timestamp(31));
  SYNCLINE_EXPECT_OK(status());
}

TEST_F(OutputStreamTest, AnEmptyPacketIsABound) {
  OutputStream& output = Process();
  output.AddPacket(Packet().At(Timestamp(10)));
  EXPECT_THAT(output.packets(), IsEmpty());
  EXPECT_EQ(output.explicit_bound(), Timestamp(11));
  output.AddPacket(Packet().At(Timestamp::Max()));
  EXPECT_EQ(output.explicit_bound(), Timestamp::OneOverPostStream());
  SYNCLINE_EXPECT_OK(status());
}

TEST_F(OutputStreamTest, BoundsThatNoPacketCouldHaveAreRefused) {
  for (const Timestamp bound :
       {Timestamp::Unset(), Timestamp::Unstarted(), Timestamp::Done()}) {
    OutputStream& output = Process(Timestamp(5));
    output.SetNextTimestampBound(bound);
    EXPECT_EQ(output.explicit_bound(), Timestamp::Unset());
    EXPECT_THAT(status(), StatusIs(StatusCode::kInvalidArgument,
                                   AllOf(HasSubstr("set to illegal value"),
                                         HasSubstr(bound.DebugString()),
                                         HasSubstr("\"numbers\""))));
  }
  for (const Timestamp bound :
       {Timestamp::PreStream(), Timestamp::Min(), Timestamp::Max(),
        Timestamp::PostStream(), Timestamp::OneOverPostStream()}) {
    Process().SetNextTimestampBound(bound);
    SYNCLINE_EXPECT_OK(status());
  }
}

TEST_F(OutputStreamTest, APacketNeedsATimestampThatIsAllowed) {
  for (const Timestamp timestamp :
       {Timestamp::Unset(), Timestamp::Unstarted(),
        Timestamp::OneOverPostStream(), Timestamp::Done()}) {
    OutputStream& output = Process();
    output.AddPacket(Number(1, timestamp));
    EXPECT_THAT(output.packets(), IsEmpty());
    EXPECT_THAT(
        status(),
        StatusIs(
            StatusCode::kInvalidArgument,
            AllOf(
                HasSubstr("timestamp not specified or set to illegal value: "),
                HasSubstr(timestamp.DebugString()), HasSubstr("\"numbers\""),
                HasSubstr("\"sender\" (Sender)"))));
  }
}

TEST_F(OutputStreamTest, APacketOfAnotherTypeIsRefused) {
  OutputStream& output = Process();
  output.AddPacket(MakePacket<float>(1).At(Timestamp(10)));
  EXPECT_THAT(output.packets(), IsEmpty());
  EXPECT_THAT(
      status(),
      StatusIs(
          StatusCode::kInvalidArgument,
          AllOf(HasSubstr(
                    "Packet type mismatch on calculator outputting to stream "
                    "\"numbers\""),
                HasSubstr("\"sender\" (Sender)"), HasSubstr("\"float\""),
                HasSubstr("\"int\""), HasSubstr("10"))));
}

TEST_F(OutputStreamTest, AnyAndOneOfTakeWhatTheySay) {
  Process();
  OutputStreamSet& outputs = node_.context().Outputs();
  outputs.Tag("ANY").AddPacket(MakePacket<std::string>("x").At(Timestamp(1)));
  outputs.Tag("SOME").AddPacket(MakePacket<float>(1).At(Timestamp(1)));
  outputs.Tag("SOME").AddPacket(MakePacket<int>(1).At(Timestamp(2)));
  SYNCLINE_EXPECT_OK(status());
  EXPECT_THAT(outputs.Tag("SOME").packets(), SizeIs(2));
  outputs.Tag("SOME").AddPacket(MakePacket<std::string>("x").At(Timestamp(3)));
  EXPECT_THAT(status(), StatusIs(StatusCode::kInvalidArgument,
                                 HasSubstr("Packet type mismatch")));
}

TEST_F(OutputStreamTest, ATimestampThatGoesBackInACallIsRefused) {
  OutputStream& output = Process();
  output.AddPacket(Number(1, 10));
  output.AddPacket(Number(2, 10));
  EXPECT_THAT(Sent(output), ElementsAre(1));
  EXPECT_THAT(
      status(),
      StatusIs(
          StatusCode::kInvalidArgument,
          AllOf(HasSubstr("Packet timestamp mismatch"),
                HasSubstr("Current minimum expected timestamp is 11 but "
                          "received 10"),
                HasSubstr("\"numbers\""), HasSubstr("\"sender\" (Sender)"))));
}

TEST_F(OutputStreamTest, ATimestampBelowTheStreamsBoundIsRefused) {
  Process(Timestamp(100)).AddPacket(Number(1, 99));
  EXPECT_THAT(status(), StatusIs(StatusCode::kInvalidArgument,
                                 HasSubstr("is 100 but received 99")));
  Process(Timestamp(100)).AddPacket(Number(1, 100));
  SYNCLINE_EXPECT_OK(status());
}

TEST_F(OutputStreamTest, ABoundOfTheSameCallDoesNotStopAnEarlierPacket) {
  OutputStream& output = Process();
  output.SetNextTimestampBound(Timestamp(20));
  output.AddPacket(Number(1, 10));
  EXPECT_THAT(Sent(output), ElementsAre(1));
  SYNCLINE_EXPECT_OK(status());
}

TEST_F(OutputStreamTest, WhereTimeIsIgnoredTimestampsMayGoBack) {
  node_.environment().output_ports()[1].checks_order = false;  // OUT
  ASSERT_EQ(*node_.environment().output_ports()[1].stream_name, "numbers");
  OutputStream& output = Process(Timestamp(100), /*had_packets=*/true);
  output.AddPacket(Number(1, 10));
  output.AddPacket(Number(2, 5));
  output.AddPacket(Number(3, Timestamp::PostStream()));
  EXPECT_THAT(Sent(output), ElementsAre(1, 2, 3));
  SYNCLINE_EXPECT_OK(status());
}

TEST_F(OutputStreamTest, PreStreamAndPostStreamArePacketsOfTheirOwn) {
  OutputStream& output = Process();
  output.AddPacket(Number(1, Timestamp::PreStream()));
  SYNCLINE_EXPECT_OK(status());
  EXPECT_EQ(output.NextTimestampBound(), Timestamp::OneOverPostStream());
  output.AddPacket(Number(2, 1));
  EXPECT_THAT(status(), StatusIs(StatusCode::kInvalidArgument));

  Process().AddPacket(Number(1, Timestamp::PostStream()));
  SYNCLINE_EXPECT_OK(status());
  Process(Timestamp(11), /*had_packets=*/true)
      .AddPacket(Number(1, Timestamp::PostStream()));
  EXPECT_THAT(status(), StatusIs(StatusCode::kInvalidArgument,
                                 HasSubstr("must be the only packet")));
  OutputStream& second = Process();
  second.AddPacket(Number(1, 1));
  second.AddPacket(Number(2, Timestamp::PostStream()));
  EXPECT_THAT(Sent(second), ElementsAre(1));
  EXPECT_THAT(status(), StatusIs(StatusCode::kInvalidArgument,
                                 HasSubstr("must be the only packet")));
}

TEST_F(OutputStreamTest, NothingComesAfterClose) {
  OutputStream& output = Process();
  output.AddPacket(Number(1, 1));
  output.Close();
  EXPECT_TRUE(output.IsClosed());
  EXPECT_EQ(output.NextTimestampBound(), Timestamp::Done());
  EXPECT_THAT(Sent(output), ElementsAre(1)) << "what came before stays";
  output.SetNextTimestampBound(Timestamp(50));
  EXPECT_EQ(output.NextTimestampBound(), Timestamp::Done());
  SYNCLINE_EXPECT_OK(status());
  output.AddPacket(Number(2, 2));
  EXPECT_THAT(status(), StatusIs(StatusCode::kFailedPrecondition,
                                 AllOf(HasSubstr("Packet sent to closed stream "
                                                 "\"numbers\""),
                                       HasSubstr("\"sender\" (Sender)"))));
}

TEST_F(OutputStreamTest, AStreamClosedInAnEarlierCallIsClosed) {
  OutputStream& output = Process();
  output.Begin(Timestamp::Done(), /*closed=*/true, /*had_packets=*/false);
  output.AddPacket(Packet().At(Timestamp(1)));
  EXPECT_THAT(status(), StatusIs(StatusCode::kFailedPrecondition,
                                 HasSubstr("closed stream")));
}

TEST_F(OutputStreamTest, TheOffsetIsSetInOpenOnly) {
  OutputStream& output = Open();
  EXPECT_FALSE(output.OffsetEnabled());
  output.SetOffset(0);
  EXPECT_TRUE(output.OffsetEnabled());
  EXPECT_EQ(output.Offset(), TimestampDiff(0));
  SYNCLINE_EXPECT_OK(status());
  Process().SetOffset(5);
  EXPECT_EQ(output.Offset(), TimestampDiff(0));
  EXPECT_THAT(
      status(),
      StatusIs(
          StatusCode::kFailedPrecondition,
          AllOf(HasSubstr("SetOffset must be called from Calculator::Open()"),
                HasSubstr("\"numbers\""))));
  Open().SetOffset(TimestampDiff::Unset());
  EXPECT_FALSE(output.OffsetEnabled());
}

TEST_F(OutputStreamTest, TheHeaderIsSetInOpenOnly) {
  OutputStream& output = Open();
  EXPECT_TRUE(output.Header().IsEmpty());
  output.SetHeader(MakePacket<std::string>("rgb"));
  EXPECT_EQ(output.Header().Get<std::string>(), "rgb");
  SYNCLINE_EXPECT_OK(status());
  Process().SetHeader(MakePacket<std::string>("yuv"));
  EXPECT_EQ(output.Header().Get<std::string>(), "rgb");
  EXPECT_THAT(status(), StatusIs(StatusCode::kFailedPrecondition,
                                 AllOf(HasSubstr("Calculator::Open()"),
                                       HasSubstr("\"numbers\""),
                                       HasSubstr("\"sender\" (Sender)"))));
}

TEST_F(OutputStreamTest, AHeaderHasNoTimestampAndComesBeforeClose) {
  Open().SetHeader(MakePacket<int>(1).At(Timestamp(3)));
  EXPECT_THAT(status(), StatusIs(StatusCode::kInvalidArgument,
                                 HasSubstr("must not have a timestamp")));
  OutputStream& output = Open();
  output.Close();
  output.SetHeader(MakePacket<int>(1));
  EXPECT_THAT(status(), StatusIs(StatusCode::kFailedPrecondition,
                                 HasSubstr("before the stream is closed")));
  EXPECT_TRUE(output.Header().IsEmpty());
}

TEST_F(OutputStreamTest, TheFirstErrorCountsAndTheirNumberIsBounded) {
  OutputStream& output = Process();
  output.AddPacket(MakePacket<float>(1).At(Timestamp(1)));
  for (int i = 0; i < 100000; ++i) output.AddPacket(Number(1, Timestamp()));
  EXPECT_THAT(status(), StatusIs(StatusCode::kInvalidArgument,
                                 HasSubstr("Packet type mismatch")));
  EXPECT_THAT(node_.context().call().errors(), SizeIs(CallRecord::kMaxErrors));
  Process();
  SYNCLINE_EXPECT_OK(status());
}

TEST_F(OutputStreamTest, ALoweredBoundHasAnErrorForTheEngineToUse) {
  EXPECT_THAT(
      Process().BoundGoesBackError(Timestamp(10), Timestamp(5)),
      StatusIs(StatusCode::kUnknown,
               AllOf(HasSubstr("10"), HasSubstr("5"), HasSubstr("\"numbers\""),
                     HasSubstr("\"sender\" (Sender)"))));
}

TEST_F(OutputStreamTest, AnotherContextGetsWhatWasSetInOpen) {
  OutputStream& output = Open();
  output.SetOffset(3);
  output.SetHeader(MakePacket<int>(1));
  CalculatorContext other(node_.environment());
  other.CopyOpenResults(node_.context());
  EXPECT_EQ(other.Outputs().Tag("OUT").Offset(), TimestampDiff(3));
  EXPECT_EQ(other.Outputs().Tag("OUT").Header().Get<int>(), 1);
  EXPECT_FALSE(other.Outputs().Tag("ANY").OffsetEnabled());
}

TEST_F(OutputStreamTest, AnotherContextLosesTheHeaderThatIsNotThere) {
  Open();
  CalculatorContext other(node_.environment());
  EXPECT_TRUE(other.Outputs().Tag("OUT").Header().IsEmpty());
  other.CopyOpenResults(node_.context());
  EXPECT_TRUE(other.Outputs().Tag("OUT").Header().IsEmpty());
  Open().SetHeader(MakePacket<int>(1));
  CalculatorContext third(node_.environment());
  third.CopyOpenResults(node_.context());
  third.CopyOpenResults(other);
  EXPECT_TRUE(third.Outputs().Tag("OUT").Header().IsEmpty());
}

TEST_F(OutputStreamTest, AHeaderAndTimesDoNotHinderEachOther) {
  Open().SetHeader(MakePacket<int>(1));
  OutputStream& output = Process();
  output.AddPacket(MakePacket<int>(2).At(Timestamp(1)));
  EXPECT_THAT(output.times(), IsEmpty());
  output.AddPacket(MakePacket<int>(3).At(Timestamp(2)), {.acquisition_ns = 7});
  ASSERT_THAT(output.times(), SizeIs(2));
  EXPECT_EQ(output.times()[1].acquisition_ns, 7);
  EXPECT_EQ(output.Header().Get<int>(), 1);
  output.Clear();
  EXPECT_THAT(output.times(), IsEmpty());
  EXPECT_EQ(output.Header().Get<int>(), 1);
}

TEST(UnconnectedOutputStreamTest, AMistakeIsAMisuse) {
  OutputStream output;
  EXPECT_THAT(CallUserCode([&] {
                output.AddPacket(MakePacket<int>(1).At(Timestamp(1)));
                return absl::OkStatus();
              }),
              StatusIs(StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace syncline
