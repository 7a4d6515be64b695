// Each mistake that the checker finds, planted on purpose.
#include "gpu/access_check.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device.h"
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

// A matcher of the checker's errors.
template <typename... Parts>
auto IsRace(Parts... parts) {
  return StatusIs(absl::StatusCode::kFailedPrecondition,
                  AllOf(HasSubstr(parts)...));
}

class AccessCheckTest : public ::testing::Test {
 protected:
  AccessCheckTest()
      : devices_(MakeStandInDevices({.num_devices = 2, .has_threads = false})),
        a_(*Stream::Make(devices_[0], {}, "a")),
        b_(*Stream::Make(devices_[0], {}, "b")),
        frame_(MakeBuffer(MemoryStorageType::kDevice, "frame")),
        pinned_(MakeBuffer(MemoryStorageType::kHost, "pinned")),
        out_(MakeBuffer(MemoryStorageType::kDevice, "out")) {}

  DeviceBuffer MakeBuffer(MemoryStorageType kind, absl::string_view name) {
    return *DeviceBuffer::Allocate(devices_[0], kind, 16, name);
  }
  static WorkOwner OwnerAt(absl::string_view node, int timestamp) {
    return {std::make_shared<const std::string>(node), Timestamp(timestamp)};
  }
  absl::Status Upload(const Stream& stream, const DeviceBuffer& to) {
    const WorkOwnerScope scope(OwnerAt("upload", 40));
    return stream.Fill(Writes(to), 1);
  }
  absl::Status Blur(const Stream& stream, const DeviceBuffer& from,
                    const DeviceBuffer& to) {
    const WorkOwnerScope scope(OwnerAt("blur", 50));
    return stream.Launch(kAddOne, 4, NoParameters(), {Reads(from), Writes(to)});
  }

  const StandInDevices devices_;
  const Stream a_;
  const Stream b_;
  const DeviceBuffer frame_;
  const DeviceBuffer pinned_;
  const DeviceBuffer out_;
};

TEST_F(AccessCheckTest, MissingWaitBetweenStreams) {
  SYNCLINE_ASSERT_OK(Upload(a_, frame_));
  EXPECT_THAT(
      Blur(b_, frame_, out_),
      IsRace("node \"blur\" at 50 reads buffer \"frame\" (16 bytes) by \"add "
             "one\" on stream \"b\" of stand_in:0",
             "nothing orders this after node \"upload\" at 40, which writes it "
             "by \"fill\" on stream \"a\" of stand_in:0",
             "Make stream \"b\" wait: call WaitFor(Reads(frame)) of it",
             "ReceiveStream"));
  // Nothing was submitted, and with the wait all is well.
  SYNCLINE_ASSERT_OK(b_.WaitFor(Reads(frame_)));
  SYNCLINE_EXPECT_OK(Blur(b_, frame_, out_));
}

TEST_F(AccessCheckTest, AWaitForAnEarlierPointIsNotEnough) {
  SYNCLINE_ASSERT_OK(a_.Fill(Writes(out_), 1));
  SYNCLINE_ASSERT_OK(b_.WaitFor(a_.Now()));
  SYNCLINE_ASSERT_OK(Upload(a_, frame_));
  EXPECT_THAT(Blur(b_, frame_, out_), IsRace("which writes it"));
}

TEST_F(AccessCheckTest, TwoWritesWithoutOrder) {
  SYNCLINE_ASSERT_OK(Upload(a_, frame_));
  EXPECT_THAT(Upload(b_, frame_),
              IsRace("writes buffer \"frame\"", "which writes it",
                     "WaitFor(Writes(frame))"));
}

TEST_F(AccessCheckTest, WriteBesideAReader) {
  SYNCLINE_ASSERT_OK(Upload(a_, frame_));
  SYNCLINE_ASSERT_OK(b_.WaitFor(Reads(frame_)));
  SYNCLINE_ASSERT_OK(Blur(b_, frame_, out_));
  EXPECT_THAT(Upload(a_, frame_),
              IsRace("node \"upload\" at 40 writes buffer \"frame\"",
                     "node \"blur\" at 50, which reads it by \"add one\" on "
                     "stream \"b\""));
  SYNCLINE_ASSERT_OK(a_.WaitFor(Writes(frame_)));
  SYNCLINE_EXPECT_OK(Upload(a_, frame_));
}

TEST_F(AccessCheckTest, TwoReadersNeedNoOrder) {
  SYNCLINE_ASSERT_OK(Upload(a_, frame_));
  SYNCLINE_ASSERT_OK(b_.WaitFor(Reads(frame_)));
  SYNCLINE_ASSERT_OK(Blur(a_, frame_, out_));
  const DeviceBuffer other = MakeBuffer(MemoryStorageType::kDevice, "other");
  SYNCLINE_EXPECT_OK(Blur(b_, frame_, other));
}

TEST_F(AccessCheckTest, OrderOverAnyChainOfWaitsCounts) {
  const Stream c = *Stream::Make(devices_[1], {}, "c");
  SYNCLINE_ASSERT_OK(Upload(a_, frame_));
  SYNCLINE_ASSERT_OK(c.WaitFor(a_.Now()));
  SYNCLINE_ASSERT_OK(b_.WaitFor(c.Now()));
  SYNCLINE_EXPECT_OK(Blur(b_, frame_, out_));
  // Also over the host.
  SYNCLINE_ASSERT_OK(b_.Synchronize());
  SYNCLINE_EXPECT_OK(Upload(a_, frame_));
}

// That the device happened to be done is no order.
TEST_F(AccessCheckTest, LuckIsNoOrder) {
  SYNCLINE_ASSERT_OK(Upload(a_, frame_));
  devices_.stand_in->RunAll();
  EXPECT_THAT(Blur(b_, frame_, out_), IsRace("which writes it"));
}

TEST_F(AccessCheckTest, ReadOnTheHostBeforeTheWorkHasEnded) {
  SYNCLINE_ASSERT_OK(a_.Copy(Writes(pinned_), Reads(frame_)));
  const WorkOwnerScope scope(OwnerAt("show", 40));
  EXPECT_THAT(pinned_.ViewForReading(),
              IsRace("node \"show\" at 40 reads buffer \"pinned\" (16 bytes) "
                     "on the host",
                     "the host has not waited for the application, which "
                     "writes it by \"copy\" on stream \"a\"",
                     "HostWait()"));
  SYNCLINE_ASSERT_OK(pinned_.HostWait());
  SYNCLINE_EXPECT_OK(pinned_.ViewForReading());
}

TEST_F(AccessCheckTest, WriteOnTheHostWhileTheDeviceReads) {
  SYNCLINE_ASSERT_OK(a_.Copy(Writes(frame_), Reads(pinned_)));
  SYNCLINE_EXPECT_OK(pinned_.ViewForReading());
  EXPECT_THAT(pinned_.ViewForWriting(), IsRace("which reads it by \"copy\""));
}

TEST_F(AccessCheckTest, WorkOnMemoryOfWhichTheHostHasAView) {
  {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const HostView view,
                                  pinned_.ViewForReading());
    SYNCLINE_EXPECT_OK(a_.Copy(Writes(frame_), Reads(pinned_)));
    EXPECT_THAT(Upload(a_, pinned_), IsRace("has a view of it to read"));
    EXPECT_THAT(pinned_.ViewForWriting(), IsRace("another view"));
  }
  SYNCLINE_ASSERT_OK(pinned_.HostWait());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const HostView view, pinned_.ViewForWriting());
  EXPECT_THAT(a_.Copy(Writes(frame_), Reads(pinned_)),
              IsRace("has a view of it to write"));
  EXPECT_THAT(pinned_.ViewForReading(), IsRace("another view"));
}

TEST_F(AccessCheckTest, EarlyReuseOfMemory) {
  DeviceBuffer released = frame_;
  const DeviceBuffer copy = frame_;
  {
    const WorkOwnerScope scope(OwnerAt("upload", 40));
    SYNCLINE_ASSERT_OK(released.Release());
  }
  EXPECT_THAT(Blur(b_, copy, out_),
              IsRace("node \"blur\" at 50 reads buffer \"frame\"",
                     "went back when node \"upload\" at 40 released it"));
}

TEST_F(AccessCheckTest, CopyFromFreedMemory) {
  DeviceBuffer released = pinned_;
  SYNCLINE_ASSERT_OK(released.Release());
  EXPECT_THAT(a_.Copy(Writes(frame_), Reads(pinned_)),
              IsRace("reads buffer \"pinned\"", "went back"));
  EXPECT_THAT(pinned_.ViewForReading(), IsRace("went back"));
}

TEST_F(AccessCheckTest, MemoryOfTheWrongDevice) {
  const Stream far = *Stream::Make(devices_[1], {}, "far");
  EXPECT_THAT(Blur(far, frame_, frame_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("stream \"far\" of stand_in:1"),
                             HasSubstr("memory of stand_in:0"),
                             HasSubstr("copy the buffer first"))));
  // Pinned memory is for all devices, and copies go everywhere.
  SYNCLINE_EXPECT_OK(far.Fill(Writes(pinned_), 1));
  SYNCLINE_EXPECT_OK(far.Copy(Writes(frame_), Reads(pinned_)));
}

TEST_F(AccessCheckTest, AStreamOrABufferOfAnotherRun) {
  const StandInDevices others = MakeStandInDevices({.has_threads = false});
  const Stream foreign = *Stream::Make(others[0], {}, "foreign");
  EXPECT_THAT(Upload(foreign, pinned_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("of another run")));
  EXPECT_THAT(foreign.WaitFor(Reads(pinned_)),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(foreign.WaitFor(a_.Now()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("of another run")));
}

TEST_F(AccessCheckTest, AStreamThatWasDestroyed) {
  a_.Destroy();
  EXPECT_THAT(Upload(a_, frame_),
              IsRace("node \"upload\" at 40 submits \"fill\" to stream \"a\"",
                     "was destroyed", "the pool that it is from"));
}

TEST_F(AccessCheckTest, ABufferWithoutMemory) {
  EXPECT_THAT(Upload(a_, DeviceBuffer()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a buffer without memory for \"fill\"")));
  EXPECT_THAT(a_.Copy(Writes(frame_), Reads(DeviceBuffer())),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(DeviceBuffer().ViewForReading(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(a_.WaitFor(Reads(DeviceBuffer())),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

// --- What was sent

TEST_F(AccessCheckTest, ABufferThatWasChangedSinceItWasSent) {
  SYNCLINE_ASSERT_OK(Upload(a_, pinned_));
  const DeviceBuffer sent = pinned_;
  {
    const WorkOwnerScope scope(OwnerAt("upload", 40));
    sent.MarkAsSent();
  }
  // All on one stream: in order.
  SYNCLINE_ASSERT_OK(Blur(a_, sent, out_));
  {
    const WorkOwnerScope scope(OwnerAt("writer", 50));
    SYNCLINE_ASSERT_OK(
        a_.Launch(kAddOne, 4, NoParameters(), {Writes(pinned_)}));
    SYNCLINE_EXPECT_OK(a_.Copy(Writes(out_), Reads(sent))) << "its own doing";
  }
  EXPECT_THAT(Blur(a_, sent, out_),
              IsRace("node \"blur\" at 50 reads buffer \"pinned\" (16 bytes) "
                     "by \"add one\" on stream \"a\" of stand_in:0, and it is "
                     "not what was sent: node \"writer\" at 50 has changed it "
                     "in place, by \"add one\""));
  std::int32_t numbers[4];
  EXPECT_THAT(a_.CopyToHost(numbers, Reads(sent), 16),
              IsRace("the application reads", "it is not what was sent"));
  SYNCLINE_ASSERT_OK(a_.Synchronize());
  EXPECT_THAT(sent.ViewForReading(), IsRace("the application reads",
                                            "on the host, and it is not what "
                                            "was sent"));
  EXPECT_THAT(Blur(a_, frame_, sent), IsRace("writes", "not what was sent"));
  // A handle that was not sent, and work that asks for no old contents.
  SYNCLINE_EXPECT_OK(Blur(a_, pinned_, out_));
  SYNCLINE_EXPECT_OK(a_.Fill(Writes(sent), 1));
}

TEST_F(AccessCheckTest, AChangeByTheHostIsOneToo) {
  const DeviceBuffer sent = pinned_;
  {
    const WorkOwnerScope scope(OwnerAt("upload", 40));
    sent.MarkAsSent();
  }
  {
    const WorkOwnerScope scope(OwnerAt("writer", 50));
    SYNCLINE_ASSERT_OK(pinned_.ViewForWriting());
  }
  EXPECT_THAT(Blur(a_, sent, out_),
              IsRace("node \"writer\" at 50 has changed it in place, by \"a "
                     "view on the host\""));
}

TEST_F(AccessCheckTest, WhatIsSentWithoutChecksIsAnythingAtAll) {
  const DeviceBuffer sent = pinned_;
  sent.MarkAsSent();
  {
    const WorkOwnerScope scope(OwnerAt("writer", 50));
    SYNCLINE_ASSERT_OK(
        a_.Launch(kAddOne, 4, NoParameters(), {Writes(pinned_)}));
  }
  devices_[0]->set_check_access(false);
  SYNCLINE_EXPECT_OK(Blur(a_, sent, out_));
  sent.MarkAsSent();  // sent on
  devices_[0]->set_check_access(true);
  SYNCLINE_EXPECT_OK(Blur(a_, sent, out_));
}

TEST_F(AccessCheckTest, CanBeSwitchedOff) {
  devices_[0]->set_check_access(false);
  SYNCLINE_ASSERT_OK(Upload(a_, frame_));
  SYNCLINE_EXPECT_OK(Blur(b_, frame_, out_));
  SYNCLINE_ASSERT_OK(a_.Copy(Writes(pinned_), Reads(out_)));
  SYNCLINE_EXPECT_OK(pinned_.ViewForReading());
  // What makes no sense is an error all the same.
  DeviceBuffer released = frame_;
  SYNCLINE_ASSERT_OK(released.Release());
  EXPECT_THAT(Upload(a_, frame_), IsRace("went back"));
}

}  // namespace
}  // namespace syncline::gpu
