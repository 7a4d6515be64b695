#include "framework/base/cache_lines.h"

#include <cstddef>
#include <memory_resource>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(PlaceArrayTest, ItemsLieOneAfterTheOther) {
  alignas(64) std::byte bytes[256];
  std::pmr::monotonic_buffer_resource memory(bytes, sizeof(bytes),
                                             std::pmr::null_memory_resource());
  int* const three = PlaceArray<int>(3, &memory);
  int* const two = PlaceArray<int>(2, &memory);
  EXPECT_EQ(static_cast<void*>(three), static_cast<void*>(bytes));
  EXPECT_EQ(two, three + 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(three[i], 0);
}

TEST(PlaceArrayTest, NoItemsTakeNoMemory) {
  EXPECT_EQ(PlaceArray<int>(0, std::pmr::null_memory_resource()), nullptr);
}

TEST(FetchTest, MemoryThatDoesNotExistMakesNoDifference) {
  FetchLines(nullptr, 3);
  FetchObject(static_cast<const char*>(nullptr));
}

}  // namespace
}  // namespace syncline
