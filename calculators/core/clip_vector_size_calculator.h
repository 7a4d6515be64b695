// ClipVectorSizeCalculator<T>: sends the first elements of a vector, at most so
// many.
//
//   using ClipPosesSizeCalculator = ClipVectorSizeCalculator<Pose>;
//   REGISTER_CALCULATOR(ClipPosesSizeCalculator);
//
//   node {
//     calculator: "ClipPosesSizeCalculator"
//     input_stream: "poses"                # std::vector<T>
//     input_side_packet: "max_poses"       # int, optional
//     output_stream: "few_poses"           # std::vector<T>
//     options { [syncline.ClipVectorSizeCalculatorOptions.ext] {
//       max_vec_size: 2 } }
//   }
//
// The side packet overrides the option. A vector that is short enough is sent
// unchanged. Otherwise elements are copied. Elements that cannot be copied are
// moved; this node must then be the only reader of its input.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: constant after Open.
// Tested by vector_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_CLIP_VECTOR_SIZE_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_CORE_CLIP_VECTOR_SIZE_CALCULATOR_H_

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "calculators/core/clip_vector_size_calculator.pb.h"
#include "calculators/core/take_or_copy.h"
#include "framework/calculator_framework.h"

namespace syncline {

template <typename T>
class ClipVectorSizeCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    RET_CHECK_EQ(cc->Inputs().NumEntries(), 1);
    RET_CHECK_EQ(cc->Outputs().NumEntries(), 1);
    if (cc->Options<ClipVectorSizeCalculatorOptions>().max_vec_size() < 1) {
      return SizeError(
          cc->Options<ClipVectorSizeCalculatorOptions>().max_vec_size());
    }
    cc->Inputs().Index(0).Set<std::vector<T>>();
    cc->Outputs().Index(0).Set<std::vector<T>>();
    if (cc->InputSidePackets().NumEntries() > 0) {
      cc->InputSidePackets().Index(0).Set<int>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    int size = cc->Options<ClipVectorSizeCalculatorOptions>().max_vec_size();
    if (cc->InputSidePackets().NumEntries() > 0 &&
        !cc->InputSidePackets().Index(0).IsEmpty()) {
      size = cc->InputSidePackets().Index(0).Get<int>();
    }
    if (size < 1) return SizeError(size);
    max_size_ = static_cast<std::size_t>(size);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    InputStream& input = cc->Inputs().Index(0);
    if (input.IsEmpty()) return absl::OkStatus();
    OutputStream& output = cc->Outputs().Index(0);
    if (input.Get<std::vector<T>>().size() <= max_size_) {
      output.AddPacket(std::move(input.Value()));
      return absl::OkStatus();
    }
    const auto size = static_cast<std::ptrdiff_t>(max_size_);
    Packet clipped;
    if constexpr (kCanBeCopied<T>) {
      const auto begin = input.Get<std::vector<T>>().begin();
      clipped = MakePacket<std::vector<T>>(begin, begin + size);
    } else {
      SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<std::vector<T>> elements,
                                Take<std::vector<T>>(input));
      const auto begin = std::make_move_iterator(elements->begin());
      clipped = MakePacket<std::vector<T>>(begin, begin + size);
    }
    output.AddPacket(std::move(clipped).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  static absl::Status SizeError(int size) {
    return absl::InvalidArgumentError(absl::StrCat(
        "max_vec_size is ", size, ", but at least one element has to stay"));
  }

  std::size_t max_size_ = 1;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_CLIP_VECTOR_SIZE_CALCULATOR_H_
