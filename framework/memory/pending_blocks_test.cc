// Memory that comes back while a device works on it, with a device that does
// only what the test says.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"
#include "framework/memory/allocator.h"
#include "framework/memory/block_memory_pool.h"
#include "framework/memory/memory_source.h"
#include "framework/memory/pending_use.h"
#include "framework/memory/unbounded_allocator.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr MemoryStorageType kHost = MemoryStorageType::kHost;
constexpr MemoryStorageType kDevice = MemoryStorageType::kDevice;

struct TestUser : MemoryUser {};

// Work that is over when the test says so, and before all that `after` does.
class TestWork : public PendingUse {
 public:
  explicit TestWork(const MemoryUser* after = nullptr) : after_(after) {}

  void End() {
    is_over_ = true;
    for (const auto& over : std::exchange(waiting_, {})) over();
  }

  bool IsOver(const MemoryUser* user) const override {
    return is_over_ || (user != nullptr && user == after_);
  }
  void HostWait() const override {
    ++host_waits;
    const_cast<TestWork*>(this)->End();
  }
  bool CallWhenOver(std::function<void()> over) const override {
    if (is_over_ || num_silent-- > 0) return false;
    waiting_.push_back(std::move(over));
    return true;
  }
  std::string ToText() const override { return "stream \"a\""; }

  mutable int host_waits = 0;
  // So many calls are not going to be told.
  mutable int num_silent = 0;
  std::size_t num_waiting() const { return waiting_.size(); }

 private:
  const MemoryUser* const after_;
  bool is_over_ = false;
  mutable std::vector<std::function<void()>> waiting_;
};

// What the device still has, for tests that nothing is lost.
struct TestDevice {
  std::vector<std::byte*> taken;
  std::vector<std::shared_ptr<PendingUse>> came_back_pending;
  std::size_t limit = 100;
  absl::optional<int> dev_id;
};

class TestSource : public MemorySource {
 public:
  TestSource(std::shared_ptr<TestDevice> device, MemoryStorageType type)
      : device_(std::move(device)), type_(type) {}

  absl::string_view name() const override { return "test:0"; }
  MemoryStorageType storage_type() const override { return type_; }
  absl::StatusOr<std::byte*> Take(std::size_t bytes,
                                  absl::string_view name) override {
    if (device_->taken.size() == device_->limit) {
      return absl::ResourceExhaustedError("test:0 is full");
    }
    device_->taken.push_back(new std::byte[bytes]);
    return device_->taken.back();
  }
  void GiveBack(std::byte* data, std::size_t,
                std::shared_ptr<PendingUse> pending) override {
    const auto at =
        std::find(device_->taken.begin(), device_->taken.end(), data);
    ASSERT_NE(at, device_->taken.end()) << "given back twice";
    device_->taken.erase(at);
    if (pending != nullptr) device_->came_back_pending.push_back(pending);
    delete[] data;
  }

 private:
  const std::shared_ptr<TestDevice> device_;
  const MemoryStorageType type_;
};

class PendingBlocksTest : public testing::Test {
 protected:
  PendingBlocksTest()
      : registration_([this](MemoryStorageType type, absl::optional<int> dev_id)
                          -> absl::StatusOr<std::shared_ptr<MemorySource>> {
          device_->dev_id = dev_id;
          if (dev_id == 9) return absl::NotFoundError("there is no device 9");
          return std::make_shared<TestSource>(device_, type);
        }) {}
  ~PendingBlocksTest() override { EXPECT_TRUE(device_->taken.empty()); }

  static std::shared_ptr<BlockMemoryPool> Make(MemoryStorageType type,
                                               std::size_t num_blocks) {
    return BlockMemoryPool::Create({.name = "frames",
                                    .storage_type = type,
                                    .block_size = 100,
                                    .num_blocks = num_blocks})
        .value();
  }
  // Takes a block, and gives it back with work on it.
  static std::byte* Use(BlockMemoryPool& pool, std::shared_ptr<TestWork> work) {
    MemoryBuffer buffer =
        pool.AllocateFor(TestUser(), 1, pool.storage_type(), "blur").value();
    std::byte* const data = buffer.data();
    buffer.set_pending(std::move(work));
    return data;
  }

  const std::shared_ptr<TestDevice> device_ = std::make_shared<TestDevice>();
  const DeviceMemorySourcesRegistration registration_;
};

TEST_F(PendingBlocksTest, BlocksAreTakenFromTheDeviceOneByOneAndAllGoBack) {
  const auto pool = Make(kDevice, 3);
  EXPECT_EQ(device_->taken.size(), 3);
  EXPECT_EQ(pool->storage_type(), kDevice);
  const MemoryBuffer buffer = pool->Allocate(1, kDevice).value();
  EXPECT_EQ(buffer.source()->name(), "test:0");
  EXPECT_THAT(pool->Allocate(1),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("of device memory is asked for system")));
}

TEST_F(PendingBlocksTest, TheDeviceOfAPoolIsChosenByItsNumber) {
  BlockMemoryPool::Options options = {.name = "frames",
                                      .storage_type = kHost,
                                      .dev_id = 1,
                                      .block_size = 1,
                                      .num_blocks = 1};
  SYNCLINE_EXPECT_OK(BlockMemoryPool::Create(options));
  EXPECT_EQ(device_->dev_id, 1);
  options.dev_id = 9;
  EXPECT_THAT(BlockMemoryPool::Create(options),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("\"frames\" is asked for host memory"),
                             HasSubstr("no device 9"))));
}

TEST_F(PendingBlocksTest, ADeviceThatIsFullGetsBackWhatItHasGiven) {
  device_->limit = 2;
  EXPECT_THAT(BlockMemoryPool::Create({.name = "frames",
                                       .storage_type = kDevice,
                                       .block_size = 100,
                                       .num_blocks = 3}),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("block 2 of 3: test:0 is full"),
                             HasSubstr("Reduce block_size or num_blocks"))));
  EXPECT_TRUE(device_->taken.empty());
}

TEST_F(PendingBlocksTest, TheHostGetsABlockOnlyWhenItsWorkIsOver) {
  const auto pool = Make(kHost, 1);
  const auto work = std::make_shared<TestWork>();
  Use(*pool, work);
  EXPECT_EQ(pool->num_available(), 0);
  EXPECT_THAT(pool->Allocate(1, kHost, "camera"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("1 with work pending on stream \"a\"")));
  work->End();
  EXPECT_EQ(pool->num_available(), 1);
  SYNCLINE_EXPECT_OK(pool->Allocate(1, kHost, "camera"));
  EXPECT_EQ(work->host_waits, 0);
}

TEST_F(PendingBlocksTest, WorkGetsAPendingBlockTogetherWithWhatItComesAfter) {
  const auto pool = Make(kHost, 1);
  const auto work = std::make_shared<TestWork>();
  Use(*pool, work);
  {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const MemoryBuffer buffer,
        pool->AllocateFor(TestUser(), 1, kHost, "blur"));
    EXPECT_EQ(buffer.pending(), work);
  }
  EXPECT_EQ(pool->num_available(), 0) << "the same work is pending again";
  work->End();
  EXPECT_EQ(pool->num_available(), 1);
}

TEST_F(PendingBlocksTest, CleanBlocksComeFirstThenOnesThatNeedNoWait) {
  const auto pool = Make(kDevice, 3);
  const TestUser user;
  std::byte* blocks[3];
  {
    std::vector<MemoryBuffer> held;
    for (std::byte*& block : blocks) {
      held.push_back(pool->AllocateFor(user, 1, kDevice, "").value());
      block = held.back().data();
    }
    held[0].set_pending(std::make_shared<TestWork>());
    held[1].set_pending(std::make_shared<TestWork>(&user));
    for (MemoryBuffer& buffer : held) buffer.Release();
  }
  const MemoryBuffer clean = pool->AllocateFor(user, 1, kDevice, "").value();
  EXPECT_EQ(clean.data(), blocks[2]);
  EXPECT_EQ(clean.pending(), nullptr);
  const MemoryBuffer own = pool->AllocateFor(user, 1, kDevice, "").value();
  EXPECT_EQ(own.data(), blocks[1]);
  const MemoryBuffer other = pool->AllocateFor(user, 1, kDevice, "").value();
  EXPECT_EQ(other.data(), blocks[0]);
  EXPECT_NE(other.pending(), nullptr);
}

TEST_F(PendingBlocksTest, ForDeviceMemoryThePendingIsFreeAndTheHostWaits) {
  const auto pool = Make(kDevice, 1);
  const auto work = std::make_shared<TestWork>();
  Use(*pool, work);
  EXPECT_EQ(pool->num_available(), 1);
  EXPECT_EQ(pool->HoldersText(), "");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const MemoryBuffer buffer,
                                pool->Allocate(1, kDevice, "reader"));
  EXPECT_EQ(work->host_waits, 1);
  EXPECT_EQ(buffer.pending(), nullptr);
}

TEST_F(PendingBlocksTest, ListenersHearOfTheEndOfWorkThatSomebodyWaitsFor) {
  const auto pool = Make(kHost, 1);
  int told = 0;
  const Listener listener = pool->AddReleaseListener([&] { ++told; });
  const auto work = std::make_shared<TestWork>();
  Use(*pool, work);
  EXPECT_EQ(told, 1) << "other work can have it";
  EXPECT_EQ(work->num_waiting(), 0) << "nobody waits so far";
  EXPECT_FALSE(pool->IsAvailable(1));
  EXPECT_FALSE(pool->IsAvailable(1));
  EXPECT_EQ(work->num_waiting(), 1) << "asked for once";
  work->End();
  EXPECT_EQ(told, 2);
  EXPECT_TRUE(pool->IsAvailable(1));
}

TEST_F(PendingBlocksTest, WorkOfWhichNobodyTellsIsAskedAgain) {
  const auto pool = Make(kHost, 1);
  int told = 0;
  const Listener listener = pool->AddReleaseListener([&] { ++told; });
  const auto work = std::make_shared<TestWork>();
  Use(*pool, work);
  work->num_silent = 1;
  EXPECT_FALSE(pool->IsAvailable(1));
  EXPECT_EQ(work->num_waiting(), 0);
  EXPECT_FALSE(pool->IsAvailable(1));
  EXPECT_EQ(work->num_waiting(), 1);
  work->End();
  EXPECT_EQ(told, 2);
}

TEST_F(PendingBlocksTest, WhatIsReservedIsNeverGivenToOthers) {
  for (const MemoryStorageType type : {kHost, kDevice}) {
    const auto pool = Make(type, 2);
    const auto work = std::make_shared<TestWork>();
    Use(*pool, work);
    MemoryReservation reservation;
    ASSERT_TRUE(pool->TryReserve(1, &reservation));
    // One that is not reserved is left, clean or pending.
    const MemoryBuffer other =
        pool->AllocateFor(TestUser(), 1, type, "other").value();
    EXPECT_FALSE(pool->AllocateFor(TestUser(), 1, type, "third").ok());
    ReservationScope scope(&reservation);
    SYNCLINE_EXPECT_OK(pool->Allocate(1, type, "mine"));
  }
}

TEST_F(PendingBlocksTest, APoolThatEndsLeavesPendingWorkToTheDevice) {
  const auto work = std::make_shared<TestWork>();
  auto pool = Make(kDevice, 2);
  Use(*pool, work);
  pool.reset();
  EXPECT_THAT(device_->came_back_pending, testing::ElementsAre(work));
  EXPECT_EQ(work->host_waits, 0);
}

TEST_F(PendingBlocksTest, AnUnboundedAllocatorGivesMemoryOfAllKinds) {
  UnboundedAllocator heap("scratch");
  const auto work = std::make_shared<TestWork>();
  {
    const MemoryBuffer system = heap.Allocate(10).value();
    EXPECT_EQ(system.source(), nullptr);
    MemoryBuffer device = heap.Allocate(20, kDevice, "blur").value();
    const MemoryBuffer host = heap.Allocate(30, kHost, "blur").value();
    EXPECT_EQ(host.storage_type(), kHost);
    EXPECT_EQ(device_->taken.size(), 2);
    EXPECT_EQ(heap.bytes_held(), 60);
    device.set_pending(work);
  }
  EXPECT_EQ(heap.bytes_held(), 0);
  EXPECT_THAT(device_->came_back_pending, testing::ElementsAre(work));
  EXPECT_EQ(work->host_waits, 0);
  device_->limit = 0;
  EXPECT_THAT(heap.Allocate(1, kDevice, "blur"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("used by \"blur\", is asked for 1 bytes")));
}

// An allocator that knows nothing of devices.
struct PlainStore : MemoryStore {
  void TakeBack(std::byte*, std::size_t) override { ++came_back; }
  void TakeBackReserved(std::size_t) override {}
  int came_back = 0;
};

TEST_F(PendingBlocksTest, AnAllocatorThatKnowsNoWorkGetsMemoryAfterIt) {
  const auto store = std::make_shared<PlainStore>();
  const auto work = std::make_shared<TestWork>();
  std::byte byte;
  MemoryBuffer buffer(store, &byte, 1, kHost);
  buffer.set_pending(work);
  buffer.Release();
  EXPECT_EQ(work->host_waits, 1);
  EXPECT_EQ(store->came_back, 1);
}

}  // namespace
}  // namespace syncline
