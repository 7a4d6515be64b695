// Counts the large blocks of memory that a program takes: where images are
// copied.
//
//   StartCountingLargeBlocks(width * height);
//   ... work on images ...
//   EXPECT_EQ(GetLargeBlocks().blocks, 1);
//
// This library replaces the allocating functions of a program that links it:
// malloc, calloc, realloc and the aligned kinds. It counts a block and passes
// the call on to the C library. Calls from other libraries and from operator
// new are counted, too; of realloc, only those that make a block larger.
//
// Thread rule: any thread; all threads are counted.
// Tested by image_copies_test.

#ifndef SYNCLINE_TESTING_LARGE_BLOCKS_H_
#define SYNCLINE_TESTING_LARGE_BLOCKS_H_

#include <cstddef>
#include <cstdint>

namespace syncline {

// False under a sanitizer, which puts itself in the same place.
bool CanCountLargeBlocks();

struct LargeBlocks {
  std::int64_t blocks = 0;
  std::int64_t bytes = 0;
};

// Forgets what was counted. From now on blocks of so many bytes and more do.
void StartCountingLargeBlocks(std::size_t min_bytes);
LargeBlocks GetLargeBlocks();

}  // namespace syncline

#endif  // SYNCLINE_TESTING_LARGE_BLOCKS_H_
