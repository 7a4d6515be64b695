// The end of work is told once, on a thread that may do anything, also when the
// work fails, and holds up nobody's stream.
#include "gpu/notices.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gpu/device_buffer.h"
#include "gpu/notice_thread.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

class NoticesTest : public testing::Test {
 protected:
  static DeviceBuffer NoticesBuffer(const std::shared_ptr<Device>& device) {
    return *DeviceBuffer::Allocate(device, MemoryStorageType::kDevice, 64, "b");
  }
  static Stream Busy(const std::shared_ptr<Device>& device) {
    Stream stream = *Stream::Make(device, {}, "busy");
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(NoticesBuffer(device)), 1));
    return stream;
  }
  // How often it has been told, after the device has done its work.
  int ToldAfterAll() {
    devices_.stand_in->RunAll();
    Notices::WaitForPosted();
    return told_;
  }

  const StandInDevices devices_ =
      MakeStandInDevices({.num_devices = 2, .has_threads = false});
  const std::shared_ptr<Notices> notices_ = Notices::Make();
  std::atomic<int> told_{0};
};

TEST_F(NoticesTest, TellsWhenTheWorkIsOverAndNotBefore) {
  const Stream stream = Busy(devices_[0]);
  SYNCLINE_ASSERT_OK(
      notices_->CallWhenOver({{stream.Now()}}, [this] { ++told_; }));
  Notices::WaitForPosted();
  EXPECT_EQ(told_, 0);
  EXPECT_EQ(ToldAfterAll(), 1);
}

TEST_F(NoticesTest, TellsOnceForSeveralStreamsAndDevices) {
  const Stream a = Busy(devices_[0]);
  const Stream b = Busy(devices_[1]);
  SYNCLINE_ASSERT_OK(notices_->CallWhenOver(
      std::vector<WorkPoint>{a.Now(), WorkPoint(), b.Now()},
      [this] { ++told_; }));
  EXPECT_EQ(ToldAfterAll(), 1);
}

TEST_F(NoticesTest, TellsOnceForDevicesOfSeveralKinds) {
  const StandInDevices others = MakeStandInDevices({.has_threads = false});
  const Stream a = Busy(devices_[0]);
  const Stream b = Busy(others[0]);
  SYNCLINE_ASSERT_OK(notices_->CallWhenOver(
      std::vector<WorkPoint>{a.Now(), b.Now()}, [this] { ++told_; }));
  EXPECT_EQ(ToldAfterAll(), 0) << "the other device is still at work";
  others.stand_in->RunAll();
  EXPECT_EQ(ToldAfterAll(), 1);
}

TEST_F(NoticesTest, NoWorkIsOverAtOnce) {
  SYNCLINE_ASSERT_OK(notices_->CallWhenOver({}, [this] { ++told_; }));
  Notices::WaitForPosted();
  EXPECT_EQ(told_, 1);
}

TEST_F(NoticesTest, TellsOfWorkThatFails) {
  devices_.stand_in->FailKernel(1);
  const Stream stream = *Stream::Make(devices_[0], {}, "a");
  SYNCLINE_ASSERT_OK(stream.Launch(
      kAddOne, 1, NoParameters{},
      {Reads(NoticesBuffer(devices_[0])), Writes(NoticesBuffer(devices_[0]))}));
  SYNCLINE_ASSERT_OK(
      notices_->CallWhenOver({{stream.Now()}}, [this] { ++told_; }));
  EXPECT_EQ(ToldAfterAll(), 1);
  EXPECT_FALSE(devices_[0]->Health().ok());
}

TEST_F(NoticesTest, ADeviceThatFailedIsAnErrorAtOnce) {
  const Stream stream = Busy(devices_[0]);
  devices_.stand_in->RemoveDevice(0);
  EXPECT_FALSE(
      notices_->CallWhenOver({{stream.Now()}}, [this] { ++told_; }).ok());
}

// The host function has run, and nobody has heard of it yet.
TEST_F(NoticesTest, ANoticeOfADeviceThatHasFailedSinceIsNoEndOfWork) {
  const Stream stream = Busy(devices_[0]);
  NoticeCollector collector;
  SYNCLINE_ASSERT_OK(
      notices_->CallWhenOver({{stream.Now()}}, [this] { ++told_; }));
  devices_.stand_in->RunAll();
  devices_.stand_in->RemoveDevice(0);
  ASSERT_FALSE(devices_[0]->Health().ok());
  while (!collector.empty()) collector.CallNext();
  EXPECT_EQ(told_, 1);
  EXPECT_FALSE(stream.core().HostKnows(stream.Now().work().number));
  EXPECT_EQ(notices_->num_idle_streams(), 0u);
}

// Whatever the driver refuses: the host must not believe that work has ended
// which has not begun.
TEST_F(NoticesTest, ARefusalIsAnErrorAndNoEndOfWork) {
  for (const StandInCall call :
       {StandInCall::kMakeStream, StandInCall::kMakeEvent, StandInCall::kRecord,
        StandInCall::kWaitFor, StandInCall::kCallHost}) {
    SCOPED_TRACE(static_cast<int>(call));
    const StandInDevices devices = MakeStandInDevices({.has_threads = false});
    const auto notices = Notices::Make();
    const Stream stream = *Stream::Make(devices[0], {}, "s");
    DeviceBuffer buffer = NoticesBuffer(devices[0]);
    SYNCLINE_ASSERT_OK(stream.Fill(Writes(buffer), 1));
    devices.stand_in->FailCall(call, 1,
                               absl::ResourceExhaustedError("as ordered"));
    EXPECT_THAT(notices->CallWhenOver({{stream.Now()}}, [this] { ++told_; }),
                StatusIs(absl::StatusCode::kResourceExhausted));
    Notices::WaitForPosted();
    EXPECT_EQ(told_, 0);
    EXPECT_FALSE(stream.core().HostKnows(stream.Now().work().number));
    buffer = DeviceBuffer();
    devices[0]->GiveEndedMemoryBack();
    EXPECT_EQ(devices.stand_in->BytesInUse(0), 64u)
        << "it went back before its work had begun";
    EXPECT_EQ(notices->num_idle_streams(), 0)
        << "one that waits for work is of no use to the next";
    devices.stand_in->RunAll();
    devices[0]->GiveEndedMemoryBack();
    EXPECT_EQ(devices.stand_in->BytesInUse(0), 0u);
    // The next one is told as ever.
    SYNCLINE_ASSERT_OK(
        notices->CallWhenOver({{stream.Now()}}, [this] { ++told_; }));
    devices.stand_in->RunAll();
    Notices::WaitForPosted();
    EXPECT_EQ(told_.exchange(0), 1);
  }
}

TEST_F(NoticesTest, ThoseOfADeviceDoNotKeepIt) {
  auto devices = MakeStandInDevices({.has_threads = false});
  const std::weak_ptr<Device> device = devices[0];
  {
    const Stream stream = Busy(devices[0]);
    const auto notices = Notices::Of(*devices[0]);
    EXPECT_EQ(notices, Notices::Of(*devices[0]));
    SYNCLINE_ASSERT_OK(
        notices->CallWhenOver({{stream.Now()}}, [this] { ++told_; }));
    devices.stand_in->RunAll();
    Notices::WaitForPosted();
    EXPECT_EQ(told_, 1);
    EXPECT_EQ(notices->num_idle_streams(), 1);
  }
  devices.devices.clear();
  EXPECT_TRUE(device.expired());
}

TEST_F(NoticesTest, TheStreamMayBeGoneAndIsNotHeldUp) {
  WorkPoint point;
  {
    const Stream stream = Busy(devices_[0]);
    point = stream.Now();
  }
  SYNCLINE_ASSERT_OK(notices_->CallWhenOver({{point}}, [this] { ++told_; }));
  EXPECT_EQ(ToldAfterAll(), 1);
}

TEST_F(NoticesTest, ItsStreamsAreUsedAgain) {
  const Stream stream = Busy(devices_[0]);
  for (int i = 0; i < 5; ++i) {
    SYNCLINE_ASSERT_OK(stream.Fill(Writes(NoticesBuffer(devices_[0])), 1));
    SYNCLINE_ASSERT_OK(
        notices_->CallWhenOver({{stream.Now()}}, [this] { ++told_; }));
    EXPECT_EQ(ToldAfterAll(), i + 1);
    EXPECT_EQ(notices_->num_idle_streams(), 1);
  }
}

TEST_F(NoticesTest, WhoIsToldMayUseTheDevice) {
  const Stream stream = Busy(devices_[0]);
  std::atomic<bool> has_ended{false};
  const WorkPoint point = stream.Now();
  const std::thread::id self = std::this_thread::get_id();
  SYNCLINE_ASSERT_OK(notices_->CallWhenOver({{point}}, [&, self] {
    EXPECT_NE(std::this_thread::get_id(), self);
    has_ended = *point.HasEnded();
  }));
  ToldAfterAll();
  EXPECT_TRUE(has_ended);
}

// --- NoticeCollector

TEST_F(NoticesTest, ACollectorKeepsWhatItsThreadPosts) {
  const Stream stream = Busy(devices_[0]);
  const std::thread::id self = std::this_thread::get_id();
  std::vector<int> called;
  {
    NoticeCollector collector;
    SYNCLINE_ASSERT_OK(notices_->CallWhenOver({{stream.Now()}}, [&, self] {
      EXPECT_EQ(std::this_thread::get_id(), self);
      called.push_back(1);
    }));
    // One half of the notice: all streams have been asked.
    ASSERT_FALSE(collector.empty());
    collector.CallNext();
    EXPECT_TRUE(collector.empty());
    devices_.stand_in->RunAll();
    Notices::Post([&] { called.push_back(2); });
    while (!collector.empty()) collector.CallNext();
    EXPECT_EQ(called, (std::vector<int>{1, 2}));
    // Other threads have the notice thread.
    std::thread([this] { Notices::Post([this] { ++told_; }); }).join();
    EXPECT_TRUE(collector.empty());
  }
  Notices::WaitForPosted();
  EXPECT_EQ(told_, 1);
}

TEST_F(NoticesTest, WhatACollectorLeavesIsToldAllTheSame) {
  {
    NoticeCollector outer;
    {
      NoticeCollector inner;
      Notices::Post([this] { ++told_; });
      EXPECT_FALSE(inner.empty());
      EXPECT_TRUE(outer.empty());
    }
    Notices::WaitForPosted();
    EXPECT_EQ(told_, 1);
    Notices::Post([this] { ++told_; });
    EXPECT_FALSE(outer.empty());
  }
  EXPECT_EQ(ToldAfterAll(), 2);
}

}  // namespace
}  // namespace syncline::gpu
