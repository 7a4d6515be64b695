// Sizes as text are those of GXF; what is no size is an error that says what
// is.
#include "framework/memory/memory_size_text.h"

#include <cstddef>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(MemorySizeTextTest, UnitsArePowersOf1024) {
  const struct {
    const char* text;
    std::size_t bytes;
  } cases[] = {{"32B", 32},
               {"32KB", std::size_t{32} << 10},
               {"64MB", std::size_t{64} << 20},
               {"64GB", std::size_t{64} << 30},
               {"2TB", std::size_t{2} << 40},
               {"0B", 0},
               {"4096", 4096},
               {" 7 kb ", 7 << 10}};
  for (const auto& [text, bytes] : cases) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::size_t parsed,
                                  ParseMemorySize("size", text));
    EXPECT_EQ(parsed, bytes) << text;
  }
}

TEST(MemorySizeTextTest, DecimalsDoNotCount) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::size_t parsed,
                                ParseMemorySize("size", "1.9MB"));
  EXPECT_EQ(parsed, std::size_t{1} << 20);
}

TEST(MemorySizeTextTest, WhatIsNoSizeIsRefused) {
  for (const char* text : {"", "MB", "-1MB", "1.MB", ".5MB", "1XB", "1MBB",
                           "1M", "1 2MB", "64MiB"}) {
    EXPECT_THAT(ParseMemorySize("block_size_text", text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("block_size_text is"),
                               HasSubstr("such as \"64MB\""))))
        << text;
  }
  for (const char* text : {"99999999999999999999B", "16777216TB"}) {
    EXPECT_THAT(ParseMemorySize("size", text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("more than a number of bytes can be")));
  }
}

}  // namespace
}  // namespace syncline
