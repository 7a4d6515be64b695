// Union-find over ports: which of them must carry the same type.
//
// Thread rule: for one thread.
// Tested by type_classes_test and unify_types_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_TYPE_CLASSES_H_
#define SYNCLINE_FRAMEWORK_PLAN_TYPE_CLASSES_H_

#include <utility>
#include <vector>

#include "framework/packet/packet_type.h"

namespace syncline {

class TypeClasses {
 public:
  // A class of one, of the declared type; null when any type will do.
  int Add(const PacketType* type) {
    parents_.push_back(-1);
    types_.push_back(type);
    return static_cast<int>(parents_.size()) - 1;
  }

  int size() const { return static_cast<int>(parents_.size()); }

  // Null when nothing has said anything but "any".
  const PacketType* Type(int member) { return types_[Class(member)]; }
  void SetType(int member, const PacketType* type) {
    types_[Class(member)] = type;
  }

  // The same number for all members of a class, until the next Merge.
  int Class(int member) {
    int root = member;
    while (parents_[root] >= 0) root = parents_[root];
    while (parents_[member] >= 0) {
      member = std::exchange(parents_[member], root);
    }
    return root;
  }

  // REQUIRES: at least one of the two has type null, or both have the same.
  void Merge(int a, int b) {
    a = Class(a);
    b = Class(b);
    if (a == b) return;
    const PacketType* type = types_[a] != nullptr ? types_[a] : types_[b];
    if (parents_[a] > parents_[b]) std::swap(a, b);
    parents_[a] += parents_[b];
    parents_[b] = a;
    types_[a] = type;
  }

 private:
  // The parent, or the negated size of a class at its root.
  std::vector<int> parents_;
  std::vector<const PacketType*> types_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_TYPE_CLASSES_H_
