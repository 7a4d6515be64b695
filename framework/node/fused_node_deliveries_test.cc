// What a part of a fused node sends reaches later parts and the outputs of the
// node, each with what is known of its bound.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/node_environment.h"
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

// One part, which the function of the side packet "f" processes.
constexpr char kAlone[] = R"pb(
  fused_node {
    calculator: "PartA"
    input_stream: "in"
    output_stream: "out"
    input_side_packet: "PROCESS:f"
  }
)pb";

// A part that sends on what comes to its first input.
Packet PassesOn() {
  return Function([](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        cc->Inputs().Index(0).Value().At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
}

TEST_F(FusedNodeTest, DeliversWhatPartsSendInCloseToLaterOnes) {
  FusedNodeDriver driver =
      Trio({"input_stream: 'in' output_stream: 'a'",
            "input_stream: 'a' input_stream: 'other' output_stream: 'b'", ""},
           {{"p1", PassesOn()},
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

TEST_F(FusedNodeTest, EachOutputThatOnlyPartsReadHasItsOwnPackets) {
  FusedNodeDriver driver =
      Trio({"input_stream: 'in' output_stream: 'a' output_stream: 'b'",
            "input_stream: 'a' output_stream: 'c'",
            "input_stream: 'b' output_stream: 'd'"},
           {{"p0", Function([](CalculatorContext* cc) {
               cc->Outputs().Index(0).AddPacket(PacketAt(10, 5));
               cc->Outputs().Index(1).AddPacket(PacketAt(10, 6));
               return absl::OkStatus();
             })},
            {"p1", PassesOn()},
            {"p2", PassesOn()}});
  std::array<StreamProgress, 2> progress;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const CollectionItemId id =
        driver.contract().Outputs().GetId(i == 0 ? "A" : "B", 0);
    driver.environment().output_ports()[id.value()].unread = &progress[i];
  }
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  EXPECT_EQ(driver.Sent(), "C=5 D=6");
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
  const std::string node = R"pb(
    fused_node {
      calculator: "PartA"
      input_stream: "in"
      output_stream: "out"
      input_side_packet: "OPEN:f"
      input_side_packet: "PROCESS:g"
    })pb";
  // Sets the bound to 40, and then to this.
  const auto set_bound = [&](int second, TimestampDiff offset) {
    FusedNodeDriver driver(
        node, {{"f", Function([offset](CalculatorContext* cc) {
                  cc->SetOffset(offset);
                  return absl::OkStatus();
                })},
               {"g", Function([second](CalculatorContext* cc) {
                  const bool is_first = cc->InputTimestamp() == Timestamp(10);
                  cc->Outputs().Index(0).SetNextTimestampBound(
                      Timestamp(is_first ? 40 : second));
                  return absl::OkStatus();
                })}});
    SYNCLINE_EXPECT_OK(driver.Open());
    driver.Add("IN", 1);
    SYNCLINE_EXPECT_OK(driver.Process(10));
    driver.Add("IN", 1);
    return driver.Process(11);
  };
  EXPECT_THAT(set_bound(39, TimestampDiff::Unset()),
              StatusIs(StatusCode::kUnknown,
                       AllOf(HasSubstr("PartA"), HasSubstr("39"))));
  SYNCLINE_EXPECT_OK(set_bound(40, TimestampDiff::Unset()));
  SYNCLINE_EXPECT_OK(set_bound(39, 0));
}

TEST_F(FusedNodeTest, APacketBelowWhatAPartHasPromisedIsAnError) {
  FusedNodeDriver driver(kAlone,
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

TEST_F(FusedNodeTest, StreamsThatStayInsideAreCheckedAsOthersAre) {
  std::vector<Timestamp> timestamps;
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "mid"
             input_side_packet: "PROCESS:f"
           })pb",
      {{"f", Function([&](CalculatorContext* cc) {
          cc->Outputs().Index(0).AddPacket(
              MakePacket<int>(1).At(timestamps.back()));
          timestamps.pop_back();
          return absl::OkStatus();
        })}},
      /*inner=*/"mid");
  const auto send = [&](Timestamp first, Timestamp second) {
    timestamps = {second, first};
    driver.StartRun();
    SYNCLINE_EXPECT_OK(driver.Open());
    driver.Add("IN", 1);
    SYNCLINE_EXPECT_OK(driver.Process(10));
    driver.Add("IN", 1);
    return driver.Process(11);
  };
  SYNCLINE_EXPECT_OK(send(Timestamp(7), Timestamp(8)));
  EXPECT_THAT(send(Timestamp(7), Timestamp(7)),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("PartA"),
                             HasSubstr("expected timestamp is 8"))));
  EXPECT_THAT(send(Timestamp(7), Timestamp::PostStream()),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("must be the only packet")));
}

TEST_F(FusedNodeTest, ABoundThatPassesThroughLowersNoOther) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  };
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "mid"
             input_side_packet: "PROCESS:f"
           }
           fused_node { calculator: "PartB" input_stream: "other" })pb",
      {{"f", Function([&](CalculatorContext* cc) {
          OutputStream& out = cc->Outputs().Index(0);
          if (cc->InputTimestamp() == Timestamp(10)) {
            out.SetNextTimestampBound(Timestamp(40));
          } else {
            out.AddPacket(PacketAt(30, 1));
          }
          return absl::OkStatus();
        })}},
      /*inner=*/"mid");
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  driver.Add("OTHER", 1);
  SYNCLINE_ASSERT_OK(driver.Process(20));
  driver.Add("IN", 1);
  EXPECT_THAT(driver.Process(21),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("expected timestamp is 40")));
}

TEST_F(FusedNodeTest, TimestampsMayGoBackWhereReadersIgnoreTime) {
  int next = 9;
  FusedNodeDriver driver(
      kAlone, {{"f", Function([&](CalculatorContext* cc) {
                  cc->Outputs().Index(0).AddPacket(PacketAt(next--, 1));
                  return absl::OkStatus();
                })}});
  driver.environment().output_ports()[0].checks_order = false;
  SYNCLINE_ASSERT_OK(driver.Open());
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(10));
  driver.Add("IN", 1);
  SYNCLINE_ASSERT_OK(driver.Process(11));
  EXPECT_EQ(driver.Sent(), "OUT=1@9 OUT=1@8");
}

TEST_F(FusedNodeTest, HandsOnWhenPacketsWereAcquired) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->KeepMessageTimes("");
    return absl::OkStatus();
  };
  FusedNodeDriver driver(
      kAlone, {{"f", Function([](CalculatorContext* cc) {
                  OutputStream& out = cc->Outputs().Index(0);
                  out.AddPacket(
                      PacketAt(10, 1),
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
    cc->Outputs().Index(1).AddPacket(PacketAt(15, 1));
    return absl::OkStatus();
  };
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             output_stream: "first"
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
             output_stream: "first"
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

}  // namespace
}  // namespace syncline
