#include "framework/port/aligned_malloc_and_free.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace {

TEST(AlignedMallocTest, TheAddressIsAMultiple) {
  for (int alignment = 1; alignment <= 4096; alignment *= 2) {
    void* memory = aligned_malloc(10, alignment);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0u);
    aligned_free(memory);
  }
  aligned_free(nullptr);
}

TEST(AlignedMallocTest, ThereIsNoneOfAnAlignmentThatIsNone) {
  EXPECT_EQ(aligned_malloc(10, 0), nullptr);
  EXPECT_EQ(aligned_malloc(10, -16), nullptr);
  EXPECT_EQ(aligned_malloc(10, 24), nullptr);
}

}  // namespace
