// CollectionItemId: the place of a port among all ports of one kind of a node.
//
// An id is a small number with the operations that iterating needs. It is a
// type of its own so that "the third port in tag order" cannot be mistaken for
// "index 3 of a tag".
//
// Thread rule: a value.
// Tested by collection_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_COLLECTION_ITEM_ID_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_COLLECTION_ITEM_ID_H_

#include <compare>
#include <ostream>
#include <utility>

namespace syncline {

class CollectionItemId {
 public:
  // The invalid id, which GetId returns for a port that is not there.
  constexpr CollectionItemId() = default;
  constexpr explicit CollectionItemId(int value) : value_(value) {}

  static constexpr CollectionItemId GetInvalid() { return CollectionItemId(); }
  constexpr bool IsValid() const { return value_ >= 0; }
  constexpr int value() const { return value_; }

  constexpr CollectionItemId& operator++() {
    ++value_;
    return *this;
  }
  constexpr CollectionItemId operator++(int) {
    return CollectionItemId(value_++);
  }
  constexpr CollectionItemId& operator--() {
    --value_;
    return *this;
  }
  constexpr CollectionItemId operator--(int) {
    return CollectionItemId(value_--);
  }
  constexpr CollectionItemId& operator+=(int by) {
    value_ += by;
    return *this;
  }
  constexpr CollectionItemId& operator-=(int by) {
    value_ -= by;
    return *this;
  }
  friend constexpr CollectionItemId operator+(CollectionItemId id, int by) {
    return CollectionItemId(id.value_ + by);
  }
  friend constexpr CollectionItemId operator+(int by, CollectionItemId id) {
    return id + by;
  }
  friend constexpr CollectionItemId operator-(CollectionItemId id, int by) {
    return CollectionItemId(id.value_ - by);
  }
  friend constexpr int operator-(CollectionItemId a, CollectionItemId b) {
    return a.value_ - b.value_;
  }
  friend constexpr auto operator<=>(CollectionItemId,
                                    CollectionItemId) = default;

  template <typename H>
  friend H AbslHashValue(H h, CollectionItemId id) {
    return H::combine(std::move(h), id.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, CollectionItemId id) {
    return out << id.value_;
  }

 private:
  int value_ = -1;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_COLLECTION_ITEM_ID_H_
