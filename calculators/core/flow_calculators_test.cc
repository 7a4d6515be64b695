// Calculators that decide which packets go where and when: gates, switches,
// joins, clones, shifts and limiters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T = int>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}
Packet Bound(int time) { return Packet().At(Timestamp(time)); }

class FlowGraphTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(FlowGraphTest);

// --- What they share

TEST(ForwardingTest, ABoundComesAfterWhatAnInputShows) {
  EXPECT_EQ(BoundAfter(At(10, 1)), Timestamp(11));
  EXPECT_EQ(BoundAfter(Bound(10)), Timestamp(11));
  EXPECT_EQ(BoundAfter(Packet().At(Timestamp::Max())),
            Timestamp::OneOverPostStream());
  EXPECT_EQ(BoundAfter(Packet().At(Timestamp::Unstarted())),
            Timestamp::PreStream());
  // If PreStream is settled without a packet, ordinary packets may follow.
  // After a packet at PreStream none may follow.
  EXPECT_EQ(BoundAfter(Packet().At(Timestamp::PreStream())), Timestamp::Min());
  EXPECT_EQ(BoundAfter(MakePacket<int>(1).At(Timestamp::PreStream())),
            Timestamp::OneOverPostStream());
}

// --- GateCalculator

std::string Gate(const std::string& extra) {
  return absl::StrCat(
      R"pb(calculator: "GateCalculator"
           input_stream: "a"
           input_stream: "b"
           output_stream: "c"
           output_stream: "d"
           output_stream: "STATE_CHANGE:change")pb",
      extra);
}
std::string GateOptions(const std::string& options) {
  return absl::StrCat(" options { [syncline.GateCalculatorOptions.ext] {",
                      options, "} }");
}

TEST(GateTest, LetsThroughWhatIsAllowedAtItsTimestamp) {
  CalculatorHarness harness(Gate("input_stream: \"ALLOW:allow\""));
  harness.SetHeader(":1", MakePacket<std::string>("header"));
  harness.Feed(":0", {At(10, 1), At(20, 2), At(30, 3), At(40, 4)});
  harness.Feed(":1", {At(20, -2), At(30, -3)});
  harness.Feed("ALLOW", {At(10, true), At(30, true), At(40, false)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"), StreamIs({{10, 1}, {30, 3}}));
  EXPECT_THAT(harness.Output(":1"), StreamIs({{30, -3}}));
  EXPECT_THAT(harness.Output("STATE_CHANGE"),
              StreamIs<bool>({{20, false}, {30, true}, {40, false}}));
  EXPECT_EQ(harness.OutputHeader(":1").Get<std::string>(), "header");
}

TEST(GateTest, DisallowIsTheOpposite) {
  CalculatorHarness harness(Gate("input_stream: \"DISALLOW:stop\""));
  harness.Feed(":0", {At(10, 1), At(20, 2), At(30, 3)});
  harness.Feed("DISALLOW", {At(10, true), At(20, false)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"), StreamIs({{20, 2}}));
}

TEST(GateTest, AnEmptyDecisionMayMeanYes) {
  CalculatorHarness harness(
      absl::StrCat(Gate("input_stream: \"ALLOW:allow\""),
                   GateOptions("empty_packets_as_allow: true")));
  harness.Feed(":0", {At(10, 1), At(20, 2)});
  harness.Feed("ALLOW", {At(20, false)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"), StreamIs({{10, 1}}));
}

TEST(GateTest, ASidePacketDecidesForTheRun) {
  for (const bool allow : {false, true}) {
    CalculatorHarness harness(Gate("input_side_packet: \"ALLOW:allow\""));
    harness.SetSidePacket("ALLOW", MakePacket<bool>(allow));
    harness.Feed(":0", {At(10, 1), At(20, 2)});
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_EQ(harness.Output(":0").size(), allow ? 2 : 0);
    // A gate that stays closed ends its outputs.
    EXPECT_EQ(harness.OutputBounds(":0")[1],
              allow ? Timestamp(21) : Timestamp::Done());
  }
}

TEST(GateTest, AnOptionDecidesForTheRun) {
  CalculatorHarness harness(absl::StrCat(Gate(""), GateOptions("allow: true")));
  harness.Feed(":0", {At(10, 1)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"), StreamIs({{10, 1}}));
}

TEST(GateTest, TheOptionDecidesOnlyWhereNothingElseDoes) {
  // The option is for subgraphs whose user does not connect ALLOW.
  CalculatorHarness harness(absl::StrCat(Gate("input_stream: \"ALLOW:allow\""),
                                         GateOptions("allow: true")));
  harness.Feed(":0", {At(10, 1), At(20, 2)});
  harness.Feed("ALLOW", {At(10, false), At(20, true)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"), StreamIs({{20, 2}}));

  CalculatorHarness closed(Gate(""));
  closed.Feed(":0", {At(10, 1)});
  SYNCLINE_ASSERT_OK(closed.Run());
  EXPECT_THAT(closed.Output(":0"), ::testing::IsEmpty());
}

TEST(GateTest, TheFirstDecisionIsAChangeFromAnInitialState) {
  for (const bool allow : {false, true}) {
    CalculatorHarness harness(
        absl::StrCat(Gate("input_stream: \"ALLOW:allow\""),
                     GateOptions("initial_gate_state: GATE_DISALLOW")));
    harness.Feed("ALLOW", {At(10, allow)});
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_EQ(harness.Output("STATE_CHANGE").size(), allow ? 1 : 0);
  }
}

TEST(GateTest, TellsChangesAlsoWithoutData) {
  CalculatorHarness harness(R"pb(
    calculator: "GateCalculator"
    input_stream: "ALLOW:allow"
    output_stream: "STATE_CHANGE:change"
  )pb");
  harness.Feed("ALLOW", {At(10, true), At(20, true), At(30, false)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("STATE_CHANGE"), StreamIs<bool>({{30, false}}));
}

TEST(GateTest, RefusesTwoDecisions) {
  for (const std::string extra :
       {"input_stream: \"ALLOW:x\" input_stream: \"DISALLOW:y\"",
        "input_stream: \"ALLOW:x\" input_side_packet: \"ALLOW:y\""}) {
    CalculatorHarness harness{Gate(extra)};
    EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("from one place")));
  }
}

TEST(GateTest, RefusesDataWithoutPartners) {
  CalculatorHarness harness(R"pb(
    calculator: "GateCalculator"
    input_stream: "a"
    input_stream: "ALLOW:allow"
  )pb");
  EXPECT_THAT(harness.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("as many outputs without tag as inputs")));
}

// --- ImmediateMuxCalculator

// `handler` is a field of the node, or nothing.
std::string ImmediateMux(const std::string& options,
                         const std::string& handler = "") {
  return absl::
      StrCat(
          R"pb(input_stream: "a"
               input_stream: "b"
               node { calculator: "ImmediateMuxCalculator" input_stream: "a"
                      input_stream: "b"
                      output_stream: "out"
                      output_stream: "came"
                      node_options {
                        [type.googleapis.com/
                         syncline.ImmediateMuxCalculatorOptions] {)pb",
          options, "} } ", handler, "}");
}

TEST_P(FlowGraphTest, ImmediateMuxTakesWhatComesAndDropsWhatIsLate) {
  GraphHarness graph(ImmediateMux(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  for (const auto& [stream, time] : std::vector<std::pair<std::string, int>>{
           {"a", 10}, {"b", 20}, {"a", 15}, {"b", 30}}) {
    graph.Feed(stream, {{time, time}});
    graph.Idle();
  }
  graph.Expect("out", {{10, 10}, {20, 20}, {30, 30}});
  graph.Expect<bool>("came", {{10, true}, {20, true}, {21, true}, {30, true}});
  EXPECT_EQ(graph.graph()
                .GetCounterFactory()
                ->GetCounter("ImmediateMuxCalculator-Dropped")
                ->Get(),
            1);
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowGraphTest, ImmediateMuxDropsWhatComesAfterTheLastTimestamp) {
  GraphHarness graph(ImmediateMux(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{Timestamp::PostStream(), 1}});
  graph.Idle();
  graph.Feed("b", {{10, 2}});
  graph.Idle();
  graph.Expect("out", {{Timestamp::PostStream(), 1}});
  graph.Expect<bool>("came", {{Timestamp::PostStream(), true}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowGraphTest, ImmediateMuxGoesOnWhenAnInputHasEnded) {
  GraphHarness graph(ImmediateMux(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{10, 1}});
  graph.Idle();
  graph.Close("a");
  graph.Idle();
  for (const int time : {20, 30}) {
    graph.Feed("b", {{time, 2}});
    graph.Idle();
  }
  graph.Expect("out", {{10, 1}, {20, 2}, {30, 2}});
  graph.Expect<bool>("came", {{10, true}, {20, true}, {30, true}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowGraphTest, ImmediateMuxMayBeSettledByTheBoundOfAnyInput) {
  GraphHarness graph(
      ImmediateMux("process_timestamp_bounds: true",
                   "input_stream_handler { input_stream_handler: "
                   "\"ImmediateInputStreamHandler\" }"),
      GetParam());
  graph.CollectBounds("out");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{10, 1}});
  graph.Idle();
  graph.SetBound("a", 21);
  graph.Idle();
  ASSERT_EQ(graph.Count("out"), 2) << graph.Timelines();
  EXPECT_THAT(graph.Packets("out")[0], PacketIs<int>(10, 1));
  EXPECT_THAT(graph.Packets("out")[1], HasTimestamp(20));
  EXPECT_TRUE(graph.Packets("out")[1].IsEmpty());
  // "b" is behind: its packet is dropped, though it is newer than what was
  // sent.
  graph.Feed("b", {{15, 2}});
  graph.Idle();
  EXPECT_EQ(graph.Count("out"), 2) << graph.Timelines();
  EXPECT_EQ(graph.graph()
                .GetCounterFactory()
                ->GetCounter("ImmediateMuxCalculator-Dropped")
                ->Get(),
            1);
  // An input that has ended does not stop the other one.
  graph.Close("a");
  graph.Idle();
  graph.Feed("b", {{30, 3}});
  graph.Idle();
  ASSERT_EQ(graph.Count("out"), 3) << graph.Timelines();
  EXPECT_THAT(graph.Packets("out")[2], PacketIs<int>(30, 3));
  graph.Expect<bool>("came", {{10, true}, {21, true}, {30, true}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowGraphTest, ImmediateMuxWithBoundsTakesTheHandlerOfTheGraph) {
  // The default handler waits for "b", so that nothing is late.
  GraphHarness graph(ImmediateMux("process_timestamp_bounds: true"),
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{10, 1}});
  graph.Idle();
  graph.Feed("b", {{5, 2}, {20, 3}});
  graph.Idle();
  graph.Expect("out", {{5, 2}, {10, 1}});
  SYNCLINE_EXPECT_OK(graph.Finish());
  graph.Expect("out", {{5, 2}, {10, 1}, {20, 3}});
}

// --- MuxCalculator, RoundRobinDemuxCalculator

TEST_P(FlowGraphTest, MuxTakesWhatSelectSays) {
  GraphHarness graph(R"pb(
                       input_stream: "a"
                       input_stream: "b"
                       input_stream: "select"
                       node {
                         calculator: "MuxCalculator"
                         input_stream: "INPUT:0:a"
                         input_stream: "INPUT:1:b"
                         input_stream: "SELECT:select"
                         output_stream: "OUTPUT:out"
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("select", {{10, 0}, {20, 1}});
  graph.Feed("a", {{10, 1}});
  graph.Idle();
  // "b" is not asked for at 10, so it need not be settled.
  graph.Expect("out", {{10, 1}});
  graph.Feed("b", {{10, -1}, {20, -2}});
  graph.Idle();
  graph.Expect("out", {{10, 1}, {20, -2}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

std::string MuxForRun() {
  return R"pb(
    calculator: "MuxCalculator"
    input_stream: "INPUT:0:a"
    input_stream: "INPUT:1:b"
    input_side_packet: "SELECT:select"
    output_stream: "OUTPUT:out"
  )pb";
}

TEST(MuxTest, ASidePacketSelectsForTheRun) {
  CalculatorHarness harness(MuxForRun());
  harness.SetSidePacket("SELECT", MakePacket<int>(1));
  harness.Feed("INPUT:0", {At(10, 1)});
  harness.Feed("INPUT:1", {At(10, -1), At(20, -2)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("OUTPUT"), StreamIs({{10, -1}, {20, -2}}));
}

TEST(MuxTest, AChoiceThatThereIsNoInputForIsAnError) {
  for (const int select : {-1, 2}) {
    CalculatorHarness harness(MuxForRun());
    harness.SetSidePacket("SELECT", MakePacket<int>(select));
    EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kOutOfRange,
                                        HasSubstr("there are 2 inputs")));
  }
}

TEST_P(FlowGraphTest, DemuxAndMuxShareWorkAndKeepTheOrder) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "RoundRobinDemuxCalculator"
                         input_stream: "in"
                         output_stream: "OUTPUT:0:even"
                         output_stream: "OUTPUT:1:odd"
                         output_stream: "SELECT:select"
                       }
                       node {
                         calculator: "PassThroughCalculator"
                         input_stream: "even"
                         output_stream: "even_out"
                       }
                       node {
                         calculator: "PassThroughCalculator"
                         input_stream: "odd"
                         output_stream: "odd_out"
                       }
                       node {
                         calculator: "MuxCalculator"
                         input_stream: "INPUT:0:even_out"
                         input_stream: "INPUT:1:odd_out"
                         input_stream: "SELECT:select"
                         output_stream: "OUTPUT:out"
                       })pb",
                     GetParam());
  LiteralStream<int> packets;
  for (int i = 0; i < 20; ++i) packets.push_back({10 * i, i});
  graph.Feed("in", packets);
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("out", packets);
  EXPECT_EQ(graph.Count("even"), 10);
  EXPECT_THAT(graph.Packets("odd")[0], PacketIs<int>(10, 1));
}

// --- ValueOrDefaultCalculator

TEST(ValueOrDefaultTest, SendsAValueAtEachTickAndNowhereElse) {
  CalculatorHarness harness(R"pb(
    calculator: "ValueOrDefaultCalculator"
    input_stream: "IN:in"
    input_stream: "TICK:tick"
    input_side_packet: "default"
    output_stream: "OUT:out"
    output_stream: "FLAG:flag"
  )pb");
  harness.SetSidePacket("", MakePacket<int>(-1));
  // The packet at 25 is at no tick.
  harness.Feed("IN", {At(10, 1), At(25, 2), At(30, 3)});
  harness.Feed("TICK", {At(10, 'x'), At(20, 'y'), At(30, 'z'), At(40, 'x')});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("OUT"),
              StreamIs({{10, 1}, {20, -1}, {30, 3}, {40, -1}}));
  EXPECT_THAT(harness.Output("FLAG"), StreamIs<bool>({{20, true}, {40, true}}));
}

// --- PacketInnerJoinCalculator, MakePairCalculator, AddHeaderCalculator

TEST(PacketInnerJoinTest, SendsWhatHasAllItsPackets) {
  CalculatorHarness harness(R"pb(
    calculator: "PacketInnerJoinCalculator"
    input_stream: "a"
    input_stream: "b"
    output_stream: "c"
    output_stream: "d"
  )pb");
  harness.Feed(":0", {At(10, 1), At(20, 2)});
  harness.Feed(":1", {At(20, -2), At(30, -3)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"), StreamIs({{20, 2}}));
  EXPECT_THAT(harness.Output(":1"), StreamIs({{20, -2}}));
}

TEST_P(FlowGraphTest, SynchronizationSendsWhatMetAtOneTime) {
  GraphHarness graph(
      R"pb(
        input_stream: "a"
        input_stream: "b"
        node {
          calculator: "SynchronizationCalculator"
          input_stream: "a"
          input_stream: "b"
          output_stream: "c"
          output_stream: "d"
          input_stream_handler {
            input_stream_handler: "ApproximateTimeInputStreamHandler"
            options {
              [syncline.ApproximateTimeInputStreamHandlerOptions.ext] {
                max_interval: 20
              }
            }
          }
        }
        node {
          calculator: "PassThroughCalculator"
          input_stream: "c"
          input_stream: "d"
          output_stream: "e"
          output_stream: "f"
        })pb",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{0, 1}, {33, 2}, {66, 3}, {100, 4}, {133, 5}});
  graph.Feed("b", {{12, -1}, {101, -4}});
  graph.Idle();
  SYNCLINE_EXPECT_OK(graph.Finish());
  graph.Expect("e", {{12, 1}, {101, 4}});
  graph.Expect("f", {{12, -1}, {101, -4}});
}

TEST(MakePairTest, APairHasAnEmptyPacketForAnEmptyInput) {
  CalculatorHarness harness(R"pb(
    calculator: "MakePairCalculator"
    input_stream: "a"
    input_stream: "b"
    output_stream: "pair"
  )pb");
  harness.Feed(":0", {At(10, 1), At(20, 2)});
  harness.Feed(":1", {At(20, 'x')});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("").size(), 2);
  using Pair = std::pair<Packet, Packet>;
  EXPECT_EQ(harness.Output("")[0].Get<Pair>().first.Get<int>(), 1);
  EXPECT_TRUE(harness.Output("")[0].Get<Pair>().second.IsEmpty());
  EXPECT_EQ(harness.Output("")[1].Get<Pair>().second.Get<char>(), 'x');
}

constexpr char kAddHeaderOfStream[] = R"pb(
  calculator: "AddHeaderCalculator"
  input_stream: "DATA:data"
  input_stream: "HEADER:header"
  output_stream: "out"
)pb";

TEST(AddHeaderTest, TheHeaderIsThatOfAStreamOrASidePacket) {
  CalculatorHarness of_stream(kAddHeaderOfStream);
  of_stream.SetHeader("HEADER", MakePacket<int>(7));
  of_stream.Feed("DATA", {At(10, 1)});
  SYNCLINE_ASSERT_OK(of_stream.Run());
  EXPECT_EQ(of_stream.OutputHeader("").Get<int>(), 7);
  EXPECT_THAT(of_stream.Output(""), StreamIs({{10, 1}}));

  CalculatorHarness of_side_packet(R"pb(
    calculator: "AddHeaderCalculator"
    input_stream: "DATA:data"
    input_side_packet: "HEADER:header"
    output_stream: "out"
  )pb");
  of_side_packet.SetSidePacket("HEADER", MakePacket<int>(8));
  SYNCLINE_ASSERT_OK(of_side_packet.Run());
  EXPECT_EQ(of_side_packet.OutputHeader("").Get<int>(), 8);
}

TEST(AddHeaderTest, AnEmptyHeaderIsNone) {
  CalculatorHarness of_stream(kAddHeaderOfStream);
  of_stream.Feed("DATA", {At(10, 1)});
  SYNCLINE_ASSERT_OK(of_stream.Run());
  EXPECT_TRUE(of_stream.OutputHeader("").IsEmpty());
  EXPECT_THAT(of_stream.Output(""), StreamIs({{10, 1}}));
}

TEST(AddHeaderTest, AStreamThatGivesAHeaderHasNoPackets) {
  CalculatorHarness harness(kAddHeaderOfStream);
  harness.SetHeader("HEADER", MakePacket<int>(7));
  harness.Feed("HEADER", {At(10, 1)});
  EXPECT_THAT(harness.Run().message(), HasSubstr("carries none"));
}

// --- PacketClonerCalculator

std::string Cloner(const std::string& options) {
  return absl::StrCat(
      R"pb(calculator: "PacketClonerCalculator"
           input_stream: "a"
           input_stream: "b"
           input_stream: "TICK:tick"
           output_stream: "c"
           output_stream: "d"
           options {
             [syncline.PacketClonerCalculatorOptions.ext] {)pb",
      options, "} }");
}
void FeedCloner(CalculatorHarness& harness) {
  harness.Feed(":0", {At(10, 1), At(35, 2)});
  harness.Feed(":1", {At(25, -1)});
  harness.Feed("TICK", {At(10, 'x'), At(20, 'x'), At(30, 'x'), At(40, 'x')});
}

TEST(PacketClonerTest, SendsTheLatestPacketsAtEachTick) {
  CalculatorHarness harness(Cloner(""));
  FeedCloner(harness);
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(":0"),
              StreamIs({{10, 1}, {20, 1}, {30, 1}, {40, 2}}));
  EXPECT_THAT(harness.Output(":1"), StreamIs({{30, -1}, {40, -1}}));
  EXPECT_THAT(harness.OutputBounds(":1").front(), Timestamp(11));
}

TEST(PacketClonerTest, MayWaitUntilEveryInputHadAPacket) {
  for (const std::string option :
       {"output_only_when_all_inputs_received: true",
        "output_packets_only_when_all_inputs_received: true"}) {
    CalculatorHarness harness(Cloner(option));
    FeedCloner(harness);
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_THAT(harness.Output(":0"), StreamIs({{30, 1}, {40, 2}})) << option;
    EXPECT_THAT(harness.OutputBounds(":0").front(), Timestamp(11)) << option;
  }
}

TEST(PacketClonerTest, TheTickMayBeTheLastInputWithoutTag) {
  CalculatorHarness harness(R"pb(
    calculator: "PacketClonerCalculator"
    input_stream: "a"
    input_stream: "tick"
    output_stream: "c"
  )pb");
  harness.Feed(":0", {At(10, 1)});
  harness.Feed(":1", {At(20, 'x'), Bound(30), At(40, 'x')});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{20, 1}, {40, 1}}));
  EXPECT_THAT(harness.OutputBounds(""),
              ElementsAre(Timestamp(20), Timestamp(21), Timestamp(40),
                          Timestamp(41), Timestamp::Done()));
}

// --- SequenceShiftCalculator

std::string Shift(int offset, const std::string& more = "") {
  return absl::StrCat(
      R"pb(calculator: "SequenceShiftCalculator"
           input_stream: "in"
           output_stream: "out"
           options {
             [syncline.SequenceShiftCalculatorOptions.ext] { packet_offset:)pb",
      offset, " ", more, "} }");
}

TEST(SequenceShiftTest, GivesPacketsTheTimestampsOfOthers) {
  const std::vector<Packet> packets = {At(10, 1), At(20, 2), At(30, 3),
                                       At(40, 4)};
  const std::vector<std::pair<int, LiteralStream<int>>> cases = {
      {1, {{20, 1}, {30, 2}, {40, 3}}},
      {2, {{30, 1}, {40, 2}}},
      {0, {{10, 1}, {20, 2}, {30, 3}, {40, 4}}},
      {-1, {{10, 2}, {20, 3}, {30, 4}}},
      {-3, {{10, 4}}},
      {-9, {}},
      {9, {}}};
  for (const auto& [offset, expected] : cases) {
    CalculatorHarness harness(Shift(offset));
    harness.Feed("", packets);
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_THAT(harness.Output(""), StreamIs(expected)) << offset;
  }
}

TEST(SequenceShiftTest, BoundsPassWhereNothingCanComeAnyMore) {
  CalculatorHarness later(
      Shift(1, "emit_empty_packets_before_first_packet: 1"));
  later.Feed("", {At(10, 1), Bound(20), At(30, 2)});
  SYNCLINE_ASSERT_OK(later.Run());
  EXPECT_THAT(later.OutputBounds(""),
              ElementsAre(Timestamp(11), Timestamp(30), Timestamp(31),
                          Timestamp::Done()));
  CalculatorHarness earlier(Shift(-1));
  earlier.Feed("", {Bound(5), At(10, 1), Bound(20), At(30, 2)});
  SYNCLINE_ASSERT_OK(earlier.Run());
  EXPECT_THAT(earlier.OutputBounds(""),
              ElementsAre(Timestamp(10), Timestamp(30), Timestamp::Done()));
}

TEST(SequenceShiftTest, TheSidePacketComesBeforeTheOption) {
  CalculatorHarness harness(
      absl::StrCat(Shift(5), " input_side_packet: \"PACKET_OFFSET:offset\""));
  harness.SetSidePacket("PACKET_OFFSET", MakePacket<int>(1));
  harness.Feed("", {At(10, 1), At(20, 2)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{20, 1}}));
}

TEST(SequenceShiftTest, NothingComesBeforeTheFirstPacketOfANegativeShift) {
  CalculatorHarness harness(
      Shift(-1, "emit_empty_packets_before_first_packet: true"));
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("above 0")));
}

// --- RealTimeFlowLimiterCalculator

constexpr char kRealTimeLimiter[] = R"pb(
  input_stream: "a"
  input_stream: "b"
  input_stream: "finished"
  input_side_packet: "max"
  node {
    calculator: "RealTimeFlowLimiterCalculator"
    input_stream: "a"
    input_stream: "b"
    input_stream: "FINISHED:finished"
    input_side_packet: "MAX_IN_FLIGHT:max"
    output_stream: "a_out"
    output_stream: "b_out"
    output_stream: "ALLOW:allow"
  }
)pb";

// Feeds packets one by one, so that each comes in a call of its own.
void FeedInOrder(GraphHarness& graph,
                 const std::vector<std::pair<std::string, int>>& packets) {
  for (const auto& [stream, time] : packets) {
    graph.Feed(stream, {{time, time}});
    graph.Idle();
  }
}

TEST_P(FlowGraphTest, RealTimeFlowLimiterNeverSendsWhatItDropped) {
  GraphHarness graph(kRealTimeLimiter, GetParam());
  graph.CollectBounds("a_out");
  graph.SetSidePacket("max", MakePacket<int>(1));
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedInOrder(graph, {{"a", 0}, {"a", 10}, {"a", 20}});
  // A dropped packet is a bound.
  ASSERT_EQ(graph.Count("a_out"), 3) << graph.Timelines();
  EXPECT_THAT(graph.Packets("a_out")[0], PacketIs<int>(0, 0));
  EXPECT_THAT(graph.Packets("a_out")[2], HasTimestamp(20));
  EXPECT_TRUE(graph.Packets("a_out")[2].IsEmpty());
  EXPECT_EQ(graph.graph()
                .GetCounterFactory()
                ->GetCounter("RealTimeFlowLimiterCalculator-Dropped")
                ->Get(),
            2);
  // The timestamp of "finished" does not matter.
  FeedInOrder(graph, {{"finished", 99}});
  EXPECT_EQ(graph.Count("a_out"), 3) << graph.Timelines();
  FeedInOrder(graph, {{"a", 30}});
  ASSERT_EQ(graph.Count("a_out"), 4) << graph.Timelines();
  EXPECT_THAT(graph.Packets("a_out")[3], PacketIs<int>(30, 30));
  FeedInOrder(graph, {{"finished", 101}});
  graph.Expect<bool>("allow",
                     {{0, false}, {99, true}, {100, false}, {101, true}});
  graph.Feed("finished", {{102, 0}});
  EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                       HasSubstr("no frame is inside")));
}

TEST_P(FlowGraphTest, RealTimeFlowLimiterDecidesForAllStreamsOfATimestamp) {
  GraphHarness graph(kRealTimeLimiter, GetParam());
  graph.SetSidePacket("max", MakePacket<int>(1));
  SYNCLINE_ASSERT_OK(graph.Start());
  // 0 goes through on both; 10 and 20 find it inside.
  FeedInOrder(graph, {{"a", 0}, {"b", 0}, {"a", 10}, {"b", 20}});
  graph.Expect("a_out", {{0, 0}});
  graph.Expect("b_out", {{0, 0}});
  // There is a place, but 15 lies below 20, which "b" dropped, and 20 is it.
  FeedInOrder(graph, {{"finished", 1}, {"a", 15}, {"a", 20}});
  graph.Expect("a_out", {{0, 0}});
  // 30 takes the place once, for both streams.
  FeedInOrder(graph, {{"b", 30}, {"a", 30}, {"finished", 2}, {"a", 40}});
  graph.Expect("a_out", {{0, 0}, {30, 30}, {40, 40}});
  graph.Expect("b_out", {{0, 0}, {30, 30}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowGraphTest, RealTimeFlowLimiterRemembersAThousandFrames) {
  GraphHarness graph(kRealTimeLimiter, GetParam());
  graph.SetSidePacket("max", MakePacket<int>(2000));
  SYNCLINE_ASSERT_OK(graph.Start());
  for (int time = 0; time <= 1000; ++time) graph.Feed("a", {{time, time}});
  graph.Idle();
  EXPECT_EQ(graph.Count("a_out"), 1001);
  // 0 is forgotten.
  FeedInOrder(graph, {{"b", 0}, {"b", 1}, {"b", 1000}});
  graph.Expect("b_out", {{1, 1}, {1000, 1000}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FlowGraphTest, RealTimeFlowLimiterNeedsAPlace) {
  GraphHarness graph(kRealTimeLimiter, GetParam());
  graph.SetSidePacket("max", MakePacket<int>(0));
  EXPECT_THAT(graph.Run().message(), HasSubstr("MAX_IN_FLIGHT is 0"));
}

}  // namespace
}  // namespace syncline
