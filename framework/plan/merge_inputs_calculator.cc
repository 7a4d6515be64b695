// MergeInputsCalculator: several streams of one type become one, in the order
// in which packets arrive.
//
//   node {
//     calculator: "MergeInputsCalculator"
//     input_stream: "a"
//     input_stream: "b"
//     output_stream: "ab"
//   }
//
// The plan puts one in front of an input with `merge` (lower_merge.cc). A
// packet keeps its timestamp if it is above that of the packet before, else it
// gets the next possible one. A packet at PreStream or PostStream gets the next
// possible one, too, because these are for streams of one packet. If it is the
// first packet, it gets Timestamp::Min().
//
// An empty input sends nothing. The output is settled where all inputs are, and
// ends when all have ended. Message times go on with the packets. The output's
// header is that of the first input that has one.
//
// Which packet comes first differs from run to run, so graphs with
// `deterministic: true` cannot have it.
//
// Thread rule: as for any calculator.
// Tested by merge_inputs_calculator_test; in a run, by merge_graph_test.

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"

namespace syncline {

class MergeInputsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().NumEntries("") == 0 ||
        cc->Inputs().NumEntries("") != cc->Inputs().NumEntries() ||
        cc->Outputs().NumEntries("") != 1 || cc->Outputs().NumEntries() != 1) {
      return absl::InvalidArgumentError(
          "MergeInputsCalculator has inputs without a tag, and one output "
          "without a tag.");
    }
    for (PacketType& input : cc->Inputs()) {
      input.SetSameAs(&cc->Outputs().Index(0));
    }
    cc->Outputs().Index(0).SetAny();
    cc->SetInputStreamHandler("ArrivalOrderInputStreamHandler");
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    bounds_.assign(cc->Inputs().NumEntries(), Timestamp::Min());
    for (const InputStream& input : cc->Inputs()) {
      if (input.Header().IsEmpty()) continue;
      cc->Outputs().Index(0).SetHeader(input.Header());
      break;
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    OutputStream& output = cc->Outputs().Index(0);
    auto bound = bounds_.begin();
    for (const InputStream& input : cc->Inputs()) {
      *bound =
          std::max(*bound, input.Value().Timestamp().NextAllowedInStream());
      ++bound;
      if (!input.IsEmpty()) SYNCLINE_RETURN_IF_ERROR(Send(input, &output));
    }
    const Timestamp lowest = *std::min_element(bounds_.begin(), bounds_.end());
    if (lowest > output.NextTimestampBound()) {
      output.SetNextTimestampBound(lowest);
    }
    return absl::OkStatus();
  }

 private:
  static absl::Status Send(const InputStream& input, OutputStream* output) {
    const Timestamp next =
        std::max(Timestamp::Min(), output->NextTimestampBound());
    const Timestamp given = input.Value().Timestamp();
    const Timestamp timestamp =
        given.IsRangeValue() ? std::max(given, next) : next;
    if (!timestamp.IsRangeValue()) {
      return absl::OutOfRangeError(absl::StrCat(
          "the packet of \"", input.Name(), "\" at ", given.DebugString(),
          " comes after one at Timestamp::Max(), and there is no later one "
          "for it. Its producer should begin earlier."));
    }
    if (input.KeepsMessageTimes()) {
      output->AddPacket(input.Value().At(timestamp), input.MessageTimes());
    } else {
      output->AddPacket(input.Value().At(timestamp));
    }
    return absl::OkStatus();
  }

  // By input: nothing comes below.
  std::vector<Timestamp> bounds_;
};
REGISTER_CALCULATOR(MergeInputsCalculator);

}  // namespace syncline
