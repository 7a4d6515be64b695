#include "gpu/device_buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Keeps what comes back.
class KeepingStore : public DeviceMemoryStore {
 public:
  void TakeBack(Device&, const DriverMemory& returned,
                std::vector<PendingWork> still_pending) override {
    ++num_returned;
    memory = returned;
    pending = std::move(still_pending);
  }

  int num_returned = 0;
  DriverMemory memory;
  std::vector<PendingWork> pending;
};

class DeviceBufferTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kBytes = 64;

  DeviceBufferTest()
      : devices_(MakeStandInDevices(
            {.memory_bytes = 4 * kBytes, .has_threads = false})),
        first_(*Stream::Make(devices_[0], {}, "first")),
        second_(*Stream::Make(devices_[0], {}, "second")) {}
  ~DeviceBufferTest() override {
    if (store_->memory.data != nullptr) {
      devices_[0]->TakeMemoryBack(store_->memory, std::move(store_->pending));
    }
  }

  absl::StatusOr<DeviceBuffer> Allocate(
      MemoryStorageType kind = MemoryStorageType::kDevice) {
    return DeviceBuffer::Allocate(devices_[0], kind, kBytes, "image");
  }
  DeviceBuffer FromStore() {
    return *DeviceBuffer::HandOut(
        devices_[0], store_,
        *devices_[0]->TakeMemory(MemoryStorageType::kDevice, kBytes, "block"),
        kBytes, "block", &first_.core(), {});
  }
  absl::StatusOr<DeviceBuffer> HandOutAgain(const Stream* stream) {
    absl::StatusOr<DeviceBuffer> buffer = DeviceBuffer::HandOut(
        devices_[0], store_, store_->memory, kBytes, "again",
        stream == nullptr ? nullptr : &stream->core(), store_->pending);
    if (buffer.ok()) store_->memory.data = nullptr;
    return buffer;
  }

  const StandInDevices devices_;
  const std::shared_ptr<KeepingStore> store_ = std::make_shared<KeepingStore>();
  const Stream first_;
  const Stream second_;
};

TEST_F(DeviceBufferTest, SaysWhatItIs) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer buffer, Allocate());
  EXPECT_EQ(buffer.size(), kBytes);
  EXPECT_EQ(buffer.name(), "image");
  EXPECT_EQ(buffer.kind(), MemoryStorageType::kDevice);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.address()) % 256, 0u);
  EXPECT_TRUE(DeviceBuffer().is_null());
}

TEST_F(DeviceBufferTest, ExhaustionAndBadRequestsAreErrors) {
  EXPECT_THAT(DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice,
                                     4 * kBytes + 1, "huge"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("buffer \"huge\" (257 bytes)"),
                             HasSubstr("stand_in:0"),
                             HasSubstr("0 of 256 bytes are in use"))));
  EXPECT_THAT(DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice, 0,
                                     "nothing"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Allocate(MemoryStorageType::kSystem),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no system memory")));
}

TEST_F(DeviceBufferTest, TheLastHandleGivesTheMemoryBack) {
  DeviceBuffer buffer = FromStore();
  DeviceBuffer copy = buffer;
  buffer = DeviceBuffer();
  EXPECT_EQ(store_->num_returned, 0);
  copy = DeviceBuffer();
  EXPECT_EQ(store_->num_returned, 1);
  EXPECT_THAT(store_->pending, IsEmpty());
}

TEST_F(DeviceBufferTest, MemoryGoesBackTogetherWithThePendingWork) {
  DeviceBuffer buffer = FromStore();
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  SYNCLINE_ASSERT_OK(second_.WaitFor(Reads(buffer)));
  SYNCLINE_ASSERT_OK(second_.CallHost([] {}));
  SYNCLINE_ASSERT_OK(
      second_.Launch(kAddOne, 0, NoParameters(), {Reads(buffer)}));
  buffer = DeviceBuffer();
  // Nobody waited for that, and no event was recorded for it.
  EXPECT_THAT(store_->pending, SizeIs(2));
  EXPECT_EQ(devices_[0]->counters().host_waits, 0);
  EXPECT_EQ(devices_[0]->counters().events_recorded, 1);
}

// Without checks, a write need not come after all that was there before.
TEST_F(DeviceBufferTest, MemoryWaitsForAllWorkAlsoWithoutChecks) {
  devices_[0]->set_check_access(false);
  DeviceBuffer buffer = FromStore();
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  SYNCLINE_ASSERT_OK(second_.Fill(Writes(buffer), 2));
  buffer = DeviceBuffer();
  EXPECT_THAT(store_->pending, SizeIs(2));
}

TEST_F(DeviceBufferTest, WorkThatTheHostSawEndIsNotPending) {
  DeviceBuffer buffer = FromStore();
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  SYNCLINE_ASSERT_OK(buffer.HostWait());
  buffer = DeviceBuffer();
  EXPECT_THAT(store_->pending, IsEmpty());
}

TEST_F(DeviceBufferTest, WhoGetsTheMemoryNextWaitsOnTheDevice) {
  DeviceBuffer buffer = FromStore();
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  buffer = DeviceBuffer();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer again,
                                HandOutAgain(&second_));
  EXPECT_EQ(devices_[0]->counters().waits_submitted, 1);
  EXPECT_EQ(devices_[0]->counters().host_waits, 0);
  SYNCLINE_EXPECT_OK(second_.Fill(Writes(again), 2));
}

TEST_F(DeviceBufferTest, TheSameStreamWaitsForNothing) {
  DeviceBuffer buffer = FromStore();
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  buffer = DeviceBuffer();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer again,
                                HandOutAgain(&first_));
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(again), 2));
  EXPECT_EQ(devices_[0]->counters().waits_submitted, 0);
  EXPECT_EQ(devices_[0]->counters().events_recorded, 0);
}

TEST_F(DeviceBufferTest, HandingOutIsAWriteAtTheStreamsPresentPoint) {
  DeviceBuffer buffer = FromStore();
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  buffer = DeviceBuffer();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer again,
                                HandOutAgain(&first_));
  EXPECT_THAT(second_.Fill(Writes(again), 2),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("\"new memory\" on stream \"first\"")));
}

TEST_F(DeviceBufferTest, TheHostGetsOnlyMemoryWhoseWorkHasEnded) {
  DeviceBuffer buffer = FromStore();
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  buffer = DeviceBuffer();
  EXPECT_THAT(HandOutAgain(nullptr),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("stream \"first\" of stand_in:0 has not")));
  devices_.stand_in->RunAll();
  SYNCLINE_EXPECT_OK(HandOutAgain(nullptr));
}

TEST_F(DeviceBufferTest, MemoryOfTheDeviceGoesBackWhenItsWorkHasEnded) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer buffer, Allocate());
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  buffer = DeviceBuffer();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), kBytes);
  devices_[0]->GiveEndedMemoryBack();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), kBytes);
  devices_.stand_in->RunAll();
  devices_[0]->GiveEndedMemoryBack();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 0u);
  EXPECT_EQ(devices_[0]->counters().frees, 1);
}

TEST_F(DeviceBufferTest, ADeviceThatIsFullWaitsForReleasedMemory) {
  for (int i = 0; i < 20; ++i) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer buffer, Allocate());
    SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  }
  EXPECT_GT(devices_[0]->counters().host_waits, 0);
}

TEST_F(DeviceBufferTest, ExplicitReleaseIsForAllHandles) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer buffer, Allocate());
  const DeviceBuffer copy = buffer;
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 1));
  SYNCLINE_ASSERT_OK(buffer.Release());
  EXPECT_TRUE(buffer.is_null());
  SYNCLINE_EXPECT_OK(buffer.Release());
  EXPECT_THAT(first_.Fill(Writes(copy), 1),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("buffer \"image\" (64 bytes)"),
                             HasSubstr("memory went back when the application "
                                       "released it"))));
}

TEST_F(DeviceBufferTest, TheHostSeesPinnedAndManagedMemoryOnly) {
  for (const auto kind :
       {MemoryStorageType::kHost, MemoryStorageType::kManaged}) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer buffer, Allocate(kind));
    SYNCLINE_ASSERT_OK(first_.Fill(Writes(buffer), 3));
    SYNCLINE_ASSERT_OK(buffer.HostWait());
    {
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const HostView view,
                                    buffer.ViewForReading());
      EXPECT_EQ(view.bytes()[kBytes - 1], std::byte{3});
    }
    SYNCLINE_ASSERT_OK_AND_ASSIGN(HostView view, buffer.ViewForWriting());
    view.mutable_bytes()[0] = std::byte{4};
    view.Close();
    EXPECT_THAT(view.bytes(), IsEmpty());
  }
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer buffer, Allocate());
  EXPECT_THAT(buffer.ViewForReading(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("memory of stand_in:0"),
                             HasSubstr("CopyToHost()"))));
}

TEST_F(DeviceBufferTest, AViewKeepsTheMemory) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer buffer,
                                Allocate(MemoryStorageType::kHost));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const HostView view, buffer.ViewForWriting());
  EXPECT_THAT(buffer.Release(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                         HasSubstr("close the view first")));
  buffer = DeviceBuffer();
  view.mutable_bytes()[0] = std::byte{1};
}

TEST_F(DeviceBufferTest, TheEndOfADeviceWaitsForReleasedMemory) {
  StandInDevices devices = MakeStandInDevices({.has_threads = false});
  bool has_run = false;
  {
    const Stream stream = *Stream::Make(devices[0], {}, "s");
    const DeviceBuffer buffer = *DeviceBuffer::Allocate(
        devices[0], MemoryStorageType::kDevice, kBytes, "b");
    SYNCLINE_ASSERT_OK(stream.CallHost([&] { has_run = true; }));
    SYNCLINE_ASSERT_OK(stream.Fill(Writes(buffer), 1));
  }
  devices.devices.clear();
  EXPECT_TRUE(has_run);
  EXPECT_EQ(devices.stand_in->BytesInUse(0), 0u);
}

// --- Memory of the host without its handle, such as the pixels of a frame

TEST_F(DeviceBufferTest, MemoryIsTheCallersAgainAfterACopyFromTheHost) {
  for (const MemoryStorageType kind :
       {MemoryStorageType::kHost, MemoryStorageType::kManaged}) {
    const DeviceBuffer pinned = *Allocate(kind);
    const DeviceBuffer target = *Allocate();
    const HostView view = *pinned.ViewForWriting();
    std::fill_n(view.mutable_bytes().data(), kBytes, std::byte{1});
    SYNCLINE_ASSERT_OK(
        first_.CopyFromHost(Writes(target), view.bytes().data(), kBytes));
    std::fill_n(view.mutable_bytes().data(), kBytes, std::byte{9});
    std::byte copied[kBytes];
    SYNCLINE_ASSERT_OK(first_.CopyToHost(copied, Reads(target), kBytes));
    EXPECT_EQ(copied[0], std::byte{1});
    EXPECT_EQ(copied[kBytes - 1], std::byte{1});
  }
}

TEST_F(DeviceBufferTest, ACopyFromPageableMemoryDoesNotWait) {
  const DeviceBuffer target = *Allocate();
  std::byte bytes[kBytes] = {std::byte{1}};
  SYNCLINE_ASSERT_OK(first_.CopyFromHost(Writes(target), bytes, kBytes));
  bytes[0] = std::byte{9};
  EXPECT_EQ(devices_[0]->counters().host_waits, 0);
  SYNCLINE_ASSERT_OK(first_.CopyToHost(bytes, Reads(target), kBytes));
  EXPECT_EQ(bytes[0], std::byte{1});
}

TEST_F(DeviceBufferTest, ACopyFromPinnedMemoryComesAfterTheWorkThatWritesIt) {
  const DeviceBuffer pinned = *Allocate(MemoryStorageType::kHost);
  const DeviceBuffer target = *Allocate();
  SYNCLINE_ASSERT_OK(first_.Fill(Writes(pinned), 1));
  EXPECT_THAT(
      second_.CopyFromHost(Writes(target), pinned.address() + 8, 8),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("reads buffer \"image\" (64 bytes) by \"copy "
                               "from the host\" on stream \"second\""),
                     HasSubstr("by \"fill\" on stream \"first\""))));
  SYNCLINE_ASSERT_OK(second_.WaitFor(Reads(pinned)));
  SYNCLINE_EXPECT_OK(
      second_.CopyFromHost(Writes(target), pinned.address() + 8, 8));
}

TEST_F(DeviceBufferTest, ACopyToPinnedMemoryComesAfterTheWorkThatReadsIt) {
  const DeviceBuffer pinned = *Allocate(MemoryStorageType::kHost);
  const DeviceBuffer source = *Allocate();
  const DeviceBuffer target = *Allocate();
  SYNCLINE_ASSERT_OK(first_.Copy(Writes(target), Reads(pinned)));
  EXPECT_THAT(second_.CopyToHost(pinned.address(), Reads(source), kBytes),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("writes buffer \"image\""),
                             HasSubstr("by \"copy\" on stream \"first\""))));
  SYNCLINE_ASSERT_OK(second_.WaitFor(Writes(pinned)));
  SYNCLINE_EXPECT_OK(
      second_.CopyToHost(pinned.address(), Reads(source), kBytes));
}

}  // namespace
}  // namespace syncline::gpu
