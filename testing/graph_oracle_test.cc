// A graph is compared with the reference run: what depends on nothing but its
// inputs agrees, what depends on the thread is found and made small.

#include "testing/graph_oracle.h"

#include <thread>

#include "absl/status/status.h"
#include "absl/strings/substitute.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/lifetimes.h"
#include "testing/test_calculators.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GraphOracleTest : public LifetimesTest {};

// Wrong above 2: the value depends on the thread.
class OracleThreadCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int value = cc->Inputs().Index(0).Get<int>();
    static const std::thread::id first = std::this_thread::get_id();
    const bool is_wrong = value > 2 && std::this_thread::get_id() != first;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(is_wrong ? -1 : value).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(OracleThreadCalculator);

class OracleOpaqueCalculator : public CalculatorBase {
 public:
  struct Opaque {};
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<Opaque>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<Opaque>().At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(OracleOpaqueCalculator);

CalculatorGraphConfig Graph(const char* calculator) {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(absl::Substitute(
      R"pb(
        num_threads: 3
        input_stream: "a"
        input_stream: "b"
        node { calculator: "$0" input_stream: "a" output_stream: "c" }
        node {
          calculator: "PickyCalculator"
          input_stream: "b"
          input_stream: "c"
          output_stream: "d"
        }
      )pb",
      calculator));
}

// Fails at 30.
class PickyCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.SetAny();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (cc->InputTimestamp() == Timestamp(30)) {
      return absl::DataLossError("30 is too much");
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(1).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PickyCalculator);

ScheduleInputs Inputs() {
  ScheduleInputs inputs;
  for (int i = 0; i < 5; ++i) {
    inputs.streams["a"].push_back(MakeCounted<int>(i).At(Timestamp(i)));
  }
  inputs.streams["b"] = {MakeCounted<int>(7).At(Timestamp(2)),
                         Packet().At(Timestamp(9))};
  return inputs;
}

TEST_F(GraphOracleTest, AGraphThatDependsOnItsInputsAloneAgrees) {
  SYNCLINE_EXPECT_OK(CompareGraphWithOracle(Graph("SumCalculator"), Inputs()));
}

TEST_F(GraphOracleTest, ErrorsAgreeToo) {
  ScheduleInputs inputs = Inputs();
  inputs.streams["a"].push_back(MakeCounted<int>(1).At(Timestamp(30)));
  SYNCLINE_EXPECT_OK(CompareGraphWithOracle(Graph("SumCalculator"), inputs));
}

TEST_F(GraphOracleTest, AValueOfTheThreadIsFoundAndShrunk) {
  const absl::Status status =
      CompareGraphWithOracle(Graph("OracleThreadCalculator"), Inputs());
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("with 1 thread:"), HasSubstr("stream \"c\""),
                    HasSubstr("Shrunk to 1 input, \"a\" at 3")));
  // On the application's thread it does no harm.
  SYNCLINE_EXPECT_OK(CompareGraphWithOracle(Graph("OracleThreadCalculator"),
                                            Inputs(), {.threads = {0}}));
}

TEST_F(GraphOracleTest, WhatCannotBeComparedIsNoAgreement) {
  const absl::Status opaque =
      CompareGraphWithOracle(Graph("OracleOpaqueCalculator"), Inputs());
  EXPECT_EQ(opaque.code(), absl::StatusCode::kUnimplemented) << opaque;
  EXPECT_THAT(opaque.message(), HasSubstr("Opaque"));
  SYNCLINE_EXPECT_OK(CompareGraphWithOracle(
      Graph("OracleOpaqueCalculator"), Inputs(),
      {.print = [](const Packet&) { return "opaque"; }}));

  CalculatorGraphConfig immediate = Graph("SumCalculator");
  immediate.mutable_input_stream_handler()->set_input_stream_handler(
      "ImmediateInputStreamHandler");
  EXPECT_THAT(CompareGraphWithOracle(immediate, Inputs()).message(),
              HasSubstr("ImmediateInputStreamHandler"));

  EXPECT_FALSE(CompareGraphWithOracle(Graph("Nobody"), Inputs()).ok());
}

}  // namespace
}  // namespace syncline
