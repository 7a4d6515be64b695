#include "gpu/device_clock.h"

#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gpu/time_event.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

TimeEvent TakeEvent(const StandInDevices& devices) {
  return *TimeEvent::Take(devices[0].get());
}

TEST(DeviceClockTest, PlacesAnEventOnTheClockOfTheHost) {
  const StandInDevices devices = MakeStandInDevices({});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream stream,
                                Stream::Make(devices[0], {}, "s"));
  DeviceClock& clock = devices[0]->clock();
  SYNCLINE_ASSERT_OK(clock.WaitForFirst());
  ASSERT_TRUE(clock.error_ns().has_value());
  // Also what was long before the comparison, and what is long after it.
  for (int i = 0; i < 3; ++i) {
    TimeEvent event = TakeEvent(devices);
    const std::int64_t before = DeviceClock::HostNow();
    SYNCLINE_ASSERT_OK(event.RecordOn(stream.handle()));
    SYNCLINE_ASSERT_OK(event.HostWait());
    const std::int64_t after = DeviceClock::HostNow();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    clock.Compare();
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::int64_t time,
                                  clock.HostTimeOf(event));
    EXPECT_GE(time, before - *clock.error_ns());
    EXPECT_LE(time, after + *clock.error_ns());
  }
}

TEST(DeviceClockTest, ComparingDoesNotWaitForTheDevice) {
  // Nothing runs before somebody waits.
  const StandInDevices devices = MakeStandInDevices({.has_threads = false});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream stream,
                                Stream::Make(devices[0], {}, "s"));
  TimeEvent event = TakeEvent(devices);
  SYNCLINE_ASSERT_OK(event.RecordOn(stream.handle()));
  SYNCLINE_ASSERT_OK(event.HostWait());
  DeviceClock& clock = devices[0]->clock();
  clock.Compare();
  clock.Compare();
  EXPECT_EQ(clock.error_ns(), absl::nullopt);
  EXPECT_THAT(clock.HostTimeOf(event),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("stand_in:0 has not been compared")));
  // The event that it looks for is the only work, and still the same one.
  EXPECT_EQ(devices.stand_in->NumReady(), 1u);
  SYNCLINE_EXPECT_OK(clock.WaitForFirst());
  EXPECT_NE(clock.error_ns(), absl::nullopt);
  SYNCLINE_EXPECT_OK(clock.HostTimeOf(event));
}

TEST(DeviceClockTest, TheFirstComparisonIsSeenAsSoonAsItCanBe) {
  const StandInDevices devices = MakeStandInDevices({.has_threads = false});
  DeviceClock& clock = devices[0]->clock();
  clock.Compare();
  devices.stand_in->RunAll();
  EXPECT_EQ(clock.error_ns(), absl::nullopt);
  clock.Compare();
  EXPECT_NE(clock.error_ns(), absl::nullopt);
}

TEST(DeviceClockTest, ComparesAgainWhenThatIsDue) {
  const StandInDevices devices = MakeStandInDevices({.has_threads = false});
  DeviceClock& clock = devices[0]->clock();
  clock.Compare();
  SYNCLINE_ASSERT_OK(clock.WaitForFirst());
  clock.Compare();
  EXPECT_EQ(devices.stand_in->NumReady(), 0u) << "not due so soon";
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  clock.Compare();
  EXPECT_EQ(devices.stand_in->NumReady(), 1u);
}

TEST(DeviceClockTest, KeepsTheTightestComparison) {
  const StandInDevices devices = MakeStandInDevices({});
  DeviceClock& clock = devices[0]->clock();
  SYNCLINE_ASSERT_OK(clock.WaitForFirst());
  std::int64_t error = *clock.error_ns();
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    clock.Compare();
    // Clocks drift apart: an older one may give way to one that is as good.
    EXPECT_LE(*clock.error_ns(), error + 200'000);
    error = *clock.error_ns();
  }
}

TEST(DeviceClockTest, ADeviceThatIsGoneHasNoClock) {
  const StandInDevices devices = MakeStandInDevices({});
  devices.stand_in->RemoveDevice(0);
  DeviceClock& clock = devices[0]->clock();
  clock.Compare();
  EXPECT_THAT(clock.WaitForFirst(), StatusIs(absl::StatusCode::kUnavailable,
                                             HasSubstr("was removed")));
  EXPECT_EQ(clock.error_ns(), absl::nullopt);
}

TEST(DeviceClockTest, ADeviceThatFailsMeanwhileIsAnError) {
  const StandInDevices devices = MakeStandInDevices({.has_threads = false});
  DeviceClock& clock = devices[0]->clock();
  clock.Compare();
  devices.stand_in->RemoveDevice(0);
  EXPECT_THAT(clock.WaitForFirst(), StatusIs(absl::StatusCode::kUnavailable,
                                             HasSubstr("was removed")));
}

TEST(TimeEventTest, EventsAreUsedAgain) {
  const StandInDevices devices = MakeStandInDevices({});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream stream,
                                Stream::Make(devices[0], {}, "s"));
  { const TimeEvent first = TakeEvent(devices); }
  devices.stand_in->FailCall(StandInCall::kMakeEvent, 1,
                             absl::InternalError("one more is made"));
  TimeEvent again = TakeEvent(devices);
  SYNCLINE_EXPECT_OK(again.RecordOn(stream.handle()));
  EXPECT_EQ(devices[0]->counters().time_events_recorded, 1);
  EXPECT_EQ(devices[0]->counters().events_recorded, 0);
  EXPECT_THAT(
      TimeEvent::Take(devices[0].get()),
      StatusIs(absl::StatusCode::kInternal, HasSubstr("one more is made")));
}

TEST(TimeEventTest, AnEventIsGivenBackOnce) {
  const StandInDevices devices = MakeStandInDevices({});
  TimeEvent a = TakeEvent(devices);
  TimeEvent b = std::move(a);
  a = TakeEvent(devices);
  a = std::move(b);          // gives the second one back
  EXPECT_TRUE(b.is_null());  // NOLINT: after the move on purpose
  EXPECT_FALSE(a.is_null());
  a = TimeEvent();
  EXPECT_TRUE(a.is_null());
}

}  // namespace
}  // namespace syncline::gpu
