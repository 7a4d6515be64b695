// Cache lines: fetches them before they are touched, and lays arrays out one
// after the other.
//
// The processor fetches several lines that follow each other in the background,
// at little cost to the thread; see docs/performance.md.
//
// Thread rule: FetchLines and FetchObject: any thread. PlaceArray: as the
// memory resource says.
// Tested by cache_lines_test; only benchmarks show what fetching gains.

#ifndef SYNCLINE_FRAMEWORK_BASE_CACHE_LINES_H_
#define SYNCLINE_FRAMEWORK_BASE_CACHE_LINES_H_

#include <cstddef>
#include <memory>
#include <memory_resource>

namespace syncline {

inline constexpr std::size_t kCacheLine = 64;

// Fetches lines without waiting. Whether they exist makes no difference.
inline void FetchLines(const void* start, int lines) {
  // Else GCC takes a function that does nothing but fetch for one that does
  // nothing, and leaves out calls of it.
  asm volatile("");
  const char* const bytes = static_cast<const char*>(start);
  for (int i = 0; i < lines; ++i) {
    __builtin_prefetch(bytes + static_cast<std::size_t>(i) * kCacheLine,
                       /*rw=*/1);
  }
}

// Fetches the lines of an object.
template <typename T>
void FetchObject(const T* object) {
  FetchLines(object, static_cast<int>((sizeof(T) - 1) / kCacheLine) + 1);
}

// Makes `size` items, one after the other, in the next free place of `memory`,
// which is not given back. Null if `size` is 0.
template <typename T>
T* PlaceArray(std::size_t size, std::pmr::memory_resource* memory) {
  if (size == 0) return nullptr;
  T* const items =
      static_cast<T*>(memory->allocate(size * sizeof(T), alignof(T)));
  std::uninitialized_value_construct_n(items, size);
  return items;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_CACHE_LINES_H_
