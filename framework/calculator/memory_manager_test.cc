// Blocks that are used again.
#include "framework/calculator/memory_manager.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(MemoryManagerTest, ABlockThatCameBackIsHandedOutAgain) {
  MemoryManager manager;
  void* first = nullptr;
  {
    const std::shared_ptr<void> block = manager.Allocate(1000);
    first = block.get();
    std::memset(first, 1, 1000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0);
    EXPECT_EQ(manager.kept_bytes(), 0);
  }
  EXPECT_EQ(manager.kept_bytes(), 1024);
  const std::shared_ptr<void> again = manager.Allocate(1024);
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(manager.kept_bytes(), 0);
}

TEST(MemoryManagerTest, NoMoreThanTheLimitLiesUnused) {
  MemoryManager manager(/*max_kept_bytes=*/1500);
  std::shared_ptr<void> a = manager.Allocate(1024);
  std::shared_ptr<void> b = manager.Allocate(1024);
  a.reset();
  b.reset();
  EXPECT_EQ(manager.kept_bytes(), 1024);
}

TEST(MemoryManagerTest, ABlockMayOutliveTheManager) {
  std::shared_ptr<void> block;
  {
    MemoryManager manager;
    block = manager.Allocate(100);
  }
  std::memset(block.get(), 1, 100);
}

TEST(MemoryManagerTest, AnAbsurdSizeThrows) {
  MemoryManager manager;
  EXPECT_THROW(manager.Allocate(std::numeric_limits<std::size_t>::max() / 2),
               std::bad_alloc);
}

TEST(MemoryManagerTest, ThreadsMayShareIt) {
  MemoryManager manager;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&manager] {
      for (int j = 0; j < 1000; ++j) {
        std::memset(manager.Allocate(64 << (j % 4)).get(), j, 64);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace syncline
