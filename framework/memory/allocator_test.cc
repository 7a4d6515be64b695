// Memory is given, reserved and taken back; what cannot be given is a status
// that says why and who has it.
#include "framework/memory/allocator.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/listener_list.h"
#include "framework/config/block_memory_pool.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/memory/allocator_registry.h"
#include "framework/memory/block_memory_pool.h"
#include "framework/memory/unbounded_allocator.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::size_t kMaxSize = std::numeric_limits<std::size_t>::max();

std::shared_ptr<BlockMemoryPool> Pool(std::size_t num_blocks,
                                      std::size_t block_size = 100) {
  return BlockMemoryPool::Create({.name = "frames",
                                  .block_size = block_size,
                                  .num_blocks = num_blocks})
      .value();
}

MemoryBuffer Take(Allocator& allocator, std::size_t bytes,
                  absl::string_view label = "") {
  return allocator.Allocate(bytes, MemoryStorageType::kSystem, label).value();
}

// --- BlockMemoryPool

TEST(BlockMemoryPoolTest, GivesAlignedBlocksThatDoNotOverlap) {
  const auto pool = Pool(5);
  EXPECT_EQ(pool->block_size(), 100);
  EXPECT_EQ(pool->num_blocks(), 5);
  EXPECT_EQ(pool->capacity_bytes(), 500);
  std::vector<MemoryBuffer> buffers;
  for (int i = 0; i < 5; ++i) {
    buffers.push_back(Take(*pool, 100));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffers[i].data()) % 64, 0);
    EXPECT_EQ(buffers[i].size(), 100);
    EXPECT_EQ(buffers[i].storage_type(), MemoryStorageType::kSystem);
    std::memset(buffers[i].data(), i, 100);
  }
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 100; ++k) {
      ASSERT_EQ(static_cast<int>(buffers[i].data()[k]), i);
    }
  }
}

TEST(BlockMemoryPoolTest, ARequestTakesAWholeBlockUntilItIsGivenBack) {
  const auto pool = Pool(2);
  EXPECT_TRUE(pool->IsAvailable(200));
  EXPECT_FALSE(pool->IsAvailable(201));
  MemoryBuffer small = Take(*pool, 1);
  EXPECT_EQ(small.size(), 1);
  EXPECT_TRUE(pool->IsAvailable(100));
  EXPECT_FALSE(pool->IsAvailable(101));
  MemoryBuffer moved = std::move(small);
  EXPECT_TRUE(small.empty());
  EXPECT_EQ(pool->num_available(), 1);
  moved.Release();
  EXPECT_TRUE(moved.empty());
  moved.Release();
  EXPECT_EQ(pool->num_available(), 2);
  moved = Take(*pool, 1);
  moved = Take(*pool, 2);
  EXPECT_EQ(pool->num_available(), 1);
  EXPECT_TRUE(pool->IsAvailable(0));
}

TEST(BlockMemoryPoolTest, AnExhaustedPoolSaysWhoHoldsItsBlocks) {
  const auto pool = Pool(4);
  const MemoryBuffer first = Take(*pool, 1, "camera at 20");
  const MemoryBuffer second = Take(*pool, 1, "camera at 20");
  const MemoryBuffer third = Take(*pool, 1);
  MemoryReservation reservation;
  ASSERT_TRUE(pool->TryReserve(1, &reservation));
  EXPECT_EQ(pool->HoldersText(),
            "1 without a label, 2 by \"camera at 20\", 1 reserved");
  EXPECT_EQ(pool->UseText(),
            "has 0 of 4 blocks free: 1 without a label, 2 by \"camera at 20\", "
            "1 reserved");
  EXPECT_THAT(
      pool->Allocate(1, MemoryStorageType::kSystem, "resize"),
      StatusIs(absl::StatusCode::kResourceExhausted,
               AllOf(HasSubstr("\"frames\" has no free block"),
                     HasSubstr("by \"resize\""),
                     HasSubstr("of 4 blocks of 100 bytes, 1 without a label, "
                               "2 by \"camera at 20\", 1 reserved"))));
}

TEST(BlockMemoryPoolTest, OfManyHoldersItNamesADozen) {
  const auto pool = Pool(100);
  std::vector<MemoryBuffer> buffers;
  for (int i = 0; i < 100; ++i) {
    buffers.push_back(Take(*pool, 1, std::to_string(1000 + i)));
  }
  EXPECT_THAT(pool->HoldersText(),
              AllOf(HasSubstr("1 by \"1011\", others by 88 more"),
                    testing::Not(HasSubstr("1012"))));
}

TEST(BlockMemoryPoolTest, RefusesWhatItCanNeverGive) {
  const auto pool = Pool(2);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{101}, kMaxSize}) {
    EXPECT_THAT(pool->Allocate(bytes),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("from 1 byte to one block of 100 bytes")));
  }
  EXPECT_THAT(pool->Allocate(1, MemoryStorageType::kDevice),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("asked for device memory")));
  EXPECT_FALSE(pool->IsAvailable(kMaxSize));
  MemoryReservation reservation;
  EXPECT_FALSE(pool->TryReserve(kMaxSize, &reservation));
  EXPECT_EQ(pool->num_available(), 2);
}

TEST(BlockMemoryPoolTest, RefusesSizesThatAreNone) {
  using Options = BlockMemoryPool::Options;
  for (const Options& options :
       {Options{.block_size = 0, .num_blocks = 1},
        Options{.block_size = 1, .num_blocks = 0},
        Options{.block_size = kMaxSize, .num_blocks = 1},
        Options{.block_size = kMaxSize / 2, .num_blocks = 3},
        Options{.block_size = std::size_t{1} << 33,
        .num_blocks = std::size_t{1} << 33}}) {
    EXPECT_THAT(BlockMemoryPool::Create(options),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(BlockMemoryPool::Create(
                  {.block_size = std::size_t{1} << 60, .num_blocks = 1}),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("more than this machine can give")));
}

TEST(BlockMemoryPoolTest, OtherKindsOfMemoryComeWithTheGpuBuild) {
  for (const MemoryStorageType type :
       {MemoryStorageType::kHost, MemoryStorageType::kDevice,
        MemoryStorageType::kManaged}) {
    EXPECT_THAT(BlockMemoryPool::Create(
                    {.storage_type = type, .block_size = 1, .num_blocks = 1}),
                StatusIs(absl::StatusCode::kUnimplemented,
                         HasSubstr("comes with the GPU build")));
  }
  EXPECT_THAT(
      BlockMemoryPool::Create(
          {.storage_type = static_cast<MemoryStorageType>(7),
           .block_size = 1,
           .num_blocks = 1}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("kind 7")));
}

TEST(BlockMemoryPoolTest, BuffersMayOutliveThePool) {
  auto pool = Pool(2);
  MemoryBuffer kept = Take(*pool, 100, "kept");
  MemoryReservation reservation;
  ASSERT_TRUE(pool->TryReserve(100, &reservation));
  testing::internal::CaptureStderr();
  pool.reset();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("\"frames\" is destroyed while 1 of 2 blocks are held: "
                        "1 by \"kept\", 1 reserved"));
  std::memset(kept.data(), 1, kept.size());
}

TEST(BlockMemoryPoolTest, TellsWhenSomethingHasComeBack) {
  const auto pool = Pool(1);
  std::vector<std::size_t> available;
  const Listener listener = pool->AddReleaseListener(
      [&] { available.push_back(pool->num_available()); });
  { const MemoryBuffer buffer = Take(*pool, 1); }
  {
    MemoryReservation reservation;
    ASSERT_TRUE(pool->TryReserve(1, &reservation));
  }
  EXPECT_EQ(available, (std::vector<std::size_t>{1, 1}));
}

// --- Reservations

TEST(MemoryReservationTest, SetsBlocksAsideForWhoHoldsIt) {
  const auto pool = Pool(3);
  MemoryReservation reservation;
  ASSERT_TRUE(pool->TryReserve(150, &reservation));
  EXPECT_EQ(reservation.units(), 2);
  EXPECT_EQ(pool->num_available(), 1);
  MemoryReservation other;
  EXPECT_FALSE(pool->TryReserve(101, &other));
  EXPECT_EQ(other.units(), 0);

  const MemoryBuffer outside = Take(*pool, 1);
  EXPECT_FALSE(pool->Allocate(1).ok()) << "what is left is reserved";
  ReservationScope scope(&reservation);
  const MemoryBuffer first = Take(*pool, 1);
  const MemoryBuffer second = Take(*pool, 1);
  EXPECT_EQ(reservation.units(), 0);
  EXPECT_FALSE(pool->Allocate(1).ok());
}

TEST(MemoryReservationTest, WhatWasNotUsedComesBack) {
  const auto pool = Pool(3);
  MemoryBuffer used;
  {
    MemoryReservation reservation;
    ASSERT_TRUE(pool->TryReserve(300, &reservation));
    ReservationScope scope(&reservation);
    used = Take(*pool, 1);
    EXPECT_EQ(pool->num_available(), 0);
  }
  EXPECT_EQ(pool->num_available(), 2);
  MemoryReservation reservation;
  ASSERT_TRUE(pool->TryReserve(200, &reservation));
  MemoryReservation moved = std::move(reservation);
  reservation.Release();
  EXPECT_EQ(pool->num_available(), 0);
  moved = MemoryReservation();
  EXPECT_EQ(pool->num_available(), 2);
}

TEST(MemoryReservationTest, CountsOnItsOwnThreadAndForItsOwnPoolOnly) {
  const auto pool = Pool(1);
  const auto other_pool = Pool(1);
  MemoryReservation reservation;
  ASSERT_TRUE(pool->TryReserve(1, &reservation));
  ReservationScope scope(&reservation);
  std::thread([&] { EXPECT_FALSE(pool->Allocate(1).ok()); }).join();
  const MemoryBuffer other = Take(*other_pool, 1);
  EXPECT_EQ(reservation.units(), 1);
  const MemoryBuffer mine = Take(*pool, 1);
  EXPECT_EQ(reservation.units(), 0);
}

TEST(MemoryReservationTest, ScopesNestAndMayEndInAnyOrder) {
  const auto pool = Pool(2);
  MemoryReservation outer, inner;
  ASSERT_TRUE(pool->TryReserve(1, &outer));
  ASSERT_TRUE(pool->TryReserve(1, &inner));
  auto outer_scope = std::make_unique<ReservationScope>(&outer);
  auto inner_scope = std::make_unique<ReservationScope>(&inner);
  outer_scope.reset();
  const MemoryBuffer first = Take(*pool, 1);
  EXPECT_EQ(inner.units(), 0);
  EXPECT_FALSE(pool->Allocate(1).ok());
  inner_scope.reset();
  EXPECT_FALSE(pool->Allocate(1).ok());
  EXPECT_EQ(outer.units(), 1);
}

TEST(MemoryReservationTest, AScopeMayEndOnAnotherThread) {
  const auto pool = Pool(1);
  MemoryReservation reservation;
  ASSERT_TRUE(pool->TryReserve(1, &reservation));
  auto scope = std::make_unique<ReservationScope>(&reservation);
  std::thread([&] { scope.reset(); }).join();
  EXPECT_FALSE(pool->Allocate(1).ok());
  std::thread([&] {
    scope = std::make_unique<ReservationScope>(&reservation);
  }).join();
  EXPECT_FALSE(pool->Allocate(1).ok());
  scope.reset();
}

TEST(BlockMemoryPoolTest, ThreadsShareItsBlocks) {
  const auto pool = Pool(3);
  std::atomic<int> released{0};
  const Listener listener = pool->AddReleaseListener([&] { ++released; });
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 500; ++k) {
        MemoryReservation reservation;
        if (!pool->TryReserve(1, &reservation)) continue;
        ReservationScope scope(&reservation);
        MemoryBuffer buffer = Take(*pool, 100, "thread");
        std::memset(buffer.data(), i, 100);
        EXPECT_EQ(static_cast<int>(buffer.data()[k % 100]), i);
        ++taken;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool->num_available(), 3);
  EXPECT_EQ(released, taken);
  EXPECT_EQ(pool->HoldersText(), "");
}

// --- UnboundedAllocator

TEST(UnboundedAllocatorTest, GivesAnySizeAndIsAlwaysAvailable) {
  UnboundedAllocator heap;
  EXPECT_EQ(heap.block_size(), 1);
  EXPECT_EQ(heap.capacity_bytes(), absl::nullopt);
  EXPECT_TRUE(heap.IsAvailable(kMaxSize));
  int released = 0;
  const Listener listener = heap.AddReleaseListener([&] { ++released; });
  MemoryReservation reservation;
  EXPECT_TRUE(heap.TryReserve(kMaxSize, &reservation));
  EXPECT_EQ(reservation.units(), 0);
  {
    ReservationScope scope(&reservation);
    MemoryBuffer large = Take(heap, 1 << 20);
    std::memset(large.data(), 1, large.size());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % 64, 0);
    const MemoryBuffer small = Take(heap, 1);
    EXPECT_EQ(heap.bytes_held(), (1 << 20) + 1);
  }
  EXPECT_EQ(heap.bytes_held(), 0);
  EXPECT_EQ(released, 2);
}

TEST(UnboundedAllocatorTest, RefusesWhatTheMachineCannotGive) {
  UnboundedAllocator heap("scratch");
  EXPECT_THAT(heap.Allocate(kMaxSize, MemoryStorageType::kSystem, "resize"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("\"scratch\", used by \"resize\"")));
  EXPECT_THAT(heap.Allocate(0), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(heap.Allocate(1, MemoryStorageType::kHost),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("host memory, which comes with the GPU")));
}

TEST(UnboundedAllocatorTest, BuffersMayOutliveIt) {
  MemoryBuffer kept;
  {
    UnboundedAllocator heap;
    kept = Take(heap, 10);
  }
  std::memset(kept.data(), 1, kept.size());
}

// --- By name

TEST(MakeAllocatorTest, MakesAllocatorsByTheNamesOfGxfAndHoloscan) {
  SynclineOptions options;
  BlockMemoryPoolOptions* const pool =
      options.MutableExtension(BlockMemoryPoolOptions::ext);
  pool->set_block_size(10);
  pool->set_num_blocks(3);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::shared_ptr<Allocator> frames,
      MakeAllocator("", "frames", "nvidia::gxf::BlockMemoryPool", options));
  EXPECT_EQ(frames->capacity_bytes(), 30);
  EXPECT_EQ(frames->name(), "frames");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::shared_ptr<Allocator> heap,
      MakeAllocator("", "heap", "UnboundedAllocator", {}));
  EXPECT_EQ(heap->capacity_bytes(), absl::nullopt);
}

TEST(MakeAllocatorTest, TheSizeOfABlockMayBeText) {
  SynclineOptions options;
  BlockMemoryPoolOptions* const pool =
      options.MutableExtension(BlockMemoryPoolOptions::ext);
  pool->set_block_size_text("2KB");
  pool->set_num_blocks(3);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::shared_ptr<Allocator> frames,
      MakeAllocator("", "frames", "BlockMemoryPool", options));
  EXPECT_EQ(frames->block_size(), 2048);
  pool->set_block_size_text("2 apples");
  EXPECT_THAT(MakeAllocator("", "frames", "BlockMemoryPool", options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"frames\": block_size_text"),
                             HasSubstr("2 apples"))));
  pool->set_block_size(2048);
  EXPECT_THAT(MakeAllocator("", "frames", "BlockMemoryPool", options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("give one of them")));
}

TEST(MakeAllocatorTest, RefusesOptionsThatThisBinaryDoesNotKnow) {
  SynclineOptions options;
  options.mutable_unknown_fields()->AddVarint(29999, 1);
  for (const char* type : {"UnboundedAllocator", "BlockMemoryPool"}) {
    EXPECT_THAT(MakeAllocator("", "heap", type, options),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("the field 29999")));
  }
}

TEST(MakeAllocatorTest, RefusesOptionsOfAnotherType) {
  SynclineOptions options;
  options.MutableExtension(BlockMemoryPoolOptions::ext)->set_num_blocks(2);
  EXPECT_THAT(MakeAllocator("", "heap", "UnboundedAllocator", options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("[syncline.BlockMemoryPoolOptions.ext]")));
}

TEST(MakeAllocatorTest, SaysWhatIsWrong) {
  EXPECT_THAT(MakeAllocator("", "frames", "BlockMemoryPol", {}),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("\"frames\""),
                             HasSubstr("Did you mean \"BlockMemoryPool\""))));
  EXPECT_THAT(MakeAllocator("", "frames", "BlockMemoryPool", {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"frames\" has 0 blocks of 0 bytes")));
}

}  // namespace
}  // namespace syncline
