// Both sides of the benchmark do what they should, on the stand-in; and a
// device that is not there is a reason in each row.

#include "benchmarks/device/device_benchmark.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "benchmarks/device/calibration.h"
#include "benchmarks/device/graph_runs.h"
#include "benchmarks/device/hand_written.h"
#include "benchmarks/device/hand_written_on_driver.h"
#include "benchmarks/device/workloads.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device.h"
#include "gpu/stand_in/stand_in.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr TransferWorkload kTransfer = {
    .numbers = 300, .rounds = 3, .in_flight = 3, .warm_up = 12, .packets = 7};

ChainWorkload Chain(std::vector<int> streams) {
  return {.numbers = 50,
          .rounds = 2,
          .stream_of_kernel = std::move(streams),
          .buffers = 3,
          .warm_up = 12,
          .packets = 7};
}

std::vector<std::vector<int>> StreamsOfChains() {
  return {{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}};
}

gpu::StandInDevices Devices(std::uint64_t seed = 7) {
  return gpu::MakeStandInDevices({.delay_seed = seed});
}

TEST(WorkloadsTest, ResultsFollowFromTheNumberOfThePacketAndTheRounds) {
  EXPECT_NE(MixRounds(1, 1), MixRounds(1, 2));
  EXPECT_EQ(MixRounds(MixRounds(5, 2), 1), MixRounds(5, 3));
  // The last packet is the 19th, which has the first of three inputs.
  EXPECT_EQ(TransferResult(kTransfer, 4), MixRounds(NumberOfPacket(0, 4), 3));
  EXPECT_EQ(ChainResult(Chain({0, 0, 0, 0}), 4),
            MixRounds(NumberOfPacket(18, 4), 8));
}

// A wait that is missing shows in some orders only.
constexpr std::uint64_t kNumSeeds = 8;

TEST(HandWrittenTest, TransfersGiveTheRightNumbers) {
  for (std::uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    const gpu::StandInDevices devices = Devices(seed);
    DeviceRun run;
    EXPECT_EQ(MakeHandWrittenOnDriver(&devices[0]->driver())
                  ->Transfer(kTransfer, &run),
              "");
    EXPECT_EQ(run.first, TransferResult(kTransfer, 0));
    EXPECT_EQ(run.last, TransferResult(kTransfer, 299));
    EXPECT_GT(run.seconds, 0);
    EXPECT_EQ(devices.stand_in->BytesInUse(0), 0);
    EXPECT_EQ(devices.stand_in->PinnedBytesInUse(), 0);
  }
}

TEST(HandWrittenTest, ChainsGiveTheRightNumbers) {
  for (std::uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    for (const std::vector<int>& streams : StreamsOfChains()) {
      const gpu::StandInDevices devices = Devices(seed);
      const ChainWorkload work = Chain(streams);
      DeviceRun run;
      EXPECT_EQ(
          MakeHandWrittenOnDriver(&devices[0]->driver())->Chain(work, &run),
          "");
      EXPECT_EQ(run.first, ChainResult(work, 0));
      EXPECT_EQ(run.last, ChainResult(work, 49));
      EXPECT_EQ(devices.stand_in->BytesInUse(0), 0);
    }
  }
}

TEST(HandWrittenTest, AnErrorOfTheDeviceIsTold) {
  const gpu::StandInDevices devices = Devices();
  devices.stand_in->FailKernel(3);
  DeviceRun run;
  EXPECT_THAT(
      MakeHandWrittenOnDriver(&devices[0]->driver())->Transfer(kTransfer, &run),
      AllOf(HasSubstr("hand-written"), HasSubstr("stand_in:0")));
  EXPECT_EQ(devices.stand_in->BytesInUse(0), 0);
}

TEST(HandWrittenTest, MemoryThatRunsOutIsTold) {
  const gpu::StandInDevices devices =
      gpu::MakeStandInDevices({.memory_bytes = 4096});
  DeviceRun run;
  EXPECT_THAT(
      MakeHandWrittenOnDriver(&devices[0]->driver())->Transfer(kTransfer, &run),
      HasSubstr("by hand"));
  EXPECT_EQ(devices.stand_in->PinnedBytesInUse(), 0);
}

TEST(GraphRunsTest, TransfersGiveTheRightNumbersAndHoldNobodyUp) {
  const gpu::StandInDevices devices = Devices();
  const DeviceGraphRun run = *RunTransferGraph(devices[0], kTransfer);
  EXPECT_EQ(run.run.first, TransferResult(kTransfer, 0));
  EXPECT_EQ(run.run.last, TransferResult(kTransfer, 299));
  EXPECT_GT(run.run.seconds, 0);
  // Two copies and a kernel for each packet, and what tells that it is there.
  EXPECT_GE(run.counters.works_submitted, 3 * kTransfer.packets);
  EXPECT_GT(run.counters.events_recorded, 0);
  EXPECT_EQ(run.counters.host_waits, 0);
  EXPECT_EQ(run.counters.allocations, 0);
  EXPECT_EQ(run.counters.frees, 0);
}

TEST(GraphRunsTest, ChainsGiveTheRightNumbers) {
  for (const std::vector<int>& streams : StreamsOfChains()) {
    const gpu::StandInDevices devices = Devices();
    const ChainWorkload work = Chain(streams);
    const absl::StatusOr<DeviceGraphRun> run = RunChainGraph(devices[0], work);
    SYNCLINE_ASSERT_OK(run);
    EXPECT_EQ(run->run.first, ChainResult(work, 0));
    EXPECT_EQ(run->run.last, ChainResult(work, 49));
    EXPECT_EQ(run->counters.works_submitted, 4 * work.packets);
    EXPECT_EQ(run->counters.host_waits, 0);
  }
}

TEST(GraphRunsTest, AChainOnOneStreamRecordsNoEventAndTakesNoMemory) {
  const gpu::StandInDevices devices = Devices();
  const DeviceGraphRun run = *RunChainGraph(devices[0], Chain({0, 0, 0, 0}));
  EXPECT_EQ(run.counters.events_recorded, 0);
  EXPECT_EQ(run.counters.waits_submitted, 0);
  EXPECT_EQ(run.counters.allocations, 0);
  EXPECT_EQ(run.counters.frees, 0);
}

TEST(GraphRunsTest, AChainThatChangesItsStreamWaitsEachTime) {
  const gpu::StandInDevices devices = Devices();
  const ChainWorkload work = Chain({0, 1, 0, 1});
  const DeviceGraphRun run = *RunChainGraph(devices[0], work);
  EXPECT_GE(run.counters.waits_submitted, 3 * work.packets);
}

TEST(GraphRunsTest, AnErrorOfTheDeviceIsTheRuns) {
  const gpu::StandInDevices devices = Devices();
  devices.stand_in->FailKernel(5);
  EXPECT_THAT(
      std::string(RunTransferGraph(devices[0], kTransfer).status().message()),
      HasSubstr("stand_in:0"));
  const gpu::StandInDevices others = Devices();
  others.stand_in->FailKernel(5);
  EXPECT_FALSE(RunChainGraph(others[0], Chain({0, 0, 1, 1})).ok());
}

TEST(CalibrationTest, MoreTimeIsMoreRounds) {
  const gpu::StandInDevices devices = Devices();
  const CalibratedRounds few =
      *CalibrateKernel(&devices[0]->driver(), 1000, 20e-6, 5);
  const CalibratedRounds many =
      *CalibrateKernel(&devices[0]->driver(), 1000, 2e-3, 5);
  EXPECT_GE(few.rounds, 1);
  EXPECT_GT(many.rounds, few.rounds);
  EXPECT_GT(many.seconds, few.seconds);
  TransferTimes times;
  EXPECT_GE(CalibrateTransfer(&devices[0]->driver(), 1000, &times)->rounds, 1);
  EXPECT_GT(times.upload, 0);
  EXPECT_GT(times.kernel, 0);
  EXPECT_GT(times.download, 0);
  EXPECT_EQ(devices.stand_in->BytesInUse(0), 0);
}

TEST(DeviceBenchmarkTest, OnTheStandInEachRowSaysThatItIsNoMeasurement) {
  const absl::StatusOr<DeviceBenchmark> benchmark =
      RunDeviceBenchmark({.device = "stand_in", .repetitions = 1});
  SYNCLINE_ASSERT_OK(benchmark);
  EXPECT_THAT(benchmark->rows, SizeIs(9));
  EXPECT_THAT(benchmark->rows,
              Each(AllOf(Field(&DeviceBenchmarkRow::value, Not(IsEmpty())),
                         Field(&DeviceBenchmarkRow::verdict,
                               "stand-in: no measurement"))));
  // The events of a chain on one stream, which are counted there, too.
  EXPECT_THAT(benchmark->rows[3].name, HasSubstr("events recorded"));
  EXPECT_EQ(benchmark->rows[3].value, "0");
  const std::string text = DeviceBenchmarkText(*benchmark);
  EXPECT_THAT(text, HasSubstr("stand_in:0"));
  EXPECT_THAT(text, HasSubstr("record event"));
  EXPECT_THAT(text, HasSubstr("at least 0.95"));
}

TEST(DeviceBenchmarkTest, WithoutTheDeviceEachRowSaysWhy) {
  const absl::StatusOr<DeviceBenchmark> benchmark =
      RunDeviceBenchmark({.device = "stand_in:9"});
  SYNCLINE_ASSERT_OK(benchmark);
  EXPECT_THAT(benchmark->rows, SizeIs(9));
  EXPECT_THAT(benchmark->rows,
              Each(AllOf(Field(&DeviceBenchmarkRow::value, IsEmpty()),
                         Field(&DeviceBenchmarkRow::bar, Not(IsEmpty())),
                         Field(&DeviceBenchmarkRow::verdict,
                               AllOf(HasSubstr("not measured: "),
                                     HasSubstr("stand_in:9"))))));
}

TEST(DeviceBenchmarkTest, OptionsThatMeanNothingAreErrors) {
  EXPECT_EQ(RunDeviceBenchmark({.device = "a b:c"}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RunDeviceBenchmark({.device = "stand_in", .repetitions = 0})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace syncline
