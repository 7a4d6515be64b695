// TypeId: which C++ type something is.
//
// A packet is checked against the type a calculator asks for, so identity has
// to hold between libraries that were compiled and loaded apart: two shared
// libraries that both know `Foo` mean the same `Foo`. That is what
// std::type_info's operator== promises and what comparing addresses of
// per-type variables does not. Types of unnamed namespaces stay distinct.
//
// Thread rule: values; free to use anywhere.
// Tested by type_id_test and, across shared libraries, by plugin_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_TYPE_ID_H_
#define SYNCLINE_FRAMEWORK_BASE_TYPE_ID_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <typeinfo>
#include <utility>

namespace syncline {

class TypeId {
 public:
  // The type void.
  constexpr TypeId() : info_(&typeid(void)) {}

  // References and top level const and volatile do not count, as for typeid.
  template <typename T>
  static constexpr TypeId Of() {
    return TypeId(&typeid(T));
  }
  static constexpr TypeId Of(const std::type_info& info) {
    return TypeId(&info);
  }

  // The same in every library of the process.
  std::size_t hash_code() const { return info_->hash_code(); }

  // The name as C++ source would give it. Costs an allocation and a demangling:
  // for texts that people read.
  std::string name() const;

  const std::type_info& type_info() const { return *info_; }

  // Most types that are the same have the same record. Never true for others.
  bool HasSameRecord(TypeId other) const { return info_ == other.info_; }

  friend bool operator==(TypeId a, TypeId b) {
    return a.info_ == b.info_ || *a.info_ == *b.info_;
  }
  // An order for containers. It may differ from one run to the next.
  friend bool operator<(TypeId a, TypeId b) {
    return a.info_ != b.info_ && a.info_->before(*b.info_);
  }

  template <typename H>
  friend H AbslHashValue(H h, TypeId id) {
    return H::combine(std::move(h), id.hash_code());
  }
  friend std::ostream& operator<<(std::ostream& out, TypeId id) {
    return out << id.name();
  }

 private:
  constexpr explicit TypeId(const std::type_info* info) : info_(info) {}

  const std::type_info* info_;
};

template <typename T>
constexpr TypeId TypeIdOf() {
  return TypeId::Of<T>();
}

template <typename T>
inline constexpr TypeId kTypeId = TypeId::Of<T>();

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_TYPE_ID_H_
