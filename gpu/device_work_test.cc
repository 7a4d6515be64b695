#include "gpu/device_work.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gpu/work_owner.h"
#include "gtest/gtest.h"

namespace syncline::gpu {

// A type of the user's, which is registered, and one that is not.
struct WorkTestFrame {
  DeviceBuffer pixels;
  std::string text;
};
template <>
struct DeviceWorkOf<WorkTestFrame> {
  static void Add(const WorkTestFrame& frame, DeviceWork* work) {
    AddDeviceWork(frame.pixels, work);
    AddDeviceWork(frame.text, work);
  }
};

}  // namespace syncline::gpu

SYNCLINE_REGISTER_DEVICE_WORK(syncline::gpu::WorkTestFrame);

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

static_assert(HasDeviceWork<DeviceBuffer>);
static_assert(HasDeviceWork<OnStream<int>>);
static_assert(HasDeviceWork<std::vector<absl::optional<DeviceBuffer>>>);
static_assert(HasDeviceWork<std::pair<int, DeviceBuffer>>);
static_assert(HasDeviceWork<std::map<std::string, DeviceBuffer>>);
static_assert(HasDeviceWork<std::shared_ptr<DeviceBuffer>>);
static_assert(!HasDeviceWork<int>);
static_assert(!HasDeviceWork<std::vector<int>>);
static_assert(!HasDeviceWork<std::pair<int, int>>);

class DeviceWorkTest : public ::testing::Test {
 protected:
  Stream MakeStream(const char* name) {
    return *Stream::Make(devices_[0], {}, name);
  }
  DeviceBuffer MakeBuffer() {
    return *DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice, 64,
                                   "b");
  }

  const StandInDevices devices_ =
      MakeStandInDevices({.has_threads = false, .step_seed = 1});
};

TEST_F(DeviceWorkTest, ABufferWaitsForItsLastWriteAndWhoChangesItForReaders) {
  const Stream writer = MakeStream("writer");
  const Stream reader = MakeStream("reader");
  const DeviceBuffer buffer = MakeBuffer();
  SYNCLINE_ASSERT_OK(writer.Fill(Writes(buffer), 1));
  SYNCLINE_ASSERT_OK(reader.WaitFor(Reads(buffer)));
  SYNCLINE_ASSERT_OK(reader.Copy(Writes(MakeBuffer()), Reads(buffer)));
  const DeviceWork work = PendingWorkOf(MakePacket<DeviceBuffer>(buffer));
  ASSERT_THAT(work.PointsBeforeReading(), SizeIs(1));
  EXPECT_EQ(work.PointsBeforeReading()[0].work().stream.get(), &writer.core());
  EXPECT_THAT(work.PointsBeforeWriting(), SizeIs(2));
}

TEST_F(DeviceWorkTest, OfTwoPointsOfAStreamTheLaterCounts) {
  const Stream stream = MakeStream("a");
  const DeviceBuffer first = MakeBuffer();
  const DeviceBuffer second = MakeBuffer();
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(first), 1));
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(second), 1));
  DeviceWork work;
  AddDeviceWork(std::vector<DeviceBuffer>{second, first, DeviceBuffer()},
                &work);
  ASSERT_THAT(work.PointsBeforeReading(), SizeIs(1));
  EXPECT_EQ(work.PointsBeforeReading()[0].work().number,
            stream.Now().work().number);
}

TEST_F(DeviceWorkTest, AnOnStreamIsReadyWhenItsStreamIs) {
  const Stream stream = MakeStream("a");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(MakeBuffer()), 1));
  const Packet packet =
      MakeDevicePacket(OnStream<std::string>("text", stream.Now()));
  EXPECT_EQ(packet.Get<OnStream<std::string>>().value(), "text");
  const DeviceWork work = PendingWorkOf(packet);
  EXPECT_FALSE(work.empty());
  EXPECT_THAT(work.CanBeRead(), IsOkAndHolds(false));
  SYNCLINE_EXPECT_OK(work.HostWait());
  EXPECT_THAT(work.CanBeRead(), IsOkAndHolds(true));
}

TEST_F(DeviceWorkTest, TypesOfOnesOwn) {
  const Stream stream = MakeStream("a");
  WorkTestFrame frame{.pixels = MakeBuffer(), .text = "text"};
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(frame.pixels), 1));
  const DeviceWork work = PendingWorkOf(MakePacket<WorkTestFrame>(frame));
  EXPECT_THAT(work.buffers(), SizeIs(1));
  EXPECT_THAT(work.PointsBeforeReading(), SizeIs(1));
}

TEST_F(DeviceWorkTest, OtherPacketsHaveNone) {
  EXPECT_TRUE(PendingWorkOf(Packet()).empty());
  EXPECT_TRUE(PendingWorkOf(MakePacket<int>(1)).empty());
  const DeviceWork work = PendingWorkOf(MakeDevicePacket(OnStream<int>(1)));
  EXPECT_TRUE(work.empty());
  EXPECT_THAT(work.PointsBeforeReading(), IsEmpty());
  EXPECT_THAT(work.CanBeRead(), IsOkAndHolds(true));
}

// --- Sending

TEST_F(DeviceWorkTest, ADevicePacketMarksItsBuffersAsSent) {
  const Stream stream = MakeStream("a");
  const DeviceBuffer buffer = MakeBuffer();
  using Values = std::vector<absl::optional<DeviceBuffer>>;
  const Packet sent = MakeDevicePacket(Values{absl::nullopt, buffer});
  const Packet on_stream =
      MakeDevicePacket(OnStream<DeviceBuffer>(buffer, stream.Now()));
  const Packet shared = MakePacket<DeviceBuffer>(buffer);
  const DeviceBuffer out = MakeBuffer();
  const auto read = [&](const DeviceBuffer& from) {
    return stream.Copy(Writes(out), Reads(from));
  };
  SYNCLINE_EXPECT_OK(read(*sent.Get<Values>()[1]));
  {
    const WorkOwnerScope writer(
        {std::make_shared<const std::string>("writer"), Timestamp(0)});
    SYNCLINE_ASSERT_OK(stream.Fill(Writes(buffer), 1));
  }
  const auto is_changed = StatusIs(absl::StatusCode::kFailedPrecondition,
                                   HasSubstr("is not what was sent"));
  EXPECT_THAT(read(*sent.Get<Values>()[1]), is_changed);
  EXPECT_THAT(read(on_stream.Get<OnStream<DeviceBuffer>>().value()),
              is_changed);
  SYNCLINE_EXPECT_OK(read(shared.Get<DeviceBuffer>()));
  SYNCLINE_EXPECT_OK(read(buffer));
  // What is sent on is what it is now.
  const Packet sent_on = MakeDevicePacket(sent.Get<Values>());
  SYNCLINE_EXPECT_OK(read(*sent_on.Get<Values>()[1]));
}

}  // namespace
}  // namespace syncline::gpu
