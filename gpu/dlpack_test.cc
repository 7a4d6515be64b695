#include "gpu/dlpack.h"

#include <dlpack/dlpack.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/device_tensor.h"
#include "gpu/notices.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A tensor of another library, which counts the calls of its deleter.
struct ForeignTensor {
  explicit ForeignTensor(const DeviceBuffer& memory) {
    managed.dl_tensor = {.data = memory.address(),
                         .device = {kDLExtDev, 0},
                         .ndim = 2,
                         .dtype = {kDLFloat, 32, 1},
                         .shape = shape,
                         .strides = nullptr,
                         .byte_offset = 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) {
      ++static_cast<ForeignTensor*>(self->manager_ctx)->deleted;
    };
  }

  std::int64_t shape[2] = {2, 3};
  std::int64_t strides[2] = {3, 1};
  DLManagedTensor managed;
  int deleted = 0;
};

class DlpackTest : public ::testing::Test {
 protected:
  // Notices that are asked for keep the device until it is done.
  ~DlpackTest() override {
    devices_.stand_in->RunAll();
    Notices::WaitForPosted();
  }

  DeviceBuffer Memory(std::size_t bytes) {
    return *DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice,
                                   bytes, "memory");
  }
  DeviceTensor Written() {
    const DeviceTensor tensor = *DeviceTensor::Make(
        Memory(96), TensorElement::kFloat32, {3, 4}, {{1, 6}}, 12);
    SYNCLINE_EXPECT_OK(producer_.Fill(Writes(tensor.memory()), 1));
    return tensor;
  }
  std::string ImportError(ForeignTensor& foreign) {
    const absl::Status status =
        FromDlpack(DlpackTensor(&foreign.managed), devices_[0], producer_)
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(foreign.deleted, 1);
    return std::string(status.message());
  }

  const StandInDevices devices_ =
      MakeStandInDevices({.num_devices = 2, .has_threads = false});
  const Stream producer_ = *Stream::Make(devices_[0], {}, "producer");
  const Stream consumer_ = *Stream::Make(devices_[0], {}, "consumer");
};

TEST_F(DlpackTest, TheLastHandleIsExportedItself) {
  DeviceTensor tensor = Written();
  const std::byte* const address = tensor.memory().address();
  const DlpackTensor out = *ToDlpack(std::move(tensor), consumer_);
  const DLTensor& there = out->dl_tensor;
  EXPECT_EQ(there.data, address);
  EXPECT_EQ(there.byte_offset, 12u);
  EXPECT_EQ(there.device.device_type, kDLExtDev);
  EXPECT_EQ(there.device.device_id, 0);
  EXPECT_EQ(there.dtype.code, kDLFloat);
  EXPECT_EQ(there.dtype.bits, 32);
  EXPECT_EQ(there.dtype.lanes, 1);
  EXPECT_THAT(std::vector<std::int64_t>(there.shape, there.shape + 2),
              ElementsAre(3, 4));
  EXPECT_THAT(std::vector<std::int64_t>(there.strides, there.strides + 2),
              ElementsAre(1, 6));
  // The consumer comes after the producer, on the device.
  EXPECT_EQ(devices_[0]->counters().waits_submitted, 1);
  EXPECT_EQ(devices_[0]->counters().host_waits, 0);
}

TEST_F(DlpackTest, ASharedTensorIsCopied) {
  const DeviceTensor tensor = Written();
  const DlpackTensor out = *ToDlpack(tensor, consumer_);
  EXPECT_NE(out->dl_tensor.data, tensor.memory().address());
  EXPECT_EQ(out->dl_tensor.byte_offset, 0u);
  EXPECT_THAT(std::vector<std::int64_t>(out->dl_tensor.strides,
                                        out->dl_tensor.strides + 2),
              ElementsAre(4, 1));
}

TEST_F(DlpackTest, APacketIsExportedItselfIfItIsTheOnlyCopy) {
  Packet packet = MakePacket<DeviceTensor>(Written());
  const std::byte* const address =
      packet.Get<DeviceTensor>().memory().address();
  {
    const Packet copy = packet;
    EXPECT_NE((*ToDlpack(copy, consumer_))->dl_tensor.data, address);
  }
  EXPECT_EQ((*ToDlpack(std::move(packet), consumer_))->dl_tensor.data, address);
  EXPECT_FALSE(ToDlpack(MakePacket<int>(3), consumer_).ok());
  EXPECT_FALSE(ToDlpack(DeviceTensor(), consumer_).ok());
}

TEST_F(DlpackTest, ExportedMemoryLivesUntilTheDeleterIsCalled) {
  DlpackTensor out = *ToDlpack(Written(), consumer_);
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 96u);
  out = nullptr;
  devices_[0]->HostWaitForReleasedMemory();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 0u);
}

// A library may keep a tensor until after the run, whose streams are gone.
TEST_F(DlpackTest, AnExportedTensorMayOutliveItsStream) {
  DeviceBuffer other_memory;
  {
    const Stream consumer = *Stream::Make(devices_[0], {}, "of a run");
    DlpackTensor out = *ToDlpack(Written(), consumer);
    consumer.Destroy();
    devices_.stand_in->RunAll();
    devices_[0]->GiveEndedMemoryBack();
    // A stream that gets the same id.
    const Stream other = *Stream::Make(devices_[0], {}, "other");
    ASSERT_EQ(other.core().id(), consumer.core().id());
    out = nullptr;
  }
  other_memory = Memory(8);
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 8u);
}

TEST_F(DlpackTest, WhatALibraryDidBeforeItsStreamEndedIsWaitedFor) {
  const Stream consumer = *Stream::Make(devices_[0], {}, "of a run");
  DlpackTensor out = *ToDlpack(Written(), consumer);
  SYNCLINE_ASSERT_OK(producer_.WaitFor(consumer.Now()));  // an event
  devices_.stand_in->RunAll();
  // The library works, and tells nobody.
  SYNCLINE_ASSERT_OK(devices_[0]->driver().Fill(
      consumer.handle(), out->dl_tensor.data, 7, 96, "of a library"));
  consumer.Destroy();
  out = nullptr;
  devices_[0]->GiveEndedMemoryBack();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 96u) << "the work has not begun";
  devices_.stand_in->RunAll();
  devices_[0]->GiveEndedMemoryBack();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 0u);
}

TEST_F(DlpackTest, ATensorComesBackAsItWas) {
  DlpackTensor out = *ToDlpack(Written(), consumer_);
  const void* const data = out->dl_tensor.data;
  const DeviceTensor back = *FromDlpack(std::move(out), devices_[0], consumer_);
  EXPECT_EQ(back.element(), TensorElement::kFloat32);
  EXPECT_THAT(back.shape(), ElementsAre(3, 4));
  EXPECT_THAT(back.strides(), ElementsAre(1, 6));
  EXPECT_EQ(back.memory().address() + back.byte_offset(),
            static_cast<const std::byte*>(data) + 12);
}

TEST_F(DlpackTest, TheDeleterIsCalledOnceWhenHandlesAndWorkAreGone) {
  const DeviceBuffer memory = Memory(24);
  ForeignTensor foreign(memory);
  {
    const DeviceTensor tensor =
        *FromDlpack(DlpackTensor(&foreign.managed), devices_[0], producer_);
    const DeviceTensor copy = tensor;
    EXPECT_TRUE(copy.is_dense());
    SYNCLINE_EXPECT_OK(producer_.Fill(Writes(tensor.memory()), 3));
  }
  // Work is pending.
  EXPECT_EQ(foreign.deleted, 0);
  devices_.stand_in->RunAll();
  Notices::WaitForPosted();
  EXPECT_EQ(foreign.deleted, 1);
}

// Without a notice the deleter is called when somebody looks, and not earlier.
TEST_F(DlpackTest, ARefusedStreamDoesNotGiveTheMemoryBackBeforeItsWork) {
  const DeviceBuffer memory = Memory(24);
  for (const StandInCall call :
       {StandInCall::kMakeStream, StandInCall::kMakeEvent,
        StandInCall::kWaitFor, StandInCall::kCallHost}) {
    SCOPED_TRACE(static_cast<int>(call));
    ForeignTensor foreign(memory);
    {
      const DeviceTensor tensor =
          *FromDlpack(DlpackTensor(&foreign.managed), devices_[0], producer_);
      SYNCLINE_EXPECT_OK(producer_.Fill(Writes(tensor.memory()), 3));
      devices_.stand_in->FailCall(call, 1,
                                  absl::ResourceExhaustedError("as ordered"));
    }
    Notices::WaitForPosted();
    EXPECT_EQ(foreign.deleted, 0) << "the device has not written it";
    devices_.stand_in->RunAll();
    Notices::WaitForPosted();
    devices_[0]->GiveEndedMemoryBack();
    EXPECT_EQ(foreign.deleted, 1);
    // An order that nothing has used up.
    devices_.stand_in->FailCall(call, 0, absl::OkStatus());
  }
}

TEST_F(DlpackTest, ADeviceInErrorGivesTheMemoryBack) {
  const DeviceBuffer memory = Memory(24);
  ForeignTensor foreign(memory);
  {
    const DeviceTensor tensor =
        *FromDlpack(DlpackTensor(&foreign.managed), devices_[0], producer_);
    SYNCLINE_EXPECT_OK(producer_.Fill(Writes(tensor.memory()), 3));
    devices_.stand_in->RemoveDevice(0);
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TEST_F(DlpackTest, ReleasesShareTheStreamsOfTheirNotices) {
  const DeviceBuffer memory = Memory(24);
  for (int i = 0; i < 5; ++i) {
    ForeignTensor foreign(memory);
    {
      const DeviceTensor tensor =
          *FromDlpack(DlpackTensor(&foreign.managed), devices_[0], producer_);
      SYNCLINE_EXPECT_OK(producer_.Fill(Writes(tensor.memory()), 3));
      // Only the first may ask for a stream.
      if (i > 0) {
        devices_.stand_in->FailCall(StandInCall::kMakeStream, 1,
                                    absl::InternalError("a further stream"));
      }
    }
    devices_.stand_in->RunAll();
    Notices::WaitForPosted();
    EXPECT_EQ(foreign.deleted, 1);
  }
  EXPECT_EQ(Notices::Of(*devices_[0])->num_idle_streams(), 1u);
}

TEST_F(DlpackTest, WithoutWorkTheDeleterIsCalledAtOnce) {
  const DeviceBuffer memory = Memory(24);
  ForeignTensor foreign(memory);
  {
    const DeviceTensor tensor =
        *FromDlpack(DlpackTensor(&foreign.managed), devices_[0], producer_);
    SYNCLINE_EXPECT_OK(tensor.memory().HostWait());
    EXPECT_EQ(foreign.deleted, 0);
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TEST_F(DlpackTest, NegativeStridesBeginInTheMiddle) {
  const DeviceBuffer memory = Memory(24);
  ForeignTensor foreign(memory);
  foreign.strides[0] = -3;
  foreign.managed.dl_tensor.strides = foreign.strides;
  foreign.managed.dl_tensor.byte_offset = 12;
  const DeviceTensor tensor =
      *FromDlpack(DlpackTensor(&foreign.managed), devices_[0], producer_);
  EXPECT_EQ(tensor.memory().address(), memory.address());
  EXPECT_EQ(tensor.byte_offset(), 12u);
  EXPECT_EQ(tensor.memory().size(), 24u);
}

TEST_F(DlpackTest, WhatCannotBeImportedIsRefusedAndDeleted) {
  const DeviceBuffer memory = Memory(24);
  const auto error = [&](auto change) {
    ForeignTensor foreign(memory);
    change(foreign);
    return ImportError(foreign);
  };
  EXPECT_THAT(error([](ForeignTensor& foreign) {
                foreign.managed.dl_tensor.device.device_id = 1;
              }),
              HasSubstr("number 1, and not of stand_in:0"));
  EXPECT_THAT(error([](ForeignTensor& foreign) {
                foreign.managed.dl_tensor.device = {kDLCPU, 0};
              }),
              HasSubstr("device type 1"));
  EXPECT_THAT(error([](ForeignTensor& foreign) {
                foreign.managed.dl_tensor.dtype.lanes = 4;
              }),
              HasSubstr("4 lanes"));
  EXPECT_THAT(error([](ForeignTensor& foreign) {
                foreign.managed.dl_tensor.dtype = {kDLBfloat, 16, 1};
              }),
              HasSubstr("code 4"));
  EXPECT_THAT(error([](ForeignTensor& foreign) { foreign.shape[0] = -1; }),
              HasSubstr("size -1"));
  EXPECT_THAT(error([](ForeignTensor& foreign) {
                foreign.strides[0] = std::int64_t{1} << 60;
                foreign.managed.dl_tensor.strides = foreign.strides;
              }),
              HasSubstr("2^40"));
}

// What another program may hand over by mistake ends in no crash.
TEST_F(DlpackTest, ATensorIsLookedAtBeforeItsMemoryAndItsSizesAre) {
  const DeviceBuffer memory = Memory(24);
  const auto error = [&](auto change) {
    ForeignTensor foreign(memory);
    change(foreign.managed.dl_tensor);
    return ImportError(foreign);
  };
  EXPECT_THAT(error([](DLTensor& tensor) { tensor.data = nullptr; }),
              HasSubstr("address 0"));
  EXPECT_THAT(error([](DLTensor& tensor) { tensor.byte_offset = 2; }),
              HasSubstr("a multiple of its elements' size"));
  EXPECT_THAT(
      error([](DLTensor& tensor) { tensor.byte_offset = ~std::uint64_t{3}; }),
      HasSubstr("give the address of its memory"));
  EXPECT_THAT(error([](DLTensor& tensor) { tensor.ndim = -1; }),
              HasSubstr("-1 dimensions"));
  EXPECT_THAT(error([](DLTensor& tensor) { tensor.ndim = 1 << 30; }),
              HasSubstr("1073741824 dimensions"));
  EXPECT_THAT(error([](DLTensor& tensor) { tensor.shape = nullptr; }),
              HasSubstr("no list of sizes"));
  EXPECT_THAT(error([](DLTensor& tensor) {
                tensor.shape[0] = tensor.shape[1] = std::int64_t{1} << 40;
              }),
              HasSubstr("2^40"));
  EXPECT_THAT(
      FromDlpack(nullptr, devices_[0], producer_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("null pointer")));
  // Of no elements nothing else is asked.
  ForeignTensor empty(memory);
  empty.shape[0] = 0;
  empty.managed.dl_tensor.data = nullptr;
  SYNCLINE_EXPECT_OK(
      FromDlpack(DlpackTensor(&empty.managed), devices_[0], producer_));
}

}  // namespace
}  // namespace syncline::gpu
