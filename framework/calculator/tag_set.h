// TagSet: the tags of a node's ports, sorted, each once.
//
// A sorted vector with the functions of std::set that readers need. It converts
// to a std::set:
//
//   for (const std::string& tag : cc->Inputs().GetTags()) ...
//   const std::set<std::string> tags = cc->Inputs().GetTags();
//
// It is no std::set itself because every calculator would have to compile one.
//
// Thread rule: as for a vector.
// Tested by port_layout_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_TAG_SET_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_TAG_SET_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"

namespace syncline {

class TagSet : public std::vector<std::string> {
 public:
  using key_type = std::string;
  using vector::vector;

  // end() if the tag is not there.
  const_iterator find(absl::string_view tag) const {
    const const_iterator at = std::lower_bound(begin(), end(), tag);
    return at != end() && *at == tag ? at : end();
  }
  bool contains(absl::string_view tag) const { return find(tag) != end(); }
  std::size_t count(absl::string_view tag) const { return contains(tag); }

  // Any set of strings of the standard library or of Abseil.
  template <typename Set>
  requires(std::is_same_v<typename Set::key_type, std::string> &&
           !std::is_same_v<Set, TagSet>)
  operator Set() const {  // NOLINT(google-explicit-constructor)
    return Set(begin(), end());
  }

  // Compares with a set of the standard library. EXPECT_EQ takes the two either
  // way round.
  template <typename Set>
  requires(std::is_same_v<typename Set::key_type, std::string> &&
           !std::is_same_v<Set, TagSet>) friend bool
  operator==(const TagSet& tags, const Set& set) {
    return std::equal(tags.begin(), tags.end(), set.begin(), set.end());
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_TAG_SET_H_
