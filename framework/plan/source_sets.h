// Which sources can feed a node, for all nodes of a graph, in linear space.
//
// A set is an id. A node with one input has the set of that input, so whole
// chains share one id; only a node where different sets meet makes a new one,
// which refers to its parts. Sets that meet again in the same way are found by
// their parts and shared too.
//
// Members are kept as flat, sorted lists as long as merging them has cost less
// than a fixed budget; joins beyond it keep references to their parts, and are
// walked when asked. Without this, a comb of 100,000 joins, each with one more
// source, would take 100,000 x 50,000 entries.
//
// Thread rule: built by one thread; const calls may then run on any.
// Tested by source_sets_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_SOURCE_SETS_H_
#define SYNCLINE_FRAMEWORK_PLAN_SOURCE_SETS_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "framework/base/hash_map.h"

namespace syncline {

class SourceSets {
 public:
  // The id of the empty set.
  static constexpr int kEmpty = 0;

  // At most `flat_budget` members are merged into flat lists, over all sets.
  explicit SourceSets(size_t flat_budget = size_t{4} << 20);

  // The set of one source.
  int Single(int source);

  // The union. Ids may repeat and come in any order.
  int Union(absl::Span<const int> sets);

  // Calls `visit` once for each member, in ascending order.
  void ForEach(int set, absl::FunctionRef<void(int)> visit) const;

  // Number of different sets, the empty one included.
  int size() const { return static_cast<int>(sets_.size()); }

 private:
  struct Set {
    // The members when `flat`, else unused.
    std::vector<int> members;
    // Ids of smaller sets whose union this is, when not `flat`.
    std::vector<int> parts;
    bool flat = true;
  };

  int Insert(std::vector<int> parts);
  std::vector<int> Walk(int set) const;

  size_t flat_left_;
  std::vector<Set> sets_;
  HashMap<int, int> singles_;
  HashMap<std::vector<int>, int> unions_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_SOURCE_SETS_H_
