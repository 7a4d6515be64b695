// Collection: one value for each port of a node, found by tag and index.
//
//   cc->Inputs().Tag("IMAGE")        the port `IMAGE:...`, index 0
//   cc->Inputs().Get("IMAGE", 1)     the port `IMAGE:1:...`
//   cc->Inputs().Index(2)            the third port without a tag
//   cc->Inputs().Get(id)             by id, in the order of PortLayout
//   for (auto& input : cc->Inputs()) all of them, in that order
//
// Values lie in one array by id, on the heap or in memory that the maker names;
// the layout turns tag and index into an id without allocating. In a
// calculator's call it is a misuse to ask for a port that does not exist. A
// contract notes the port and goes on instead (see packet_type_set.h); the last
// template argument chooses between the two.
//
// Thread rule: as for an array of T.
// Tested by collection_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_COLLECTION_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_COLLECTION_H_

#include <algorithm>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/tag_set.h"

namespace syncline {

// Whether a collection holds its values, or pointers to values of others.
enum class CollectionStorage { kStoreValue, kStorePointer };

// What happens when a port is asked for that is not there: a misuse that names
// what was asked for and what there is.
template <typename T>
struct MissingPortIsMisuse {
  T& GetFallback(const PortLayout& layout, absl::string_view tag,
                 int index) const {
    ReportMisuse(absl::FailedPreconditionError(
        absl::StrCat("Failed to get tag \"", tag, "\" index ", index,
                     ": this node has ", layout.ShortDebugString(),
                     "; ask HasTag() first if the port is optional")));
  }
};

template <typename T,
          CollectionStorage storage = CollectionStorage::kStoreValue,
          typename OnMissing = MissingPortIsMisuse<T>>
class Collection {
 public:
  using value_type = T;
  static constexpr bool kStoresPointers =
      storage == CollectionStorage::kStorePointer;
  using stored_type = std::conditional_t<kStoresPointers, T*, T>;

 private:
  // Steps over pointers but shows what they point to. Of random access, as the
  // plain pointers of other collections are.
  template <typename Value>
  class PointerIterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_cv_t<Value>;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;

    PointerIterator() = default;
    explicit PointerIterator(T* const* at) : at_(at) {}
    Value& operator*() const { return **at_; }
    Value* operator->() const { return *at_; }
    Value& operator[](difference_type n) const { return *at_[n]; }
    PointerIterator& operator+=(difference_type n) {
      at_ += n;
      return *this;
    }
    PointerIterator& operator-=(difference_type n) { return *this += -n; }
    PointerIterator& operator++() { return *this += 1; }
    PointerIterator operator++(int) { return PointerIterator(at_++); }
    PointerIterator& operator--() { return *this -= 1; }
    PointerIterator operator--(int) { return PointerIterator(at_--); }
    friend PointerIterator operator+(PointerIterator at, difference_type n) {
      return at += n;
    }
    friend PointerIterator operator+(difference_type n, PointerIterator at) {
      return at += n;
    }
    friend PointerIterator operator-(PointerIterator at, difference_type n) {
      return at -= n;
    }
    friend difference_type operator-(PointerIterator a, PointerIterator b) {
      return a.at_ - b.at_;
    }
    friend auto operator<=>(PointerIterator, PointerIterator) = default;

   private:
    T* const* at_ = nullptr;
  };

 public:
  using iterator = std::conditional_t<kStoresPointers, PointerIterator<T>, T*>;
  using const_iterator =
      std::conditional_t<kStoresPointers, PointerIterator<const T>, const T*>;

  // Values (or null pointers) for every port of `layout`, which is not null.
  explicit Collection(std::shared_ptr<const PortLayout> layout)
      : items_(MakeItems(layout->NumEntries())), layout_(std::move(layout)) {
    Count();
  }
  // The same with values at `place`, which has room for all of them and
  // outlives the collection.
  Collection(std::shared_ptr<const PortLayout> layout, void* place)
      : items_(nullptr, {.is_placed = 1}), layout_(std::move(layout)) {
    const int size = layout_->NumEntries();
    if (size == 0) return;
    items_.reset(static_cast<stored_type*>(place));
    std::uninitialized_value_construct_n(items_.get(), size);
    Count();
  }
  // For no ports.
  Collection() : Collection(PortLayout::Empty()) {}
  // For tags with names. A layout that cannot be is a misuse; where that can
  // happen, make the layout first.
  explicit Collection(const PortLayout::TagAndNameInfo& info)
      : Collection(LayoutOrMisuse(info)) {}
  // For so many ports without a tag; none if negative.
  explicit Collection(int num_entries)
      : Collection(PortLayout::Unnamed(
            std::vector<std::string>(std::max(num_entries, 0)))) {}
  // For one port of each tag.
  explicit Collection(const std::initializer_list<std::string>& tags)
      : Collection(PortLayout::Unnamed({tags.begin(), tags.end()})) {}

  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;
  Collection(Collection&&) noexcept = default;
  Collection& operator=(Collection&&) noexcept = default;

  // The value of a port by its id, which must be one of this layout's.
  T& Get(CollectionItemId id) { return Value(CheckedId(id)); }
  const T& Get(CollectionItemId id) const { return Value(CheckedId(id)); }
  // The value of a port by its position in the order of ids.
  T& Get(int port) { return Get(CollectionItemId(port)); }
  const T& Get(int port) const { return Get(CollectionItemId(port)); }

  T& Get(absl::string_view tag, int index) { return ValueOf(tag, index); }
  const T& Get(absl::string_view tag, int index) const {
    return ValueOf(tag, index);
  }
  T& Tag(absl::string_view tag) { return ValueOf(tag, 0); }
  const T& Tag(absl::string_view tag) const { return ValueOf(tag, 0); }
  T& Index(int index) { return Untagged(index); }
  const T& Index(int index) const { return Untagged(index); }

  // The stored pointer itself, to set it.
  T*& GetPtr(CollectionItemId id) requires kStoresPointers {
    return items_[CheckedId(id).value()];
  }
  const T* GetPtr(CollectionItemId id) const requires kStoresPointers {
    return items_[CheckedId(id).value()];
  }

  bool HasTag(absl::string_view tag) const { return layout_->HasTag(tag); }
  int NumEntries() const { return items_.get_deleter().size; }
  int NumEntries(absl::string_view tag) const {
    return layout_->NumEntries(tag);
  }
  // Invalid if there is no such port.
  CollectionItemId GetId(absl::string_view tag, int index) const {
    return layout_->GetId(tag, index);
  }
  TagSet GetTags() const { return layout_->GetTags(); }
  std::pair<std::string, int> TagAndIndexFromId(CollectionItemId id) const {
    return layout_->TagAndIndexFromId(id);
  }
  CollectionItemId BeginId() const { return layout_->BeginId(); }
  CollectionItemId EndId() const { return layout_->EndId(); }
  CollectionItemId BeginId(absl::string_view tag) const {
    return layout_->BeginId(tag);
  }
  CollectionItemId EndId(absl::string_view tag) const {
    return layout_->EndId(tag);
  }

  iterator begin() { return iterator(items_.get()); }
  iterator end() { return iterator(items_.get() + NumEntries()); }
  const_iterator begin() const { return const_iterator(items_.get()); }
  const_iterator end() const {
    return const_iterator(items_.get() + NumEntries());
  }

  const PortLayout& layout() const { return *layout_; }
  // The same, under its public name, to be shared.
  const std::shared_ptr<const PortLayout>& TagMap() const { return layout_; }
  // Whether some port has a tag.
  bool UsesTags() const { return NumEntries() > NumEntries(""); }
  std::string DebugString() const { return layout_->DebugString(); }

  // Equal ports with equal values.
  friend bool operator==(const Collection& a, const Collection& b) {
    if (!a.layout_->SameAs(*b.layout_)) return false;
    for (int i = 0; i < a.NumEntries(); ++i) {
      if (!(a.items_[i] == b.items_[i])) return false;
    }
    return true;
  }

 protected:
  OnMissing& on_missing() { return on_missing_; }
  const OnMissing& on_missing() const { return on_missing_; }

 private:
  static std::shared_ptr<const PortLayout> LayoutOrMisuse(
      const PortLayout::TagAndNameInfo& info) {
    absl::StatusOr<std::shared_ptr<const PortLayout>> layout =
        PortLayout::Create(info);
    if (!layout.ok()) ReportMisuse(layout.status());
    return *std::move(layout);
  }

  // Null if there are no values, since most nodes have no side packets, for
  // instance.
  static stored_type* MakeItems(int size) {
    return size == 0 ? nullptr : new stored_type[static_cast<size_t>(size)]();
  }

  CollectionItemId CheckedId(CollectionItemId id) const {
    // An invalid id is negative.
    if (ABSL_PREDICT_FALSE(static_cast<unsigned>(id.value()) >=
                           static_cast<unsigned>(NumEntries()))) {
      ReportNoSuchId(id);
    }
    return id;
  }
  [[noreturn]] ABSL_ATTRIBUTE_NOINLINE void ReportNoSuchId(
      CollectionItemId id) const {
    ReportMisuse(absl::OutOfRangeError(
        absl::StrCat("there is no port with id ", id.value(),
                     ": this node has ", layout_->ShortDebugString())));
  }
  // Whether the value is const is said by the public functions.
  T& Value(CollectionItemId id) const {
    if constexpr (kStoresPointers) {
      return *items_[id.value()];
    } else {
      return items_[id.value()];
    }
  }
  T& ValueOf(absl::string_view tag, int index) const {
    const CollectionItemId id = layout_->GetId(tag, index);
    return id.IsValid() ? Value(id)
                        : on_missing_.GetFallback(*layout_, tag, index);
  }
  T& Untagged(int index) const {
    return static_cast<unsigned>(index) < items_.get_deleter().num_untagged
               ? Value(CollectionItemId(index))
               : on_missing_.GetFallback(*layout_, "", index);
  }

  // Calls go through the items without looking at the layout, which is in
  // another place; so the numbers of ports are here again. Ports without a tag
  // come first.
  struct Releaser {
    void operator()(stored_type* items) const {
      if (is_placed != 0) {
        std::destroy_n(items, size);
      } else {
        delete[] items;
      }
    }
    int size = 0;
    unsigned is_placed : 1 = 0;
    unsigned num_untagged : 31 = 0;
  };
  void Count() {
    items_.get_deleter().size = layout_->NumEntries();
    items_.get_deleter().num_untagged =
        static_cast<unsigned>(layout_->NumUntagged());
  }

  std::unique_ptr<stored_type[], Releaser> items_;
  std::shared_ptr<const PortLayout> layout_;
  // A contract notes what is asked for, also when it is const.
  [[no_unique_address]] mutable OnMissing on_missing_;
};

// Whether the port is there and, on this call, has a value.
template <typename S>
bool HasTagValue(const S& collection, absl::string_view tag) {
  return collection.HasTag(tag) && !collection.Tag(tag).IsEmpty();
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_COLLECTION_H_
