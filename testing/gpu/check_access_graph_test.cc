// check_device_access: what a graph says of the checks of its devices.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/call_streams.h"
#include "gpu/device_buffer.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"
#include "testing/gpu/device_graph.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Reads its input on a stream that does not wait for it.
absl::Status Hasty(CalculatorContext* cc, CallStreams& streams) {
  SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                            streams.AllocateCudaStream("hasty"));
  SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
  return LaunchAddOne(stream, cc->Inputs().Index(0).Get<DeviceBuffer>(), out);
}

// Work runs when the run ends, at the latest: nothing is in order by chance.
class CheckAccessGraphTest : public DeviceGraphTest {
 protected:
  CheckAccessGraphTest()
      : DeviceGraphTest(
            {.num_devices = 2, .has_threads = false, .step_seed = 42}) {}

  // in -> upload -> hasty
  std::unique_ptr<DeviceGraph> MakeHastyGraph(absl::string_view more,
                                              absl::string_view options = "") {
    auto graph = std::make_unique<DeviceGraph>(GetParam(), context_);
    graph->AddInput("in");
    graph->AddNode("upload", {"in"}, {"a"}, Upload(), options);
    graph->AddNode("hasty", {"a"}, {}, Hasty, options);
    graph->AddText(more);
    return graph;
  }
  absl::Status RunHastyGraph(absl::string_view more,
                             absl::string_view options = "") {
    return MakeHastyGraph(more, options)->RunWithoutEarlyClose("in", {{40, 1}});
  }
  // As the devices of CUDA are.
  void CheckNothingByDefault() {
    for (const auto& device : devices_.devices) device->set_check_access(false);
  }
  static auto IsRace() {
    return StatusIs(absl::StatusCode::kFailedPrecondition,
                    AllOf(HasSubstr("node \"hasty\" at 40 reads"),
                          HasSubstr("node \"upload\" at 40, which writes")));
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(CheckAccessGraphTest);

TEST_P(CheckAccessGraphTest, WithoutAWordTheDeviceDecides) {
  EXPECT_THAT(RunHastyGraph(""), IsRace());
  CheckNothingByDefault();
  SYNCLINE_EXPECT_OK(RunHastyGraph(""));
}

TEST_P(CheckAccessGraphTest, TrueTurnsTheCheckOnForTheRun) {
  CheckNothingByDefault();
  EXPECT_THAT(RunHastyGraph("check_device_access: true"), IsRace());
  EXPECT_FALSE(devices_[0]->check_access());
  SYNCLINE_EXPECT_OK(RunHastyGraph(""));
}

TEST_P(CheckAccessGraphTest, FalseTurnsItOff) {
  SYNCLINE_EXPECT_OK(RunHastyGraph("check_device_access: false"));
  EXPECT_TRUE(devices_[0]->check_access());
  EXPECT_THAT(RunHastyGraph(""), IsRace());
}

TEST_P(CheckAccessGraphTest, ItIsForAllDevicesOfTheGraph) {
  CheckNothingByDefault();
  EXPECT_THAT(
      RunHastyGraph(
          "check_device_access: true",
          "options { [syncline.CudaStreamPoolOptions.ext] { dev_id: 1 } }"),
      IsRace());
}

TEST_P(CheckAccessGraphTest, OfTwoGraphsTheOneThatWantsTheCheckHasIt) {
  CheckNothingByDefault();
  const std::unique_ptr<DeviceGraph> wants =
      MakeHastyGraph("check_device_access: true");
  SYNCLINE_ASSERT_OK(wants->harness().Start());
  wants->harness().Idle();
  EXPECT_THAT(RunHastyGraph("check_device_access: false"), IsRace())
      << "beside the other";
  wants->Feed("in", {{40, 1}});
  // Close of "upload" would put it in order. The error comes from Finish, too.
  wants->harness().graph().WaitUntilIdle().IgnoreError();
  EXPECT_THAT(wants->harness().Finish(), IsRace());
  SYNCLINE_EXPECT_OK(RunHastyGraph("check_device_access: false"));
}

TEST_P(CheckAccessGraphTest, ARunThatDoesNotBeginLeavesNoWordBehind) {
  CheckNothingByDefault();
  const std::unique_ptr<DeviceGraph> graph =
      MakeHastyGraph("check_device_access: true");
  graph->SetOpen("hasty", [](CalculatorContext*, CallStreams&) {
    return absl::InternalError("not today");
  });
  EXPECT_THAT(graph->Run(), StatusIs(absl::StatusCode::kInternal));
  EXPECT_FALSE(devices_[0]->check_access());
}

TEST_P(CheckAccessGraphTest, EachRunOfAGraphAsksAnew) {
  CheckNothingByDefault();
  const std::unique_ptr<DeviceGraph> graph =
      MakeHastyGraph("check_device_access: true");
  for (int run = 0; run < 2; ++run) {
    EXPECT_THAT(graph->RunWithoutEarlyClose("in", {{40, 1}}), IsRace()) << run;
    EXPECT_FALSE(devices_[0]->check_access()) << run;
  }
}

}  // namespace
}  // namespace syncline::gpu
