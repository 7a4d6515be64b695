// NameIndex: ids by name. The names stay where they are, in records whose
// places are the ids:
//
//   NameIndex index;
//   index.AddAll(plan_nodes);
//   const int id = index.Find(plan_nodes, "detector");
//
// It takes about ten bytes a name: a graph may have a hundred thousand of them.
//
// Thread rule: as for a vector.
// Tested by name_index_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_NAME_INDEX_H_
#define SYNCLINE_FRAMEWORK_PLAN_NAME_INDEX_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

namespace syncline {

class NameIndex {
 public:
  // The id of the record with that name; -1 if there is none. `records` are
  // those that were added.
  template <typename Records>
  int Find(const Records& records, absl::string_view name) const {
    if (slots_.empty()) return -1;
    return slots_[Slot(records, name)];
  }

  // Adds `records[id]`. Returns the id of the record with its name: another one
  // if it is there already.
  template <typename Records>
  int Add(const Records& records, int id) {
    if (2 * (size_ + 1) > slots_.size()) Grow(records, size_ + 1);
    int& slot = slots_[Slot(records, records[id].name)];
    if (slot < 0) {
      slot = id;
      ++size_;
    }
    return slot;
  }

  // Adds all records. Of those with the same name, the first counts.
  template <typename Records>
  void AddAll(const Records& records) {
    Grow(records, records.size());
    for (std::size_t id = 0; id < records.size(); ++id) {
      Add(records, static_cast<int>(id));
    }
  }

 private:
  // The place of the name, or the free place where it belongs.
  template <typename Records>
  std::size_t Slot(const Records& records, absl::string_view name) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = absl::Hash<absl::string_view>()(name) & mask;
    while (slots_[at] >= 0 && records[slots_[at]].name != name) {
      at = (at + 1) & mask;
    }
    return at;
  }

  // Makes room for `size` names.
  template <typename Records>
  void Grow(const Records& records, std::size_t size) {
    constexpr std::size_t kLeast = 8;
    std::vector<int> old(std::bit_ceil(std::max(kLeast, 2 * size)), -1);
    if (old.size() <= slots_.size()) return;
    old.swap(slots_);
    for (const int id : old) {
      if (id >= 0) slots_[Slot(records, records[id].name)] = id;
    }
  }

  std::vector<int> slots_;  // a power of two of them; -1: free
  std::size_t size_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_NAME_INDEX_H_
