// What a part of a fused node sends reaches later parts and the outputs of the
// node; errors do not.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/packet_times.h"
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
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(FusedNodeTest, DeliversWhatPartsSendInCloseToLaterOnes) {
  FusedNodeDriver driver =
      Trio({"input_stream: 'in' output_stream: 'a'",
            "input_stream: 'a' input_stream: 'other' output_stream: 'b'", ""},
           {{"p1", Function([](CalculatorContext* cc) {
               cc->Outputs().Index(0).AddPacket(
                   cc->Inputs().Index(0).Value().At(cc->InputTimestamp()));
               return absl::OkStatus();
             })},
            {"c0", Function([](CalculatorContext* cc) {
               cc->Outputs().Index(0).AddPacket(PacketAt(20, 5));
               return absl::OkStatus();
             })},
            {"c1", Function([](CalculatorContext* cc) {
               cc->Outputs().Index(0).AddPacket(PacketAt(30, 6));
               return absl::OkStatus();
             })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  SYNCLINE_ASSERT_OK(driver.Close());
  EXPECT_EQ(driver.Sent(), "A=5@20 B=5@20 B=6@30");
}

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

TEST_F(FusedNodeTest, TheFirstErrorEndsTheCallAndNamesThePart) {
  FusedNodeDriver driver =
      Trio({"input_stream: 'in'", "input_stream: 'in'", "input_stream: 'in'"},
           {{"p1", Noting("process 1", absl::DataLossError("broken"))}});
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
  FusedNodeDriver driver =
      Trio({}, {{"c1", Noting("close 1", absl::DataLossError("broken"))},
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

}  // namespace
}  // namespace syncline
