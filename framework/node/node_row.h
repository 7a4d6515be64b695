// NodeRow: the cache lines that a node fetches before they are touched.
//
// A node, its queues, its first context and its outputs lie one after the other
// in memory (framework/base/cache_lines.h). A node knows the lines that its
// next call will touch, and the lines of its first readers that its packets
// will touch.
//
// Thread rule: set before the run, then read only.
// Tested by node_row_test; only benchmarks show what fetching gains
// (docs/performance.md).

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_ROW_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_ROW_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "framework/base/cache_lines.h"

namespace syncline {

// Cache lines that follow each other.
struct LineRow {
  const void* start = nullptr;
  int lines = 0;
};

class NodeRow {
 public:
  // To fetch more lines for a call, or for more readers, costs more than it
  // gains.
  static constexpr int kMostLines = 10;
  static constexpr std::size_t kMostReaders = 3;

  // The lines that a call of the node touches.
  void SetCall(const LineRow& row) { Set(0, row); }
  // The lines that packets touch which come to a reader. Readers after the
  // third are left out.
  void AddReader(const LineRow& row) {
    if (num_readers_ < kMostReaders) Set(++num_readers_, row);
  }

  LineRow call() const { return Get(0); }
  std::size_t num_readers() const { return num_readers_; }
  LineRow reader(std::size_t i) const { return Get(i + 1); }

  // Neither function waits for the memory.
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

  // The first is that of the call, the others are those of readers. Two arrays
  // are smaller than one of LineRow.
  std::array<const void*, kMostReaders + 1> starts_ = {};
  std::array<std::uint8_t, kMostReaders + 1> lines_ = {};
  std::uint8_t num_readers_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_ROW_H_
