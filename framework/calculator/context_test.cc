// What a context shows of node and call.
#include "framework/calculator/context.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/calculator/call.h"
#include "framework/calculator/counter.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/resources.h"
#include "framework/calculator/service.h"
#include "framework/calculator/test_support.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr char kNode[] = R"pb(
  calculator: "Type"
  name: "node"
  input_stream: "IN:in"
  output_stream: "A:a"
  output_stream: "B:b"
  input_side_packet: "MODEL:model"
  output_side_packet: "SIZE:size"
  options {
    [syncline.PacketGeneratorWrapperCalculatorOptions.ext] {
      packet_generator: "G"
    }
  }
)pb";

void FillContract(CalculatorContract* cc) {
  cc->Inputs().Tag("IN").Set<int>();
  cc->Outputs().Tag("A").Set<int>();
  cc->Outputs().Tag("B").Set<int>();
  cc->InputSidePackets().Tag("MODEL").Set<int>();
  cc->OutputSidePackets().Tag("SIZE").Set<int>();
}

TEST(CalculatorContextTest, ShowsTheNode) {
  TestNode node(kNode, &FillContract, {.node_id = 4});
  const CalculatorContext& cc = node.context();
  EXPECT_EQ(cc.NodeName(), "node");
  EXPECT_EQ(cc.CalculatorType(), "Type");
  EXPECT_EQ(cc.NodeId(), 4);
  EXPECT_EQ(cc.NodeMaxInFlight(), 0);
  using Options = PacketGeneratorWrapperCalculatorOptions;
  EXPECT_TRUE(cc.HasOptions<Options>());
  EXPECT_EQ(cc.Options<Options>().packet_generator(), "G");
  EXPECT_TRUE(cc.Options().HasExtension(Options::ext));
  EXPECT_EQ(cc.GetProfilingContext(), nullptr);
}

TEST(CalculatorContextTest, ShowsTheStreamsByTheirNames) {
  TestNode node(kNode, &FillContract);
  EXPECT_EQ(node.context().Inputs().Tag("IN").Name(), "in");
  EXPECT_EQ(node.context().Outputs().Tag("B").Name(), "b");
}

TEST(CalculatorContextTest, TheInputTimestampIsThatOfTheCall) {
  TestNode node(kNode, &FillContract);
  EXPECT_EQ(node.context().InputTimestamp(), Timestamp::Unset());
  EXPECT_EQ(
      node.Begin(CallPhase::kOpen, Timestamp::Unstarted()).InputTimestamp(),
      Timestamp::Unstarted());
  EXPECT_EQ(node.Begin(CallPhase::kProcess, Timestamp(7)).InputTimestamp(),
            Timestamp(7));
  node.context().EndCall();
  EXPECT_EQ(node.context().InputTimestamp(), Timestamp::Unset());
}

TEST(CalculatorContextTest, TheOffsetIsTheContractsUntilOpenSetsAnother) {
  TestNode node(kNode, [](CalculatorContract* cc) {
    FillContract(cc);
    cc->SetTimestampOffset(2);
  });
  CalculatorContext& cc = node.Begin(CallPhase::kOpen, Timestamp::Unstarted());
  EXPECT_EQ(cc.Outputs().Tag("A").Offset(), TimestampDiff(2));
  cc.SetOffset(3);
  EXPECT_EQ(cc.Outputs().Tag("A").Offset(), TimestampDiff(3));
  EXPECT_EQ(cc.Outputs().Tag("B").Offset(), TimestampDiff(3));
  SYNCLINE_EXPECT_OK(cc.call().status());
  node.Begin(CallPhase::kProcess).SetOffset(4);
  EXPECT_THAT(cc.call().status(), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_EQ(cc.Outputs().Tag("A").Offset(), TimestampDiff(3));
}

TEST(CalculatorContextTest, TheEndOfACallLetsGoOfItsPackets) {
  TestNode node(kNode, &FillContract);
  CalculatorContext& cc = node.Begin(CallPhase::kProcess);
  cc.Inputs().Tag("IN").Fill(MakePacket<int>(1).At(Timestamp(0)), true);
  cc.Outputs().Tag("A").AddPacket(MakePacket<int>(1).At(Timestamp(0)));
  cc.Outputs().Tag("B").AddPacket(MakePacket<int>(1));
  EXPECT_FALSE(cc.call().ok());
  cc.EndCall();
  EXPECT_TRUE(cc.Inputs().Tag("IN").IsEmpty());
  EXPECT_THAT(cc.Outputs().Tag("A").packets(), IsEmpty());
  EXPECT_TRUE(cc.call().ok());
}

TEST(CalculatorContextTest, TheEndOfACallThatSentAPacketIsShorter) {
  TestNode node(kNode, &FillContract);
  for (const int call : {1, 2}) {
    CalculatorContext& cc = node.Begin(CallPhase::kProcess, Timestamp(call));
    OutputStream& output = cc.Outputs().Tag("A");
    ASSERT_EQ(&output, cc.Outputs().begin()) << "the first";
    cc.Inputs().Tag("IN").Fill(MakePacket<int>(1).At(Timestamp(call)), true);
    output.AddPacket(MakePacket<int>(call).At(Timestamp(call)));
    ASSERT_TRUE(output.HasOnePacketOnly());
    const Packet sent = std::move(output.packets()[0]);
    cc.EndCallOfOnePacket();
    EXPECT_TRUE(cc.Inputs().Tag("IN").IsEmpty());
    EXPECT_FALSE(cc.Inputs().Tag("IN").IsDone());
    EXPECT_THAT(output.packets(), IsEmpty());
    EXPECT_EQ(cc.call().phase(), CallPhase::kNone);
    EXPECT_EQ(cc.InputTimestamp(), Timestamp::Unset());
    EXPECT_EQ(sent.Get<int>(), call);
  }
}

TEST(CalculatorContextTest, SidePacketsAreThoseOfTheRun) {
  PacketSet inputs(
      PortLayout::Create(std::vector<std::string>{"MODEL:model"}).value());
  inputs.Tag("MODEL") = MakePacket<int>(3);
  TestNode node(kNode, &FillContract,
                {.input_side_packets = std::move(inputs)});
  CalculatorContext& cc = node.context();
  EXPECT_EQ(cc.InputSidePackets().Tag("MODEL").Get<int>(), 3);
  cc.OutputSidePackets().Tag("SIZE").Set(MakePacket<int>(4));
  const auto outputs = node.environment().node_output_side_packets();
  ASSERT_EQ(outputs.size(), 1);
  EXPECT_EQ(outputs[0]->name(), "size");
  EXPECT_EQ(outputs[0]->TakeNewlySet()->Get<int>(), 4);

  CalculatorContext other(node.environment());
  other.OutputSidePackets().Tag("SIZE").Set(MakePacket<int>(5));
  EXPECT_THAT(outputs[0]->TakeError(), StatusIs(StatusCode::kAlreadyExists))
      << "contexts of a node share them";
}

// Counts how often it is asked, since that is what a context avoids.
class AskedFactory : public CounterFactory {
 public:
  Counter* GetCounter(absl::string_view name) override {
    asked_for.push_back(std::string(name));
    return basic_.GetCounter(name);
  }

  std::vector<std::string> asked_for;

 private:
  BasicCounterFactory basic_;
};

TEST(CalculatorContextTest, CountersHaveTheNodesNameAndAreAskedForOnce) {
  AskedFactory counters;
  TestNode node(kNode, &FillContract, {.counters = &counters});
  CalculatorContext& cc = node.context();
  for (int i = 0; i < 3; ++i) cc.GetCounter("dropped")->Increment();
  cc.GetCounter("kept")->IncrementBy(5);
  EXPECT_THAT(counters.asked_for, ElementsAre("node-dropped", "node-kept"));
  EXPECT_EQ(cc.GetCounter("dropped")->Get(), 3);
  cc.GetCounterFactory()->GetCounter("all")->Increment();
  EXPECT_EQ(counters.asked_for.back(), "all");
}

TEST(CalculatorContextTest, WithoutAFactoryCountersCountAllTheSame) {
  TestNode node(kNode, &FillContract);
  node.context().GetCounter("c")->Increment();
  EXPECT_THAT(
      node.context().GetCounterFactory()->GetCounterSet()->GetCountersValues(),
      ElementsAre(Pair("node-c", 1)));
}

TEST(CalculatorContextTest, VeryManyCounterNamesAreNotRemembered) {
  TestNode node(kNode, &FillContract);
  for (int i = 0; i < 1000; ++i) {
    node.context().GetCounter(std::to_string(i))->Increment();
  }
  EXPECT_EQ(node.context().GetCounter("999")->Get(), 1);
}

constexpr GraphService<std::string> kGiven("given");
constexpr GraphService<std::string> kAbsent("absent");
constexpr GraphService<std::string> kNotAskedFor("not_asked_for");

TEST(CalculatorContextTest, HasTheServicesThatTheContractAskedFor) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK(services.SetServiceObject(
      kGiven, std::make_shared<std::string>("object")));
  SYNCLINE_ASSERT_OK(services.SetServiceObject(
      kNotAskedFor, std::make_shared<std::string>("other")));
  TestNode node(kNode,
                [](CalculatorContract* cc) {
                  FillContract(cc);
                  cc->UseService(kGiven);
                  cc->UseService(kAbsent).Optional();
                },
                {.services = &services});
  const CalculatorContext& cc = node.context();
  EXPECT_EQ(cc.Service(kGiven).GetObject(), "object");
  EXPECT_FALSE(cc.Service(kAbsent).IsAvailable());
  EXPECT_FALSE(cc.Service(kNotAskedFor).IsAvailable());
  EXPECT_THAT(CallUserCode([&] {
                cc.Service(kNotAskedFor).GetObject();
                return absl::OkStatus();
              }),
              StatusIs(StatusCode::kFailedPrecondition,
                       testing::AllOf(HasSubstr("\"not_asked_for\""),
                                      HasSubstr("UseService()"))));
}

TEST(CalculatorContextTest, WithoutServicesNoneIsAvailable) {
  TestNode node(kNode, [](CalculatorContract* cc) {
    FillContract(cc);
    cc->UseService(kGiven);
  });
  EXPECT_FALSE(node.context().Service(kGiven).IsAvailable());
}

TEST(CalculatorContextTest, ResourcesAreTheApplicationsOrFiles) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK(services.SetServiceObject(
      kResourcesService,
      std::shared_ptr<Resources>(
          CreateDefaultResourcesWithMapping({{"$X", "/given"}}))));
  TestNode with(kNode, &FillContract, {.services = &services});
  TestNode without(kNode, &FillContract);
  EXPECT_THAT(with.context().GetResources().ResolveId("$X"),
              IsOkAndHolds("/given"));
  EXPECT_THAT(without.context().GetResources().ResolveId("$X"),
              IsOkAndHolds("$X"));
}

TEST(CalculatorContextTest, TheGraphStatusIsWhatTheEngineSays) {
  TestNode node(kNode, &FillContract);
  SYNCLINE_EXPECT_OK(node.context().GraphStatus());
  node.context().SetGraphStatus(absl::CancelledError("c"));
  EXPECT_THAT(node.context().GraphStatus(), StatusIs(StatusCode::kCancelled));
}

// A stream beyond what is reserved would have no memory.
TEST(CalculatorContextTest, StreamsFitTheMemoryThatIsReservedForThem) {
  for (int inputs = 0; inputs <= 3; ++inputs) {
    for (int outputs = 0; outputs <= 2; ++outputs) {
      std::string text = "calculator: \"X\"";
      for (int i = 0; i < inputs; ++i) {
        absl::StrAppend(&text, " input_stream: \"in", i, "\"");
      }
      for (int i = 0; i < outputs; ++i) {
        absl::StrAppend(&text, " output_stream: \"out", i, "\"");
      }
      TestNode node(text, [](CalculatorContract* cc) {
        for (PacketType& input : cc->Inputs()) input.SetAny();
        for (PacketType& output : cc->Outputs()) output.SetAny();
      });
      // Static: not every sanitizer aligns a stack that far.
      alignas(CalculatorContext) static std::byte memory[1024];
      const size_t size = CalculatorContext::StreamBytes(inputs, outputs);
      ASSERT_LE(size, sizeof(memory));
      CalculatorContext context(node.environment(), memory);
      EXPECT_EQ(context.Inputs().NumEntries(), inputs);
      EXPECT_EQ(context.Outputs().NumEntries(), outputs);
    }
  }
}

}  // namespace
}  // namespace syncline
