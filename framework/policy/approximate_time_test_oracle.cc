#include "framework/policy/approximate_time_test_oracle.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>

#include "absl/types/optional.h"
#include "glog/logging.h"

namespace syncline {
namespace {

using Set = std::vector<std::int64_t>;

std::int64_t Interval(const Set& set) {
  const auto [low, high] = std::minmax_element(set.begin(), set.end());
  return *high - *low;
}

// Drops heads that are too far before the latest one, which is then the pivot;
// nothing if a stream has ended.
absl::optional<std::int64_t> FindPivot(const ApproximateTimeRule& rule,
                                       std::vector<Set>* streams) {
  for (;;) {
    std::int64_t pivot = std::numeric_limits<std::int64_t>::min();
    for (const Set& stream : *streams) {
      if (stream.empty()) return absl::nullopt;
      pivot = std::max(pivot, stream.front());
    }
    bool is_dropped = false;
    for (std::size_t i = 0; i < streams->size() && !is_dropped; ++i) {
      Set& stream = (*streams)[i];
      if (pivot - stream.front() <=
          std::min(rule.tolerance[i], rule.max_interval)) {
        continue;
      }
      stream.erase(stream.begin());
      is_dropped = true;
    }
    if (!is_dropped) return pivot;
  }
}

// Every set with the pivot and within the limits.
std::vector<Set> SetsWithPivot(const std::vector<Set>& streams,
                               const ApproximateTimeRule& rule,
                               std::int64_t pivot) {
  std::vector<Set> sets;
  const auto accept = [&](const Set& set) {
    if (Interval(set) > rule.max_interval) return;
    bool has_pivot = false;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (std::abs(set[i] - pivot) > rule.tolerance[i]) return;
      if (set[i] == pivot && streams[i].front() == pivot) has_pivot = true;
    }
    if (has_pivot) sets.push_back(set);
  };
  const std::function<void(Set)> extend = [&](Set set) {
    if (set.size() == streams.size()) return accept(set);
    for (const std::int64_t time : streams[set.size()]) {
      Set longer = set;
      longer.push_back(time);
      extend(longer);
    }
  };
  extend({});
  return sets;
}

// Of those with the smallest interval the one that is the earliest in each
// stream.
Set Best(const std::vector<Set>& sets, std::int64_t close_enough) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (const Set& set : sets) best = std::min(best, Interval(set));
  best = std::max(best, close_enough);
  Set earliest;
  for (const Set& set : sets) {
    if (Interval(set) > best) continue;
    if (earliest.empty()) earliest = set;
    for (std::size_t i = 0; i < set.size(); ++i) {
      earliest[i] = std::min(earliest[i], set[i]);
    }
  }
  CHECK_LE(Interval(earliest), best) << "no set is the earliest in each stream";
  return earliest;
}

}  // namespace

std::vector<std::vector<std::int64_t>> ApproximateTimeSets(
    std::vector<std::vector<std::int64_t>> streams,
    const ApproximateTimeRule& rule) {
  std::vector<Set> sets;
  for (;;) {
    const absl::optional<std::int64_t> pivot = FindPivot(rule, &streams);
    if (!pivot) return sets;
    sets.push_back(
        Best(SetsWithPivot(streams, rule, *pivot), rule.close_enough));
    for (std::size_t i = 0; i < streams.size(); ++i) {
      Set& stream = streams[i];
      stream.erase(stream.begin(),
                   std::find(stream.begin(), stream.end(), sets.back()[i]) + 1);
    }
  }
}

}  // namespace syncline
