// FetchLines: brings memory into the cache before it is needed.
//
// Thread rule: any thread.
// Only benchmarks show its effect (docs/performance.md).

#ifndef SYNCLINE_FRAMEWORK_NODE_FETCH_LINES_H_
#define SYNCLINE_FRAMEWORK_NODE_FETCH_LINES_H_

#include <cstddef>

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

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_FETCH_LINES_H_
