// Which type flows where, and which types do not agree.

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/packet/packet.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

// The type of a stream, by whether it takes packets of these types.
std::string TypeOf(const GraphPlan& plan, absl::string_view stream) {
  const PacketType& type = *StreamNamed(plan, stream).type;
  std::string text;
  if (type.Validate(MakePacket<int>(1)).ok()) text += "int ";
  if (type.Validate(MakePacket<float>(1.f)).ok()) text += "float ";
  if (type.Validate(MakePacket<std::string>("")).ok()) text += "string ";
  return text;
}

TEST(UnifyTypesTest, ExactTypesThatAgreeStay) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntNode" output_stream: "a" }
    node { calculator: "IntToFloatNode" input_stream: "a" output_stream: "b" }
    node { calculator: "FloatNode" input_stream: "b" }
  )pb");
  EXPECT_EQ(TypeOf(plan, "a"), "int ");
  EXPECT_EQ(TypeOf(plan, "b"), "float ");
}

TEST(UnifyTypesTest, AMismatchNamesStreamBothNodesAndBothTypes) {
  const absl::Status status = ErrorOf(R"pb(
    node { name: "from" calculator: "IntNode" output_stream: "a" }
    node { name: "to" calculator: "FloatNode" input_stream: "a" }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnknown);
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("\"a\""), HasSubstr("node \"from\" (IntNode)"),
                    HasSubstr("node \"to\" (FloatNode)"), HasSubstr("int"),
                    HasSubstr("float")));
}

TEST(UnifyTypesTest, AnyInputsTakeTheTypeAndHandItOn) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntNode" output_stream: "a" }
    node { calculator: "PassNode" input_stream: "a" output_stream: "b" }
    node { calculator: "PassNode" input_stream: "b" output_stream: "c" }
    node { calculator: "AnyNode" input_stream: "c" output_stream: "d" }
  )pb");
  EXPECT_EQ(TypeOf(plan, "b"), "int ");
  EXPECT_EQ(TypeOf(plan, "c"), "int ");
  EXPECT_EQ(TypeOf(plan, "d"), "int float string ");
}

TEST(UnifyTypesTest, AnyOutputsTakeTheTypeOfTheirReaders) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node { calculator: "PassNode" input_stream: "in" output_stream: "a" }
    node { calculator: "FloatNode" input_stream: "a" }
  )pb");
  EXPECT_EQ(TypeOf(plan, "a"), "float ");
  EXPECT_EQ(TypeOf(plan, "in"), "float ") << "graph inputs are inferred too";
}

TEST(UnifyTypesTest, AnyIsOneSingleType) {
  EXPECT_EQ(ErrorOf(R"pb(
              input_stream: "in"
              node { calculator: "IntNode" input_stream: "in" }
              node { calculator: "FloatNode" input_stream: "in" }
            )pb")
                .code(),
            absl::StatusCode::kUnknown);
  EXPECT_THAT(
      Message(ErrorOf(R"pb(
        node { calculator: "AnyNode" output_stream: "a" }
        node { calculator: "PassNode" input_stream: "a" output_stream: "b" }
        node { calculator: "IntNode" input_stream: "b" }
        node { name: "f" calculator: "FloatNode" input_stream: "a" }
      )pb")),
      HasSubstr("node \"f\" (FloatNode)"));
}

TEST(UnifyTypesTest, OneOfTakesAnyOfItsTypes) {
  PlanOf(R"pb(
    node { calculator: "IntNode" output_stream: "a" }
    node { calculator: "IntOrStringNode" input_stream: "a" }
  )pb");
  EXPECT_EQ(ErrorOf(R"pb(
              node { calculator: "FloatNode" output_stream: "a" }
              node { calculator: "IntOrStringNode" input_stream: "a" }
            )pb")
                .code(),
            absl::StatusCode::kUnknown);
}

TEST(UnifyTypesTest, OneOfIsNarrowedByAnExactType) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntOrStringNode" output_stream: "a" }
    node { calculator: "IntNode" input_stream: "a" }
    node { calculator: "IntOrStringNode" input_stream: "a" }
  )pb");
  EXPECT_EQ(TypeOf(plan, "a"), "int ");
}

TEST(UnifyTypesTest, OneOfReachesThroughAny) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntOrStringNode" output_stream: "a" }
    node { calculator: "PassNode" input_stream: "a" output_stream: "b" }
  )pb");
  EXPECT_EQ(TypeOf(plan, "b"), "int string ");
}

TEST(UnifyTypesTest, BackEdgesAreEdges) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node {
      calculator: "PassNode"
      input_stream: "loop"
      input_stream: "in"
      input_stream_info { tag_index: ":0" back_edge: true }
      output_stream: "first"
    }
    node { calculator: "IntNode" input_stream: "first" output_stream: "loop" }
  )pb");
  EXPECT_EQ(TypeOf(plan, "first"), "int ");
}

TEST(UnifyTypesTest, SidePacketsAgreeToo) {
  const absl::Status status = ErrorOf(R"pb(
    node { name: "from" calculator: "IntNode" output_side_packet: "p" }
    node { name: "to" calculator: "FloatNode" input_side_packet: "p" }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnknown);
  EXPECT_THAT(Message(status), AllOf(HasSubstr("side packet \"p\""),
                                     HasSubstr("node \"from\" (IntNode)"),
                                     HasSubstr("node \"to\" (FloatNode)")));
}

TEST(UnifyTypesTest, ReadersOfAGivenSidePacketMustAgree) {
  EXPECT_THAT(
      Message(ErrorOf(R"pb(
        node { name: "i" calculator: "IntNode" input_side_packet: "p" }
        node { name: "f" calculator: "FloatNode" input_side_packet: "p" }
      )pb")),
      HasSubstr("side packet \"p\""));
}

TEST(UnifyTypesTest, StatusHandlersMustFitTheSidePacketsTheyRead) {
  EXPECT_THAT(Message(ErrorWithLinesOf(R"pb(
                node { calculator: "FloatNode" output_side_packet: "p" }
                status_handler {
                  status_handler: "IntStatusHandler"
                  input_side_packet: "p"
                }
              )pb")),
              AllOf(HasSubstr("graph.pbtxt:3: status handler "
                              "\"IntStatusHandler\": input side packet"),
                    HasSubstr("\"p\""), HasSubstr("float")));
}

TEST(UnifyTypesTest, EveryMismatchIsReportedOnce) {
  const std::string text = Message(ErrorOf(R"pb(
    node { calculator: "IntNode" output_stream: "a" output_stream: "b" }
    node { name: "x" calculator: "FloatNode" input_stream: "a" }
    node { name: "y" calculator: "FloatNode" input_stream: "b" }
  )pb"));
  EXPECT_THAT(text, AllOf(HasSubstr("\"x\""), HasSubstr("\"y\"")));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

TEST(UnifyTypesTest, AChainOfTwentyThousandPassNodesIsLinear) {
  std::string text = "node { calculator: \"IntNode\" output_stream: \"s0\" }";
  for (int i = 0; i < 20000; ++i) {
    absl::StrAppend(&text, "node { calculator: \"PassNode\" input_stream: \"s",
                    i, "\" output_stream: \"s", i + 1, "\" }");
  }
  EXPECT_EQ(TypeOf(PlanOf(text), "s20000"), "int ");
}

}  // namespace
}  // namespace syncline
