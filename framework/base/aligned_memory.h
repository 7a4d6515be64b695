// Memory whose address is a multiple of a given power of two, as vector
// instructions and devices need it.
//
// Thread rule: free functions.
// Tested by aligned_memory_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_ALIGNED_MEMORY_H_
#define SYNCLINE_FRAMEWORK_BASE_ALIGNED_MEMORY_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>

namespace syncline {

// Null when there is not enough memory, or `alignment` is no power of two. To
// be given to FreeAligned.
inline void* AllocateAligned(std::size_t size, std::size_t alignment) {
  // posix_memalign would say the same; address sanitizer ends the process.
  if (!std::has_single_bit(alignment)) return nullptr;
  void* memory = nullptr;
  return posix_memalign(&memory, std::max(alignment, sizeof(void*)), size) == 0
             ? memory
             : nullptr;
}
inline void FreeAligned(void* memory) { std::free(memory); }

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_ALIGNED_MEMORY_H_
