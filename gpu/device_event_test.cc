// Events that travel in packets are found by their names, and are no use when
// they are destroyed or missing.
#include "gpu/device_event.h"

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class DeviceEventTest : public testing::Test {
 protected:
  DeviceEvent RecordOn(const Stream& stream, absl::string_view name) {
    SYNCLINE_EXPECT_OK(stream.CallHost([] {}));
    return *DeviceEvent::Record(stream, name);
  }

  const StandInDevices devices_ = MakeStandInDevices({.has_threads = false});
  const Stream stream_ = *Stream::Make(devices_[0], {}, "a");
};

TEST_F(DeviceEventTest, IsAfterTheWorkThatTheStreamHasHad) {
  const DeviceEvent event = RecordOn(stream_, "resized");
  EXPECT_EQ(event.name(), "resized");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const WorkPoint point, event.Point());
  EXPECT_FALSE(*point.HasEnded());
  devices_.stand_in->RunAll();
  EXPECT_TRUE(*point.HasEnded());
}

TEST_F(DeviceEventTest, IsDeviceWorkOfItsPacket) {
  const DeviceEvent event = RecordOn(stream_, "resized");
  EXPECT_THAT(
      PendingWorkOf(MakePacket<DeviceEvent>(event)).PointsBeforeReading(),
      SizeIs(1));
  EXPECT_TRUE(PendingWorkOf(MakePacket<DeviceEvent>()).empty());
}

TEST_F(DeviceEventTest, IsFoundByNameInEachTypeOfPacket) {
  const DeviceEvent x = RecordOn(stream_, "x");
  const DeviceEvent y = RecordOn(stream_, "y");
  using Map = std::map<std::string, DeviceEvent>;
  const Packet packets[] = {
      MakePacket<DeviceEvent>(x),
      MakePacket<std::vector<DeviceEvent>>(std::vector<DeviceEvent>{y, x}),
      MakePacket<Map>(Map{{"1", y}, {"2", x}})};
  for (const Packet& packet : packets) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceEvent found,
                                  FindEvent(packet, "x"));
    EXPECT_EQ(found.name(), "x");
    EXPECT_THAT(
        FindEvent(packet, "z"),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 AllOf(HasSubstr("no event \"z\""), HasSubstr("\"x\""))));
  }
  SYNCLINE_EXPECT_OK(FindEvent(packets[0], ""));
  EXPECT_THAT(
      FindEvent(packets[1], ""),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"y\", \"x\"")));
  EXPECT_THAT(FindEvent(MakePacket<int>(1), "x"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("which has no events")));
}

TEST_F(DeviceEventTest, ThatIsDestroyedOrWasNeverRecordedIsAnError) {
  const DeviceEvent event = RecordOn(stream_, "resized");
  const DeviceEvent copy = event;
  copy.Destroy();
  EXPECT_THAT(event.Point(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"resized\" of stream \"a\" of "
                                       "stand_in:0 was destroyed"))));
  EXPECT_THAT(DeviceEvent().Point(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("never recorded")));
}

TEST_F(DeviceEventTest, NeedsAStreamThatIsThere) {
  EXPECT_THAT(DeviceEvent::Record(Stream(), "e"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  const Stream gone = *Stream::Make(devices_[0], {}, "gone");
  gone.Destroy();
  EXPECT_THAT(DeviceEvent::Record(gone, "e"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("stream \"gone\" of stand_in:0")));
}

}  // namespace
}  // namespace syncline::gpu
