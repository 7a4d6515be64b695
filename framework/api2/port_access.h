// The result of `kPort(cc)`: a port in this call, which can be read or written.
//
//   Input<T>                 kIn(cc)   an InputShardAccess<T>, a Packet<T>
//   SideInput<T>             kSide(cc) an InputSidePacketAccess<T>, the same
//   Input<T>::SideFallback   kIn(cc)   an InputShardOrSideAccess<T>, the same
//   Output<T>                kOut(cc)  an OutputShardAccess<T>
//   SideOutput<T>            kOut(cc)  an OutputSidePacketAccess<T>
//   ...::Multiple            kIn(cc)   a MultiplePortAccess of those
//   any, in a contract       kIn(cc)   a PacketTypeAccess
//
// They are small handles, valid during the call, and made where they are
// needed. An optional port that is not connected has a handle too: it reads as
// empty, and writing to it does nothing.
//
// Thread rule: as for the CalculatorContext.
// Tested by node_test.

#ifndef SYNCLINE_FRAMEWORK_API2_PORT_ACCESS_H_
#define SYNCLINE_FRAMEWORK_API2_PORT_ACCESS_H_

#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/base/optimization.h"
#include "framework/api2/input_access.h"
#include "framework/api2/output_access.h"
#include "framework/packet/packet_type.h"

namespace syncline {
namespace api2 {

// The type of a port while the contract is written. The list of ports has set
// it already; UpdateContract may change it.
class PacketTypeAccess {
 public:
  // `type` is null for a port that the graph does not connect.
  explicit PacketTypeAccess(PacketType* type) : type_(type) {}

  bool IsConnected() const { return type_ != nullptr; }

  // These replace the type that was set. They do nothing if the port is not
  // connected.
  template <typename T>
  void Set() const {
    if (type_ != nullptr) type_->Set<T>();
  }
  template <typename... T>
  void SetOneOf() const {
    if (type_ != nullptr) type_->SetOneOf<T...>();
  }
  void SetAny() const {
    if (type_ != nullptr) type_->SetAny();
  }
  void SetNone() const {
    if (type_ != nullptr) type_->SetNone();
  }
  void SetSameAs(const PacketTypeAccess& other) const {
    if (type_ == nullptr) return;
    if (other.type_ == nullptr) {
      type_->SetAny();
    } else {
      type_->SetSameAs(other.type_);
    }
  }

 private:
  PacketType* type_;
};

// The ports of one tag: none, one or many.
//
//   for (const auto& in : kIn(cc)) { ... }
//   kIn(cc).Count();  kIn(cc)[1];
//
// operator[] and iterators return handles by value, so a loop variable is
// `auto` or `const auto&`.
template <typename Port, typename CC>
class MultiplePortAccess {
 public:
  using Access = decltype(Port::AccessIndex(std::declval<CC*>(), "", 0));

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Access;
    using difference_type = std::ptrdiff_t;
    using pointer = const Access*;
    using reference = Access;

    Iterator(const MultiplePortAccess* ports, int index)
        : ports_(ports), index_(index) {}
    Access operator*() const { return (*ports_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(ports_, index_++); }
    friend bool operator==(Iterator a, Iterator b) {
      return a.index_ == b.index_;
    }
    friend bool operator!=(Iterator a, Iterator b) { return !(a == b); }

   private:
    const MultiplePortAccess* ports_;
    int index_;
  };

  MultiplePortAccess(CC* cc, const char* tag)
      : cc_(cc), tag_(tag), count_(Port::Collection(cc).NumEntries(tag)) {}

  int Count() const { return count_; }
  // Whether there is at least one.
  bool IsConnected() const { return count_ > 0; }
  // A misuse for an index that is not below Count().
  Access operator[](int index) const {
    if (ABSL_PREDICT_FALSE(index < 0 || index >= count_)) {
      internal::ReportNoSuchIndex({cc_, Port::kKindName, tag_, index}, count_);
    }
    return Port::AccessIndex(cc_, tag_, index);
  }
  Iterator begin() const { return Iterator(this, 0); }
  Iterator end() const { return Iterator(this, count_); }

 private:
  CC* cc_;
  const char* tag_;
  int count_;
};

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_PORT_ACCESS_H_
