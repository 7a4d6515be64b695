// What the contracts of the parts of a fused node come to for the whole.
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/service.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/node/fused_node_test_support.h"
#include "framework/node/fused_parts.h"
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
using ::testing::Pair;

// Of C, port 0 is of B, port 1 of the fused node.
constexpr char kJoin[] = R"pb(
  fused_node { calculator: "PartA" input_stream: "in" output_stream: "a" }
  fused_node { calculator: "PartB" input_stream: "in" output_stream: "b" }
  fused_node {
    calculator: "PartC"
    input_stream: "b"
    input_stream: "other"
    output_stream: "out"
  })pb";

constexpr GraphService<int> kService(
    "s", GraphServiceBase::kAllowDefaultInitialization);

TEST_F(FusedPartsTest, AServiceIsOptionalIfItIsToAllParts) {
  const auto asks = [](CalculatorContract* cc) {
    cc->UseService(kService);
    return absl::OkStatus();
  };
  const auto may_use = [](CalculatorContract* cc) {
    cc->UseService(kService).Optional();
    return absl::OkStatus();
  };
  PartA::contract = PartB::contract = may_use;
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  ASSERT_NE(outer_->FindServiceRequest("s"), nullptr);
  EXPECT_TRUE(outer_->FindServiceRequest("s")->IsOptional());
  PartB::contract = asks;
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_FALSE(outer_->FindServiceRequest("s")->IsOptional());
}

TEST_F(FusedPartsTest, ConditionsAreThoseOfAllParts) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->AddCondition("T", "first");
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    cc->AddAnyOf()->add_condition()->set_name("second");
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  ASSERT_EQ(outer_->GetConditions().size(), 1u);
  EXPECT_EQ(outer_->GetConditions()[0].type(), "T");
  EXPECT_EQ(outer_->GetConditions()[0].name(), "first");
  ASSERT_EQ(outer_->GetAnyOf().size(), 1);
  EXPECT_EQ(outer_->GetAnyOf()[0].condition(0).name(), "second");
}

TEST_F(FusedPartsTest, KeepMessageTimesOfInputsOfTheNode) {
  const auto keeps = [](CalculatorContract* cc) {
    cc->KeepMessageTimes("");
    return absl::OkStatus();
  };
  PartA::contract = keeps;
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_THAT(outer_->GetMessageTimes(), ElementsAre(Pair("IN", 0)));
  PartA::contract = nullptr;
  PartB::contract = keeps;
  EXPECT_THAT(Describe(kFusedChain),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("chain/PartB"),
                             HasSubstr("KeepMessageTimes(\"\")"),
                             HasSubstr("which have none"))));
  PartB::contract = nullptr;
  PartA::contract = [](CalculatorContract* cc) {
    cc->KeepMessageTimes("X", 2);
    return absl::OkStatus();
  };
  EXPECT_THAT(Describe(kFusedChain),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("KeepMessageTimes(\"X:2\")"),
                             HasSubstr("no such input stream"))));
}

TEST_F(FusedPartsTest, OnePersistentPartMakesTheNodePersistent) {
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_FALSE(outer_->IsPersistent());
  PartB::contract = [](CalculatorContract* cc) {
    cc->SetPersistent(true);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_TRUE(outer_->IsPersistent());
}

TEST_F(FusedPartsTest, BoundsAreProcessedForPartsThatAskOrMayHoldPackets) {
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_FALSE(outer_->GetProcessTimestampBounds());
  EXPECT_TRUE(outer_->IsOrderIndependent());
  SYNCLINE_ASSERT_OK(Describe(kJoin));
  EXPECT_TRUE(outer_->GetProcessTimestampBounds());
  EXPECT_TRUE(outer_->IsOrderIndependent());
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_TRUE(outer_->GetProcessTimestampBounds());
}

TEST_F(FusedPartsTest, WhoeverNeedsAPromiseOfOrderHasToMakeIt) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_FALSE(outer_->IsOrderIndependent());
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_TRUE(outer_->IsOrderIndependent());
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_FALSE(outer_->IsOrderIndependent());
}

absl::Status AskForImmediate(CalculatorContract* cc) {
  cc->SetInputStreamHandler("ImmediateInputStreamHandler");
  return absl::OkStatus();
}

TEST_F(FusedPartsTest, TheHandlerIsThatOfThePartsThatAskForOne) {
  const std::string side_by_side = R"pb(
    name: "n"
    fused_node { calculator: "PartA" input_stream: "in" }
    fused_node { calculator: "PartB" input_stream: "in" }
    fused_node { calculator: "PartC" input_stream: "in" })pb";
  SYNCLINE_ASSERT_OK(Describe(side_by_side));
  EXPECT_EQ(outer_->GetInputStreamHandler(), "");
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetInputStreamHandler("DefaultInputStreamHandler");
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(side_by_side));
  EXPECT_EQ(outer_->GetInputStreamHandler(), "");
  PartB::contract = PartC::contract = AskForImmediate;
  SYNCLINE_ASSERT_OK(Describe(side_by_side));
  EXPECT_EQ(outer_->GetInputStreamHandler(), "ImmediateInputStreamHandler");
  PartC::contract = [](CalculatorContract* cc) {
    cc->SetInputStreamHandler("MuxInputStreamHandler");
    return absl::OkStatus();
  };
  EXPECT_THAT(Describe(side_by_side),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("in it, node \"n/PartC\" (PartC): "),
                             HasSubstr("handler \"MuxInputStreamHandler\""),
                             HasSubstr("but node \"n/PartB\" (PartB) asks for "
                                       "\"ImmediateInputStreamHandler\""))));
}

TEST_F(FusedPartsTest, APartThatJoinsOrHasOptionsOfAHandlerIsRefused) {
  PartB::contract = AskForImmediate;
  EXPECT_THAT(Describe(kFusedChain),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("joined by the default rule")));
  PartB::contract = nullptr;
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetInputStreamHandler("SyncSetInputStreamHandler");
    SynclineOptions options;
    options.MutableExtension(SyncSetInputStreamHandlerOptions::ext)
        ->add_sync_set()
        ->add_tag_index("A");
    cc->SetInputStreamHandlerOptions(options);
    return absl::OkStatus();
  };
  EXPECT_THAT(Describe(kFusedChain),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("with options that speak of ports")));
}

// --- Offsets

std::function<absl::Status(CalculatorContract*)> Offset(int offset) {
  return [offset](CalculatorContract* cc) {
    cc->SetTimestampOffset(offset);
    return absl::OkStatus();
  };
}

TEST_F(FusedPartsTest, OffsetsOfAChainAddUp) {
  const std::string inner = R"pb(
    fused_node { calculator: "PartA" input_stream: "in" output_stream: "mid" }
    fused_node { calculator: "PartB" input_stream: "mid" output_stream: "out" }
  )pb";
  CalculatorGraphConfig::Node node = LoweredFusedNode(inner);
  node.mutable_output_stream()->DeleteSubrange(0, 1);
  ASSERT_THAT(node.output_stream(), ElementsAre("OUT:out"));
  PartA::contract = Offset(2);
  PartB::contract = Offset(3);
  SYNCLINE_ASSERT_OK(MakeAs(node));
  SYNCLINE_ASSERT_OK(parts_->Describe(outer_.get()));
  EXPECT_EQ(outer_->GetTimestampOffset(), TimestampDiff(5));
  PartA::contract = nullptr;
  SYNCLINE_ASSERT_OK(MakeAs(node));
  SYNCLINE_ASSERT_OK(parts_->Describe(outer_.get()));
  EXPECT_EQ(outer_->GetTimestampOffset(), TimestampDiff::Unset());
}

TEST_F(FusedPartsTest, TheNodeHasAnOffsetIfAllItsOutputsHaveThatOne) {
  PartA::contract = Offset(2);
  PartB::contract = Offset(0);
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_EQ(outer_->GetTimestampOffset(), TimestampDiff(2));
  PartB::contract = Offset(1);
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_EQ(outer_->GetTimestampOffset(), TimestampDiff::Unset());
}

TEST_F(FusedPartsTest, APartThatMayHoldPacketsHasNoOffset) {
  PartA::contract = PartB::contract = PartC::contract = Offset(0);
  SYNCLINE_ASSERT_OK(Describe(kJoin));
  EXPECT_EQ(outer_->GetTimestampOffset(), TimestampDiff::Unset());
  const auto zero = [](const FusedPart::Input&) { return TimestampDiff(0); };
  EXPECT_EQ(WholeOffset(part(2), 0, zero), TimestampDiff::Unset());
  EXPECT_EQ(WholeOffset(part(1), 7, zero), TimestampDiff(7));
  EXPECT_EQ(WholeOffset(part(1), TimestampDiff::Unset(), zero),
            TimestampDiff::Unset());
}

TEST(WholeOffsetTest, CountsFromTheEarliestInput) {
  FusedPart part;
  const auto of_earlier = [](const FusedPart::Input& input) {
    return input.port == 9 ? TimestampDiff::Unset()
                           : TimestampDiff(10 * input.port);
  };
  EXPECT_EQ(WholeOffset(part, 1, of_earlier), TimestampDiff::Unset())
      << "of no input";
  part.inputs = {{.part = 0, .port = 5}, {.part = 0, .port = 2}};
  EXPECT_EQ(WholeOffset(part, 1, of_earlier), TimestampDiff(21));
  part.inputs.push_back({.outer_port = 0});
  EXPECT_EQ(WholeOffset(part, 1, of_earlier), TimestampDiff(1));
  part.inputs.push_back({.part = 0, .port = 9});
  EXPECT_EQ(WholeOffset(part, 1, of_earlier), TimestampDiff::Unset());
}

}  // namespace
}  // namespace syncline
