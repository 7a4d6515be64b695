#include "framework/base/aligned_memory.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(AlignedMemoryTest, AddressesAreMultiplesOfTheAlignment) {
  for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    void* const memory = AllocateAligned(100, alignment);
    ASSERT_NE(memory, nullptr) << alignment;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0);
    static_cast<char*>(memory)[99] = 'x';
    FreeAligned(memory);
  }
}

TEST(AlignedMemoryTest, OtherAlignmentsGiveNothing) {
  EXPECT_EQ(AllocateAligned(8, 0), nullptr);
  EXPECT_EQ(AllocateAligned(8, 24), nullptr);
}

TEST(AlignedMemoryTest, NothingIsFreedAsNothing) { FreeAligned(nullptr); }

}  // namespace
}  // namespace syncline
