// OverListMessage: instantiates a calculator for a list message.
//
//   using SplitLandmarkListCalculator =
//       OverListMessage<SplitListsCalculator, Landmark, LandmarkList>;
//
// For messages whose items are in a field `landmark`, `classification` or
// `joint`.
//
// Thread rule: as for the calculator.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_LIST_MESSAGES_H_
#define SYNCLINE_CALCULATORS_CORE_LIST_MESSAGES_H_

namespace syncline {

template <template <typename, typename> class Calculator, typename Item,
          typename List>
class OverListMessage : public Calculator<Item, List> {
 protected:
  int ListSize(const List& list) const override { return Items(list).size(); }
  const Item GetItem(  // NOLINT(readability-const-return-type)
      const List& list, int idx) const override {
    return Items(list).Get(idx);
  }
  Item* AddItem(List& list) const override {
    if constexpr (requires { list.add_landmark(); }) {
      return list.add_landmark();
    } else if constexpr (requires { list.add_classification(); }) {
      return list.add_classification();
    } else {
      return list.add_joint();
    }
  }

 private:
  static const auto& Items(const List& list) {
    if constexpr (requires { list.landmark(); }) {
      return list.landmark();
    } else if constexpr (requires { list.classification(); }) {
      return list.classification();
    } else {
      return list.joint();
    }
  }
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_LIST_MESSAGES_H_
