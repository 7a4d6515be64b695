// The types of the ports of a fused node follow from those of its parts.
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/contract.h"
#include "framework/node/fused_node_test_support.h"
#include "framework/node/fused_parts.h"
#include "framework/packet/packet_type.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::HasSubstr;

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
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
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
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_EQ(input("IN").DebugTypeName(), "float");
  EXPECT_EQ(output("MID").DebugTypeName(), "float");
  EXPECT_EQ(output("OUT").DebugTypeName(), "float");
}

TEST_F(FusedPartsTest, WhatIsLeftOpenIsTheSameAtBothEnds) {
  PartA::contract = PartB::contract = [](CalculatorContract* cc) {
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
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
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_EQ(output("OUT").DebugTypeName(), "float");
  PartA::contract = one_of;
  PartB::contract = exact;
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_EQ(input("IN").DebugTypeName(), "float");
  PartB::contract = nullptr;
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_EQ(input("IN").DebugTypeName(), "OneOf<int, float>");
}

TEST_F(FusedPartsTest, TwoSetsOfTypesStayAsTheyAreIfTheyShareAType) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->Outputs().Index(0).SetOneOf<int, std::string>();
    return absl::OkStatus();
  };
  PartB::contract = [](CalculatorContract* cc) {
    cc->Inputs().Index(0).SetOneOf<int, float>();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(kFusedChain));
  EXPECT_EQ(output("MID").DebugTypeName(), "OneOf<int, string>");
  EXPECT_EQ(output("OUT").DebugTypeName(), "OneOf<int, float>");
  PartA::contract = [](CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  };
  EXPECT_THAT(Describe(kFusedChain),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("expects OneOf<int, float> in the stream "
                                 "\"mid\", which carries string")));
}

TEST_F(FusedPartsTest, EachOutputOfAPartHasItsType) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    cc->Outputs().Index(1).Set<float>();
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(Describe(R"pb(
    fused_node {
      calculator: "PartA"
      input_stream: "in"
      output_stream: "first"
      output_stream: "second"
    })pb"));
  EXPECT_EQ(output("FIRST").DebugTypeName(), "int");
  EXPECT_EQ(output("SECOND").DebugTypeName(), "float");
  EXPECT_FALSE(output("FIRST").IsOptional());
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
      Describe(kFusedChain),
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
