// CalculatorRunner: what goes in and comes out, again and again, and errors. It
// has no workers to choose: it feeds one packet at a time, on its own graph.
#include "framework/graph/calculator_runner.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Bonus {
  int value = 0;
};
constexpr GraphService<Bonus> kBonus("test.Bonus");

// Doubles inputs; with a header that says what it adds, a side packet that
// says the sum, and optionally a side packet and a service to be added.
class RunnerTestCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    for (PacketType& output : cc->Outputs()) output.Set<int>();
    for (PacketType& input : cc->InputSidePackets()) {
      input.Set<int>().Optional();
    }
    for (PacketType& output : cc->OutputSidePackets()) output.Set<int>();
    cc->UseService(kBonus).Optional();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    for (const Packet& packet : cc->InputSidePackets()) {
      if (!packet.IsEmpty()) add_ += packet.Get<int>();
    }
    if (cc->Service(kBonus).IsAvailable()) {
      add_ += cc->Service(kBonus).GetObject().value;
    }
    const Packet& header = cc->Inputs().Index(0).Header();
    if (!header.IsEmpty()) cc->Outputs().Index(0).SetHeader(header);
    for (OutputSidePacket& output : cc->OutputSidePackets()) {
      output.Set(MakePacket<int>(add_));
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->GetCounter("calls")->Increment();
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) continue;
      if (input.Get<int>() < 0) return absl::UnavailableError("negative");
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(2 * input.Get<int>() + add_)
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }

 private:
  int add_ = 0;
};
REGISTER_CALCULATOR(RunnerTestCalculator);

Packet Int(int value, int timestamp) {
  return MakePacket<int>(value).At(Timestamp(timestamp));
}

std::vector<int> Values(const CalculatorRunner& runner) {
  std::vector<int> values;
  for (const Packet& packet : runner.Outputs().Index(0).packets) {
    values.push_back(packet.Get<int>());
  }
  return values;
}

TEST(CalculatorRunnerTest, RunsAgainAndAgain) {
  CalculatorRunner runner(R"pb(
    calculator: "RunnerTestCalculator"
    input_stream: "in"
    output_stream: "out"
    input_side_packet: "add"
    output_side_packet: "added"
  )pb");
  for (int run = 0; run < 3; ++run) {
    runner.MutableInputs()->Index(0).packets = {Int(run, 0), Int(7, 10)};
    runner.MutableInputs()->Index(0).header = MakePacket<int>(99);
    runner.MutableSidePackets()->Index(0) = MakePacket<int>(100);
    SYNCLINE_ASSERT_OK(runner.Run());
    EXPECT_THAT(Values(runner), ElementsAre(100 + 2 * run, 114));
    EXPECT_EQ(runner.Outputs().Index(0).packets[1].Timestamp(), Timestamp(10));
    EXPECT_EQ(runner.Outputs().Index(0).header.Get<int>(), 99);
    EXPECT_EQ(runner.OutputSidePackets().Index(0).Get<int>(), 100);
    EXPECT_EQ(runner.GetCounter("RunnerTestCalculator-calls")->Get(),
              2 * (run + 1));
  }
  EXPECT_EQ(runner.GetCountersValues().at("RunnerTestCalculator-calls"), 6);
}

TEST(CalculatorRunnerTest, PacketsComeInTheOrderOfTheirTimestamps) {
  CalculatorRunner runner("RunnerTestCalculator", "", 2, 1, 0);
  runner.MutableInputs()->Index(0).packets = {Int(1, 0), Int(3, 20)};
  runner.MutableInputs()->Index(1).packets = {Int(2, 10), Int(4, 30)};
  SYNCLINE_ASSERT_OK(runner.Run());
  EXPECT_THAT(Values(runner), ElementsAre(2, 4, 6, 8));
}

TEST(CalculatorRunnerTest, SidePacketsMayBeLeftOut) {
  CalculatorRunner runner("RunnerTestCalculator", "", 1, 1, 1);
  runner.MutableInputs()->Index(0).packets = {Int(1, 0)};
  SYNCLINE_ASSERT_OK(runner.Run());
  EXPECT_THAT(Values(runner), ElementsAre(2));
}

TEST(CalculatorRunnerTest, OldSettersGivePorts) {
  CalculatorRunner runner("RunnerTestCalculator", CalculatorOptions());
  runner.SetNumInputs(1);
  runner.SetNumOutputs(1);
  runner.SetNumInputSidePackets(0);
  runner.MutableInputs()->Index(0).packets = {Int(1, 0)};
  SYNCLINE_ASSERT_OK(runner.Run());
  EXPECT_THAT(Values(runner), ElementsAre(2));
  runner.SetNumInputs(2);
  EXPECT_EQ(runner.Run().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(CalculatorRunnerTest, GivesServices) {
  CalculatorRunner runner("RunnerTestCalculator", "", 1, 1, 0);
  auto bonus = std::make_shared<Bonus>();
  bonus->value = 1000;
  SYNCLINE_ASSERT_OK(runner.SetServiceObject(kBonus, bonus));
  runner.MutableInputs()->Index(0).packets = {Int(1, 0)};
  SYNCLINE_ASSERT_OK(runner.Run());
  EXPECT_THAT(Values(runner), ElementsAre(1002));
}

TEST(CalculatorRunnerTest, AFailedRunKeepsWhatCameOutAndCanBeFollowed) {
  CalculatorRunner runner("RunnerTestCalculator", "", 1, 1, 0);
  runner.MutableInputs()->Index(0).packets = {Int(1, 0), Int(-1, 10)};
  EXPECT_THAT(runner.Run(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("negative")));
  EXPECT_THAT(Values(runner), ElementsAre(2));
  runner.MutableInputs()->Index(0).packets = {Int(1, 0)};
  SYNCLINE_EXPECT_OK(runner.Run());
}

TEST(CalculatorRunnerTest, ErrorsOfTheNodeComeFromRun) {
  EXPECT_THAT(CalculatorRunner("nonsense: {").Run().message(),
              HasSubstr("nonsense"));
  EXPECT_THAT(
      CalculatorRunner("calculator: 'NoSuchCalculator'").Run().message(),
      HasSubstr("NoSuchCalculator"));
  EXPECT_THAT(CalculatorRunner("RunnerTestCalculator", "nonsense: 1", 1, 1, 0)
                  .Run()
                  .message(),
              HasSubstr("nonsense"));
  EXPECT_THAT(CalculatorRunner(R"pb(
                calculator: "RunnerTestCalculator"
                input_stream: "in"
                output_stream: "out"
                input_side_packet: "a"
                external_input: "b")pb")
                  .Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("external_input")));
  EXPECT_FALSE(
      CalculatorRunner("calculator: 'RunnerTestCalculator' input_stream: '!'")
          .Run()
          .ok());
}

TEST(CalculatorRunnerTest, APacketOfTheWrongTypeOrTimeIsAnError) {
  CalculatorRunner runner("RunnerTestCalculator", "", 1, 1, 0);
  runner.MutableInputs()->Index(0).packets = {
      MakePacket<std::string>("x").At(Timestamp(0))};
  EXPECT_THAT(runner.Run().message(), HasSubstr("string"));
  runner.MutableInputs()->Index(0).packets = {Int(1, 10), Int(1, 0)};
  EXPECT_THAT(runner.Run().message(),
              HasSubstr("Current minimum expected timestamp is 11"));
}

}  // namespace
}  // namespace syncline
