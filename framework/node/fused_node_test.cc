// A fused node calls its parts in their order, gives each what earlier ones
// sent, and sends what they send.
#include "framework/node/fused_node.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/packet_times.h"
#include "framework/calculator/test_lambda_base.h"
#include "framework/node/fused_node_test_support.h"
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

Packet Function(LambdaFunction function) {
  return MakePacket<LambdaFunction>(std::move(function));
}

Packet PacketAt(int timestamp, int value) {
  return MakePacket<int>(value).At(Timestamp(timestamp));
}

class FusedNodeTest : public ::testing::Test {
 protected:
  ~FusedNodeTest() override { ForgetContracts(); }

  // A function that writes down that it was called.
  Packet Noting(const std::string& what,
                const absl::Status& result = absl::OkStatus()) {
    return Function([this, what, result](CalculatorContext* cc) {
      notes_.push_back(
          absl::StrCat(what, " ", cc->InputTimestamp().DebugString()));
      return result;
    });
  }
  std::vector<std::string> TakeNotes() { return std::exchange(notes_, {}); }

  std::vector<std::string> notes_;
};

constexpr char kChain[] = R"pb(
  name: "chain"
  fused_node { calculator: "PartA" input_stream: "in" output_stream: "mid" }
  fused_node { calculator: "PartB" input_stream: "mid" output_stream: "out" }
)pb";

// B joins what A sends with an input of the node.
constexpr char kJoin[] = R"pb(
  fused_node {
    calculator: "PartA"
    input_stream: "in"
    input_side_packet: "PROCESS:f"
    output_stream: "mid"
  }
  fused_node {
    calculator: "PartB"
    input_stream: "mid"
    input_stream: "other"
    output_stream: "out"
  })pb";

// Three parts whose calls are functions o0, p0, c0, o1, ...
std::string Trio(const std::string& ports0 = "", const std::string& ports1 = "",
                 const std::string& ports2 = "") {
  std::string text = "name: \"trio\"";
  int i = 0;
  for (const std::string& ports : {ports0, ports1, ports2}) {
    absl::StrAppend(&text, "fused_node { calculator: \"Part",
                    i == 0   ? "A"
                    : i == 1 ? "B"
                             : "C",
                    "\" input_side_packet: [ \"OPEN:o", i, "\", \"PROCESS:p", i,
                    "\", \"CLOSE:c", i, "\" ] ", ports, "}");
    ++i;
  }
  return text;
}

// --- Which part is called when

TEST_F(FusedNodeTest, PassesEachPacketThroughAllParts) {
  FusedNodeDriver driver(kChain);
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_EQ(driver.Sent(), "");
  driver.Add("IN", 7);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(driver.Sent(), "MID=7 OUT=7");
  driver.Add("IN", 8);
  SYNCLINE_ASSERT_OK(driver.Process(11));
  EXPECT_EQ(driver.Sent(), "MID=8 OUT=8");
}

TEST_F(FusedNodeTest, CallsPartsInTheirOrder) {
  FusedNodeDriver driver(
      Trio("input_stream: 'in'", "input_stream: 'in'", "input_stream: 'in'"),
      {{"o0", Noting("open 0")},
       {"o1", Noting("open 1")},
       {"o2", Noting("open 2")},
       {"p0", Noting("process 0")},
       {"p1", Noting("process 1")},
       {"p2", Noting("process 2")},
       {"c0", Noting("close 0")},
       {"c1", Noting("close 1")},
       {"c2", Noting("close 2")}});
  SYNCLINE_ASSERT_OK(driver.status());
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_THAT(TakeNotes(), ElementsAre("open 0 Timestamp::Unstarted()",
                                       "open 1 Timestamp::Unstarted()",
                                       "open 2 Timestamp::Unstarted()"));
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_THAT(TakeNotes(),
              ElementsAre("process 0 10", "process 1 10", "process 2 10"));
  SYNCLINE_ASSERT_OK(driver.Close());
  EXPECT_THAT(TakeNotes(), ElementsAre("close 0 Timestamp::Done()",
                                       "close 1 Timestamp::Done()",
                                       "close 2 Timestamp::Done()"));
}

TEST_F(FusedNodeTest, CallsAPartWithoutAPacketOnlyForBounds) {
  FusedNodeDriver driver(
      Trio("input_stream: 'in'", "input_stream: 'other'", "input_stream: 'in'"),
      {{"o0", Noting("")},
       {"o1", Noting("")},
       {"o2", Noting("")},
       {"p0", Noting("process 0")},
       {"p1", Noting("process 1")},
       {"p2", Noting("process 2")},
       {"c0", Noting("")},
       {"c1", Noting("")},
       {"c2", Noting("")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  TakeNotes();
  driver.Add("OTHER", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_THAT(TakeNotes(), ElementsAre("process 1 10"));
  PartC::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  };
  FusedNodeDriver with_bounds(
      Trio("input_stream: 'in'", "input_stream: 'other'", "input_stream: 'in'"),
      {{"o0", Noting("")},
       {"o1", Noting("")},
       {"o2", Noting("")},
       {"p0", Noting("process 0")},
       {"p1", Noting("process 1")},
       {"p2", Noting("process 2")},
       {"c0", Noting("")},
       {"c1", Noting("")},
       {"c2", Noting("")}});
  SYNCLINE_ASSERT_OK(with_bounds.Open());
  TakeNotes();
  with_bounds.Add("OTHER", 1);
  SYNCLINE_ASSERT_OK(with_bounds.Process(10));
  EXPECT_THAT(TakeNotes(), ElementsAre("process 1 10", "process 2 10"));
}

TEST_F(FusedNodeTest, GivesAPartInputsWithTheirSettledTimesAndEnds) {
  std::string seen;
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "a"
             input_stream: "b"
             input_stream: "c"
             input_side_packet: "PROCESS:f"
           })pb",
      {{"f", Function([&](CalculatorContext* cc) {
          for (const InputStream& input : cc->Inputs()) {
            absl::StrAppend(&seen, input.Name(), input.IsEmpty() ? "<" : "=",
                            input.Value().Timestamp().DebugString(),
                            input.IsDone() ? "! " : " ");
          }
          return absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("A", 1);
  driver.Settle("B", Timestamp(7));
  driver.End("C");
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(seen, "a=10 b<7 c<Timestamp::Max()! ");
}

TEST_F(FusedNodeTest, CallsAPartForEachPacketThatAnEarlierOneSent) {
  FusedNodeDriver driver(kJoin, {{"f", Function([](CalculatorContext* cc) {
                                    OutputStream& out = cc->Outputs().Index(0);
                                    out.AddPacket(PacketAt(7, 1));
                                    out.AddPacket(PacketAt(9, 2));
                                    return absl::OkStatus();
                                  })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 0);
  driver.Add("OTHER", 100);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  // What A sends at 10 may still come.
  EXPECT_EQ(driver.Sent(), "MID=1@7 MID=2@9 OUT=1@7 OUT=2@9");
}

TEST_F(FusedNodeTest, JoinsWhatIsSettledAndKeepsTheRest) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  };
  FusedNodeDriver driver(kJoin, {{"f", Function([](CalculatorContext* cc) {
                                    cc->Outputs().Index(0).AddPacket(
                                        cc->Inputs().Index(0).Value());
                                    return absl::OkStatus();
                                  })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  driver.Settle("OTHER", Timestamp(9));
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(driver.Sent(), "MID=1") << "other may still bring something at 10";
  driver.Add("IN", 2);
  driver.Add("OTHER", 100);
  SYNCLINE_ASSERT_OK(driver.Process(11));
  EXPECT_EQ(driver.Sent(), "MID=2 OUT=1@10 OUT=102");
}

TEST_F(FusedNodeTest, PassesBoundsOfAPartThatWaits) {
  PartA::contract = PartB::contract = [](CalculatorContract* cc) {
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  };
  FusedNodeDriver driver(kJoin, {{"f", Noting("a")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  driver.Settle("OTHER", Timestamp(7));
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(driver.Sent(), "MID<11 OUT<8");
  SYNCLINE_ASSERT_OK(driver.Process(20));
  EXPECT_EQ(driver.Sent(), "MID<21 OUT<21");
}

TEST_F(FusedNodeTest, RefusesToHoldPacketsWithoutEnd) {
  FusedNodeDriver driver(kJoin, {{"f", Noting("a")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  for (int t = 0; t < 1000; ++t) {
    driver.Add("OTHER", t);
    SYNCLINE_ASSERT_OK(driver.Process(t));
  }
  driver.Add("OTHER", 0);
  EXPECT_THAT(driver.Process(1000),
              StatusIs(StatusCode::kResourceExhausted, HasSubstr("PartB")));
}

TEST_F(FusedNodeTest, RefusesAPacketThatGoesBackWhereItIsJoined) {
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             input_side_packet: "PROCESS:f"
             output_stream: "mid"
           }
           fused_node {
             calculator: "PartB"
             input_stream: "in"
             input_stream: "mid"
           }
      )pb",
      {{"f", Noting("a")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  driver.Add("IN", 1);
  EXPECT_THAT(driver.Process(9), StatusIs(StatusCode::kInvalidArgument,
                                          HasSubstr("in the stream \"in\"")));
}

// --- Sources, stops

TEST_F(FusedNodeTest, IsASourceUntilItsLastSourceStops) {
  int calls = 0;
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_side_packet: "PROCESS:f"
             output_stream: "a"
           }
           fused_node {
             calculator: "PartB"
             input_side_packet: "PROCESS:g"
             output_stream: "b"
           }
           fused_node { calculator: "PartC" })pb",
      {{"f", Function([&](CalculatorContext* cc) -> absl::Status {
          cc->Outputs().Index(0).AddPacket(PacketAt(calls, calls));
          return ++calls == 2 ? tool::StatusStop() : absl::OkStatus();
        })},
       {"g", Function([&](CalculatorContext* cc) -> absl::Status {
          return calls == 3 ? tool::StatusStop() : absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  SYNCLINE_ASSERT_OK(driver.Process(0));
  EXPECT_EQ(driver.Sent(), "A=0");
  SYNCLINE_ASSERT_OK(driver.Process(0));
  EXPECT_EQ(driver.Sent(), "A=1@1 A!") << "what it sent with its stop counts";
  calls = 3;
  EXPECT_TRUE(tool::IsStatusStop(driver.Process(0)));
  EXPECT_EQ(driver.Sent(), "B!");
}

TEST_F(FusedNodeTest, AStopOfAPartWithInputsStopsTheSourcesOfTheGraph) {
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             input_side_packet: "PROCESS:f"
             output_stream: "out"
           })pb",
      {{"f", Function([](CalculatorContext* cc) {
          return cc->Inputs().Index(0).Get<int>() == 1 ? tool::StatusStop()
                                                       : absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  EXPECT_TRUE(tool::IsStatusStop(driver.Process(10)));
  EXPECT_EQ(driver.Sent(), "") << "it goes on";
  driver.Add("IN", 2);
  SYNCLINE_EXPECT_OK(driver.Process(11));
}

TEST_F(FusedNodeTest, AJoinMayStopTheSourcesToo) {
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "mid"
           }
           fused_node {
             calculator: "PartB"
             input_stream: "mid"
             input_side_packet: "PROCESS:f"
           })pb",
      {{"f",
        Function([](CalculatorContext* cc) { return tool::StatusStop(); })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  EXPECT_TRUE(tool::IsStatusStop(driver.Process(10)));
}

// --- The end of parts

TEST_F(FusedNodeTest, ClosesAPartWhoseInputsAreOver) {
  FusedNodeDriver driver(Trio("input_stream: 'in' output_stream: 'a'",
                              "input_stream: 'other' output_stream: 'b'",
                              "input_stream: 'a' output_stream: 'c'"),
                         {{"o0", Noting("open")},
                          {"o1", Noting("open")},
                          {"o2", Noting("open")},
                          {"p0", Noting("process 0")},
                          {"p1", Noting("process 1")},
                          {"p2", Noting("process 2")},
                          {"c0", Function([](CalculatorContext* cc) {
                             cc->Outputs().Index(0).AddPacket(PacketAt(20, 5));
                             return absl::OkStatus();
                           })},
                          {"c1", Noting("close 1")},
                          {"c2", Noting("close 2")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  TakeNotes();
  driver.Add("IN", 1);
  driver.End("IN");
  SYNCLINE_ASSERT_OK(driver.Process(10));
  // The last packet of A is one more call of C, which is over then, too.
  EXPECT_THAT(TakeNotes(), ElementsAre("process 0 10", "process 2 20",
                                       "close 2 Timestamp::Done()"));
  EXPECT_EQ(driver.Sent(), "A=5@20 A! C!");
  driver.Add("OTHER", 1);
  SYNCLINE_ASSERT_OK(driver.Process(30));
  EXPECT_THAT(TakeNotes(), ElementsAre("process 1 30"));
  SYNCLINE_ASSERT_OK(driver.Close());
  EXPECT_THAT(TakeNotes(), ElementsAre("close 1 Timestamp::Done()"));
}

TEST_F(FusedNodeTest, DeliversWhatPartsSendInCloseToLaterOnes) {
  FusedNodeDriver driver(
      Trio("input_stream: 'in' output_stream: 'a'",
           "input_stream: 'a' input_stream: 'other' output_stream: 'b'", ""),
      {{"o0", Noting("open")},
       {"o1", Noting("open")},
       {"o2", Noting("open")},
       {"p0", Noting("process 0")},
       {"p1", Function([](CalculatorContext* cc) {
          cc->Outputs().Index(0).AddPacket(
              cc->Inputs().Index(0).Value().At(cc->InputTimestamp()));
          return absl::OkStatus();
        })},
       {"p2", Noting("process 2")},
       {"c0", Function([](CalculatorContext* cc) {
          cc->Outputs().Index(0).AddPacket(PacketAt(20, 5));
          return absl::OkStatus();
        })},
       {"c1", Function([](CalculatorContext* cc) {
          cc->Outputs().Index(0).AddPacket(PacketAt(30, 6));
          return absl::OkStatus();
        })},
       {"c2", Noting("close 2")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  SYNCLINE_ASSERT_OK(driver.Close());
  EXPECT_EQ(driver.Sent(), "A=5@20 B=5@20 B=6@30");
}

// --- Open

TEST_F(FusedNodeTest, PartsMaySendInOpen) {
  FusedNodeDriver driver(
      Trio("output_stream: 'a' input_stream: 'in'",
           "input_stream: 'a' output_stream: 'b'", ""),
      {{"o0", Function([](CalculatorContext* cc) {
          cc->Outputs().Index(0).AddPacket(PacketAt(5, 1));
          cc->Outputs().Index(0).SetNextTimestampBound(Timestamp(8));
          return absl::OkStatus();
        })},
       {"o1", Noting("open 1")},
       {"o2", Noting("open 2")},
       {"p0", Noting("process 0")},
       {"p1", Noting("process 1")},
       {"p2", Noting("process 2")},
       {"c0", Noting("close")},
       {"c1", Noting("close")},
       {"c2", Noting("close")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  // B is called when all are open.
  EXPECT_THAT(TakeNotes(),
              ElementsAre("open 1 Timestamp::Unstarted()",
                          "open 2 Timestamp::Unstarted()", "process 1 5"));
  EXPECT_EQ(driver.Sent(), "A=1@5 A<8");
}

TEST_F(FusedNodeTest, HandsOnHeadersAndOffsets) {
  Packet seen;
  FusedNodeDriver driver(
      Trio("input_stream: 'in' output_stream: 'a'",
           "input_stream: 'a' input_stream: 'in' output_stream: 'b'",
           "input_stream: 'a' output_stream: 'c'"),
      {{"o0", Function([](CalculatorContext* cc) {
          const Packet& header = cc->Inputs().Index(0).Header();
          cc->Outputs().Index(0).SetHeader(
              MakePacket<int>(header.Get<int>() + 1));
          cc->Outputs().Index(0).SetOffset(2);
          return absl::OkStatus();
        })},
       {"o1", Function([&](CalculatorContext* cc) {
          seen = cc->Inputs().Index(0).Header();
          EXPECT_EQ(cc->Inputs().Index(1).Header().Get<int>(), 40);
          cc->Outputs().Index(0).SetOffset(3);
          return absl::OkStatus();
        })},
       {"o2", Function([](CalculatorContext* cc) {
          cc->Outputs().Index(0).SetOffset(3);
          return absl::OkStatus();
        })},
       {"p0", Noting("")},
       {"p1", Noting("")},
       {"p2", Noting("")},
       {"c0", Noting("")},
       {"c1", Noting("")},
       {"c2", Noting("")}});
  driver.context().Inputs().Tag("IN").SetHeader(MakePacket<int>(40));
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_EQ(seen.Get<int>(), 41);
  const OutputStreamSet& outputs = driver.context().Outputs();
  EXPECT_EQ(outputs.Tag("A").Header().Get<int>(), 41);
  EXPECT_TRUE(outputs.Tag("B").Header().IsEmpty());
  EXPECT_EQ(outputs.Tag("A").Offset(), TimestampDiff(2));
  EXPECT_EQ(outputs.Tag("B").Offset(), TimestampDiff::Unset())
      << "it may hold packets";
  EXPECT_EQ(outputs.Tag("C").Offset(), TimestampDiff(5));
}

TEST_F(FusedNodeTest, GivesSidePacketsOfTheNodeAndOfEarlierParts) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("MADE").Set<int>();
    cc->InputSidePackets().Tag("N").Set<int>();
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    cc->InputSidePackets().Tag("M").Set<int>();
    return absl::OkStatus();
  };
  int seen = 0;
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_side_packet: "OPEN:f"
             input_side_packet: "N:n"
             output_side_packet: "MADE:m"
           }
           fused_node {
             calculator: "PartB"
             input_side_packet: "OPEN:g"
             input_side_packet: "M:m"
           })pb",
      {{"f", Function([](CalculatorContext* cc) {
          cc->OutputSidePackets().Tag("MADE").Set(
              MakePacket<int>(cc->InputSidePackets().Tag("N").Get<int>() + 1));
          return absl::OkStatus();
        })},
       {"g", Function([&](CalculatorContext* cc) {
          seen = cc->InputSidePackets().Tag("M").Get<int>();
          return absl::OkStatus();
        })},
       {"n", MakePacket<int>(6)}});
  SYNCLINE_ASSERT_OK(driver.status());
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(driver.SidePacket("M").Get<int>(), 7);
}

TEST_F(FusedNodeTest, ASidePacketThatAnEarlierPartDoesNotSetInOpenIsMissing) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("MADE").Set<int>();
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    cc->InputSidePackets().Tag("M").Set<int>();
    return absl::OkStatus();
  };
  FusedNodeDriver driver(R"pb(
    fused_node { calculator: "PartA" output_side_packet: "MADE:m" }
    fused_node { calculator: "PartB" input_side_packet: "M:m" })pb");
  EXPECT_THAT(
      driver.Open(),
      StatusIs(StatusCode::kInvalidArgument,
               AllOf(HasSubstr("Side packets of node \"FusedNode/PartB"),
                     HasSubstr("\"m\" is required"))));
}

TEST_F(FusedNodeTest, ASidePacketThatIsSetTwiceIsAnError) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("MADE").Set<int>();
    return absl::OkStatus();
  };
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_side_packet: "OPEN:f"
             output_side_packet: "MADE:m"
           })pb",
      {{"f", Function([](CalculatorContext* cc) {
          cc->OutputSidePackets().Tag("MADE").Set(MakePacket<int>(1));
          cc->OutputSidePackets().Tag("MADE").Set(MakePacket<int>(2));
          return absl::OkStatus();
        })}});
  EXPECT_THAT(driver.Open(), StatusIs(StatusCode::kAlreadyExists));
}

TEST_F(FusedNodeTest, IfAPartFailsInOpenThoseThatAreOpenAreClosed) {
  FusedNodeDriver driver(
      Trio(), {{"o0", Noting("open 0")},
               {"o1", Noting("open 1", absl::DataLossError("no"))},
               {"o2", Noting("open 2")},
               {"p0", Noting("")},
               {"p1", Noting("")},
               {"p2", Noting("")},
               {"c0", Function([this](CalculatorContext* cc) {
                  notes_.push_back(
                      absl::StrCat("close 0 ", cc->GraphStatus().message()));
                  return absl::InternalError("nobody hears this");
                })},
               {"c1", Noting("close 1")},
               {"c2", Noting("close 2")}});
  EXPECT_THAT(driver.Open(),
              StatusIs(StatusCode::kDataLoss,
                       AllOf(HasSubstr("\"trio\""), HasSubstr("trio/PartB"))));
  EXPECT_THAT(notes_,
              ElementsAre("open 0 Timestamp::Unstarted()",
                          "open 1 Timestamp::Unstarted()",
                          AllOf(HasSubstr("close 0 "), HasSubstr("no"))));
}

// --- Errors, runs

TEST_F(FusedNodeTest, TheFirstErrorEndsTheCallAndNamesThePart) {
  FusedNodeDriver driver(
      Trio("input_stream: 'in'", "input_stream: 'in'", "input_stream: 'in'"),
      {{"o0", Noting("open")},
       {"o1", Noting("open")},
       {"o2", Noting("open")},
       {"p0", Noting("process 0")},
       {"p1", Noting("process 1", absl::DataLossError("broken"))},
       {"p2", Noting("process 2")},
       {"c0", Noting("close 0")},
       {"c1", Noting("close 1")},
       {"c2", Noting("close 2")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  TakeNotes();
  driver.Add("IN", 1);
  const absl::Status error = driver.Process(10);
  EXPECT_THAT(error, StatusIs(StatusCode::kDataLoss,
                              AllOf(HasSubstr("node \"trio\""),
                                    HasSubstr("node \"trio/PartB\""),
                                    HasSubstr("broken"))));
  EXPECT_THAT(TakeNotes(), ElementsAre("process 0 10", "process 1 10"));
  SYNCLINE_EXPECT_OK(driver.Close(absl::OkStatus()));
  EXPECT_THAT(TakeNotes(), ElementsAre("close 0 Timestamp::Done()",
                                       "close 1 Timestamp::Done()",
                                       "close 2 Timestamp::Done()"));
}

TEST_F(FusedNodeTest, AfterAnErrorOfTheRunWhatCloseSaysReachesNobody) {
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "out"
             input_side_packet: "CLOSE:c"
           })pb",
      {{"c", Function([this](CalculatorContext* cc) {
          notes_.push_back(std::string(cc->GraphStatus().message()));
          cc->Outputs().Index(0).AddPacket(PacketAt(7, 7));
          return absl::InternalError("nobody hears this");
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_THAT(driver.Close(absl::AbortedError("over")),
              StatusIs(StatusCode::kAborted, HasSubstr("over")));
  EXPECT_THAT(notes_, ElementsAre("over"));
  EXPECT_EQ(driver.Sent(), "");
}

TEST_F(FusedNodeTest, AnErrorInCloseClosesTheOthersAsAfterAFailure) {
  FusedNodeDriver driver(
      Trio(), {{"o0", Noting("")},
               {"o1", Noting("")},
               {"o2", Noting("")},
               {"p0", Noting("")},
               {"p1", Noting("")},
               {"p2", Noting("")},
               {"c0", Noting("close 0")},
               {"c1", Noting("close 1", absl::DataLossError("broken"))},
               {"c2", Function([this](CalculatorContext* cc) {
                  notes_.push_back(std::string(cc->GraphStatus().message()));
                  return absl::OkStatus();
                })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  TakeNotes();
  EXPECT_THAT(driver.Close(),
              StatusIs(StatusCode::kDataLoss, HasSubstr("trio/PartB")));
  EXPECT_THAT(notes_,
              ElementsAre("close 0 Timestamp::Done()",
                          "close 1 Timestamp::Done()", HasSubstr("broken")));
}

TEST_F(FusedNodeTest, EachRunBeginsAnew) {
  FusedNodeDriver driver(kChain);
  for (int run = 0; run < 2; ++run) {
    SYNCLINE_ASSERT_OK(driver.Open());
    driver.Add("IN", 7);
    driver.End("IN");
    SYNCLINE_ASSERT_OK(driver.Process(10));
    EXPECT_EQ(driver.Sent(), "MID=7 MID! OUT=7 OUT!") << run;
    SYNCLINE_ASSERT_OK(driver.Close());
    EXPECT_EQ(driver.Sent(), "");
    driver.StartRun();
  }
}

TEST_F(FusedNodeTest, APersistentOneKeepsTheObjectsOfPersistentParts) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetPersistent(true);
    return absl::OkStatus();
  };
  int made_of_a = 0;
  int made_of_b = 0;
  PartA::made = [&] { ++made_of_a; };
  PartB::made = [&] { ++made_of_b; };
  FusedNodeDriver driver(kChain);
  for (int run = 0; run < 3; ++run) {
    SYNCLINE_ASSERT_OK(driver.Open());
    driver.Add("IN", 7);
    driver.End("IN");
    SYNCLINE_ASSERT_OK(driver.Process(10));
    EXPECT_EQ(driver.Sent(), "MID=7 MID! OUT=7 OUT!") << run;
    SYNCLINE_ASSERT_OK(driver.Close());
    driver.StartRun();
  }
  EXPECT_EQ(made_of_a, 1);
  EXPECT_EQ(made_of_b, 3);
}

// --- What a call sent

TEST_F(FusedNodeTest, ClosedOutputsAndBoundsOfPartsAreThoseOfTheNode) {
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "a"
             output_stream: "b"
             input_side_packet: "PROCESS:f"
           })pb",
      {{"f", Function([](CalculatorContext* cc) {
          if (cc->InputTimestamp() == Timestamp(10)) {
            cc->Outputs().Index(0).SetNextTimestampBound(Timestamp(40));
            cc->Outputs().Index(1).Close();
          } else {
            cc->Outputs().Index(0).AddPacket(PacketAt(50, 5));
          }
          return absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(driver.Sent(), "A<40 B!");
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(11));
  EXPECT_EQ(driver.Sent(), "A=5@50");
}

TEST_F(FusedNodeTest, ABoundMustNotGoBackUnlessThereIsAnOffset) {
  const auto sets_bounds = [](int offset) {
    return Function([offset](CalculatorContext* cc) {
      if (offset >= 0 && cc->InputTimestamp() == Timestamp::Unstarted()) {
        cc->SetOffset(offset);
      } else if (cc->InputTimestamp() == Timestamp(10)) {
        cc->Outputs().Index(0).SetNextTimestampBound(Timestamp(40));
      } else if (cc->InputTimestamp() == Timestamp(11)) {
        cc->Outputs().Index(0).SetNextTimestampBound(Timestamp(39));
      }
      return absl::OkStatus();
    });
  };
  const std::string node = R"pb(
    fused_node {
      calculator: "PartA"
      input_stream: "in"
      output_stream: "out"
      input_side_packet: "OPEN:f"
      input_side_packet: "PROCESS:f"
    })pb";
  const auto run = [&](int offset) {
    FusedNodeDriver driver(node, {{"f", sets_bounds(offset)}});
    SYNCLINE_EXPECT_OK(driver.Open());
    driver.Add("IN", 1);
    SYNCLINE_EXPECT_OK(driver.Process(10));
    driver.Add("IN", 1);
    return driver.Process(11);
  };
  EXPECT_THAT(run(-1), StatusIs(StatusCode::kUnknown,
                                AllOf(HasSubstr("PartA"), HasSubstr("39"))));
  SYNCLINE_EXPECT_OK(run(0));
}

TEST_F(FusedNodeTest, APacketBelowWhatAPartHasPromisedIsAnError) {
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "out"
             input_side_packet: "PROCESS:f"
           })pb",
      {{"f", Function([](CalculatorContext* cc) {
          cc->Outputs().Index(0).AddPacket(PacketAt(7, 1));
          return absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  driver.Add("IN", 1);
  EXPECT_THAT(driver.Process(11),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("PartA")));
}

TEST_F(FusedNodeTest, HandsOnWhenPacketsWereAcquired) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->KeepMessageTimes("");
    return absl::OkStatus();
  };
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "out"
             input_side_packet: "PROCESS:f"
           })pb",
      {{"f", Function([](CalculatorContext* cc) {
          OutputStream& out = cc->Outputs().Index(0);
          out.AddPacket(PacketAt(10, 1),
                        {.acquisition_ns =
                             cc->Inputs().Index(0).MessageTimes().arrival_ns});
          out.AddPacket(PacketAt(11, 1));
          return absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.context().Inputs().Tag("IN").SetMessageTimes({.arrival_ns = 77});
  std::vector<PacketTimes> times;
  driver.before_end = [&](CalculatorContext& cc) {
    const absl::Span<const PacketTimes> given = cc.Outputs().Tag("OUT").times();
    times.assign(given.begin(), given.end());
  };
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(times[0].acquisition_ns, 77);
}

TEST_F(FusedNodeTest, PartsKeepToWhatTheNodeHasPassedOnBetweenCalls) {
  const auto sends_at_15 = [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(PacketAt(15, 1));
    return absl::OkStatus();
  };
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "out"
             input_side_packet: "PROCESS:f"
             input_side_packet: "CLOSE:f"
           })pb",
      {{"f", Function(sends_at_15)}});
  const auto told_so = StatusIs(StatusCode::kInvalidArgument,
                                AllOf(HasSubstr("PartA"), HasSubstr("20")));
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.PassBound("OUT", Timestamp(20));
  driver.Add("IN", 1);
  EXPECT_THAT(driver.Process(25), told_so);
  driver.StartRun();
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.PassBound("OUT", Timestamp(20));
  EXPECT_THAT(driver.Close(), told_so);
}

TEST_F(FusedNodeTest, APartThatIsNotCalledPassesItsInputsOn) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetTimestampOffset(2);
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  };
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "mid"
           }
           fused_node {
             calculator: "PartB"
             input_stream: "mid"
             input_side_packet: "PROCESS:f"
           }
           fused_node { calculator: "PartC" input_stream: "other" })pb",
      {{"f", Noting("b")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  // A time before all others settles nothing.
  driver.Add("OTHER", 5);
  driver.Settle("IN", Timestamp::Unstarted());
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_THAT(TakeNotes(), IsEmpty());
  driver.StartRun();
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("OTHER", 5);
  driver.Settle("IN", Timestamp(9));
  SYNCLINE_ASSERT_OK(driver.Process(11));
  EXPECT_THAT(TakeNotes(), ElementsAre("b 11"));
}

// --- The factory

TEST_F(FusedNodeTest, ItsPartsAreThoseOfItsContract) {
  std::unique_ptr<CalculatorBaseFactory> factory =
      CalculatorBaseRegistry::CreateByName("FusedNode").value();
  FusedNodeDriver driver(kChain);
  EXPECT_THAT(InvokeCreate(*factory, &driver.context()),
              StatusIs(StatusCode::kFailedPrecondition,
                       HasSubstr("not the one that was asked")));
  CalculatorContract contract;
  CalculatorGraphConfig::Node none;
  none.set_calculator("FusedNode");
  SYNCLINE_ASSERT_OK(contract.Initialize(none));
  EXPECT_THAT(factory->GetContract(&contract),
              StatusIs(StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace syncline
