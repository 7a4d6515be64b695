// PassThroughCalculator: sends every input unchanged on the output of the same
// tag and index.
//
//   node {
//     calculator: "PassThroughCalculator"
//     input_stream: "IMAGE:frames"
//     input_stream: "METADATA:times"
//     output_stream: "IMAGE:same_frames"
//     output_stream: "METADATA:same_times"
//   }
//
// It synchronizes its streams: packets of one timestamp that arrive at
// different moments are sent together. Streams carry any type; input and output
// of a pair have the same one. Headers are forwarded. Input side packets may be
// given too; if the node has output side packets, they mirror the input side
// packets in the same way.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
// Without input streams the node is a source that ends at once. The counter
// "PassThrough" counts calls.
//
// Thread rule: as any calculator.
#include <utility>

#include "framework/calculator_framework.h"

namespace syncline {
namespace {

// INVALID_ARGUMENT unless both sets have the same tags with the same counts.
absl::Status CheckMirrored(const PacketTypeSet& inputs,
                           const PacketTypeSet& outputs,
                           absl::string_view what) {
  if (inputs.TagMap()->SameAs(*outputs.TagMap())) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "PassThroughCalculator needs the same tags and indexes on its input ",
      what, "s and output ", what, "s, but has inputs ",
      inputs.TagMap()->ShortDebugString(), " and outputs ",
      outputs.TagMap()->ShortDebugString()));
}

void MirrorTypes(PacketTypeSet& inputs, PacketTypeSet& outputs) {
  for (CollectionItemId id = inputs.BeginId(); id < inputs.EndId(); ++id) {
    inputs.Get(id).SetAny();
    outputs.Get(id).SetSameAs(&inputs.Get(id));
  }
}

}  // namespace

class PassThroughCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(
        CheckMirrored(cc->Inputs(), cc->Outputs(), "stream"));
    MirrorTypes(cc->Inputs(), cc->Outputs());
    if (cc->OutputSidePackets().NumEntries() == 0) {
      for (PacketType& type : cc->InputSidePackets()) type.SetAny();
    } else {
      SYNCLINE_RETURN_IF_ERROR(CheckMirrored(
          cc->InputSidePackets(), cc->OutputSidePackets(), "side packet"));
      MirrorTypes(cc->InputSidePackets(), cc->OutputSidePackets());
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    calls_ = cc->GetCounter("PassThrough");
    for (CollectionItemId id = cc->Inputs().BeginId();
         id < cc->Inputs().EndId(); ++id) {
      if (!cc->Inputs().Get(id).Header().IsEmpty()) {
        cc->Outputs().Get(id).SetHeader(cc->Inputs().Get(id).Header());
      }
    }
    if (cc->OutputSidePackets().NumEntries() == 0) return absl::OkStatus();
    for (CollectionItemId id = cc->InputSidePackets().BeginId();
         id < cc->InputSidePackets().EndId(); ++id) {
      cc->OutputSidePackets().Get(id).Set(cc->InputSidePackets().Get(id));
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    calls_->Increment();
    if (cc->Inputs().NumEntries() == 0) return tool::StatusStop();
    auto output = cc->Outputs().begin();
    for (InputStream& input : cc->Inputs()) {
      if (!input.IsEmpty()) output->AddPacket(std::move(input.Value()));
      ++output;
    }
    return absl::OkStatus();
  }

 private:
  Counter* calls_ = nullptr;
};
REGISTER_CALCULATOR(PassThroughCalculator);

}  // namespace syncline
