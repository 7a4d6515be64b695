// NodeRow: where a node lies in memory, and what is worth fetching before it is
// touched.
//
// A node lies in a row of memory with its queues, its first context and its
// outputs: PlaceArray takes what comes next in that row. Cache lines of a row
// are cheap to fetch while something else is done; see docs/performance.md. A
// node knows the lines that its next call will touch, and those of the first
// readers of its outputs, which what it sends will touch.
//
// Thread rule: set before the run, then read only.
// Tested by node_row_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_ROW_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_ROW_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>

#include "framework/node/fetch_lines.h"

namespace syncline {

// `size` new items in `memory`, which gets nothing back; null if there are
// none.
template <typename T>
T* PlaceArray(std::size_t size, std::pmr::memory_resource* memory) {
  if (size == 0) return nullptr;
  T* const items =
      static_cast<T*>(memory->allocate(size * sizeof(T), alignof(T)));
  std::uninitialized_value_construct_n(items, size);
  return items;
}

// Cache lines in a row.
struct LineRow {
  const void* start = nullptr;
  int lines = 0;
};

class NodeRow {
 public:
  // More lines of a call than this are not worth it, nor more readers.
  static constexpr int kMostLines = 10;
  static constexpr std::size_t kMostReaders = 3;

  // A call touches these lines.
  void SetCall(const LineRow& row) { Set(0, row); }
  // So do packets that come to a reader. Those after the third are left out.
  void AddReader(const LineRow& row) {
    if (num_readers_ < kMostReaders) Set(++num_readers_, row);
  }

  LineRow call() const { return Get(0); }
  std::size_t num_readers() const { return num_readers_; }
  LineRow reader(std::size_t i) const { return Get(i + 1); }

  // Neither waits.
  void FetchCall() const { FetchLines(starts_[0], lines_[0]); }
  void FetchReaders() const {
    for (std::size_t i = 1; i <= num_readers_; ++i) {
      FetchLines(starts_[i], lines_[i]);
    }
  }

 private:
  void Set(std::size_t i, const LineRow& row) {
    starts_[i] = row.start;
    lines_[i] = static_cast<std::uint8_t>(std::min(row.lines, 255));
  }
  LineRow Get(std::size_t i) const {
    return {.start = starts_[i], .lines = lines_[i]};
  }

  // The call's first, then those of readers. Apart, so that they are small.
  std::array<const void*, kMostReaders + 1> starts_ = {};
  std::array<std::uint8_t, kMostReaders + 1> lines_ = {};
  std::uint8_t num_readers_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_ROW_H_
