#include "gpu/stand_in/device_memory.h"

#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/stand_in/memory_faults.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::IsNull;

std::shared_ptr<DeviceMemory> MakeMemory(MemoryStorageType kind,
                                         std::size_t size = 100) {
  return *DeviceMemory::Make(kind, size, 0,
                             "buffer \"frame\" (100 bytes) of stand_in:0");
}

// The optimiser must not leave them out.
int ReadByte(const std::byte* address) {
  return static_cast<int>(*static_cast<const volatile std::byte*>(address));
}
void WriteByte(std::byte* address) {
  *static_cast<volatile std::byte*>(address) = std::byte{1};
}

TEST(DeviceMemoryTest, ViewsShowTheSameBytes) {
  const auto memory = MakeMemory(MemoryStorageType::kDevice);
  std::byte* const write = memory->OpenView(true, 10);
  std::byte* const read = memory->OpenView(false, 10);
  EXPECT_EQ(ReadByte(read), 0);
  WriteByte(write);
  EXPECT_EQ(ReadByte(read), 1);
  // Open until the last of its users closes it.
  EXPECT_EQ(memory->OpenView(false, 10), read);
  memory->CloseView(false);
  EXPECT_EQ(ReadByte(read), 1);
  memory->CloseView(false);
  memory->CloseView(true);
}

TEST(DeviceMemoryTest, TheHostTouchesPinnedAndManagedMemory) {
  for (const auto kind :
       {MemoryStorageType::kHost, MemoryStorageType::kManaged}) {
    const auto memory = MakeMemory(kind);
    std::byte* const write = memory->OpenView(true, 0);
    WriteByte(write);
    EXPECT_EQ(ReadByte(memory->data()), 1);
    memory->CloseView(true);
    WriteByte(memory->data() + 99);
  }
}

TEST(DeviceMemoryTest, FindsMemoryByAnyOfItsBytes) {
  const auto memory = MakeMemory(MemoryStorageType::kDevice, 8192);
  EXPECT_EQ(DeviceMemory::Find(memory->data()), memory);
  EXPECT_EQ(DeviceMemory::Find(memory->data() + 8191), memory);
  EXPECT_NE(DeviceMemory::Find(memory->data() + 8192), memory);
  EXPECT_NE(DeviceMemory::Find(memory->data() - 1), memory);
  const int on_the_stack = 0;
  EXPECT_THAT(DeviceMemory::Find(&on_the_stack), IsNull());
}

TEST(DeviceMemoryTest, AddressesAreNotUsedAgainForAWhile) {
  std::vector<const std::byte*> before;
  for (int i = 0; i < 50; ++i) {
    const auto memory = MakeMemory(MemoryStorageType::kDevice);
    for (const std::byte* const address : before) {
      ASSERT_NE(memory->data(), address);
    }
    before.push_back(memory->data());
  }
}

TEST(DeviceMemoryTest, ManyPiecesComeAndGo) {
  std::vector<std::shared_ptr<DeviceMemory>> pieces;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 500; ++i) {
      pieces.push_back(MakeMemory(MemoryStorageType::kManaged));
      WriteByte(pieces.back()->data());
    }
    pieces.clear();
  }
}

class DeviceMemoryDeathTest : public ::testing::Test {
 protected:
  DeviceMemoryDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(DeviceMemoryDeathTest, TheHostReadsDeviceMemory) {
  EXPECT_DEATH(
      ReadByte(MakeMemory(MemoryStorageType::kDevice)->data() + 12),
      "Syncline: the host touched byte 12 of buffer \"frame\" \\(100 bytes\\) "
      "of stand_in:0, which only work of the device may touch");
}

TEST_F(DeviceMemoryDeathTest, TheHostWritesDeviceMemory) {
  EXPECT_DEATH(WriteByte(MakeMemory(MemoryStorageType::kDevice)->data()),
               "the host touched byte 0 of buffer \"frame\"");
}

TEST_F(DeviceMemoryDeathTest, WorkUsesTheAddressOfTheHost) {
  EXPECT_DEATH(
      {
        const auto memory = MakeMemory(MemoryStorageType::kDevice);
        const RunningWorkScope scope("blur");
        memory->OpenView(true, 0);
        WriteByte(memory->data() + 5);
      },
      "the work \"blur\" touched byte 5 of buffer \"frame\".*, which it does "
      "not declare");
}

TEST_F(DeviceMemoryDeathTest, WorkWritesWhatItDeclaresToRead) {
  EXPECT_DEATH(
      {
        const auto memory = MakeMemory(MemoryStorageType::kDevice);
        const RunningWorkScope scope("blur");
        WriteByte(memory->OpenView(false, 7));
      },
      "the work \"blur\" touched byte 7 of buffer \"frame\".*Writes\\(\\)");
}

TEST_F(DeviceMemoryDeathTest, AnAddressIsUsedAfterTheKernel) {
  EXPECT_DEATH(
      {
        const auto memory = MakeMemory(MemoryStorageType::kDevice);
        std::byte* const address = memory->OpenView(true, 7);
        memory->CloseView(true);
        WriteByte(address);
      },
      "the host touched byte 7 of buffer \"frame\".* outside of work that "
      "declares it");
}

TEST_F(DeviceMemoryDeathTest, MemoryIsUsedThatWasGivenBack) {
  EXPECT_DEATH(
      {
        auto memory = MakeMemory(MemoryStorageType::kHost);
        std::byte* const address = memory->data();
        memory = nullptr;
        WriteByte(address);
      },
      "the host touched byte 0 of buffer \"frame\".*, which was given back");
}

TEST_F(DeviceMemoryDeathTest, OtherFaultsSayNothingOfDeviceMemory) {
  EXPECT_DEATH(
      {
        const auto memory = MakeMemory(MemoryStorageType::kDevice);
        std::byte* volatile nowhere = nullptr;
        std::fprintf(stderr, "begin\n");
        WriteByte(nowhere + 16);
      },
      "begin\n[^S]*");
}

}  // namespace
}  // namespace syncline::gpu
