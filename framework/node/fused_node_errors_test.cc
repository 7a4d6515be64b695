// Errors of the parts of a fused node, and of the run around it.
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/output_stream.h"
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

TEST_F(FusedNodeTest, IfAPartFailsInOpenThoseThatAreOpenAreClosed) {
  FusedNodeDriver driver =
      Trio({}, {{"o1", Noting("open 1", absl::DataLossError("no"))},
                {"c0", Function([this](CalculatorContext* cc) {
                   notes_.push_back(
                       absl::StrCat("close 0 ", cc->GraphStatus().message()));
                   return absl::InternalError("nobody hears this");
                 })}});
  EXPECT_THAT(driver.Open(),
              StatusIs(StatusCode::kDataLoss,
                       AllOf(HasSubstr("\"trio\""), HasSubstr("trio/PartB"))));
  EXPECT_THAT(notes_,
              ElementsAre("open 0 Timestamp::Unstarted()",
                          "open 1 Timestamp::Unstarted()",
                          AllOf(HasSubstr("close 0 "), HasSubstr("no"))));
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
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  };
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "out"
             input_side_packet: "CLOSE:c"
           }
           fused_node { calculator: "PartB" input_stream: "other" })pb",
      {{"c", Function([this](CalculatorContext* cc) {
          OutputStream& out = cc->Outputs().Index(0);
          notes_ = {std::string(cc->GraphStatus().message()),
                    cc->InputTimestamp().DebugString(),
                    out.NextTimestampBound().DebugString()};
          out.AddPacket(PacketAt(77, 7));
          return absl::InternalError("nobody hears this");
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(driver.Sent(), "OUT=1");
  driver.Add("OTHER", 1);
  SYNCLINE_ASSERT_OK(driver.Process(20));
  EXPECT_EQ(driver.Sent(), "OUT<21");
  EXPECT_THAT(driver.Close(absl::AbortedError("over")),
              StatusIs(StatusCode::kAborted, HasSubstr("over")));
  EXPECT_THAT(notes_, ElementsAre("over", "Timestamp::Done()", "21"));
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

TEST_F(FusedNodeTest, APersistentOneBeginsAnewAfterARunThatFailed) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetPersistent(true);
    return absl::OkStatus();
  };
  int made_of_b = 0;
  PartB::made = [&] { ++made_of_b; };
  absl::Status open = absl::DataLossError("not yet");
  absl::Status process = tool::StatusStop();
  absl::Status process_of_b = absl::DataLossError("broken");
  FusedNodeDriver driver = Trio(
      {"input_stream: 'in'", "input_stream: 'in'", ""},
      {{"o1", Function([&](CalculatorContext*) { return open; })},
       {"p0", Function([&](CalculatorContext*) { return process; })},
       {"p1", Function([&](CalculatorContext*) { return process_of_b; })}});
  EXPECT_THAT(driver.Open(), StatusIs(StatusCode::kDataLoss));
  open = absl::OkStatus();
  driver.StartRun();
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_EQ(made_of_b, 2);
  driver.Add("IN", 1);
  EXPECT_THAT(driver.Process(10), StatusIs(StatusCode::kDataLoss));
  driver.Close(absl::DataLossError("broken")).IgnoreError();
  // The stop was that of the run before.
  process = process_of_b = absl::OkStatus();
  driver.StartRun();
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  SYNCLINE_EXPECT_OK(driver.Process(10));
}

}  // namespace
}  // namespace syncline
