// SplitListsCalculator<Item, List>: sends parts of a list message, or some of
// its items, each on its own output.
//
// A list message has a repeated field of items; a subclass says which one, as
// for ConcatenateListsCalculator.
//
//   node {
//     calculator: "SplitNormalizedLandmarkListCalculator"
//     input_stream: "landmarks"       # a List
//     output_stream: "eye"            # a List, or an Item with element_only
//     output_stream: "nose"
//     options { [syncline.SplitVectorCalculatorOptions.ext] {
//       ranges { begin: 0 end: 4 }
//       ranges { begin: 6 end: 9 } } }
//   }
//
// With combine_outputs all ranges are sent on one output, in their order; they
// may not overlap then. A list that is shorter than the ranges ends the run
// with an error. An empty input sends nothing; the bound passes through
// (timestamp offset 0).
//
// Thread rule: constant after Open.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_SPLIT_PROTO_LIST_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_SPLIT_PROTO_LIST_CALCULATOR_H_

#include <cstddef>
#include <utility>

#include "calculators/core/split_ranges.h"
#include "calculators/core/split_vector_calculator.pb.h"
#include "framework/api2/node.h"  // IWYU pragma: export
#include "framework/calculator_framework.h"

namespace syncline {

template <typename ItemType, typename ListType>
class SplitListsCalculator : public api2::Node {
 public:
  static constexpr api2::Input<ListType> kIn{""};
  static constexpr
      typename api2::Output<api2::OneOf<ItemType, ListType>>::Multiple kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  static absl::Status UpdateContract(CalculatorContract* cc) {
    SYNCLINE_ASSIGN_OR_RETURN(const SplitRanges ranges, Ranges(*cc));
    for (PacketType& output : cc->Outputs()) {
      if (ranges.element_only) {
        output.Set<ItemType>();
      } else {
        output.Set<ListType>();
      }
    }
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(ranges_, Ranges(*cc));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Index(0);
    if (input.IsEmpty()) return absl::OkStatus();
    const auto& list = input.Get<ListType>();
    SYNCLINE_RETURN_IF_ERROR(
        ranges_.CheckSize(static_cast<std::size_t>(ListSize(list))));
    ListType combined;
    for (std::size_t i = 0; i < ranges_.parts.size(); ++i) {
      const SplitRanges::Part& part = ranges_.parts[i];
      if (ranges_.element_only) {
        SendTo(i, MakePacket<ItemType>(GetItem(list, Int(part.begin))), cc);
        continue;
      }
      ListType alone;
      CopyItems(list, part, ranges_.combine ? combined : alone);
      if (!ranges_.combine) {
        SendTo(i, MakePacket<ListType>(std::move(alone)), cc);
      }
    }
    if (ranges_.combine) {
      SendTo(0, MakePacket<ListType>(std::move(combined)), cc);
    }
    return absl::OkStatus();
  }

 protected:
  virtual int ListSize(const ListType& list) const = 0;
  // Returns a const value, since subclasses in ported code are written like
  // this.
  virtual const ItemType GetItem(  // NOLINT(readability-const-return-type)
      const ListType& list, int idx) const = 0;
  virtual ItemType* AddItem(ListType& list) const = 0;

 private:
  template <typename ContractOrContext>
  static absl::StatusOr<SplitRanges> Ranges(const ContractOrContext& cc) {
    return SplitRanges::Create(
        cc.template Options<SplitVectorCalculatorOptions>(),
        cc.Outputs().NumEntries(), /*moves_elements=*/false);
  }
  static int Int(std::size_t index) { return static_cast<int>(index); }

  void CopyItems(const ListType& list, const SplitRanges::Part& part,
                 ListType& to) const {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      *AddItem(to) = GetItem(list, Int(i));
    }
  }
  static void SendTo(std::size_t output, Packet packet, CalculatorContext* cc) {
    cc->Outputs()
        .Index(Int(output))
        .AddPacket(std::move(packet).At(cc->InputTimestamp()));
  }

  SplitRanges ranges_;
};

namespace api2 {
using ::syncline::SplitListsCalculator;
}  // namespace api2

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_SPLIT_PROTO_LIST_CALCULATOR_H_
