#include "framework/plan/source_sets.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "framework/base/hash_map.h"

namespace syncline {
namespace {

void SortAndKeepOneOfEach(std::vector<int>* numbers) {
  std::sort(numbers->begin(), numbers->end());
  numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
}

}  // namespace

SourceSets::SourceSets(size_t flat_budget) : flat_left_(flat_budget) {
  sets_.emplace_back();
}

int SourceSets::Single(int source) {
  auto [entry, is_new] = singles_.try_emplace(source, size());
  if (is_new) sets_.push_back({.members = {source}});
  return entry->second;
}

int SourceSets::Union(absl::Span<const int> sets) {
  std::vector<int> parts;
  for (int set : sets) {
    if (set != kEmpty) parts.push_back(set);
  }
  SortAndKeepOneOfEach(&parts);
  if (parts.empty()) return kEmpty;
  if (parts.size() == 1) return parts[0];
  return Insert(std::move(parts));
}

int SourceSets::Insert(std::vector<int> parts) {
  auto [entry, is_new] = unions_.try_emplace(parts, size());
  if (!is_new) return entry->second;

  Set set;
  set.flat = std::all_of(parts.begin(), parts.end(),
                         [this](int part) { return sets_[part].flat; });
  if (set.flat) {
    size_t bound = 0;
    for (int part : parts) bound += sets_[part].members.size();
    set.flat = bound <= flat_left_;
  }
  if (set.flat) {
    for (int part : parts) {
      const std::vector<int>& more = sets_[part].members;
      set.members.insert(set.members.end(), more.begin(), more.end());
    }
    // The budget pays for the work, and not for the members that are kept, so
    // that joins without new members are not free.
    flat_left_ -= set.members.size();
    SortAndKeepOneOfEach(&set.members);
    // Diamonds often give one part back unchanged: share its id.
    for (int part : parts) {
      if (sets_[part].members.size() == set.members.size()) {
        return entry->second = part;
      }
    }
    set.members.shrink_to_fit();
  } else {
    set.parts = std::move(parts);
  }
  sets_.push_back(std::move(set));
  return entry->second;
}

void SourceSets::ForEach(int set, absl::FunctionRef<void(int)> visit) const {
  if (sets_[set].flat) {
    for (int source : sets_[set].members) visit(source);
    return;
  }
  for (int source : Walk(set)) visit(source);
}

std::vector<int> SourceSets::Walk(int set) const {
  std::vector<int> found;
  std::vector<int> to_visit = {set};
  HashSet<int> seen = {set};
  while (!to_visit.empty()) {
    const Set& at = sets_[to_visit.back()];
    to_visit.pop_back();
    found.insert(found.end(), at.members.begin(), at.members.end());
    for (int part : at.parts) {
      if (seen.insert(part).second) to_visit.push_back(part);
    }
  }
  SortAndKeepOneOfEach(&found);
  return found;
}

}  // namespace syncline
