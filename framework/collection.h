// Collection: one value for each port of a node, found by tag and index.
//
// Here under the name that ported code has for it, internal::Collection, and
// with the ways of making one that only such code uses. The text is in
// calculator/collection.h.
//
// Tested by ported_names_test.
#ifndef SYNCLINE_FRAMEWORK_COLLECTION_H_
#define SYNCLINE_FRAMEWORK_COLLECTION_H_

#include <initializer_list>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/calculator/collection.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/port_layout.h"

namespace syncline {
namespace internal {

using syncline::CollectionStorage;
template <typename T>
using CollectionErrorHandlerFatal = MissingPortIsMisuse<T>;

template <typename T,
          CollectionStorage storage = CollectionStorage::kStoreValue,
          typename OnMissing = CollectionErrorHandlerFatal<T>>
class Collection : public syncline::Collection<T, storage, OnMissing> {
 public:
  using Base = syncline::Collection<T, storage, OnMissing>;
  using Base::Base;

  // For so many ports without a tag; none if negative.
  explicit Collection(int num_entries) : Base(Untagged(num_entries)) {}
  // For one port of each tag.
  explicit Collection(const std::initializer_list<std::string>& tags)
      : Base(Tagged(tags)) {}

 private:
  static PortLayout::TagAndNameInfo Untagged(int count) {
    PortLayout::TagAndNameInfo info;
    for (int i = 0; i < count; ++i) {
      info.names.push_back(absl::StrCat("name", i));
    }
    return info;
  }
  static PortLayout::TagAndNameInfo Tagged(
      const std::initializer_list<std::string>& tags) {
    PortLayout::TagAndNameInfo info = Untagged(static_cast<int>(tags.size()));
    info.tags.assign(tags.begin(), tags.end());
    return info;
  }
};

}  // namespace internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_COLLECTION_H_
