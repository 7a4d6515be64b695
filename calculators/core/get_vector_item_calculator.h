// GetVectorItemCalculator<T>: sends one element of a vector.
//
//   using GetPoseVectorItemCalculator = GetVectorItemCalculator<Pose>;
//   REGISTER_CALCULATOR(GetPoseVectorItemCalculator);
//
//   node {
//     calculator: "GetPoseVectorItemCalculator"
//     input_stream: "VECTOR:poses"        # std::vector<T>
//     input_stream: "INDEX:which"         # int or uint64_t; or the option
//     output_stream: "ITEM:pose"          # T
//     options { [syncline.GetVectorItemCalculatorOptions.ext] {
//       item_index: 5
//       output_empty_on_oob: true } }
//   }
//
// The index is the packet of INDEX, or the option if there is no packet. An
// index outside of the vector ends the run with an error; with
// output_empty_on_oob it sends nothing.
//
// An empty VECTOR, or no index, sends nothing; the bound passes through
// (timestamp offset 0). The element is copied. If it cannot be copied it is
// moved; this node must then be the only reader of VECTOR.
//
// Thread rule: no state of its own.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_GET_VECTOR_ITEM_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_GET_VECTOR_ITEM_CALCULATOR_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "calculators/core/get_vector_item_calculator.pb.h"
#include "calculators/core/take_or_copy.h"
#include "framework/api2/node.h"  // IWYU pragma: export
#include "framework/calculator_framework.h"

namespace syncline {

template <typename T>
class GetVectorItemCalculator : public api2::Node {
 public:
  static constexpr api2::Input<std::vector<T>> kIn{"VECTOR"};
  static constexpr
      typename api2::Input<api2::OneOf<int, std::uint64_t>>::Optional kIdx{
          "INDEX"};
  static constexpr api2::Output<T> kOut{"ITEM"};
  SYNCLINE_NODE_CONTRACT(kIn, kIdx, kOut);

  static absl::Status UpdateContract(CalculatorContract* cc) {
    const bool has_option =
        cc->Options<GetVectorItemCalculatorOptions>().has_item_index();
    if (!kIdx(cc).IsConnected() && !has_option) {
      return absl::InvalidArgumentError(
          "which element? Connect the input INDEX or set the option "
          "item_index");
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    InputStream& vector = cc->Inputs().Tag("VECTOR");
    if (vector.IsEmpty()) return absl::OkStatus();
    const auto& options = cc->Options<GetVectorItemCalculatorOptions>();
    absl::optional<std::uint64_t> index;
    SYNCLINE_ASSIGN_OR_RETURN(index, Index(*cc, options));
    if (!index.has_value()) return absl::OkStatus();
    const std::size_t size = vector.Get<std::vector<T>>().size();
    if (*index >= size) {
      if (options.output_empty_on_oob()) return absl::OkStatus();
      return absl::OutOfRangeError(absl::StrCat(
          "There is no element ", Signed(*index), " at ",
          cc->InputTimestamp().DebugString(), ": it has to be idx >= 0 and ",
          "idx < items.size(), which is ", size,
          "; with the option output_empty_on_oob nothing is sent instead"));
    }
    const auto at = static_cast<std::size_t>(*index);
    return TakeOrCopy<std::vector<T>>(vector, [cc, at](auto&& elements) {
      // Moves the element only if this node alone has the vector.
      cc->Outputs().Tag("ITEM").AddPacket(
          MakePacket<T>(Element(elements, at)).At(cc->InputTimestamp()));
    });
  }

 private:
  static decltype(auto) Element(const std::vector<T>& elements,
                                std::size_t at) {
    return elements[at];
  }
  static T&& Element(std::vector<T>& elements, std::size_t at) {
    return std::move(elements[at]);
  }

  // A negative index becomes one that is too large for any vector.
  static absl::StatusOr<absl::optional<std::uint64_t>> Index(
      CalculatorContext& cc, const GetVectorItemCalculatorOptions& options) {
    if (HasTagValue(cc.Inputs(), "INDEX")) {
      const InputStream& index = cc.Inputs().Tag("INDEX");
      if (index.Value().Holds(TypeIdOf<int>())) {
        return static_cast<std::uint64_t>(index.Get<int>());
      }
      return index.Get<std::uint64_t>();
    }
    if (!options.has_item_index()) return absl::optional<std::uint64_t>();
    return static_cast<std::uint64_t>(options.item_index());
  }
  static std::int64_t Signed(std::uint64_t index) {
    return static_cast<std::int64_t>(index);
  }
};

namespace api2 {
using ::syncline::GetVectorItemCalculator;
}  // namespace api2

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_GET_VECTOR_ITEM_CALCULATOR_H_
