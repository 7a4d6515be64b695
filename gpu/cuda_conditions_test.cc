// What the three conditions say to packets whose work goes on, has ended, has
// failed, or is not there, and when they tell.
#include "gpu/cuda_conditions.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/condition/condition_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/cuda_conditions.pb.h"
#include "gpu/device_buffer.h"
#include "gpu/device_event.h"
#include "gpu/device_work.h"
#include "gpu/notices.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr ConditionState kIsReady = ConditionState::kReady;
constexpr ConditionState kWaitsForEvent = ConditionState::kWaitEvent;

using StreamTerm = ConditionUnderTest<CudaStreamCondition>;
using EventTerm = ConditionUnderTest<CudaEventCondition>;
using BufferTerm = ConditionUnderTest<CudaBufferAvailableCondition>;

class CudaConditionsTest : public testing::Test {
 protected:
  // Notices that are asked for keep the device until it is done.
  ~CudaConditionsTest() override {
    devices_.stand_in->RunAll();
    Notices::WaitForPosted();
  }

  // A buffer that work of the stream writes.
  static DeviceBuffer WrittenOn(const Stream& stream) {
    DeviceBuffer buffer = *DeviceBuffer::Allocate(
        stream.device(), MemoryStorageType::kDevice, 64, "b");
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(buffer), 1));
    return buffer;
  }
  static Packet BufferAt(const Stream& stream, int timestamp) {
    return MakeDevicePacket(WrittenOn(stream)).At(Timestamp(timestamp));
  }
  template <typename Term>
  static void PutFront(Term& term, int input, Packet packet) {
    term.input(input).queued = packet.IsEmpty() ? 0 : 1;
    term.input(input).front = std::move(packet);
  }
  // How often the condition has told, after the device has done its work.
  template <typename Term>
  int ToldAfterWork(Term& term) {
    devices_.stand_in->RunAll();
    Notices::WaitForPosted();
    return term.notifications();
  }

  // Host waits run the work of stream a first.
  const StandInDevices devices_ = MakeStandInDevices(
      {.num_devices = 2, .has_threads = false, .choose = [](std::size_t) {
         return 0;
       }});
  const Stream a_ = *Stream::Make(devices_[0], {}, "a");
  const Stream b_ = *Stream::Make(devices_[1], {}, "b");
};

TEST_F(CudaConditionsTest, AStreamIsWaitedForByOneNotice) {
  StreamTerm term;
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  EXPECT_THAT(term.requests().watched_fronts, ElementsAre(0));
  EXPECT_EQ(term.State(), kIsReady) << "no packet";
  PutFront(term, 0, BufferAt(a_, 1));
  EXPECT_EQ(term.State(), kWaitsForEvent);
  EXPECT_TRUE(term.Check()->holds_time);
  EXPECT_EQ(term->WaitText(), "stream \"a\" of stand_in:0");
  Notices::WaitForPosted();
  EXPECT_EQ(term.notifications(), 0);
  EXPECT_EQ(ToldAfterWork(term), 1);
  EXPECT_EQ(term.State(), kIsReady);
  EXPECT_EQ(term->DependsOn(), ConditionDependence::kPackets);
}

TEST_F(CudaConditionsTest, APacketWithoutAStreamIsReady) {
  StreamTerm term;
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  PutFront(term, 0, MakePacket<int>(1).At(Timestamp(1)));
  EXPECT_EQ(term.State(), kIsReady);
  PutFront(term, 0, MakeDevicePacket(DeviceBuffer()).At(Timestamp(2)));
  EXPECT_EQ(term.State(), kIsReady);
}

TEST_F(CudaConditionsTest, AllPacketsOfTheSetAndAllTheirStreamsAreWaitedFor) {
  StreamTerm term;
  term.AddInput("A");
  term.AddInput("B");
  SYNCLINE_ASSERT_OK(term.Begin());
  PutFront(term, 0, MakePacket<int>(1).At(Timestamp(5)));
  PutFront(
      term, 1,
      MakeDevicePacket(std::vector<DeviceBuffer>{WrittenOn(a_), WrittenOn(b_)})
          .At(Timestamp(5)));
  EXPECT_EQ(term.State(), kWaitsForEvent);
  SYNCLINE_ASSERT_OK(a_.Synchronize());
  EXPECT_EQ(term.State(), kWaitsForEvent) << "b is still at work";
  EXPECT_EQ(ToldAfterWork(term), 1);
  EXPECT_EQ(term.State(), kIsReady);
}

TEST_F(CudaConditionsTest, PacketsOfALaterSetAreNotWaitedFor) {
  StreamTerm term;
  term.AddInput("A");
  term.AddInput("B");
  SYNCLINE_ASSERT_OK(term.Begin());
  PutFront(term, 0, MakePacket<int>(1).At(Timestamp(5)));
  PutFront(term, 1, BufferAt(a_, 6));
  EXPECT_EQ(term.State(), kIsReady);
  PutFront(term, 0, Packet());
  EXPECT_EQ(term.State(), kWaitsForEvent) << "now its turn has come";
}

TEST_F(CudaConditionsTest, AReceiverIsTheOnlyInputThatCounts) {
  StreamTerm term("CudaStreamConditionOptions", "receiver: 'B'");
  term.AddInput("A");
  term.AddInput("B");
  SYNCLINE_ASSERT_OK(term.Begin());
  PutFront(term, 0, BufferAt(a_, 5));
  PutFront(term, 1, MakePacket<int>(1).At(Timestamp(5)));
  EXPECT_EQ(term.State(), kIsReady);
  PutFront(term, 1, BufferAt(a_, 6));
  EXPECT_EQ(term.State(), kWaitsForEvent);
  StreamTerm wrong("CudaStreamConditionOptions", "receiver: 'C'");
  wrong.AddInput("A");
  EXPECT_THAT(wrong.Begin(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("receiver")));
}

TEST_F(CudaConditionsTest, EachPacketOfAQueueIsWaitedForInItsTurn) {
  StreamTerm term;
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  const Packet first = BufferAt(a_, 1), second = BufferAt(b_, 2);
  PutFront(term, 0, first);
  EXPECT_EQ(term.State(), kWaitsForEvent);
  SYNCLINE_ASSERT_OK(a_.Synchronize());
  EXPECT_EQ(term.State(), kIsReady);
  PutFront(term, 0, second);
  EXPECT_EQ(term.State(), kWaitsForEvent) << "another stream";
  EXPECT_EQ(ToldAfterWork(term), 2);
  EXPECT_EQ(term.State(), kIsReady);
}

TEST_F(CudaConditionsTest, AnEventOfLaterWorkDoesNotHideTheEnd) {
  StreamTerm term;
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  PutFront(term, 0, BufferAt(a_, 1));
  EXPECT_EQ(term.State(), kWaitsForEvent);
  // Whoever asks for the end of later work makes that the newest event.
  SYNCLINE_ASSERT_OK(a_.CallHost([] {}));
  EXPECT_FALSE(*a_.Now().HasEnded());
  // The notice comes after the fill: one step for it, the rest for the notice.
  while (term.notifications() == 0 && devices_.stand_in->NumReady() > 0) {
    ASSERT_TRUE(devices_.stand_in->Step(devices_.stand_in->NumReady() - 1));
    Notices::WaitForPosted();
  }
  EXPECT_EQ(term.notifications(), 1);
  EXPECT_EQ(term.State(), kIsReady);
}

TEST_F(CudaConditionsTest, AFailedDeviceIsAnErrorThatNamesInputAndStream) {
  for (const bool fails_later : {false, true}) {
    const StandInDevices devices = MakeStandInDevices({.has_threads = false});
    const Stream stream = *Stream::Make(devices[0], {}, "s");
    StreamTerm term;
    term.AddInput("IN");
    SYNCLINE_ASSERT_OK(term.Begin());
    PutFront(term, 0, BufferAt(stream, 7));
    if (fails_later) {
      EXPECT_EQ(term.State(), kWaitsForEvent);
    }
    devices.stand_in->RemoveDevice(0);
    Notices::WaitForPosted();
    EXPECT_EQ(term.notifications(), fails_later ? 1 : 0);
    const absl::Status status = term.Check().status();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("input IN:0 (\"in_IN\") at 7"),
                      HasSubstr("stream \"s\" of stand_in:0")));
  }
}

TEST_F(CudaConditionsTest, ARunThatEndsHearsOfNothingMore) {
  auto term = std::make_unique<StreamTerm>();
  term->AddInput("IN");
  SYNCLINE_ASSERT_OK(term->Begin());
  PutFront(*term, 0, BufferAt(a_, 1));
  EXPECT_EQ(term->State(), kWaitsForEvent);
  (*term)->Stop();
  EXPECT_EQ(ToldAfterWork(*term), 0);
  // And another run begins from the beginning.
  SYNCLINE_ASSERT_OK(term->Start());
  PutFront(*term, 0, BufferAt(a_, 1));
  EXPECT_EQ(term->State(), kWaitsForEvent);
  term.reset();
  devices_.stand_in->RunAll();
  Notices::WaitForPosted();
}

// --- Events

TEST_F(CudaConditionsTest, AnEventIsWaitedFor) {
  EventTerm term("CudaEventConditionOptions", "event_name: 'x'");
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  SYNCLINE_ASSERT_OK(a_.CallHost([] {}));
  const DeviceEvent event = *DeviceEvent::Record(a_, "x");
  PutFront(term, 0, MakePacket<DeviceEvent>(event).At(Timestamp(1)));
  EXPECT_EQ(term.State(), kWaitsForEvent);
  EXPECT_EQ(ToldAfterWork(term), 1);
  EXPECT_EQ(term.State(), kIsReady);
}

TEST_F(CudaConditionsTest, AMissingEventIsAnErrorAndNoWaitForEver) {
  EventTerm term("CudaEventConditionOptions", "event_name: 'x'");
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  PutFront(term, 0, MakePacket<int>(1).At(Timestamp(3)));
  EXPECT_THAT(term.Check(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("input IN:0 (\"in_IN\") at 3"),
                             HasSubstr("no event \"x\""))));
}

TEST_F(CudaConditionsTest, AnEventThatIsDestroyedTooEarlyIsAnError) {
  EventTerm term("CudaEventConditionOptions", "");
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  SYNCLINE_ASSERT_OK(a_.CallHost([] {}));
  const DeviceEvent event = *DeviceEvent::Record(a_, "x");
  PutFront(term, 0, MakePacket<DeviceEvent>(event).At(Timestamp(3)));
  EXPECT_EQ(term.State(), kWaitsForEvent);
  event.Destroy();
  EXPECT_THAT(term.Check(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("at 3"), HasSubstr("\"x\" of stream"),
                             HasSubstr("was destroyed before"))));
}

// --- Buffers

TEST_F(CudaConditionsTest, ABufferIsWaitedForAndAMissingOneIsAnError) {
  BufferTerm term;
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  PutFront(term, 0, BufferAt(a_, 1));
  EXPECT_EQ(term.State(), kWaitsForEvent);
  EXPECT_EQ(ToldAfterWork(term), 1);
  EXPECT_EQ(term.State(), kIsReady);
  PutFront(term, 0, MakePacket<int>(1).At(Timestamp(2)));
  EXPECT_THAT(term.Check(), StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("has no DeviceBuffer")));
}

TEST_F(CudaConditionsTest, OnlyTheWritesOfABufferCount) {
  BufferTerm term;
  term.AddInput("IN");
  SYNCLINE_ASSERT_OK(term.Begin());
  const DeviceBuffer buffer = WrittenOn(a_);
  devices_.stand_in->RunAll();
  // Other work of the packet's stream, and a reader.
  SYNCLINE_ASSERT_OK(a_.Synchronize());
  const DeviceBuffer copy = WrittenOn(a_);
  SYNCLINE_ASSERT_OK(a_.Copy(Writes(copy), Reads(buffer)));
  PutFront(term, 0,
           MakeDevicePacket(OnStream<DeviceBuffer>(buffer, a_.Now()))
               .At(Timestamp(1)));
  EXPECT_EQ(term.State(), kIsReady);
  StreamTerm all;
  all.AddInput("IN");
  SYNCLINE_ASSERT_OK(all.Begin());
  PutFront(all, 0, term.input(0).front);
  EXPECT_EQ(all.State(), kWaitsForEvent);
}

TEST_F(CudaConditionsTest, TheyHaveTheNamesOfGxf) {
  for (const char* name :
       {"CudaStreamCondition", "CudaStreamSchedulingTerm", "CudaEventCondition",
        "CudaEventSchedulingTerm", "CudaBufferAvailableCondition",
        "CudaBufferAvailableSchedulingTerm"}) {
    EXPECT_TRUE(ConditionRegistry::IsRegistered("", name)) << name;
  }
}

}  // namespace
}  // namespace syncline::gpu
