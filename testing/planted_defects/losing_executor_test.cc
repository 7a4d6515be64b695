// An executor that loses a task is found: as an error if it destroys the task,
// and as packets that are missing, not as a test that hangs, if it forgets it.

#include "testing/planted_defects/losing_executor.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "framework/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/lifetimes.h"
#include "testing/oracle_comparison.h"
#include "testing/planted_defects/oracle_hunt.h"
#include "testing/random_graph.h"
#include "testing/reference_run.h"
#include "testing/test_calculators.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

absl::Status Feed(const ReferenceInputs& inputs, CalculatorGraph* graph) {
  for (const GraphInputEvent& event : inputs.events) {
    switch (event.kind) {
      case GraphInputEvent::Kind::kPacket:
        SYNCLINE_RETURN_IF_ERROR(
            graph->AddPacketToInputStream(event.stream, event.packet));
        break;
      case GraphInputEvent::Kind::kBound:
        SYNCLINE_RETURN_IF_ERROR(
            graph->SetInputStreamTimestampBound(event.stream, event.bound));
        break;
      case GraphInputEvent::Kind::kClose:
        SYNCLINE_RETURN_IF_ERROR(graph->CloseInputStream(event.stream));
        break;
    }
  }
  return graph->CloseAllInputStreams();
}

// What the graph has sent when nothing moves any more.
EngineResult Collect(const std::map<std::string, std::vector<Packet>>& streams,
                     CalculatorGraph* graph) {
  EngineResult result;
  result.streams = streams;
  for (const PlanSidePacket& side_packet : graph->plan().side_packets()) {
    const absl::StatusOr<Packet> packet =
        graph->GetOutputSidePacket(side_packet.name);
    if (packet.ok()) result.side_packets[side_packet.name] = *packet;
  }
  return result;
}

// Runs a case with the `lost`-th task lost. A run that stands still is one
// without error that has not sent all.
RunCase RunsWithLostTask(int lost, Loss loss) {
  return [=](const RandomCase& random_case) -> absl::StatusOr<EngineResult> {
    auto executor = std::make_shared<LosingExecutor>(lost, loss);
    std::map<std::string, std::vector<Packet>> streams;
    CalculatorGraph graph;
    SYNCLINE_RETURN_IF_ERROR(graph.SetExecutor("", executor));
    CalculatorGraphConfig config = WithoutExecutors(random_case.graph());
    config.set_max_queue_size(-1);  // nobody waits to add a packet
    SYNCLINE_RETURN_IF_ERROR(graph.Initialize(std::move(config)));
    for (const PlanStream& stream : graph.plan().streams()) {
      const std::string name(stream.name);
      std::vector<Packet>* const packets = &streams[name];
      SYNCLINE_RETURN_IF_ERROR(
          graph.ObserveOutputStream(name, [packets](const Packet& packet) {
            packets->push_back(packet);
            return absl::OkStatus();
          }));
    }
    const ReferenceInputs inputs = InputsOf(random_case);
    SYNCLINE_RETURN_IF_ERROR(graph.StartRun(inputs.side_packets));
    // An error is the run's, and comes with its status.
    (void)Feed(inputs, &graph).ok();
    executor->RunAll();
    const bool stands_still = executor->has_forgotten() && !graph.HasError();
    EngineResult result = Collect(streams, &graph);
    executor->DestroyForgotten();
    executor->RunAll();
    const absl::Status status = graph.WaitUntilDone();
    if (!stands_still) result.status = status;
    return result;
  };
}

class LosingExecutorTest : public ::testing::TestWithParam<Loss> {};
INSTANTIATE_TEST_SUITE_P(All, LosingExecutorTest,
                         ::testing::Values(Loss::kForgets, Loss::kDestroys),
                         [](const ::testing::TestParamInfo<Loss>& info) {
                           return info.param == Loss::kForgets ? "Forgets"
                                                               : "Destroys";
                         });

TEST_P(LosingExecutorTest, TheOracleFindsALostTask) {
  const OracleHunt hunt = HuntWithOracle(1000, RunsWithLostTask(3, GetParam()));
  ASSERT_TRUE(hunt.is_caught()) << hunt.ToString();
  EXPECT_FALSE(hunt.smallest_difference.ok()) << hunt.ToString();
  EXPECT_LT(hunt.steps, 20) << hunt.ToString();
  EXPECT_THAT(
      std::string(hunt.smallest_difference.message()),
      HasSubstr(GetParam() == Loss::kForgets ? "the engine has nothing"
                                             : "An executor dropped a task"));
  for (const RandomCase& random_case :
       {MakeRandomCase(hunt.seed), hunt.smallest}) {
    const absl::StatusOr<absl::Status> compared =
        CompareCase(random_case, RunsWithLostTask(0, GetParam()));
    SYNCLINE_ASSERT_OK(compared.status());
    SYNCLINE_EXPECT_OK(*compared) << hunt.ToString();
  }
}

TEST_P(LosingExecutorTest, WithoutALossTheOracleFindsNothing) {
  const OracleHunt hunt = HuntWithOracle(200, RunsWithLostTask(0, GetParam()));
  EXPECT_FALSE(hunt.is_caught()) << hunt.ToString();
  EXPECT_EQ(hunt.compared, 200);
}

class StandstillTest : public LifetimesTest {};

TEST_F(StandstillTest, AGraphWhoseTaskIsForgottenEndsWhenTheTaskGoes) {
  auto executor = std::make_shared<LosingExecutor>(2, Loss::kForgets);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.SetExecutor("", executor));
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "a"
        node {
          calculator: "SumCalculator"
          input_stream: "a"
          output_stream: "b"
        }
      )pb")));
  int sent = 0;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("b", [&sent](const Packet&) {
    ++sent;
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  executor->RunAll();
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("a", MakeCounted<int>(1).At(Timestamp(0))));
  executor->RunAll();
  EXPECT_EQ(sent, 0);
  EXPECT_TRUE(executor->has_forgotten());
  EXPECT_FALSE(graph.HasError());
  executor->DestroyForgotten();
  EXPECT_THAT(graph.WaitUntilDone().ToString(),
              HasSubstr("An executor dropped a task"));
}

}  // namespace
}  // namespace syncline
