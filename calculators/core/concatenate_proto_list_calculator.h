// ConcatenateListsCalculator<Item, List>: makes one list message of several.
//
// A list message has a repeated field of items; a subclass says which one:
//
//   class ConcatenateLandmarkListCalculator
//       : public ConcatenateListsCalculator<Landmark, LandmarkList> {
//    protected:
//     int ListSize(const LandmarkList& list) const override {
//       return list.landmark_size();
//     }
//     const Landmark GetItem(const LandmarkList& list, int i) const override {
//       return list.landmark(i);
//     }
//     Landmark* AddItem(LandmarkList& list) const override {
//       return list.add_landmark();
//     }
//   };
//   REGISTER_CALCULATOR(ConcatenateLandmarkListCalculator);
//
//   node {
//     calculator: "ConcatenateLandmarkListCalculator"
//     input_stream: "face"            # each a List
//     input_stream: "hands"
//     output_stream: "landmarks"      # a List
//   }
//
// The items have the order of the inputs; other fields of the lists are left
// out. An empty input adds nothing; with only_emit_if_all_present of
// ConcatenateVectorCalculatorOptions, any empty input means that nothing is
// sent at this timestamp; the bound passes through (timestamp offset 0).
//
// Thread rule: no state of its own.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_CONCATENATE_PROTO_LIST_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_CONCATENATE_PROTO_LIST_CALCULATOR_H_

#include <utility>

#include "calculators/core/concatenate_vector_calculator.h"
#include "framework/api2/node.h"  // IWYU pragma: export
#include "framework/calculator_framework.h"

namespace syncline {

template <typename ItemType, typename ListType>
class ConcatenateListsCalculator : public api2::Node {
 public:
  static constexpr typename api2::Input<ListType>::Multiple kIn{""};
  static constexpr api2::Output<ListType> kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  static absl::Status UpdateContract(CalculatorContract* cc) {
    RET_CHECK_GT(kIn(cc).Count(), 0)
        << "there has to be at least one input without tag to concatenate";
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (ConcatenatesNothing(cc)) return absl::OkStatus();
    ListType result;
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) continue;
      const auto& list = input.Get<ListType>();
      for (int i = 0; i < ListSize(list); ++i) {
        *AddItem(result) = GetItem(list, i);
      }
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<ListType>(std::move(result)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 protected:
  virtual int ListSize(const ListType& list) const = 0;
  // Returns a const value, since subclasses in ported code are written like
  // this.
  virtual const ItemType GetItem(  // NOLINT(readability-const-return-type)
      const ListType& list, int idx) const = 0;
  virtual ItemType* AddItem(ListType& list) const = 0;
};

namespace api2 {
using ::syncline::ConcatenateListsCalculator;
}  // namespace api2

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_CONCATENATE_PROTO_LIST_CALCULATOR_H_
