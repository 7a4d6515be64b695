// Which part of a fused node is called when, and closed.
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_stop.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(FusedNodeTest, PassesEachPacketThroughAllParts) {
  FusedNodeDriver driver(kFusedChain);
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
  FusedNodeDriver driver =
      Trio({"input_stream: 'in'", "input_stream: 'in'", "input_stream: 'in'"});
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
  FusedNodeDriver driver = Trio(
      {"input_stream: 'in'", "input_stream: 'other'", "input_stream: 'in'"});
  SYNCLINE_ASSERT_OK(driver.Open());
  TakeNotes();
  driver.Add("OTHER", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_THAT(TakeNotes(), ElementsAre("process 1 10"));
  PartC::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  };
  FusedNodeDriver with_bounds = Trio(
      {"input_stream: 'in'", "input_stream: 'other'", "input_stream: 'in'"});
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
  FusedNodeDriver driver(kFusedJoin, {{"f", Function([](CalculatorContext* cc) {
                                         OutputStream& out =
                                             cc->Outputs().Index(0);
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
  FusedNodeDriver driver(kFusedJoin, {{"f", Function([](CalculatorContext* cc) {
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

TEST_F(FusedNodeTest, TellsWhatWaitsInsideAndDropsItIfTheRunIsOver) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  };
  for (const bool is_run_over : {false, true}) {
    FusedNodeDriver driver(
        kFusedJoin,
        {{"f", Function([](CalculatorContext* cc) {
            cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
            return absl::OkStatus();
          })}});
    SYNCLINE_ASSERT_OK(driver.Open());
    EXPECT_EQ(driver.inner().PacketsWaiting(), 0);
    driver.Add("IN", 1);
    driver.Settle("OTHER", Timestamp(9));
    SYNCLINE_ASSERT_OK(driver.Process(10));
    EXPECT_EQ(driver.inner().PacketsWaiting(), 1);
    EXPECT_THAT(driver.inner().WhereTheyWait(),
                EndsWith("(PartB): 1 (for stream \"other\")"));
    driver.Sent();
    if (is_run_over) driver.inner().DropWaiting();
    SYNCLINE_ASSERT_OK(driver.Close());
    EXPECT_EQ(driver.Sent().find("OUT=1") != std::string::npos, !is_run_over);
    EXPECT_EQ(driver.inner().PacketsWaiting(), 0);
  }
}

TEST_F(FusedNodeTest, TellsWhatWaitsInsideFromOpenOn) {
  FusedNodeDriver driver(
      R"pb(
        fused_node {
          calculator: "PartA"
          input_stream: "in"
          input_side_packet: "OPEN:first"
          output_stream: "mid"
        }
        fused_node {
          calculator: "PartB"
          input_stream: "mid"
          input_stream: "other"
          output_stream: "out"
        })pb",
      {{"first", Function([](CalculatorContext* cc) {
          cc->Outputs().Index(0).AddPacket(MakePacket<int>(7).At(Timestamp(5)));
          return absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_EQ(driver.inner().PacketsWaiting(), 1);
}

// A part may send its last packet when it is closed, as a delay line does.
TEST_F(FusedNodeTest, WhatAPartSendsInCloseReachesNoPartIfTheRunIsOver) {
  for (const bool is_run_over : {false, true}) {
    FusedNodeDriver driver(R"pb(
                             fused_node {
                               calculator: "PartA"
                               input_stream: "in"
                               input_side_packet: "CLOSE:last"
                               output_stream: "mid"
                             }
                             fused_node {
                               calculator: "PartB"
                               input_stream: "mid"
                               input_side_packet: "PROCESS:note"
                               output_stream: "out"
                             })pb",
                           {{"last", Function([](CalculatorContext* cc) {
                               cc->Outputs().Index(0).AddPacket(
                                   MakePacket<int>(7).At(Timestamp(99)));
                               return absl::OkStatus();
                             })},
                            {"note", Noting("called")}});
    SYNCLINE_ASSERT_OK(driver.Open());
    driver.Add("IN", 1);
    SYNCLINE_ASSERT_OK(driver.Process(10));
    EXPECT_THAT(TakeNotes(), SizeIs(1));
    if (is_run_over) driver.inner().DropWaiting();
    SYNCLINE_ASSERT_OK(driver.Close());
    EXPECT_THAT(TakeNotes(), SizeIs(is_run_over ? 0 : 1));
  }
}

TEST_F(FusedNodeTest, PassesBoundsOfAPartThatWaits) {
  PartA::contract = PartB::contract = [](CalculatorContract* cc) {
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  };
  FusedNodeDriver driver(kFusedJoin, {{"f", Noting("a")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  driver.Settle("OTHER", Timestamp(7));
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(driver.Sent(), "MID<11 OUT<8");
  SYNCLINE_ASSERT_OK(driver.Process(20));
  EXPECT_EQ(driver.Sent(), "MID<21 OUT<21");
}

TEST_F(FusedNodeTest, RefusesToHoldPacketsWithoutEnd) {
  FusedNodeDriver driver(kFusedJoin, {{"f", Noting("a")}});
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
           fused_node { calculator: "PartC" input_side_packet: "PROCESS:h" })pb",
      {{"f", Function([&](CalculatorContext* cc) -> absl::Status {
          cc->Outputs().Index(0).AddPacket(PacketAt(calls, calls));
          return ++calls == 2 ? tool::StatusStop() : absl::OkStatus();
        })},
       {"g", Function([&](CalculatorContext* cc) -> absl::Status {
          return calls == 3 ? tool::StatusStop() : absl::OkStatus();
        })},
       {"h", Noting("a part without streams")}});
  SYNCLINE_ASSERT_OK(driver.Open());
  SYNCLINE_ASSERT_OK(driver.Process(0));
  EXPECT_EQ(driver.Sent(), "A=0");
  SYNCLINE_ASSERT_OK(driver.Process(0));
  EXPECT_EQ(driver.Sent(), "A=1@1 A!") << "what it sent with its stop counts";
  calls = 3;
  EXPECT_TRUE(tool::IsStatusStop(driver.Process(0)));
  EXPECT_EQ(driver.Sent(), "B!");
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(FusedNodeTest, IsASourceWhereLaterPartsReadOnlyOfEarlierOnes) {
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_side_packet: "PROCESS:f"
             output_stream: "mid"
           }
           fused_node {
             calculator: "PartB"
             input_stream: "mid"
             output_stream: "out"
           })pb",
      {{"f", Function([](CalculatorContext* cc) {
          cc->Outputs().Index(0).AddPacket(PacketAt(5, 1));
          return tool::StatusStop();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_TRUE(tool::IsStatusStop(driver.Process(0)));
  EXPECT_EQ(driver.Sent(), "MID=1@5 MID! OUT=1@5 OUT!");
}

// "last" waits for a packet of another input, so that it is called by the rule
// of joins; the two before are called at once.
TEST_F(FusedNodeTest, ThePartThatACallIsInIsKnown) {
  std::string seen;
  FusedNodeDriver* looked_at = nullptr;
  const Packet look = Function([&](CalculatorContext* cc) {
    absl::StrAppend(&seen, looked_at->inner().PartInCall(), "; ");
    for (OutputStream& output : cc->Outputs()) {
      output.AddPacket(cc->Inputs().Index(0).Value());
    }
    return absl::OkStatus();
  });
  const Packet fail = Function([&](CalculatorContext*) {
    absl::StrAppend(&seen, looked_at->inner().PartInCall());
    return absl::InternalError("broken");
  });
  FusedNodeDriver driver(
      R"pb(name: "chain"
           fused_node {
             name: "first"
             calculator: "PartA"
             input_stream: "in"
             input_side_packet: "PROCESS:f"
             output_stream: "mid"
           }
           fused_node {
             name: "second"
             calculator: "PartB"
             input_stream: "mid"
             input_side_packet: "PROCESS:f"
             output_stream: "out"
           }
           fused_node {
             name: "last"
             calculator: "PartC"
             input_stream: "out"
             input_stream: "other"
             input_side_packet: "PROCESS:g"
           })pb",
      {{"f", look}, {"g", fail}});
  looked_at = &driver;
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  driver.Settle("OTHER", Timestamp(9));
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(seen, "\"chain/first\" (PartA); \"chain/second\" (PartB); ");
  EXPECT_EQ(driver.inner().PartInCall(), "");
  seen.clear();
  driver.Add("OTHER", 1);
  driver.Settle("IN", Timestamp(20));
  EXPECT_EQ(driver.Process(10).code(), StatusCode::kInternal);
  EXPECT_EQ(seen, "\"chain/last\" (PartC)");
  EXPECT_EQ(driver.inner().PartInCall(), "") << "the parts have ended";
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

TEST_F(FusedNodeTest, ClosesAPartWhoseInputsAreOver) {
  FusedNodeDriver driver =
      Trio({"input_stream: 'in' output_stream: 'a' output_stream: 'x'",
            "input_stream: 'other' output_stream: 'b'",
            "input_stream: 'a' output_stream: 'c'"},
           {{"c0", Function([](CalculatorContext* cc) {
               cc->Outputs().Index(0).AddPacket(PacketAt(20, 5));
               return absl::OkStatus();
             })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  TakeNotes();
  driver.Add("IN", 1);
  driver.End("IN");
  SYNCLINE_ASSERT_OK(driver.Process(10));
  // The last packet of A is one more call of C, which is over then, too.
  EXPECT_THAT(TakeNotes(), ElementsAre("process 0 10", "process 2 20",
                                       "close 2 Timestamp::Done()"));
  EXPECT_EQ(driver.Sent(), "A=5@20 A! C! X!");
  driver.Add("OTHER", 1);
  SYNCLINE_ASSERT_OK(driver.Process(30));
  EXPECT_THAT(TakeNotes(), ElementsAre("process 1 30"));
  SYNCLINE_ASSERT_OK(driver.Close());
  EXPECT_THAT(TakeNotes(), ElementsAre("close 1 Timestamp::Done()"));
}

}  // namespace
}  // namespace syncline
