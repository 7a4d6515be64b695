// Task: something ready to run, with its place in the order.
//
// The order in which a queue gives its tasks away:
//
//   1. Open, the smaller node id first: what a graph needs comes to life first
//   2. nodes with inputs, the larger id first: what is nearer to the outputs
//      empties the graph before anything new comes in
//   3. sources: the smaller layer, then the smaller order (how far the source
//      has got), then the smaller id
//
// Thread rule: a task belongs to whoever made it while it is not in a queue.
// Tested by task_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_TASK_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_TASK_H_

#include <atomic>
#include <cstdint>

namespace syncline {

class TaskPriority {
 public:
  constexpr TaskPriority() = default;

  static constexpr TaskPriority ForOpen(int node_id) {
    return {kOpen, 0, ~static_cast<std::uint32_t>(node_id)};
  }
  static constexpr TaskPriority ForNode(int node_id) {
    return {kNode, 0, static_cast<std::uint32_t>(node_id)};
  }
  static constexpr TaskPriority ForSource(int layer, std::int64_t order,
                                          int node_id) {
    // Layers may be negative; the sign bit is moved so that unsigned numbers
    // have the same order. Two bits are left for the class.
    const std::uint32_t ascending =
        static_cast<std::uint32_t>(layer) ^ (std::uint32_t{1} << 31);
    return {kSource | (~ascending >> 2), order,
            ~static_cast<std::uint32_t>(node_id)};
  }

  // True if a task with this priority runs before one with `other`.
  constexpr bool Before(const TaskPriority& other) const {
    if (urgency_ != other.urgency_) return urgency_ > other.urgency_;
    if (order_ != other.order_) return order_ < other.order_;
    return tie_ > other.tie_;
  }

  // A number that is larger for what runs earlier; exact between nodes, and
  // between nodes and sources, but not between two sources.
  constexpr std::uint64_t Key() const {
    return std::uint64_t{urgency_} << 32 | tie_;
  }
  constexpr bool IsSource() const { return urgency_ < kNode; }

  friend constexpr bool operator==(const TaskPriority&,
                                   const TaskPriority&) = default;

 private:
  static constexpr std::uint32_t kSource = 0;
  static constexpr std::uint32_t kNode = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kOpen = std::uint32_t{2} << 30;

  constexpr TaskPriority(std::uint32_t urgency, std::int64_t order,
                         std::uint32_t tie)
      : urgency_(urgency), tie_(tie), order_(order) {}

  std::uint32_t urgency_ = 0;
  std::uint32_t tie_ = 0;
  std::int64_t order_ = 0;
};

class Task {
 public:
  // Until a task has been measured it counts as long.
  static constexpr std::uint32_t kUnknownCost = ~std::uint32_t{0};

  TaskPriority priority;
  // Roughly how long it ran lately, in ns. Written by whoever runs it.
  std::atomic<std::uint32_t> cost_ns{kUnknownCost};

 protected:
  ~Task() = default;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_TASK_H_
