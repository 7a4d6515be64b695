#include "testing/large_blocks.h"

#include <errno.h>
#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>

namespace {

// Of constant initialization: blocks are taken before main.
std::atomic<std::size_t> min_bytes_to_count{
    std::numeric_limits<std::size_t>::max()};
std::atomic<std::int64_t> large_blocks{0};
std::atomic<std::int64_t> large_bytes{0};

[[maybe_unused]] void Count(std::size_t bytes) {
  if (bytes < min_bytes_to_count.load(std::memory_order_relaxed)) return;
  large_blocks.fetch_add(1, std::memory_order_relaxed);
  large_bytes.fetch_add(static_cast<std::int64_t>(bytes),
                        std::memory_order_relaxed);
}

// The C library's own.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);
extern "C" void* __libc_realloc(void* block, std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCounts = false;
#else
constexpr bool kCounts = true;

extern "C" void* malloc(std::size_t size) noexcept {
  Count(size);
  return __libc_malloc(size);
}
extern "C" void* calloc(std::size_t count, std::size_t size) noexcept {
  Count(count * size);
  return __libc_calloc(count, size);
}
extern "C" void* realloc(void* block, std::size_t size) noexcept {
  if (block == nullptr || size > malloc_usable_size(block)) Count(size);
  return __libc_realloc(block, size);
}
extern "C" void* memalign(std::size_t alignment, std::size_t size) noexcept {
  Count(size);
  return __libc_memalign(alignment, size);
}
extern "C" void* aligned_alloc(std::size_t alignment,
                               std::size_t size) noexcept {
  Count(size);
  return __libc_memalign(alignment, size);
}
extern "C" int posix_memalign(void** memory, std::size_t alignment,
                              std::size_t size) noexcept {
  Count(size);
  void* const block = __libc_memalign(alignment, size);
  if (block == nullptr) return ENOMEM;
  *memory = block;
  return 0;
}
#endif

namespace syncline {

bool CanCountLargeBlocks() { return kCounts; }

void StartCountingLargeBlocks(std::size_t min_bytes) {
  min_bytes_to_count = min_bytes;
  large_blocks = 0;
  large_bytes = 0;
}

LargeBlocks GetLargeBlocks() { return {large_blocks, large_bytes}; }

}  // namespace syncline
