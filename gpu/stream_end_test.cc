// What ends while streams are in use: streams that are destroyed, and host
// functions that are refused or dropped, with all that they hold.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device.h"
#include "gpu/device_buffer.h"
#include "gpu/driver.h"
#include "gpu/notice_thread.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stand_in/stand_in_driver.h"
#include "gpu/stream.h"
#include "gpu/stream_core.h"
#include "gpu/test_kernels.h"
#include "gpu/work_owner.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

// Runs `body` on a thread, which is left behind if it hangs.
void ExpectItEnds(std::function<void()> body) {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> ended = done->get_future();
  std::thread([body = std::move(body), done] {
    body();
    done->set_value();
  }).detach();
  EXPECT_EQ(ended.wait_for(std::chrono::seconds(20)), std::future_status::ready)
      << "it hangs";
}

// Counts what it hears of.
struct NotedCalls : WorkWatcher {
  void BeforeWork(StreamCore*) override { ++num_before; }
  void AfterWork(StreamCore*) override { ++num_after; }
  int num_before = 0;
  int num_after = 0;
};

class StreamEndTest : public ::testing::Test {
 protected:
  ~StreamEndTest() override {
    devices_.stand_in->RunAll();
    NoticeThread::WaitForPosted();
  }
  Stream NewStream(absl::string_view name) {
    return *Stream::Make(devices_[0], {}, name);
  }
  DeviceBuffer NewMemory() {
    return *DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice, 64,
                                   "b");
  }
  std::size_t BytesInUse() {
    devices_[0]->GiveEndedMemoryBack();
    return devices_.stand_in->BytesInUse(0);
  }
  // Of work that somebody gives to the handle himself. An access keeps memory.
  static absl::Status CheckWork(const Stream& stream, const Access& access) {
    return stream.Check("gemm", {&access, 1});
  }
  static void NoteWork(const Stream& stream, const Access& access) {
    stream.Note("gemm", {&access, 1});
  }
  // All that was submitted is over, so that the ids of dropped streams are
  // free.
  void FinishAll() {
    devices_.stand_in->RunAll();
    devices_[0]->GiveEndedMemoryBack();
  }

  const StandInDevices devices_ = MakeStandInDevices({.has_threads = false});
};

// --- Work that somebody gives to the handle of a stream himself

TEST_F(StreamEndTest, NoWorkIsCheckedForAStreamThatWasDestroyed) {
  const Stream stream = NewStream("a");
  const DeviceBuffer buffer = NewMemory();
  stream.Destroy();
  EXPECT_THAT(CheckWork(stream, Writes(buffer)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"gemm\" to stream \"a\""),
                             HasSubstr("which was destroyed"))));
}

TEST_F(StreamEndTest, WorkThatIsNotedTooLateEndsWithItsStream) {
  const Stream stream = NewStream("a");
  DeviceBuffer buffer = NewMemory();
  SYNCLINE_ASSERT_OK(CheckWork(stream, Writes(buffer)));
  SYNCLINE_ASSERT_OK(devices_[0]->driver().Fill(
      stream.handle(), buffer.address(), 1, 64, "gemm"));
  stream.Destroy();
  NoteWork(stream, Writes(buffer));
  buffer = DeviceBuffer();
  EXPECT_EQ(BytesInUse(), 64u) << "the work has not begun";
  devices_.stand_in->RunAll();
  EXPECT_EQ(BytesInUse(), 0u);
}

// An event may be there that covers all that was noted, but not what was given
// to the handle since.
TEST_F(StreamEndTest, TheLastEventCoversWhatIsNotNotedYet) {
  const Stream stream = NewStream("a");
  const Stream other = NewStream("b");
  DeviceBuffer buffer = NewMemory();
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(buffer), 1));
  SYNCLINE_ASSERT_OK(CheckWork(stream, Writes(buffer)));
  SYNCLINE_ASSERT_OK(other.WaitFor(Writes(buffer)));  // the event
  SYNCLINE_ASSERT_OK(stream.Synchronize());
  SYNCLINE_ASSERT_OK(devices_[0]->driver().Fill(
      stream.handle(), buffer.address(), 1, 64, "gemm"));
  stream.Destroy();
  NoteWork(stream, Writes(buffer));
  buffer = DeviceBuffer();
  EXPECT_EQ(BytesInUse(), 64u) << "the work has not begun";
  devices_.stand_in->RunAll();
  EXPECT_EQ(BytesInUse(), 0u);
}

TEST_F(StreamEndTest, AStreamThatGotTheIdOfOneThatEndedIsNotTakenForIt) {
  const Stream ended = NewStream("ended");
  DeviceBuffer buffer = NewMemory();
  SYNCLINE_ASSERT_OK(ended.Fill(Writes(buffer), 1));
  SYNCLINE_ASSERT_OK(CheckWork(ended, Writes(buffer)));
  ended.Destroy();
  FinishAll();
  const Stream other = NewStream("other");
  ASSERT_EQ(other.core().id(), ended.core().id());
  SYNCLINE_ASSERT_OK(other.CallHost([] {}));
  // Neither of these is work of the other stream.
  NoteWork(ended, Writes(buffer));
  SYNCLINE_EXPECT_OK(ended.Now().HostWait());
  EXPECT_THAT(ended.Now().HasEnded(), IsOkAndHolds(true));
  buffer = DeviceBuffer();
  EXPECT_EQ(BytesInUse(), 0u);
  SYNCLINE_EXPECT_OK(DeviceBuffer::Allocate(
      devices_[0], MemoryStorageType::kDevice, 64, "somebody's"));
  EXPECT_EQ(devices_.stand_in->NumReady(), 1u) << "the other stream's work";
}

TEST_F(StreamEndTest, ALateReadLeavesTheReadsOfTheNextOwnerOfTheId) {
  const Stream writer = NewStream("writer");
  DeviceBuffer buffer = NewMemory();
  SYNCLINE_ASSERT_OK(writer.Fill(Writes(buffer), 1));
  const Stream ended = NewStream("ended");
  SYNCLINE_ASSERT_OK(ended.WaitFor(Reads(buffer)));
  SYNCLINE_ASSERT_OK(CheckWork(ended, Reads(buffer)));
  ended.Destroy();
  FinishAll();
  const Stream other = NewStream("other");
  ASSERT_EQ(other.core().id(), ended.core().id());
  const DeviceBuffer copy = NewMemory();
  SYNCLINE_ASSERT_OK(other.WaitFor(Reads(buffer)));
  SYNCLINE_ASSERT_OK(other.Copy(Writes(copy), Reads(buffer)));
  NoteWork(ended, Reads(buffer));
  EXPECT_THAT(writer.Fill(Writes(buffer), 2),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("on stream \"other\"")));
}

TEST_F(StreamEndTest, NobodyHearsOfWorkOnAHandleThatIsGone) {
  const Stream stream = NewStream("a");
  const DeviceBuffer buffer = NewMemory();
  NotedCalls watcher;
  const WorkOwnerScope scope(WorkOwner(), &watcher);
  SYNCLINE_ASSERT_OK(CheckWork(stream, Writes(buffer)));
  stream.Destroy();
  NoteWork(stream, Writes(buffer));
  EXPECT_EQ(watcher.num_before, 1);
  EXPECT_EQ(watcher.num_after, 0) << "it may have used the handle";
}

// --- Waits

TEST_F(StreamEndTest, WhoHasWaitedForAllKnowsIt) {
  const Stream stream = NewStream("a");
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(NewMemory()), 1));
  SYNCLINE_EXPECT_OK(stream.core().HostWaitForAll());
  EXPECT_TRUE(stream.core().HostKnows(stream.Now().work().number));
}

// A device that says whether somebody waits for a stream.
class WaitDriver : public StandInDriver {
 public:
  using StandInDriver::StandInDriver;
  absl::Status HostWaitForStream(StreamHandle stream) override {
    waiting.store(true);
    const absl::Status status = StandInDriver::HostWaitForStream(stream);
    while (!may_return.load()) std::this_thread::yield();
    waiting.store(false);
    return status;
  }
  void DropStream(StreamHandle stream) override {
    dropped_under_wait.store(dropped_under_wait.load() || waiting.load());
    StandInDriver::DropStream(stream);
  }
  std::atomic<bool> waiting = false;
  std::atomic<bool> may_return = false;
  std::atomic<bool> dropped_under_wait = false;
};

TEST(StreamEndHangTest, NoHandleGoesWhileSomebodyWaitsForIt) {
  ExpectItEnds([] {
    const std::shared_ptr<StandIn> stand_in = StandIn::Make({});
    auto owned = std::make_unique<WaitDriver>(stand_in, 0);
    WaitDriver& driver = *owned;
    std::vector<std::unique_ptr<DeviceDriver>> drivers;
    drivers.push_back(std::move(owned));
    const std::shared_ptr<Device> device =
        DeviceGroup::Make(std::move(drivers), true)[0];
    const Stream stream = *Stream::Make(device, {}, "s");
    std::thread waits(
        [stream] { SYNCLINE_EXPECT_OK(stream.core().HostWaitForAll()); });
    while (!driver.waiting.load()) std::this_thread::yield();
    stream.Destroy();
    driver.may_return.store(true);
    waits.join();
    EXPECT_FALSE(driver.dropped_under_wait.load());
  });
}

// --- Memory of the host

TEST_F(StreamEndTest, ACopyToTheHostThatFailsDoesNotWriteThereLater) {
  const Stream stream = NewStream("a");
  const DeviceBuffer buffer = NewMemory();
  SYNCLINE_ASSERT_OK(stream.Fill(Writes(buffer), 1));
  for (const StandInCall call :
       {StandInCall::kMakeEvent, StandInCall::kRecord}) {
    std::vector<unsigned char> bytes(64);
    devices_.stand_in->FailCall(call, 1,
                                absl::ResourceExhaustedError("as ordered"));
    EXPECT_THAT(stream.CopyToHost(bytes.data(), Reads(buffer), 64),
                StatusIs(absl::StatusCode::kResourceExhausted));
    std::fill(bytes.begin(), bytes.end(), 7);
    devices_.stand_in->RunAll();
    EXPECT_THAT(bytes, Each(7));
  }
}

TEST_F(StreamEndTest, ACopyOfPinnedMemoryThatFailsDoesNotReadThereLater) {
  const Stream stream = NewStream("a");
  const DeviceBuffer buffer = NewMemory();
  for (const StandInCall call :
       {StandInCall::kMakeEvent, StandInCall::kRecord}) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const DeviceBuffer pinned,
        DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kHost, 64,
                               "pinned"));
    std::memset(pinned.address(), 1, 64);
    devices_.stand_in->FailCall(call, 1,
                                absl::ResourceExhaustedError("as ordered"));
    EXPECT_THAT(stream.CopyFromHost(Writes(buffer), pinned.address(), 64),
                StatusIs(absl::StatusCode::kResourceExhausted));
    std::memset(pinned.address(), 9, 64);
    std::vector<unsigned char> bytes(64);
    SYNCLINE_EXPECT_OK(stream.CopyToHost(bytes.data(), Reads(buffer), 64));
    EXPECT_THAT(bytes, Each(1));
  }
}

// --- Host functions that hold the last of something

TEST(StreamEndHangTest, ARefusedHostFunctionMayHoldMemoryOfItsStream) {
  ExpectItEnds([] {
    const StandInDevices devices = MakeStandInDevices({});
    const Stream stream = *Stream::Make(devices[0], {}, "s");
    auto last = std::make_shared<DeviceBuffer>(*stream.Allocate(64, "b"));
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(*last), 1));
    devices.stand_in->RemoveDevice(0);
    std::function<void()> function = [held = std::move(last)] {};
    EXPECT_THAT(stream.CallHost(std::move(function)),
                StatusIs(absl::StatusCode::kUnavailable));
  });
}

TEST(StreamEndHangTest, AHostFunctionThatTheDriverRefusesMayDoSo) {
  ExpectItEnds([] {
    const StandInDevices devices = MakeStandInDevices({});
    const Stream stream = *Stream::Make(devices[0], {}, "s");
    auto last = std::make_shared<DeviceBuffer>(*stream.Allocate(64, "b"));
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(*last), 1));
    devices.stand_in->FailCall(StandInCall::kCallHost, 1,
                               absl::ResourceExhaustedError("as ordered"));
    std::function<void()> function = [held = std::move(last)] {};
    EXPECT_THAT(stream.CallHost(std::move(function)),
                StatusIs(absl::StatusCode::kResourceExhausted));
    SYNCLINE_EXPECT_OK(stream.Synchronize());
    EXPECT_EQ(devices.stand_in->BytesInUse(0), 0u);
  });
}

// A device without threads works while the host submits. Work that it drops
// then is dropped while a stream is locked.
TEST(StreamEndHangTest, AHostFunctionThatIsDroppedInACallMayDoSo) {
  ExpectItEnds([] {
    const auto may_work = std::make_shared<std::atomic<bool>>(false);
    const StandInDevices devices = MakeStandInDevices(
        {.has_threads = false,
         .choose_in_calls = [may_work](absl::Span<const std::string>)
             -> absl::optional<std::size_t> {
           if (!*may_work) return absl::nullopt;
           return 0;
         }});
    const Stream stream = *Stream::Make(devices[0], {}, "s");
    const Stream other = *Stream::Make(devices[0], {}, "other");
    const DeviceBuffer written = *DeviceBuffer::Allocate(
        devices[0], MemoryStorageType::kDevice, 64, "written");
    auto last = std::make_shared<DeviceBuffer>(*other.Allocate(64, "b"));
    SYNCLINE_EXPECT_OK(other.Fill(Writes(*last), 1));
    devices.stand_in->FailKernel(1);
    SYNCLINE_EXPECT_OK(
        stream.Launch(kAddOne, 1, NoParameters{}, {Writes(written)}));
    std::function<void()> function = [held = std::move(last)] {};
    SYNCLINE_EXPECT_OK(other.CallHost(std::move(function)));
    *may_work = true;
    other.CallHost([] {}).IgnoreError();
    EXPECT_FALSE(devices[0]->Health().ok());
    NoticeThread::WaitForPosted();
    devices[0]->GiveEndedMemoryBack();
    EXPECT_EQ(devices.stand_in->BytesInUse(0), 64u) << "that of `written`";
  });
}

// --- Forms of kernels, which run while their stream is locked

// A device whose kernels have CUDA's form: a call within Launch().
class FormDriver : public StandInDriver {
 public:
  using StandInDriver::StandInDriver;
  absl::Status Launch(StreamHandle stream, const Kernel& kernel,
                      const KernelLaunch& launch) override {
    kernel.cuda(stream, launch);
    return absl::OkStatus();
  }
};

std::function<void()>& FormBody() {
  static auto& body = *new std::function<void()>;
  return body;
}
constexpr Kernel kForm = {.name = "form",
                          .cuda = [](void*, const KernelLaunch&) {
                            FormBody()();
                            return 0;
                          }};

struct FormDevices {
  FormDevices() {
    std::vector<std::unique_ptr<DeviceDriver>> drivers;
    drivers.push_back(std::make_unique<FormDriver>(stand_in, 0));
    device = DeviceGroup::Make(std::move(drivers), true)[0];
  }
  std::shared_ptr<StandIn> stand_in = StandIn::Make({});
  std::shared_ptr<Device> device;
};

TEST(StreamEndHangTest, AFormThatUsesStreamsIsToldSo) {
  ExpectItEnds([] {
    const FormDevices devices;
    const Stream stream = *Stream::Make(devices.device, {}, "s");
    const Stream other = *Stream::Make(devices.device, {}, "other");
    const DeviceBuffer buffer = *DeviceBuffer::Allocate(
        devices.device, MemoryStorageType::kDevice, 64, "b");
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(buffer), 1));
    const WorkPoint filled = stream.Now();
    int num_refused = 0;
    FormBody() = [&] {
      const auto is_refused =
          StatusIs(absl::StatusCode::kFailedPrecondition,
                   HasSubstr("this thread gives \"form\" to stream \"s\""));
      const Access access = Writes(buffer);
      EXPECT_THAT(stream.Fill(access, 1), is_refused);
      EXPECT_THAT(other.CallHost([] {}), is_refused);
      EXPECT_THAT(other.Check("gemm", {&access, 1}), is_refused);
      EXPECT_THAT(other.WaitFor(filled), is_refused);
      EXPECT_THAT(filled.HasEnded().status(), is_refused);
      EXPECT_THAT(filled.HostWait(), is_refused);
      EXPECT_THAT(stream.core().HostWaitForAll(), is_refused);
      EXPECT_THAT(stream.core().RecordTime([] { return absl::OkStatus(); }),
                  is_refused);
      EXPECT_FALSE(stream.core().IsOver(filled.work().number));
      EXPECT_TRUE(stream.core().is_open());
      ++num_refused;
    };
    SYNCLINE_EXPECT_OK(
        stream.Launch(kForm, 1, NoParameters{}, {Writes(buffer)}));
    EXPECT_EQ(num_refused, 1);
    // Nothing of it is left.
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(buffer), 1));
    SYNCLINE_EXPECT_OK(stream.Synchronize());
  });
}

TEST(StreamEndHangTest, WorkThatAFormNotesIsHeardOfOnce) {
  ExpectItEnds([] {
    const FormDevices devices;
    const Stream stream = *Stream::Make(devices.device, {}, "s");
    const DeviceBuffer buffer = *DeviceBuffer::Allocate(
        devices.device, MemoryStorageType::kDevice, 64, "b");
    NotedCalls watcher;
    const WorkOwnerScope scope(WorkOwner(), &watcher);
    FormBody() = [&] {
      const Access access = Writes(buffer);
      stream.Note("gemm", {&access, 1});
    };
    SYNCLINE_EXPECT_OK(
        stream.Launch(kForm, 1, NoParameters{}, {Writes(buffer)}));
    EXPECT_EQ(watcher.num_before, 1);
    EXPECT_EQ(watcher.num_after, 1);
  });
}

TEST(StreamEndHangTest, AFormMayDestroyStreamsAndMemory) {
  ExpectItEnds([] {
    FormDevices devices;
    const Stream stream = *Stream::Make(devices.device, {}, "s");
    Stream other = *Stream::Make(devices.device, {}, "other");
    DeviceBuffer ordered = *stream.Allocate(64, "ordered");
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(ordered), 1));
    FormBody() = [&] {
      ordered = DeviceBuffer();
      other = Stream();
      stream.Destroy();
    };
    SYNCLINE_EXPECT_OK(stream.Launch(kForm, 1, NoParameters{}, {}));
    NoticeThread::WaitForPosted();
    EXPECT_FALSE(stream.core().is_open());
    SYNCLINE_EXPECT_OK(stream.Synchronize());
    devices.device->HostWaitForReleasedMemory();
    EXPECT_EQ(devices.stand_in->BytesInUse(0), 0u);
  });
}

}  // namespace
}  // namespace syncline::gpu
