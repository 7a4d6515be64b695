// CollectionHasMinSizeCalculator<Iterable>: sends whether a collection has
// enough elements.
//
//   using PosesHaveMinSizeCalculator =
//       CollectionHasMinSizeCalculator<std::vector<Pose>>;
//   REGISTER_CALCULATOR(PosesHaveMinSizeCalculator);
//
//   node {
//     calculator: "PosesHaveMinSizeCalculator"
//     input_stream: "ITERABLE:poses"         # Iterable
//     input_side_packet: "min_poses"         # int, optional
//     output_stream: "are_enough"            # bool
//     options { [syncline.CollectionHasMinSizeCalculatorOptions.ext] {
//       min_size: 2 } }
//   }
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: constant after Open.
// Tested by util_calculators_test.

#ifndef SYNCLINE_CALCULATORS_UTIL_COLLECTION_HAS_MIN_SIZE_CALCULATOR_H_
#define SYNCLINE_CALCULATORS_UTIL_COLLECTION_HAS_MIN_SIZE_CALCULATOR_H_

#include <cstddef>

#include "calculators/util/collection_has_min_size_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {

template <typename IterableT>
class CollectionHasMinSizeCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("ITERABLE").Set<IterableT>();
    cc->Outputs().Index(0).Set<bool>();
    if (cc->InputSidePackets().NumEntries() > 0) {
      cc->InputSidePackets().Index(0).Set<int>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    int min_size =
        cc->Options<CollectionHasMinSizeCalculatorOptions>().min_size();
    if (cc->InputSidePackets().NumEntries() > 0) {
      min_size = cc->InputSidePackets().Index(0).Get<int>();
    }
    if (min_size < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "min_size is ", min_size, ", but no collection is smaller than 0"));
    }
    min_size_ = static_cast<std::size_t>(min_size);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Tag("ITERABLE");
    if (input.IsEmpty()) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<bool>(input.Get<IterableT>().size() >= min_size_)
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  std::size_t min_size_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_UTIL_COLLECTION_HAS_MIN_SIZE_CALCULATOR_H_
