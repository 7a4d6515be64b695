// How the parts of a fused node are opened, run after run; its factory.
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/run_objects.h"
#include "framework/calculator/service.h"
#include "framework/config/calculator.pb.h"
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

TEST_F(FusedNodeTest, PartsMaySendInOpen) {
  FusedNodeDriver driver =
      Trio({"output_stream: 'a' input_stream: 'in'",
            "input_stream: 'a' output_stream: 'b'", ""},
           {{"o0", Function([](CalculatorContext* cc) {
               cc->Outputs().Index(0).AddPacket(PacketAt(5, 1));
               cc->Outputs().Index(0).SetNextTimestampBound(Timestamp(8));
               return absl::OkStatus();
             })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  // B is called when all are open.
  EXPECT_THAT(TakeNotes(),
              ElementsAre("open 1 Timestamp::Unstarted()",
                          "open 2 Timestamp::Unstarted()", "process 1 5"));
  EXPECT_EQ(driver.Sent(), "A=1@5 A<8");
}

TEST_F(FusedNodeTest, HandsOnHeadersAndOffsets) {
  Packet seen;
  FusedNodeDriver driver =
      Trio({"input_stream: 'in' output_stream: 'a'",
            "input_stream: 'a' input_stream: 'in' output_stream: 'b'",
            "input_stream: 'a' output_stream: 'c'"},
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
             })}});
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

TEST_F(FusedNodeTest, SidePacketsOfPartsAreThoseOfTheRun) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("MADE").Set<int>();
    cc->SetPersistent(true);
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    cc->InputSidePackets().Tag("M").Set<int>();
    return absl::OkStatus();
  };
  bool is_made = true;
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_side_packet: "OPEN:f"
             output_side_packet: "MADE:m"
           }
           fused_node { calculator: "PartB" input_side_packet: "M:m" })pb",
      {{"f", Function([&](CalculatorContext* cc) {
          if (is_made) {
            cc->OutputSidePackets().Tag("MADE").Set(MakePacket<int>(1));
          }
          return absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(driver.Open());
  SYNCLINE_ASSERT_OK(driver.Close());
  is_made = false;
  driver.StartRun();
  EXPECT_THAT(driver.Open(), StatusIs(StatusCode::kInvalidArgument,
                                      HasSubstr("\"m\" is required")));
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

TEST_F(FusedNodeTest, EachRunBeginsAnew) {
  FusedNodeDriver driver(kFusedChain);
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
  FusedNodeDriver driver(kFusedChain);
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

TEST_F(FusedNodeTest, DestroysItsPartsFromTheLastToTheFirst) {
  PartA::contract = PartB::contract = [](CalculatorContract* cc) {
    cc->SetPersistent(true);
    return absl::OkStatus();
  };
  PartA::destroyed = [&] { notes_.push_back("a"); };
  PartB::destroyed = [&] { notes_.push_back("b"); };
  {
    FusedNodeDriver driver(kFusedChain);
    SYNCLINE_ASSERT_OK(driver.Open());
    SYNCLINE_ASSERT_OK(driver.Close());
    EXPECT_THAT(notes_, IsEmpty());
  }
  EXPECT_THAT(notes_, ElementsAre("b", "a"));
}

constexpr GraphService<int> kService(
    "s", GraphServiceBase::kDisallowDefaultInitialization);

class FixedClock : public RunObjects {
 public:
  GraphClock* clock() const override { return &clock_; }
  absl::StatusOr<std::shared_ptr<ConditionBase>> FindCondition(
      int, absl::string_view) const override {
    return absl::NotFoundError("");
  }
  absl::StatusOr<std::shared_ptr<Allocator>> FindAllocator(
      absl::string_view) const override {
    return absl::NotFoundError("");
  }

 private:
  mutable RealtimeClock clock_;
};

TEST_F(FusedNodeTest, PartsGetWhatTheRunGivesToTheNode) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->UseService(kService);
    return absl::OkStatus();
  };
  BasicCounterFactory counters;
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK(
      services.SetServiceObject(kService, std::make_shared<int>(7)));
  const FixedClock objects;
  bool is_open = false;
  FusedNodeDriver driver(
      R"pb(fused_node {
             calculator: "PartA"
             input_stream: "in"
             input_side_packet: "OPEN:f"
           })pb",
      {{"f", Function([&](CalculatorContext* cc) {
          is_open = true;
          EXPECT_EQ(cc->NodeId(), 3);
          EXPECT_EQ(cc->GetCounterFactory(), &counters);
          EXPECT_EQ(cc->Service(kService).GetObject(), 7);
          EXPECT_EQ(cc->Clock(), objects.clock());
          return absl::OkStatus();
        })}});
  NodeEnvironment::Run run;
  run.node_id = 3;
  run.counters = &counters;
  run.services = &services;
  run.objects = &objects;
  driver.StartRun(std::move(run));
  SYNCLINE_ASSERT_OK(driver.Open());
  EXPECT_TRUE(is_open);
}

TEST_F(FusedNodeTest, ItsPartsAreThoseOfItsContract) {
  std::unique_ptr<CalculatorBaseFactory> factory =
      CalculatorBaseRegistry::CreateByName("FusedNode").value();
  FusedNodeDriver driver(kFusedChain);
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
