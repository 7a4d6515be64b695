// What is known of a fused node before it runs: which part reads what of whom,
// and what the contracts of the parts come to for the whole.
#include "framework/node/fused_parts.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/service.h"
#include "framework/calculator/test_lambda_base.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/node/fused_node_test_support.h"
#include "framework/packet/packet_type.h"
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
using ::testing::Not;
using ::testing::Pair;

// The node's contract, and the parts that are found for it.
class FusedPartsTest : public ::testing::Test {
 protected:
  ~FusedPartsTest() override { ForgetContracts(); }

  absl::Status Make(const std::string& node_text) {
    return MakeAs(LoweredFusedNode(node_text));
  }
  absl::Status MakeAs(CalculatorGraphConfig::Node node) {
    node_ = std::move(node);
    outer_ = std::make_unique<CalculatorContract>();
    SYNCLINE_EXPECT_OK(outer_->Initialize(node_));
    absl::StatusOr<std::shared_ptr<const FusedParts>> parts =
        FusedParts::Make(*outer_);
    if (!parts.ok()) return parts.status();
    parts_ = *std::move(parts);
    return absl::OkStatus();
  }
  // Make, then what the parts come to.
  absl::Status Describe(const std::string& node_text) {
    SYNCLINE_EXPECT_OK(Make(node_text));
    return parts_->Describe(outer_.get());
  }
  FusedPart& part(int i) { return *parts_->parts()[i]; }
  PacketType& input(const std::string& tag) {
    return outer_->Inputs().Tag(tag);
  }
  PacketType& output(const std::string& tag) {
    return outer_->Outputs().Tag(tag);
  }

  CalculatorGraphConfig::Node node_;
  std::unique_ptr<CalculatorContract> outer_;
  std::shared_ptr<const FusedParts> parts_;
};

constexpr char kChain[] = R"pb(
  name: "chain"
  fused_node { calculator: "PartA" input_stream: "in" output_stream: "mid" }
  fused_node { calculator: "PartB" input_stream: "mid" output_stream: "out" }
)pb";

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

// --- Make

TEST_F(FusedPartsTest, LinkWhatAPartReadsWithWhoeverMakesIt) {
  SYNCLINE_ASSERT_OK(Make(kChain));
  ASSERT_EQ(parts_->parts().size(), 2u);
  const int in = outer_->Inputs().GetId("IN", 0).value();
  const int mid = outer_->Outputs().GetId("MID", 0).value();
  const int out = outer_->Outputs().GetId("OUT", 0).value();
  EXPECT_EQ(part(0).inputs[0].outer_port, in);
  EXPECT_EQ(part(0).inputs[0].part, -1);
  EXPECT_FALSE(part(0).joins);
  EXPECT_EQ(part(0).outputs[0].outer_port, mid);
  ASSERT_EQ(part(0).outputs[0].readers.size(), 1u);
  EXPECT_EQ(part(0).outputs[0].readers[0].part, 1);
  EXPECT_EQ(part(0).outputs[0].readers[0].port, 0);
  EXPECT_EQ(part(1).inputs[0].outer_port, -1);
  EXPECT_EQ(part(1).inputs[0].part, 0);
  EXPECT_EQ(part(1).inputs[0].port, 0);
  EXPECT_TRUE(part(1).joins);
  EXPECT_FALSE(part(1).MayHoldPackets());
  EXPECT_EQ(part(1).outputs[0].outer_port, out);
  EXPECT_THAT(part(1).outputs[0].readers, IsEmpty());
}

TEST_F(FusedPartsTest, NumberPortsByPartAndPlace) {
  SYNCLINE_ASSERT_OK(Make(R"pb(
    fused_node {
      calculator: "PartA"
      input_stream: "in"
      output_stream: "a"
      output_stream: "b"
    }
    fused_node { calculator: "PartB" input_stream: "other" input_stream: "b" }
  )pb"));
  EXPECT_THAT(part(0).outputs[0].readers, IsEmpty());
  ASSERT_EQ(part(0).outputs[1].readers.size(), 1u);
  EXPECT_EQ(part(0).outputs[1].readers[0].part, 1);
  EXPECT_EQ(part(0).outputs[1].readers[0].port, 1);
  EXPECT_EQ(part(1).inputs[0].part, -1);
  EXPECT_EQ(part(1).inputs[1].part, 0);
  EXPECT_EQ(part(1).inputs[1].port, 1);
  EXPECT_TRUE(part(1).MayHoldPackets());
}

TEST_F(FusedPartsTest, HaveTheNamesThatNodesWouldHave) {
  SYNCLINE_ASSERT_OK(Make(R"pb(
    name: "chain"
    fused_node { calculator: "PartA" input_stream: "in" }
    fused_node { calculator: "PartA" input_stream: "in" }
    fused_node { calculator: "PartA" name: "last" input_stream: "in" }
  )pb"));
  EXPECT_EQ(part(0).contract.GetNodeName(), "chain/PartA_1");
  EXPECT_EQ(part(1).contract.GetNodeName(), "chain/PartA_2");
  EXPECT_EQ(part(2).contract.GetNodeName(), "chain/last");
  EXPECT_NE(part(0).factory, nullptr);
}

TEST_F(FusedPartsTest, DoNotSeePortsThatTheGraphLeftOpen) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("M").Set<LambdaFunction>();
    return absl::OkStatus();
  };
  CalculatorGraphConfig::Node node = LoweredFusedNode(R"pb(
    fused_node {
      calculator: "PartA"
      input_stream: "A:a"
      input_stream: "B:b"
      input_side_packet: "OPEN:s"
      input_side_packet: "CLOSE:t"
      output_side_packet: "M:m"
    }
    fused_node {
      calculator: "PartB"
      input_stream: "B:b"
      input_side_packet: "OPEN:m"
      output_stream: "c"
    }
  )pb");
  // As for a subgraph whose user leaves "a", "t" and the outputs out.
  node.mutable_input_stream()->DeleteSubrange(0, 1);
  node.mutable_input_side_packet()->DeleteSubrange(0, 1);
  node.clear_output_side_packet();
  node.clear_output_stream();
  SYNCLINE_ASSERT_OK(MakeAs(std::move(node)));
  EXPECT_THAT(part(0).config.input_stream(), ElementsAre("B:b"));
  EXPECT_THAT(part(0).config.input_side_packet(), ElementsAre("OPEN:s"));
  EXPECT_EQ(part(0).inputs.size(), 1u);
  EXPECT_THAT(part(1).config.input_side_packet(), ElementsAre("OPEN:m"));
  EXPECT_EQ(part(1).outputs[0].outer_port, -1);
}

TEST_F(FusedPartsTest, TakeLogLevelAndPersistenceFromTheNode) {
  SYNCLINE_ASSERT_OK(Make(R"pb(
    log_level: "DEBUG"
    persistent: true
    fused_node { calculator: "PartA" input_stream: "in" }
    fused_node { calculator: "PartB" input_stream: "in" log_level: "ERROR" }
  )pb"));
  EXPECT_EQ(part(0).config.log_level(), "DEBUG");
  EXPECT_EQ(part(1).config.log_level(), "ERROR");
  EXPECT_TRUE(part(0).contract.IsPersistent());
  SYNCLINE_ASSERT_OK(
      Make(R"pb(fused_node { calculator: "PartA" input_stream: "in" })pb"));
  EXPECT_FALSE(part(0).contract.IsPersistent());
}

TEST_F(FusedPartsTest, AreSourcesIfTheyAreCalledWithoutInputs) {
  const auto is_source = [this](const std::string& node_text) {
    SYNCLINE_EXPECT_OK(Make(node_text));
    return part(0).is_source;
  };
  const std::string kNoPorts = R"pb(fused_node { calculator: "PartA" })pb";
  EXPECT_FALSE(is_source(kNoPorts));
  EXPECT_FALSE(is_source(kChain));
  EXPECT_TRUE(is_source(
      R"pb(fused_node { calculator: "PartA" output_stream: "out" })pb"));
  EXPECT_TRUE(is_source(kNoPorts + R"pb(condition { type: "C" })pb"));
  EXPECT_TRUE(
      is_source(kNoPorts + R"pb(any_of { condition { name: "c" } })pb"));
  PartA::contract = [](CalculatorContract* cc) {
    cc->AddCondition("C");
    return absl::OkStatus();
  };
  EXPECT_TRUE(is_source(kNoPorts));
}

TEST_F(FusedPartsTest, AreRefusedWhereThereAreNone) {
  CalculatorGraphConfig::Node node;
  node.set_calculator("FusedNode");
  EXPECT_THAT(MakeAs(node), StatusIs(StatusCode::kInvalidArgument,
                                     HasSubstr("this one has none")));
}

TEST_F(FusedPartsTest, RunOneCallAtATimeWithOneInputSet) {
  SYNCLINE_EXPECT_OK(Make(std::string(kChain) + "max_in_flight: 1"));
  EXPECT_THAT(Make(std::string(kChain) + "max_in_flight: 2"),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("it has max_in_flight, but what is fused")));
  EXPECT_THAT(Make(std::string(kChain) + "batch { max_size: 2 }"),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("it has batch, but what is fused")));
}

TEST_F(FusedPartsTest, AnUnknownCalculatorIsNamedWithItsPartAndTheNearest) {
  EXPECT_THAT(
      Make(R"pb(name: "n"
                fused_node { calculator: "PartAA" input_stream: "in" })pb"),
      StatusIs(StatusCode::kNotFound,
               AllOf(HasSubstr("in it, node \"n/PartAA\" (PartAA): Unable to "
                               "find Calculator \"PartAA\"."),
                     HasSubstr("PartA"), Not(HasSubstr("alwayslink")))));
  EXPECT_THAT(Make(R"pb(fused_node { calculator: "Zyx" })pb"),
              StatusIs(StatusCode::kNotFound, HasSubstr("alwayslink")));
}

TEST_F(FusedPartsTest, AFactoryThatIsNullIsAnError) {
  absl::StatusOr<RegistrationToken> token = CalculatorBaseRegistry::Register(
      "NullPart", [] { return std::unique_ptr<CalculatorBaseFactory>(); });
  ASSERT_TRUE(token.ok());
  EXPECT_THAT(
      Make(R"pb(fused_node { calculator: "NullPart" input_stream: "in" })pb"),
      StatusIs(StatusCode::kInternal,
               AllOf(HasSubstr("NullPart"), HasSubstr("its factory is null"))));
  token->Unregister();
}

TEST_F(FusedPartsTest, ErrorsOfContractsNameThePart) {
  PartA::contract = [](CalculatorContract* cc) {
    return absl::DataLossError("no idea");
  };
  EXPECT_THAT(Make(kChain),
              StatusIs(StatusCode::kDataLoss,
                       AllOf(HasSubstr("in it, node \"chain/PartA\" (PartA): "),
                             HasSubstr("no idea"))));
  CalculatorGraphConfig::Node node = LoweredFusedNode(kChain);
  node.mutable_fused_node(1)->set_output_stream(0, "out:out");
  EXPECT_THAT(MakeAs(std::move(node)),
              StatusIs(StatusCode::kDataLoss, HasSubstr("no idea")));
  PartA::contract = nullptr;
  node = LoweredFusedNode(kChain);
  node.mutable_fused_node(1)->set_output_stream(0, "out:out");
  EXPECT_THAT(MakeAs(std::move(node)),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"chain/PartB\" (PartB)"),
                             HasSubstr("output_stream"))));
}

// --- Describe

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
  SYNCLINE_ASSERT_OK(Describe(kChain));
  ASSERT_NE(outer_->FindServiceRequest("s"), nullptr);
  EXPECT_TRUE(outer_->FindServiceRequest("s")->IsOptional());
  PartB::contract = asks;
  SYNCLINE_ASSERT_OK(Describe(kChain));
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
  SYNCLINE_ASSERT_OK(Describe(kChain));
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
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_THAT(outer_->GetMessageTimes(), ElementsAre(Pair("IN", 0)));
  PartA::contract = nullptr;
  PartB::contract = keeps;
  EXPECT_THAT(Describe(kChain),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("chain/PartB"),
                             HasSubstr("KeepMessageTimes(\"\")"),
                             HasSubstr("which have none"))));
  PartB::contract = nullptr;
  PartA::contract = [](CalculatorContract* cc) {
    cc->KeepMessageTimes("X", 2);
    return absl::OkStatus();
  };
  EXPECT_THAT(Describe(kChain),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("KeepMessageTimes(\"X:2\")"),
                             HasSubstr("no such input stream"))));
}

TEST_F(FusedPartsTest, OnePersistentPartMakesTheNodePersistent) {
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_FALSE(outer_->IsPersistent());
  PartB::contract = [](CalculatorContract* cc) {
    cc->SetPersistent(true);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_TRUE(outer_->IsPersistent());
}

TEST_F(FusedPartsTest, BoundsAreProcessedForPartsThatAskOrMayHoldPackets) {
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_FALSE(outer_->GetProcessTimestampBounds());
  EXPECT_TRUE(outer_->IsOrderIndependent());
  SYNCLINE_ASSERT_OK(Describe(kJoin));
  EXPECT_TRUE(outer_->GetProcessTimestampBounds());
  EXPECT_TRUE(outer_->IsOrderIndependent());
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_TRUE(outer_->GetProcessTimestampBounds());
}

TEST_F(FusedPartsTest, WhoeverNeedsAPromiseOfOrderHasToMakeIt) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_FALSE(outer_->IsOrderIndependent());
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_TRUE(outer_->IsOrderIndependent());
  PartA::contract = [](CalculatorContract* cc) {
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kChain));
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
  EXPECT_THAT(Describe(kChain),
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
  EXPECT_THAT(Describe(kChain),
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
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_EQ(outer_->GetTimestampOffset(), TimestampDiff(2));
  PartB::contract = Offset(1);
  SYNCLINE_ASSERT_OK(Describe(kChain));
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

// --- Types

template <typename T>
void SetBoth(CalculatorContract* cc) {
  for (PacketType& input : cc->Inputs()) input.Set<T>();
  for (PacketType& output : cc->Outputs()) output.Set<T>();
}

TEST_F(FusedPartsTest, TypesOfPortsAreThoseOfTheParts) {
  PartA::contract = [](CalculatorContract* cc) {
    SetBoth<int>(cc);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_EQ(input("IN").DebugTypeName(), "int");
  EXPECT_EQ(output("MID").DebugTypeName(), "int");
  EXPECT_EQ(output("OUT").DebugTypeName(), "[Any Type]");
  EXPECT_FALSE(input("IN").IsOptional());
}

TEST_F(FusedPartsTest, APortThatTakesAnythingHasTheTypeOfItsStream) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    SetBoth<float>(cc);
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_EQ(input("IN").DebugTypeName(), "float");
  EXPECT_EQ(output("MID").DebugTypeName(), "float");
  EXPECT_EQ(output("OUT").DebugTypeName(), "float");
}

TEST_F(FusedPartsTest, WhatIsLeftOpenIsTheSameAtBothEnds) {
  PartA::contract = PartB::contract = [](CalculatorContract* cc) {
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_EQ(input("IN").DebugTypeName(), "[Any Type]");
  EXPECT_EQ(output("OUT").GetSameAs(), &input("IN"));
  EXPECT_EQ(output("MID").GetSameAs(), &input("IN"));
}

TEST_F(FusedPartsTest, SeveralTypesAreNarrowedToTheOneThatComes) {
  const auto one_of = [](CalculatorContract* cc) {
    cc->Inputs().Index(0).SetOneOf<int, float>();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  };
  const auto exact = [](CalculatorContract* cc) {
    SetBoth<float>(cc);
    return absl::OkStatus();
  };
  PartA::contract = exact;
  PartB::contract = one_of;
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_EQ(output("OUT").DebugTypeName(), "float");
  PartA::contract = one_of;
  PartB::contract = exact;
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_EQ(input("IN").DebugTypeName(), "float");
  PartB::contract = nullptr;
  SYNCLINE_ASSERT_OK(Describe(kChain));
  EXPECT_EQ(input("IN").DebugTypeName(), "OneOf<int, float>");
}

TEST_F(FusedPartsTest, ATypeThatNobodySendsIsRefused) {
  PartA::contract = [](CalculatorContract* cc) {
    SetBoth<int>(cc);
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    SetBoth<float>(cc);
    return absl::OkStatus();
  };
  EXPECT_THAT(
      Describe(kChain),
      StatusIs(StatusCode::kInvalidArgument,
               "in it, node \"chain/PartB\" (PartB) expects float in the "
               "stream \"mid\", which carries int."));
}

TEST_F(FusedPartsTest, SidePacketsHaveTypesToo) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("M").Set<int>();
    cc->InputSidePackets().Tag("S").Set<float>().Optional();
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    cc->InputSidePackets().Tag("M").SetNone();
    return absl::OkStatus();
  };
  const std::string node = R"pb(
    fused_node {
      calculator: "PartA"
      input_side_packet: "S:s"
      output_side_packet: "M:m"
    }
    fused_node { calculator: "PartB" input_side_packet: "M:m" })pb";
  EXPECT_THAT(Describe(node),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("in the side packet \"m\", which carries "
                                 "int")));
  PartB::contract = [](CalculatorContract* cc) {
    cc->InputSidePackets().Tag("M").Set<int>();
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(node));
  EXPECT_EQ(outer_->OutputSidePackets().Tag("M").DebugTypeName(), "int");
  EXPECT_EQ(outer_->InputSidePackets().Tag("S").DebugTypeName(), "float");
  EXPECT_TRUE(outer_->InputSidePackets().Tag("S").IsOptional());
}

TEST_F(FusedPartsTest, AnInputIsOptionalIfItIsToAllItsReaders) {
  const std::string side_by_side = R"pb(
    fused_node { calculator: "PartA" input_stream: "in" }
    fused_node { calculator: "PartB" input_stream: "in" })pb";
  const auto optional = [](CalculatorContract* cc) {
    cc->Inputs().Index(0).SetNone().Optional();
    return absl::OkStatus();
  };
  PartA::contract = PartB::contract = optional;
  SYNCLINE_ASSERT_OK(Describe(side_by_side));
  EXPECT_TRUE(input("IN").IsOptional());
  EXPECT_TRUE(input("IN").IsNone());
  PartA::contract = nullptr;
  SYNCLINE_ASSERT_OK(Describe(side_by_side));
  EXPECT_FALSE(input("IN").IsOptional());
}

}  // namespace
}  // namespace syncline
