// ConcatenateVectorCalculator<T>: makes one vector of several vectors and
// single elements.
//
//   using ConcatenatePosesCalculator = ConcatenateVectorCalculator<Pose>;
//   REGISTER_CALCULATOR(ConcatenatePosesCalculator);
//
//   node {
//     calculator: "ConcatenatePosesCalculator"
//     input_stream: "body"            # each std::vector<T>, or T
//     input_stream: "hands"
//     output_stream: "poses"          # std::vector<T>
//   }
//
// The elements have the order of the inputs. An empty input adds nothing; with
// only_emit_if_all_present, any empty input means that nothing is sent at this
// timestamp; the bound passes through (timestamp offset 0).
//
// If only one input has a packet, and it is a vector, it is sent unchanged.
// Otherwise elements are copied. Elements that cannot be copied are moved; this
// node must then be the only reader of its inputs.
//
// Thread rule: no state of its own.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_CONCATENATE_VECTOR_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_CONCATENATE_VECTOR_CALCULATOR_H_

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "calculators/core/concatenate_vector_calculator.pb.h"
#include "calculators/core/take_or_copy.h"
#include "framework/api2/node.h"  // IWYU pragma: export
#include "framework/calculator_framework.h"

namespace syncline {

// Whether the calculator sends nothing in this call.
inline bool ConcatenatesNothing(CalculatorContext* cc) {
  int present = 0;
  for (const InputStream& input : cc->Inputs()) present += !input.IsEmpty();
  const bool needs_all = cc->Options<ConcatenateVectorCalculatorOptions>()
                             .only_emit_if_all_present();
  return present == 0 || (needs_all && present < cc->Inputs().NumEntries());
}

template <typename T>
class ConcatenateVectorCalculator : public api2::Node {
 public:
  static constexpr
      typename api2::Input<api2::OneOf<T, std::vector<T>>>::Multiple kIn{""};
  static constexpr api2::Output<std::vector<T>> kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  static absl::Status UpdateContract(CalculatorContract* cc) {
    RET_CHECK_GT(kIn(cc).Count(), 0)
        << "there has to be at least one input without tag to concatenate";
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (ConcatenatesNothing(cc)) return absl::OkStatus();
    OutputStream& output = cc->Outputs().Index(0);
    if (const Packet* only = OnlyVector(cc)) {
      output.AddPacket(*only);
      return absl::OkStatus();
    }
    std::vector<T> result;
    for (InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) continue;
      SYNCLINE_RETURN_IF_ERROR(Append(input, result));
    }
    output.AddPacket(
        MakePacket<std::vector<T>>(std::move(result)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  // The vector that is the whole result; null if the result has to be put
  // together.
  static const Packet* OnlyVector(CalculatorContext* cc) {
    const Packet* only = nullptr;
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) continue;
      if (only != nullptr || !input.Value().Holds(TypeIdOf<std::vector<T>>())) {
        return nullptr;
      }
      only = &input.Value();
    }
    return only;
  }

  static absl::Status Append(InputStream& input, std::vector<T>& result) {
    if (input.Value().Holds(TypeIdOf<T>())) {
      return TakeOrCopy<T>(input, [&result](auto&& element) {
        result.push_back(std::forward<decltype(element)>(element));
      });
    }
    return TakeOrCopy<std::vector<T>>(input, [&result](auto&& elements) {
      AppendElements(std::forward<decltype(elements)>(elements), result);
    });
  }
};

namespace api2 {
using ::syncline::ConcatenateVectorCalculator;
}  // namespace api2

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_CONCATENATE_VECTOR_CALCULATOR_H_
