// aligned_malloc and aligned_free, under their names in older code.
//
// Thread rule: free functions.
// Tested by aligned_malloc_and_free_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_ALIGNED_MALLOC_AND_FREE_H_
#define SYNCLINE_FRAMEWORK_PORT_ALIGNED_MALLOC_AND_FREE_H_

#include <cstddef>

#include "framework/base/aligned_memory.h"

// Memory at a multiple of `minimum_alignment` bytes, a power of two. Null if
// there is not enough memory, or if the alignment is not valid. Free it with
// aligned_free.
inline void* aligned_malloc(std::size_t size, int minimum_alignment) {
  return minimum_alignment <= 0
             ? nullptr
             : syncline::AllocateAligned(
                   size, static_cast<std::size_t>(minimum_alignment));
}
inline void aligned_free(void* aligned_memory) {
  syncline::FreeAligned(aligned_memory);
}

#endif  // SYNCLINE_FRAMEWORK_PORT_ALIGNED_MALLOC_AND_FREE_H_
