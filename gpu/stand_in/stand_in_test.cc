#include "gpu/stand_in/stand_in.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/driver.h"
#include "gpu/driver_conformance_test.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;

DriverCase CaseOf(const std::string& name, StandInOptions options) {
  options.num_devices = 2;
  return {name,
          [options]() -> absl::StatusOr<DeviceDrivers> {
            return StandIn::Make(options)->MakeDrivers();
          },
          kAddOne};
}

INSTANTIATE_TEST_SUITE_P(
    StandIn, DriverConformanceTest,
    ::testing::Values(CaseOf("Threads", {}),
                      CaseOf("ThreadsWithDelays", {.delay_seed = 1}),
                      CaseOf("OneUnit", {.units_per_device = 1}),
                      CaseOf("Steps", {.has_threads = false}),
                      CaseOf("StepsOfAnotherSeed",
                             {.has_threads = false, .step_seed = 7})),
    [](const auto& info) { return info.param.name; });

class StandInTest : public ::testing::Test {
 protected:
  StandInTest()
      : stand_in_(StandIn::Make({.has_threads = false})),
        drivers_(stand_in_->MakeDrivers()),
        driver_(*drivers_[0]) {}

  StreamHandle MakeStream(unsigned flags) {
    return *driver_.MakeStream({.flags = flags});
  }
  void Note(StreamHandle stream, const std::string& name) {
    SYNCLINE_EXPECT_OK(
        driver_.CallHost(stream, [=, this] { ran_.push_back(name); }));
  }

  std::vector<std::string> ran_;
  const std::shared_ptr<StandIn> stand_in_;
  const std::vector<std::unique_ptr<DeviceDriver>> drivers_;
  DeviceDriver& driver_;
};

TEST_F(StandInTest, StreamsWithFlagZeroAndTheDefaultStreamWaitForOneAnother) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto stand_in =
        StandIn::Make({.has_threads = false, .step_seed = seed});
    const auto drivers = stand_in->MakeDrivers();
    std::vector<int> ran;
    const StreamHandle stream = *drivers[0]->MakeStream({});
    int next = 0;
    for (const StreamHandle s : {stream, StreamHandle{nullptr}, stream}) {
      SYNCLINE_ASSERT_OK(drivers[0]->CallHost(
          s, [&ran, number = ++next] { ran.push_back(number); }));
    }
    stand_in->RunAll();
    EXPECT_THAT(ran, ElementsAre(1, 2, 3));
  }
}

TEST_F(StandInTest, AStreamWithFlagOneDoesNotWaitForTheDefaultStream) {
  const StreamHandle stream = MakeStream(1);
  Note(nullptr, "default");
  Note(stream, "other");
  // Made second, so it is the younger of the two.
  EXPECT_EQ(stand_in_->NumReady(), 2u);
  EXPECT_TRUE(stand_in_->Step(0));
  EXPECT_THAT(ran_, ElementsAre("other"));
}

TEST_F(StandInTest, TheChoiceOfStepsMayBeTheTests) {
  std::size_t num_asked = 0;
  const auto stand_in = StandIn::Make(
      {.has_threads = false, .choose = [&](std::size_t num_ready) {
         ++num_asked;
         return num_ready - 1;
       }});
  const auto drivers = stand_in->MakeDrivers();
  std::vector<int> ran;
  for (const int number : {1, 2, 3}) {
    const StreamHandle stream = *drivers[0]->MakeStream({.flags = 1});
    SYNCLINE_ASSERT_OK(drivers[0]->CallHost(
        stream, [&ran, number] { ran.push_back(number); }));
  }
  stand_in->RunAll();
  EXPECT_THAT(ran, ElementsAre(3, 2, 1));
  EXPECT_EQ(num_asked, 3u);
}

TEST_F(StandInTest, TimeInStepsIsTheNumberOfSteps) {
  const StreamHandle stream = MakeStream(1);
  const EventHandle begin = *driver_.MakeEvent(/*has_time=*/true);
  const EventHandle end = *driver_.MakeEvent(/*has_time=*/true);
  SYNCLINE_ASSERT_OK(driver_.Record(begin, stream));
  Note(stream, "one");
  Note(stream, "two");
  SYNCLINE_ASSERT_OK(driver_.Record(end, stream));
  EXPECT_THAT(driver_.NanosecondsBetween(begin, end),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  stand_in_->RunAll();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::int64_t time,
                                driver_.NanosecondsBetween(begin, end));
  EXPECT_EQ(time, 3000);
  driver_.DropEvent(begin);
  driver_.DropEvent(end);
}

// What a kernel may not do ends the process, also through Launch.
class StandInDeathTest : public ::testing::Test {
 protected:
  StandInDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  static void LaunchWith(const Kernel& kernel, bool has_threads) {
    const StandInDevices devices =
        MakeStandInDevices({.has_threads = has_threads});
    const Stream stream = *Stream::Make(devices[0], {}, "s");
    const DeviceBuffer frame = *DeviceBuffer::Allocate(
        devices[0], MemoryStorageType::kDevice, 64, "frame");
    const DeviceBuffer other = *DeviceBuffer::Allocate(
        devices[0], MemoryStorageType::kDevice, 64, "other");
    SYNCLINE_EXPECT_OK(
        stream.Launch(kernel, 1, other.address(), {Reads(frame)}));
    SYNCLINE_EXPECT_OK(stream.Synchronize());
  }
};

constexpr Kernel kWriteWhatIsRead = {
    .name = "write", .stand_in = [](const KernelLaunch& launch) {
      *static_cast<volatile char*>(launch.buffers[0].data) = 1;
    }};
constexpr Kernel kUseAnother = {
    .name = "use another", .stand_in = [](const KernelLaunch& launch) {
      auto* const* const other = static_cast<char* const*>(launch.parameters);
      static_cast<void>(*static_cast<volatile char*>(*other));
    }};

TEST_F(StandInDeathTest, AKernelWritesABufferThatItDeclaresToRead) {
  for (const bool has_threads : {false, true}) {
    EXPECT_DEATH(LaunchWith(kWriteWhatIsRead, has_threads),
                 "the work \"write\" touched byte 0 of buffer \"frame\" \\(64 "
                 "bytes\\) of stand_in:0, to write it");
  }
}

TEST_F(StandInDeathTest, AKernelUsesABufferThatItDoesNotDeclare) {
  for (const bool has_threads : {false, true}) {
    EXPECT_DEATH(LaunchWith(kUseAnother, has_threads),
                 "the work \"use another\" touched byte 0 of buffer \"other\"");
  }
}

TEST_F(StandInDeathTest, TheHostReadsABuffer) {
  EXPECT_DEATH(
      {
        const StandInDevices devices = MakeStandInDevices({});
        const DeviceBuffer frame = *DeviceBuffer::Allocate(
            devices[0], MemoryStorageType::kDevice, 64, "frame");
        static_cast<void>(
            *static_cast<volatile std::byte*>(frame.address() + 3));
      },
      "the host touched byte 3 of buffer \"frame\" \\(64 bytes\\) of "
      "stand_in:0");
}

}  // namespace
}  // namespace syncline::gpu
