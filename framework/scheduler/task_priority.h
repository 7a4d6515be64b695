// TaskPriority: which of two ready calls runs first.
//
// The order in which a queue gives its tasks away:
//
//   1. Open, the smaller node id first: what a graph needs comes to life first
//   2. nodes with inputs, the larger id first: what is nearer to the outputs
//      empties the graph before anything new comes in
//   3. sources: the smaller layer, then the smaller order (how far the source
//      has got), then the smaller id
//
// Thread rule: plain values.
// Tested by task_priority_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_TASK_PRIORITY_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_TASK_PRIORITY_H_

#include <cstdint>
#include <limits>

namespace syncline {

class TaskPriority {
 public:
  constexpr TaskPriority() = default;

  static constexpr TaskPriority ForOpen(int node_id) {
    return {kNotSource | kOpen | Descending(node_id), 0};
  }
  static constexpr TaskPriority ForNode(int node_id) {
    return {kNotSource | static_cast<std::uint32_t>(node_id), 0};
  }
  static constexpr TaskPriority ForSource(int layer, std::int64_t order,
                                          int node_id) {
    // Layers may be negative; the sign bit is moved so that unsigned numbers
    // have the same order.
    const std::uint32_t ascending =
        static_cast<std::uint32_t>(layer) ^ (std::uint32_t{1} << 31);
    return {std::uint64_t{~ascending} << kIdBits | Descending(node_id), order};
  }

  // True if a task with this priority runs before one with `other`.
  constexpr bool Before(const TaskPriority& other) const {
    const std::uint64_t urgency = key_ >> kIdBits;
    const std::uint64_t other_urgency = other.key_ >> kIdBits;
    if (urgency != other_urgency) return urgency > other_urgency;
    if (order_ != other.order_) return order_ < other.order_;
    return key_ > other.key_;
  }

  // REQUIRES: both are of sources.
  constexpr bool IsOfSameLayer(const TaskPriority& other) const {
    return key_ >> kIdBits == other.key_ >> kIdBits;
  }

  // A number that is larger for what runs earlier; exact between nodes, and
  // between nodes and sources, but not between two sources of a layer. Not 0.
  constexpr std::uint64_t Key() const { return key_; }
  constexpr bool IsSource() const { return (key_ & kNotSource) == 0; }
  // Of Key(), or 0 for no task.
  static constexpr bool IsSourceKey(std::uint64_t key) {
    return key != 0 && (key & kNotSource) == 0;
  }
  constexpr bool IsOpen() const { return !IsSource() && (key_ & kOpen) != 0; }

  friend constexpr bool operator==(const TaskPriority&,
                                   const TaskPriority&) = default;

 private:
  // The key, from the highest bit: 1, open or not, and the id; or for a source
  // 0, the layer in 32 bits, and the id. Ids have 31 bits and, as positions, do
  // not reach the greatest number.
  static constexpr int kIdBits = 31;
  static constexpr std::uint64_t kOpen = std::uint64_t{1} << kIdBits;
  static constexpr std::uint64_t kNotSource = std::uint64_t{1} << 63;

  static constexpr std::uint32_t Descending(int node_id) {
    return static_cast<std::uint32_t>(std::numeric_limits<int>::max() -
                                      node_id);
  }

  constexpr TaskPriority(std::uint64_t key, std::int64_t order)
      : key_(key), order_(order) {}

  std::uint64_t key_ = 0;
  std::int64_t order_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_TASK_PRIORITY_H_
