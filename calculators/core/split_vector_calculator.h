// SplitVectorCalculator<T, move_elements>: sends parts of a vector, or some of
// its elements, each on its own output.
//
//   using SplitPosesCalculator = SplitVectorCalculator<Pose, false>;
//   REGISTER_CALCULATOR(SplitPosesCalculator);
//
//   node {
//     calculator: "SplitPosesCalculator"
//     input_stream: "poses"           # std::vector<T>
//     output_stream: "first"
//     output_stream: "rest"           # std::vector<T>, or T with element_only
//     options { [syncline.SplitVectorCalculatorOptions.ext] {
//       ranges { begin: 0 end: 1 }
//       ranges { begin: 1 end: 4 } } }
//   }
//
// With combine_outputs all ranges are sent on one output, in their order. A
// vector that is shorter than the ranges ends the run with an error.
//
// Elements are copied. With move_elements, and if they cannot be copied, they
// are moved; this node must then be the only reader of its input, and ranges
// may not overlap.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: constant after Open.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_SPLIT_VECTOR_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_SPLIT_VECTOR_CALCULATOR_H_

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "calculators/core/split_ranges.h"
#include "calculators/core/split_vector_calculator.pb.h"
#include "calculators/core/take_or_copy.h"
#include "framework/calculator_framework.h"

namespace syncline {

template <typename T, bool move_elements>
class SplitVectorCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_ASSIGN_OR_RETURN(const SplitRanges ranges, Ranges(*cc));
    cc->Inputs().Index(0).Set<std::vector<T>>();
    for (int i = 0; i < cc->Outputs().NumEntries(); ++i) {
      PacketType& output = cc->Outputs().Index(i);
      if (ranges.element_only) {
        output.Set<T>();
      } else {
        output.Set<std::vector<T>>();
      }
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(ranges_, Ranges(*cc));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    InputStream& input = cc->Inputs().Index(0);
    if (input.IsEmpty()) return absl::OkStatus();
    SYNCLINE_RETURN_IF_ERROR(
        ranges_.CheckSize(input.Get<std::vector<T>>().size()));
    if constexpr (kMoves) {
      SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<std::vector<T>> elements,
                                Take<std::vector<T>>(input));
      Send(std::make_move_iterator(elements->begin()), cc);
    } else {
      Send(input.Get<std::vector<T>>().begin(), cc);
    }
    return absl::OkStatus();
  }

 private:
  static constexpr bool kMoves = move_elements || !kCanBeCopied<T>;

  template <typename ContractOrContext>
  static absl::StatusOr<SplitRanges> Ranges(const ContractOrContext& cc) {
    return SplitRanges::Create(
        cc.template Options<SplitVectorCalculatorOptions>(),
        cc.Outputs().NumEntries(), kMoves);
  }

  // `elements` is the beginning of the vector.
  template <typename Iterator>
  void Send(Iterator elements, CalculatorContext* cc) {
    std::vector<T> combined;
    if (ranges_.combine) combined.reserve(ranges_.total);
    for (std::size_t i = 0; i < ranges_.parts.size(); ++i) {
      const auto begin =
          elements + static_cast<std::ptrdiff_t>(ranges_.parts[i].begin);
      const auto end =
          elements + static_cast<std::ptrdiff_t>(ranges_.parts[i].end);
      if (ranges_.combine) {
        combined.insert(combined.end(), begin, end);
      } else if (ranges_.element_only) {
        SendTo(static_cast<int>(i), MakePacket<T>(*begin), cc);
      } else {
        SendTo(static_cast<int>(i), MakePacket<std::vector<T>>(begin, end), cc);
      }
    }
    if (ranges_.combine) {
      SendTo(0, MakePacket<std::vector<T>>(std::move(combined)), cc);
    }
  }
  static void SendTo(int output, Packet packet, CalculatorContext* cc) {
    cc->Outputs().Index(output).AddPacket(
        std::move(packet).At(cc->InputTimestamp()));
  }

  SplitRanges ranges_;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_SPLIT_VECTOR_CALCULATOR_H_
