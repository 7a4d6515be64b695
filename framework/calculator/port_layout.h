// PortLayout: tags and indexes of a node's ports of one kind, as dense ids.
//
// A config lists ports in any order; everything behind it addresses them by
// number. Tags are sorted ("" first), the indexes of a tag follow each other:
//
//   B:b  A:1:a1  x  A:a0  y     ->   id 0  ""  0  x
//                                       1  ""  1  y
//                                       2  A   0  a0
//                                       3  A   1  a1
//                                       4  B   0  b
//
// So the order of ids is not the order of the config, and Index(i) (tag "",
// index i) is not id i. Looking up a tag is a search among a node's few tags,
// without allocation.
//
// Thread rule: immutable; shared by all that use the same ports.
// Tested by port_layout_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_PORT_LAYOUT_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_PORT_LAYOUT_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/tag_set.h"

namespace google::protobuf {
template <typename Element>
class RepeatedPtrField;
}  // namespace google::protobuf

namespace syncline {

// Names of streams or side packets. They live as long as the layout.
class PortNames : public absl::Span<const std::string> {
 public:
  using Span::Span;
  // Calculators may keep them as a vector.
  operator std::vector<std::string>() const {  // NOLINT: meant to be implicit
    return std::vector<std::string>(begin(), end());
  }
};

class PortLayout {
 public:
  // One port, for callers that have its parts already.
  struct TagAndNameInfo {
    std::vector<std::string> tags;
    std::vector<std::string> names;
  };
  // The ports of one tag.
  struct TagData {
    CollectionItemId id;  // of index 0
    int count = 0;
  };

  // The ports of all tags, sorted by tag; for looking through, like a map.
  class TagMapping : public std::vector<std::pair<std::string, TagData>> {
   public:
    // end() if there is no such tag.
    const_iterator find(absl::string_view tag) const;
    // A misuse if there is no such tag.
    const TagData& at(absl::string_view tag) const;
  };

  // Port names as a config has them. INVALID_ARGUMENT for one that is
  // malformed, FAILED_PRECONDITION for an index given twice or left out.
  // Linear in the number of ports, but for sorting them.
  static absl::StatusOr<std::shared_ptr<const PortLayout>> Create(
      const std::vector<std::string>& ports);
  static absl::StatusOr<std::shared_ptr<const PortLayout>> Create(
      const google::protobuf::RepeatedPtrField<std::string>& ports);
  // Tags with names; the indexes of a tag are in the order given. No tags at
  // all means that every port is without one.
  static absl::StatusOr<std::shared_ptr<const PortLayout>> Create(
      const TagAndNameInfo& info);

  // Names are made up for ports of these tags ("" for none): name0, name1, ...
  static TagAndNameInfo Unnamed(std::vector<std::string> tags);

  // `layout` without the missing ports; `is_there` is by id. A missing port
  // stays if a later port of its tag is there, so that indexes do not shift.
  // Returns `layout` itself if nothing changes.
  static std::shared_ptr<const PortLayout> WithoutMissing(
      std::shared_ptr<const PortLayout> layout,
      const std::vector<bool>& is_there);

  // The layout of no ports.
  static std::shared_ptr<const PortLayout> Empty();

  int NumEntries() const { return static_cast<int>(names_.size()); }
  int NumEntries(absl::string_view tag) const;
  bool HasTag(absl::string_view tag) const { return Find(tag) != nullptr; }

  // Invalid if there is no such port.
  CollectionItemId GetId(absl::string_view tag, int index) const {
    const Tag* const found = Find(tag);
    if (found == nullptr ||
        static_cast<unsigned>(index) >= static_cast<unsigned>(found->count)) {
      return CollectionItemId::GetInvalid();
    }
    return CollectionItemId(found->begin + index);
  }
  // NumEntries(""). Their ids are the first, as "" comes before all other tags.
  int NumUntagged() const { return tags_->untagged_count; }
  // {"", -1} for an id that is no port's.
  std::pair<std::string, int> TagAndIndexFromId(CollectionItemId id) const;
  std::pair<std::string, int> TagAndIndex(int port) const {
    return TagAndIndexFromId(CollectionItemId(port));
  }

  CollectionItemId BeginId() const { return CollectionItemId(0); }
  CollectionItemId EndId() const { return CollectionItemId(NumEntries()); }
  // BeginId(tag) == EndId(tag) for a tag that is not there.
  CollectionItemId BeginId(absl::string_view tag) const;
  CollectionItemId EndId(absl::string_view tag) const;

  // All tags, "" included if a port has none.
  TagSet GetTags() const;
  // Stream or side packet names, by id.
  PortNames Names() const { return PortNames(names_); }
  // "" if there is no such port.
  absl::string_view Name(absl::string_view tag, int index) const;
  TagMapping Mapping() const;

  // Whether both have the same tags with the same counts; names do not matter.
  bool SameAs(const PortLayout& other) const;

  // The ports as a config would list them, in the order of ids, with indexes
  // only where a tag has several.
  std::vector<std::string> CanonicalEntries() const;
  // CanonicalEntries, one per line.
  std::string DebugString() const;
  // The same without names: [ "A:0", "A:1" ] on one line.
  std::string ShortDebugString() const;

 private:
  struct Tag {
    std::string name;
    int begin = 0;
    int count = 0;
  };
  // The tags, which the layouts of many nodes have in common.
  struct Tags {
    std::vector<Tag> all;  // sorted by name
    int untagged_count = 0;
    // There are more than a few tags, or a ContractProbe wants to know.
    bool searches = false;
  };
  class Builder;

  PortLayout() = default;

  // Null if there is no such tag. Nodes have a handful of tags: looking along
  // them beats a search.
  const Tag* Find(absl::string_view tag) const {
    if (ABSL_PREDICT_FALSE(tags_->searches)) return Search(tag);
    for (const Tag& known : tags_->all) {
      if (known.name.size() == tag.size() &&
          std::memcmp(known.name.data(), tag.data(), tag.size()) == 0) {
        return &known;
      }
    }
    return nullptr;
  }
  const Tag* Search(absl::string_view tag) const;
  // The tags of `count` ports, none of which has a tag.
  static std::shared_ptr<const Tags> Untagged(int count);

  static constexpr std::size_t kFewTags = 8;

  std::shared_ptr<const Tags> tags_;           // never null
  absl::InlinedVector<std::string, 1> names_;  // by id
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_PORT_LAYOUT_H_
