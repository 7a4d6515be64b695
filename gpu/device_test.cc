#include "gpu/device.h"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gpu/work_owner.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class DeviceTest : public ::testing::TestWithParam<bool> {
 protected:
  DeviceTest()
      : devices_(
            MakeStandInDevices({.num_devices = 2, .has_threads = GetParam()})),
        stream_(*Stream::Make(devices_[0], {}, "s")),
        buffer_(Allocate(0)) {}

  DeviceBuffer Allocate(std::size_t device) {
    return *DeviceBuffer::Allocate(devices_[device], MemoryStorageType::kDevice,
                                   16, "b");
  }
  absl::Status AddOne(const Stream& stream) {
    return stream.Launch(kAddOne, 4, NoParameters(), {Writes(buffer_)});
  }
  // Every call says so.
  void ExpectError(absl::StatusCode code, absl::string_view text) {
    const auto is_error = StatusIs(code, HasSubstr(text));
    EXPECT_THAT(devices_[0]->Health(), is_error);
    EXPECT_THAT(AddOne(stream_), is_error);
    EXPECT_THAT(stream_.Synchronize(), is_error);
    EXPECT_THAT(stream_.CallHost([] { ADD_FAILURE() << "called"; }), is_error);
    EXPECT_THAT(Stream::Make(devices_[0], {}, "t"), is_error);
    EXPECT_THAT(
        DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice, 1, "c"),
        is_error);
    EXPECT_THAT(stream_.Now().HasEnded(), is_error);
    EXPECT_THAT(buffer_.HostWait(), is_error);
  }

  const StandInDevices devices_;
  const Stream stream_;
  DeviceBuffer buffer_;
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutThreads, DeviceTest, ::testing::Bool());

TEST_P(DeviceTest, AKernelThatFailsIsAStickyErrorOfTheDevice) {
  devices_.stand_in->FailKernel(2);
  SYNCLINE_ASSERT_OK(AddOne(stream_));
  SYNCLINE_ASSERT_OK(AddOne(stream_));
  EXPECT_THAT(stream_.Synchronize(),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("the host waits for stream \"s\" of "
                                       "stand_in:0"),
                             HasSubstr("the kernel \"add one\" failed"))));
  ExpectError(absl::StatusCode::kInternal, "the kernel \"add one\" failed");
}

// Whoever meets the error: it names the work that failed.
TEST_P(DeviceTest, AKernelThatFailsIsNamedWithNodeTimeAndStream) {
  devices_.stand_in->FailKernel(1);
  {
    const WorkOwnerScope scope(
        {std::make_shared<const std::string>("bad"), Timestamp(40)});
    SYNCLINE_ASSERT_OK(AddOne(stream_));
  }
  stream_.Synchronize().IgnoreError();
  ExpectError(absl::StatusCode::kInternal,
              "stand_in:0: the kernel \"add one\" failed; node \"bad\" at 40 "
              "gave it to stream \"s\"");
}

TEST_P(DeviceTest, AHostFunctionThatThrowsIsNamedToo) {
  SYNCLINE_ASSERT_OK(
      stream_.CallHost([] { throw std::runtime_error("no disk"); }));
  EXPECT_THAT(
      stream_.Synchronize(),
      StatusIs(absl::StatusCode::kInternal,
               AllOf(HasSubstr("a host function failed"), HasSubstr("no disk"),
                     HasSubstr("the application gave it to stream "
                               "\"s\""))));
}

// For devices that do not say which work has failed.
TEST_P(DeviceTest, LogsTheLastWorkOfItsStreams) {
  SYNCLINE_ASSERT_OK(AddOne(stream_));
  const WorkOwnerScope scope(
      {std::make_shared<const std::string>("late"), Timestamp(7)});
  const Access access = Writes(buffer_);
  SYNCLINE_ASSERT_OK(stream_.Check("gemm", {&access, 1}));
  stream_.Note("gemm", {&access, 1});
  EXPECT_EQ(devices_[0]->work_log().ToText(),
            "\"gemm\" of node \"late\" at 7 on stream \"s\"");
}

TEST_P(DeviceTest, ADeviceThatGoesAwayIsAnErrorAndNothingHangs) {
  const Stream other = *Stream::Make(devices_[1], {}, "other");
  SYNCLINE_ASSERT_OK(AddOne(stream_));
  SYNCLINE_ASSERT_OK(other.WaitFor(stream_.Now()));
  devices_.stand_in->RemoveDevice(0);
  ExpectError(absl::StatusCode::kUnavailable, "stand_in:0 is gone");
  // Other devices go on, also those that waited for it.
  SYNCLINE_EXPECT_OK(devices_[1]->Health());
  SYNCLINE_EXPECT_OK(other.Fill(Writes(Allocate(1)), 1));
  SYNCLINE_EXPECT_OK(other.Synchronize());
}

TEST_P(DeviceTest, ADeviceInErrorKeepsNoMemory) {
  SYNCLINE_ASSERT_OK(AddOne(stream_));
  devices_.stand_in->RemoveDevice(0);
  buffer_ = DeviceBuffer();
  devices_[0]->GiveEndedMemoryBack();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 0u);
}

TEST_P(DeviceTest, AnErrorOfOneCallIsTheErrorOfThatCallOnly) {
  const absl::Status ordered = absl::InternalError("as ordered");
  const auto is_ordered =
      StatusIs(absl::StatusCode::kInternal, HasSubstr("as ordered"));
  StandIn& stand_in = *devices_.stand_in;
  stand_in.FailCall(StandInCall::kLaunch, 2, ordered);
  SYNCLINE_EXPECT_OK(AddOne(stream_));
  EXPECT_THAT(AddOne(stream_), is_ordered);
  SYNCLINE_EXPECT_OK(AddOne(stream_));
  stand_in.FailCall(StandInCall::kMakeStream, 1, ordered);
  EXPECT_THAT(Stream::Make(devices_[0], {}, "t"),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("Stream \"t\" of stand_in:0: as ordered")));
  const Stream other = *Stream::Make(devices_[0], {}, "t");
  stand_in.FailCall(StandInCall::kMakeEvent, 1, ordered);
  EXPECT_THAT(other.WaitFor(Writes(buffer_)), is_ordered);
  stand_in.FailCall(StandInCall::kRecord, 1, ordered);
  EXPECT_THAT(other.WaitFor(Writes(buffer_)), is_ordered);
  stand_in.FailCall(StandInCall::kCopy, 1, ordered);
  EXPECT_THAT(stream_.CopyFromHost(Writes(buffer_), "", 1), is_ordered);
  stand_in.FailCall(StandInCall::kTakeMemory, 1, ordered);
  EXPECT_THAT(
      DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice, 1, "c"),
      is_ordered);
  SYNCLINE_EXPECT_OK(other.WaitFor(Writes(buffer_)));
  SYNCLINE_EXPECT_OK(AddOne(other));
  SYNCLINE_EXPECT_OK(other.Synchronize());
}

// Nothing is lost if the driver refuses the last event of a stream once.
TEST_P(DeviceTest, AStreamThatEndsWithoutAnEventCanStillBeWaitedFor) {
  const DeviceBuffer other = Allocate(0);
  WorkPoint point;
  {
    const Stream stream = *Stream::Make(devices_[0], {}, "t");
    SYNCLINE_ASSERT_OK(stream.Fill(Writes(other), 1));
    SYNCLINE_ASSERT_OK(AddOne(stream));
    point = stream.Now();
    devices_.stand_in->FailCall(StandInCall::kRecord, 1,
                                absl::InternalError("as ordered"));
  }
  SYNCLINE_ASSERT_OK(stream_.WaitFor(point));
  SYNCLINE_ASSERT_OK(AddOne(stream_));
  EXPECT_EQ(devices_[0]->counters().waits_submitted, 1);
  SYNCLINE_ASSERT_OK(point.HostWait());
}

// Memory stays where it is as long as nobody knows whether its work has ended.
TEST_P(DeviceTest, ARefusedEventGivesNoMemoryBackTooEarly) {
  SYNCLINE_ASSERT_OK(AddOne(stream_));
  buffer_ = DeviceBuffer();
  devices_.stand_in->FailCall(StandInCall::kRecord, 1,
                              absl::InternalError("as ordered"));
  devices_[0]->GiveEndedMemoryBack();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 16u);
  SYNCLINE_ASSERT_OK(stream_.Synchronize());
  devices_[0]->GiveEndedMemoryBack();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 0u);
}

// Whether memory was looked through meanwhile does not hide a missing wait.
TEST_P(DeviceTest, LookingForReleasedMemoryIsNoOrder) {
  const Stream other = *Stream::Make(devices_[0], {}, "t");
  DeviceBuffer released = Allocate(0);
  SYNCLINE_ASSERT_OK(stream_.Fill(Writes(released), 1));
  SYNCLINE_ASSERT_OK(AddOne(stream_));
  released = DeviceBuffer();
  while (devices_.stand_in->BytesInUse(0) > 16) {
    devices_.stand_in->StepBySeed();
    devices_[0]->GiveEndedMemoryBack();
  }
  EXPECT_THAT(AddOne(other), StatusIs(absl::StatusCode::kFailedPrecondition));
}

// Ids are used again, so that clocks do not grow.
TEST_P(DeviceTest, ManyStreamsOneAfterTheOther) {
  for (int i = 0; i < 200; ++i) {
    const Stream stream = *Stream::Make(devices_[0], {}, "t");
    SYNCLINE_ASSERT_OK(stream.WaitFor(Writes(buffer_)));
    SYNCLINE_ASSERT_OK(AddOne(stream));
    SYNCLINE_ASSERT_OK(stream.Synchronize());
    EXPECT_LT(stream.core().id(), 4u);
  }
}

// The last handle of everything may be held by work of the device itself.
TEST_P(DeviceTest, CanEndOnAThreadOfItsOwn) {
  std::atomic<bool> has_run{false};
  std::shared_ptr<StandIn> stepper;  // of a stand-in without threads
  {
    StandInDevices devices = MakeStandInDevices({.has_threads = GetParam()});
    if (!GetParam()) stepper = std::exchange(devices.stand_in, nullptr);
    const Stream stream = *Stream::Make(devices[0], {}, "s");
    SYNCLINE_ASSERT_OK(
        stream.CallHost([&has_run, held = devices] { has_run = true; }));
  }
  if (stepper != nullptr) stepper->RunAll();
  while (!has_run) std::this_thread::yield();
}

TEST_P(DeviceTest, OfTwoThreadsThatRaceOneIsTold) {
  const Stream streams[] = {*Stream::Make(devices_[0], {}, "a"),
                            *Stream::Make(devices_[0], {}, "b")};
  for (int round = 0; round < 50; ++round) {
    const DeviceBuffer buffer = Allocate(0);
    std::atomic<int> num_ready{0};
    std::atomic<int> num_told{0};
    std::vector<std::thread> threads;
    for (const Stream& stream : streams) {
      threads.emplace_back([&] {
        ++num_ready;
        while (num_ready < 2) std::this_thread::yield();
        if (!stream.Fill(Writes(buffer), 1).ok()) ++num_told;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(num_told, 1);
  }
}

// Two threads on two streams that hand a buffer to one another, and others
// that come and go: for the sanitizers.
TEST_P(DeviceTest, ManyThreadsAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 40;
  // Nothing orders stream_'s writes after the reads of others.
  const auto is_ok_or_race = [](const absl::Status& status) {
    return status.ok() || absl::IsFailedPrecondition(status);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const std::size_t device = static_cast<std::size_t>(t % 2);
      const Stream mine = *Stream::Make(devices_[device], {}, "mine");
      const DeviceBuffer own = Allocate(device);
      for (int i = 0; i < kRounds; ++i) {
        SYNCLINE_EXPECT_OK(mine.WaitFor(Writes(buffer_)));
        EXPECT_TRUE(is_ok_or_race(mine.Copy(Writes(own), Reads(buffer_))));
        const DeviceBuffer passing = Allocate(device);
        SYNCLINE_EXPECT_OK(mine.Fill(Writes(passing), 1));
        const Stream other = *Stream::Make(devices_[device], {}, "other");
        SYNCLINE_EXPECT_OK(other.WaitFor(mine.Now()));
        SYNCLINE_EXPECT_OK(other.Copy(Writes(own), Reads(passing)));
        SYNCLINE_EXPECT_OK(mine.WaitFor(other.Now()));
        if (i % 8 == 0) {
          SYNCLINE_EXPECT_OK(mine.Synchronize());
        }
        if (t == 0) {
          EXPECT_TRUE(is_ok_or_race(AddOne(stream_)));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  SYNCLINE_EXPECT_OK(buffer_.HostWait());
}

}  // namespace
}  // namespace syncline::gpu
