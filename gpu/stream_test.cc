#include "gpu/stream.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device.h"
#include "gpu/device_buffer.h"
#include "gpu/stand_in/noting_devices.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StreamTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kBytes = 4 * sizeof(std::uint32_t);

  // Work runs in steps, and in waits of the host.
  explicit StreamTest(StandInOptions options = {.num_devices = 2,
                                                .has_threads = false})
      : devices_(MakeStandInDevices(options)) {}

  Stream MakeStream(absl::string_view name, std::size_t device = 0) {
    return *Stream::Make(devices_[device], {}, name);
  }
  DeviceBuffer MakeBuffer(absl::string_view name, std::size_t device = 0) {
    return *DeviceBuffer::Allocate(devices_[device], MemoryStorageType::kDevice,
                                   kBytes, name);
  }
  DeviceCounters counters(std::size_t device = 0) const {
    return devices_[device]->counters();
  }
  absl::Status AddOne(const Stream& stream, const DeviceBuffer& from,
                      const DeviceBuffer& to) {
    return stream.Launch(kAddOne, 4, NoParameters(), {Reads(from), Writes(to)});
  }
  std::vector<std::uint32_t> Contents(const Stream& stream,
                                      const DeviceBuffer& buffer) {
    std::vector<std::uint32_t> contents(4);
    SYNCLINE_EXPECT_OK(
        stream.CopyToHost(contents.data(), Reads(buffer), kBytes));
    return contents;
  }

  const StandInDevices devices_;
};

TEST_F(StreamTest, AKernelGetsTheDeclaredBuffersInTheirOrder) {
  const Stream stream = MakeStream("s");
  const DeviceBuffer a = MakeBuffer("a");
  const DeviceBuffer b = MakeBuffer("b");
  const std::array<std::uint32_t, 4> values = {1, 2, 3, 4};
  SYNCLINE_ASSERT_OK(stream.CopyFromHost(Writes(a), values.data(), kBytes));
  SYNCLINE_ASSERT_OK(AddOne(stream, a, b));
  EXPECT_THAT(Contents(stream, b), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(counters().works_submitted, 3);
}

TEST_F(StreamTest, SubmittingDoesNotWait) {
  const Stream stream = MakeStream("s");
  const DeviceBuffer a = MakeBuffer("a");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(a), 1));
  const WorkPoint point = stream.Now();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(bool has_ended, point.HasEnded());
  EXPECT_FALSE(has_ended);
  EXPECT_EQ(counters().host_waits, 0);
  devices_.stand_in->RunAll();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(has_ended, point.HasEnded());
  EXPECT_TRUE(has_ended);
}

TEST_F(StreamTest, AChainOnOneStreamRecordsNoEvents) {
  const Stream stream = MakeStream("s");
  const DeviceBuffer a = MakeBuffer("a");
  const DeviceBuffer b = MakeBuffer("b");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(a), 0));
  for (int i = 0; i < 10; ++i) {
    SYNCLINE_ASSERT_OK(stream.WaitFor(Reads(a)));
    SYNCLINE_ASSERT_OK(AddOne(stream, a, b));
    SYNCLINE_ASSERT_OK(stream.WaitFor(stream.Now()));
    SYNCLINE_ASSERT_OK(AddOne(stream, b, a));
  }
  EXPECT_EQ(counters().events_recorded, 0);
  EXPECT_EQ(counters().waits_submitted, 0);
  EXPECT_EQ(counters().host_waits, 0);
  EXPECT_THAT(Contents(stream, a), Each(20u));
  // The host was the first to ask.
  EXPECT_EQ(counters().events_recorded, 1);
}

TEST_F(StreamTest, AnEventIsRecordedWhenAnotherStreamAsks) {
  const Stream first = MakeStream("first");
  const Stream second = MakeStream("second");
  const DeviceBuffer a = MakeBuffer("a");
  SYNCLINE_ASSERT_OK(first.Fill(Writes(a), 7));
  EXPECT_EQ(counters().events_recorded, 0);
  SYNCLINE_ASSERT_OK(second.WaitFor(Reads(a)));
  EXPECT_EQ(counters().events_recorded, 1);
  EXPECT_EQ(counters().waits_submitted, 1);
  EXPECT_EQ(counters().host_waits, 0);
  EXPECT_THAT(Contents(second, a), Each(0x07070707u));
}

TEST_F(StreamTest, TheNewestEventServesAllWhoseWorkItCovers) {
  const Stream first = MakeStream("first");
  std::vector<Stream> others;
  const WorkPoint nothing = first.Now();
  const DeviceBuffer a = MakeBuffer("a");
  SYNCLINE_ASSERT_OK(first.Fill(Writes(a), 1));
  const WorkPoint one = first.Now();
  SYNCLINE_ASSERT_OK(first.Fill(Writes(a), 2));
  for (int i = 0; i < 3; ++i) {
    others.push_back(MakeStream("other"));
    SYNCLINE_ASSERT_OK(others.back().WaitFor(nothing));
    SYNCLINE_ASSERT_OK(others.back().WaitFor(one));
    SYNCLINE_ASSERT_OK(others.back().WaitFor(first.Now()));
  }
  EXPECT_EQ(counters().events_recorded, 1);
  // The event covers both points.
  EXPECT_EQ(counters().waits_submitted, 3);
}

TEST_F(StreamTest, EventsAreUsedAgain) {
  const Stream first = MakeStream("first");
  const Stream second = MakeStream("second");
  const DeviceBuffer a = MakeBuffer("a");
  for (int i = 0; i < 5; ++i) {
    SYNCLINE_ASSERT_OK(second.WaitFor(Writes(a)));
    SYNCLINE_ASSERT_OK(second.Fill(Writes(a), 1));
    SYNCLINE_ASSERT_OK(first.WaitFor(Writes(a)));
    SYNCLINE_ASSERT_OK(first.Fill(Writes(a), 1));
  }
  EXPECT_EQ(counters().events_recorded, 9);
  // No more are made than are in use at once: one of each stream, and the
  // next one.
  devices_.stand_in->FailCall(StandInCall::kMakeEvent, 1,
                              absl::InternalError("no more events"));
  SYNCLINE_EXPECT_OK(second.WaitFor(Writes(a)));
}

TEST_F(StreamTest, WaitsThatAreKnownAreLeftOut) {
  const Stream a = MakeStream("a");
  const Stream b = MakeStream("b");
  const Stream c = MakeStream("c");
  const DeviceBuffer buffer = MakeBuffer("x");
  SYNCLINE_ASSERT_OK(a.Fill(Writes(buffer), 1));
  const WorkPoint filled = a.Now();
  SYNCLINE_ASSERT_OK(b.WaitFor(filled));
  SYNCLINE_ASSERT_OK(b.WaitFor(filled));
  SYNCLINE_ASSERT_OK(c.WaitFor(b.Now()));
  // Over b.
  SYNCLINE_ASSERT_OK(c.WaitFor(filled));
  EXPECT_EQ(counters().waits_submitted, 2);
  // Over the host.
  SYNCLINE_ASSERT_OK(filled.HostWait());
  SYNCLINE_ASSERT_OK(filled.HostWait());
  EXPECT_EQ(counters().host_waits, 1);
  SYNCLINE_ASSERT_OK(MakeStream("d").WaitFor(filled));
  EXPECT_EQ(counters().waits_submitted, 2);
}

// An event from before the second wait would order nothing after it.
TEST_F(StreamTest, AWaitGoesOnOverAStreamThatOnlyWaits) {
  const Stream a = MakeStream("a");
  const Stream b = MakeStream("b");
  const Stream c = MakeStream("c");
  const DeviceBuffer buffer = MakeBuffer("x");
  const DeviceBuffer other = MakeBuffer("y");
  SYNCLINE_ASSERT_OK(b.Fill(Writes(other), 1));
  SYNCLINE_ASSERT_OK(c.WaitFor(b.Now()));
  SYNCLINE_ASSERT_OK(a.Fill(Writes(buffer), 1));
  SYNCLINE_ASSERT_OK(b.WaitFor(a.Now()));
  SYNCLINE_ASSERT_OK(c.WaitFor(b.Now()));
  EXPECT_THAT(Contents(c, buffer), Each(0x01010101u));
}

TEST_F(StreamTest, WaitsForAStreamOfAnotherDevice) {
  const Stream here = MakeStream("here", 0);
  const Stream there = MakeStream("there", 1);
  const DeviceBuffer a = MakeBuffer("a", 0);
  const DeviceBuffer b = MakeBuffer("b", 1);
  SYNCLINE_ASSERT_OK(here.Fill(Writes(a), 3));
  SYNCLINE_ASSERT_OK(there.WaitFor(Reads(a)));
  SYNCLINE_ASSERT_OK(there.Copy(Writes(b), Reads(a)));
  EXPECT_THAT(Contents(there, b), Each(0x03030303u));
  EXPECT_EQ(counters(0).events_recorded, 1);
  EXPECT_EQ(counters(1).waits_submitted, 1);
}

TEST_F(StreamTest, CopiesPartsOfBuffers) {
  const Stream stream = MakeStream("s");
  const DeviceBuffer a = MakeBuffer("a");
  const DeviceBuffer b = MakeBuffer("b");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(a), 1));
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(b), 0));
  SYNCLINE_ASSERT_OK(stream.Copy(
      Writes(b), Reads(a), {.to_offset = 4, .from_offset = 8, .bytes = 8}));
  EXPECT_THAT(Contents(stream, b), ElementsAre(0, 0x01010101, 0x01010101, 0));
  EXPECT_THAT(stream.Copy(Writes(b), Reads(a), {.to_offset = 12, .bytes = 5}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("stream \"s\" of stand_in:0"),
                             HasSubstr("buffer \"b\" (16 bytes)"))));
  EXPECT_THAT(stream.Copy(Writes(b), Reads(a), {.from_offset = 17}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(stream.CopyFromHost(Writes(b), "", 17),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(StreamTest, MemoryOfTheHostIsTheCallersAgainAfterACopyFromIt) {
  const Stream stream = MakeStream("s");
  const DeviceBuffer a = MakeBuffer("a");
  std::array<std::uint32_t, 4> values = {1, 2, 3, 4};
  SYNCLINE_ASSERT_OK(stream.CopyFromHost(Writes(a), values.data(), kBytes));
  values.fill(9);
  EXPECT_THAT(Contents(stream, a), ElementsAre(1, 2, 3, 4));
}

TEST_F(StreamTest, CallsAFunctionOfTheHostAfterTheWorkBefore) {
  const Stream stream = MakeStream("s");
  const DeviceBuffer pinned = *DeviceBuffer::Allocate(
      devices_[0], MemoryStorageType::kHost, kBytes, "pinned");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(pinned), 5));
  int seen = -1;
  SYNCLINE_ASSERT_OK(
      stream.CallHost([&] { seen = static_cast<int>(pinned.address()[0]); }));
  EXPECT_EQ(seen, -1);
  SYNCLINE_ASSERT_OK(stream.Synchronize());
  EXPECT_EQ(seen, 5);
}

TEST_F(StreamTest, APointOfADestroyedStreamCanBeWaitedFor) {
  const Stream reader = MakeStream("reader");
  const DeviceBuffer a = MakeBuffer("a");
  {
    const Stream writer = MakeStream("writer");
    SYNCLINE_ASSERT_OK(writer.Fill(Writes(a), 2));
  }
  SYNCLINE_ASSERT_OK(reader.WaitFor(Reads(a)));
  EXPECT_EQ(counters().waits_submitted, 1);
  EXPECT_THAT(Contents(reader, a), Each(0x02020202u));
}

TEST_F(StreamTest, ADestroyedStreamTakesNoWork) {
  const Stream stream = MakeStream("s");
  const Stream copy = stream;
  const DeviceBuffer a = MakeBuffer("a");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(a), 1));
  stream.Destroy();
  EXPECT_THAT(copy.Fill(Writes(a), 1),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"fill\""),
                             HasSubstr("stream \"s\" of stand_in:0, which was "
                                       "destroyed"))));
  EXPECT_THAT(copy.WaitFor(MakeStream("t").Now()),
              StatusIs(absl::StatusCode::kOk));
  SYNCLINE_EXPECT_OK(copy.Synchronize());
}

TEST_F(StreamTest, AStreamEndsWithItsLastHandleWhileItsWorkGoesOn) {
  const DeviceBuffer a = MakeBuffer("a");
  WorkPoint point;
  for (int i = 0; i < 100; ++i) {
    const Stream stream = MakeStream("s");
    SYNCLINE_ASSERT_OK(stream.WaitFor(Writes(a)));
    SYNCLINE_ASSERT_OK(stream.Fill(Writes(a), 1));
    point = stream.Now();
  }
  SYNCLINE_EXPECT_OK(point.HostWait());
}

TEST_F(StreamTest, APointOfOtherDevicesIsAnError) {
  const StandInDevices others = MakeStandInDevices({.has_threads = false});
  const Stream other = *Stream::Make(others[0], {}, "other");
  EXPECT_THAT(MakeStream("mine").WaitFor(other.Now()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("stream \"mine\""),
                             HasSubstr("stream \"other\""),
                             HasSubstr("of another run"))));
}

TEST_F(StreamTest, AnAdoptedStreamIsLeftToWhoMadeIt) {
  DeviceDriver& driver = devices_[0]->driver();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const StreamHandle handle,
                                driver.MakeStream({}));
  const Stream mine = MakeStream("mine");
  const DeviceBuffer a = MakeBuffer("a");
  {
    const Stream adopted = Stream::Adopt(devices_[0], handle, "yours");
    SYNCLINE_ASSERT_OK(adopted.Check("own fill", {{Writes(a)}}));
    SYNCLINE_ASSERT_OK(driver.Fill(handle, a.address(), 4, kBytes, "own fill"));
    adopted.Note("own fill", {{Writes(a)}});
    EXPECT_THAT(AddOne(mine, a, a),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("\"own fill\" on stream \"yours\"")));
    SYNCLINE_ASSERT_OK(mine.WaitFor(Reads(a)));
  }
  EXPECT_THAT(Contents(mine, a), Each(0x04040404u));
  SYNCLINE_EXPECT_OK(driver.HostWaitForStream(handle));
  driver.DropStream(handle);
}

TEST_F(StreamTest, NothingIsSubmittedForACountBelowZeroOrAMissingForm) {
  const Stream stream = MakeStream("s");
  EXPECT_THAT(stream.Launch(kMix, -1, MixParameters(), {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("for -1 elements")));
  constexpr Kernel kNoForm = {.name = "elsewhere"};
  EXPECT_THAT(stream.Launch(kNoForm, 1, NoParameters(), {}),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("the application, \"elsewhere\" on "
                                       "stream \"s\" of stand_in:0: "),
                             HasSubstr("no form"))));
}

TEST_F(StreamTest, StreamOrderedMemoryIsUsedAgainWithoutAWaitOfTheHost) {
  const StandInDevices small =
      MakeStandInDevices({.memory_bytes = 2 * kBytes, .has_threads = false});
  const Stream stream = *Stream::Make(small[0], {}, "s");
  std::vector<std::uint32_t> contents(4);
  for (std::uint8_t i = 1; i < 20; ++i) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer a, stream.Allocate(kBytes, "a"));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer b, stream.Allocate(kBytes, "b"));
    SYNCLINE_ASSERT_OK(stream.Fill(Writes(a), i));
    SYNCLINE_ASSERT_OK(AddOne(stream, a, b));
    EXPECT_THAT(stream.Allocate(1, "too much"),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         HasSubstr("32 of 32 bytes are in use")));
  }
  EXPECT_EQ(small[0]->counters().host_waits, 0);
  SYNCLINE_EXPECT_OK(stream.Synchronize());
  EXPECT_EQ(small.stand_in->BytesInUse(0), 0u);
}

TEST_F(StreamTest, StreamOrderedMemoryWaitsForOtherStreamsBeforeItGoesBack) {
  const Stream owner = MakeStream("owner");
  const Stream reader = MakeStream("reader");
  const DeviceBuffer b = MakeBuffer("b");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer a, owner.Allocate(kBytes, "a"));
  SYNCLINE_ASSERT_OK(owner.Fill(Writes(a), 1));
  SYNCLINE_ASSERT_OK(reader.WaitFor(Reads(a)));
  SYNCLINE_ASSERT_OK(reader.Copy(Writes(b), Reads(a)));
  const std::int64_t waits = counters().waits_submitted;
  a = DeviceBuffer();
  EXPECT_EQ(counters().waits_submitted, waits + 1);
  EXPECT_THAT(Contents(reader, b), Each(0x01010101u));
}

// So that the driver can let the devices reach each other.
TEST(StreamCopyTest, OnlyCopiesBetweenDevicesAskForAPeer) {
  NotingDevices devices(2);
  const Stream stream = *Stream::Make(devices[0], {}, "s");
  const DeviceBuffer near = *DeviceBuffer::Allocate(
      devices[0], MemoryStorageType::kDevice, 16, "near");
  const DeviceBuffer near_too = *DeviceBuffer::Allocate(
      devices[0], MemoryStorageType::kDevice, 16, "near too");
  const DeviceBuffer far = *DeviceBuffer::Allocate(
      devices[1], MemoryStorageType::kDevice, 16, "far");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(near), 1));
  devices.TakeNotes();
  SYNCLINE_ASSERT_OK(stream.Copy(Writes(near_too), Reads(near)));
  EXPECT_THAT(devices.TakeNotes(), IsEmpty());
  SYNCLINE_ASSERT_OK(stream.Copy(Writes(far), Reads(near)));
  EXPECT_THAT(devices.TakeNotes(), ElementsAre("0: peer 1"));
}

}  // namespace
}  // namespace syncline::gpu
