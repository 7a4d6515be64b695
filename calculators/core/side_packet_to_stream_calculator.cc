// SidePacketToStreamCalculator: sends side packets on streams.
//
//   node {
//     calculator: "SidePacketToStreamCalculator"
//     input_stream: "TICK:frames"            # any type
//     input_side_packet: "model"
//     input_side_packet: "labels"
//     output_stream: "AT_TICK:0:model_at_frame"
//     output_stream: "AT_TICK:1:labels_at_frame"
//   }
//
// The tag of the outputs says when they are sent. There is one output for each
// side packet without a tag:
//
//   AT_PRESTREAM    at Timestamp::PreStream(), once
//   AT_POSTSTREAM   at Timestamp::PostStream(), once
//   AT_ZERO         at 0, once
//   AT_TIMESTAMP    at the side packet TIMESTAMP (int64_t), once
//   AT_TICK         at each packet of TICK
//   AT_FIRST_TICK   at the first packet of TICK; then the outputs end
//
// A node without TICK is a source. An empty TICK sends nothing; the bound
// passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cstdint>
#include <string>

#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kTick[] = "TICK";
constexpr char kTimestamp[] = "TIMESTAMP";
constexpr char kAtTick[] = "AT_TICK";
constexpr char kAtFirstTick[] = "AT_FIRST_TICK";
constexpr char kAtTimestamp[] = "AT_TIMESTAMP";
constexpr const char* kTags[] = {"AT_PRESTREAM", "AT_POSTSTREAM", "AT_ZERO",
                                 kAtTick,        kAtFirstTick,    kAtTimestamp};

template <typename Ports>
bool HasExactlyOneOfTheTags(const Ports& outputs) {
  return outputs.GetTags().size() == 1 &&
         std::any_of(
             std::begin(kTags), std::end(kTags),
             [&outputs](const char* tag) { return outputs.HasTag(tag); });
}

absl::Status NeedsError(absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("SidePacketToStreamCalculator needs ", what));
}

}  // namespace

class SidePacketToStreamCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    PacketTypeSet& outputs = cc->Outputs();
    PacketTypeSet& side_packets = cc->InputSidePackets();
    if (!HasExactlyOneOfTheTags(outputs)) {
      return NeedsError(
          "outputs of one tag: AT_PRESTREAM, AT_POSTSTREAM, AT_ZERO, AT_TICK, "
          "AT_FIRST_TICK or AT_TIMESTAMP");
    }
    const std::string tag = *outputs.GetTags().begin();
    const bool needs_tick = tag == kAtTick || tag == kAtFirstTick;
    if (needs_tick != cc->Inputs().HasTag(kTick)) {
      return NeedsError(
          "the input TICK for AT_TICK and AT_FIRST_TICK, and for these only");
    }
    if ((tag == kAtTimestamp) != side_packets.HasTag(kTimestamp)) {
      return NeedsError(
          "the side packet TIMESTAMP for AT_TIMESTAMP, and for that only");
    }
    if (side_packets.NumEntries("") != outputs.NumEntries(tag)) {
      return NeedsError(absl::StrCat(
          "an output ", tag, " for each side packet without tag, but has ",
          outputs.NumEntries(tag), " and ", side_packets.NumEntries("")));
    }
    for (int i = 0; i < outputs.NumEntries(tag); ++i) {
      side_packets.Index(i).SetAny();
      outputs.Get(tag, i).SetSameAs(&side_packets.Index(i));
    }
    if (needs_tick) {
      cc->Inputs().Tag(kTick).SetAny();
      cc->SetTimestampOffset(TimestampDiff(0));
    }
    if (tag == kAtTimestamp) side_packets.Tag(kTimestamp).Set<std::int64_t>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    tag_ = *cc->Outputs().GetTags().begin();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (!cc->Inputs().HasTag(kTick)) return tool::StatusStop();
    if (cc->Inputs().Tag(kTick).IsEmpty() ||
        cc->Outputs().begin()->IsClosed()) {
      return absl::OkStatus();
    }
    Send(cc->InputTimestamp(), cc);
    if (tag_ == kAtFirstTick) {
      for (OutputStream& output : cc->Outputs()) output.Close();
    }
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (tag_ == "AT_PRESTREAM") Send(Timestamp::PreStream(), cc);
    if (tag_ == "AT_POSTSTREAM") Send(Timestamp::PostStream(), cc);
    if (tag_ == "AT_ZERO") Send(Timestamp(0), cc);
    if (tag_ == kAtTimestamp) {
      const auto value =
          cc->InputSidePackets().Tag(kTimestamp).Get<std::int64_t>();
      const Timestamp time = Timestamp::CreateNoErrorChecking(value);
      if (!time.IsAllowedInStream()) {
        return absl::InvalidArgumentError(
            absl::StrCat("TIMESTAMP is ", time.DebugString(),
                         ", which no packet of a stream can have"));
      }
      Send(time, cc);
    }
    return absl::OkStatus();
  }

 private:
  void Send(Timestamp time, CalculatorContext* cc) {
    for (int i = 0; i < cc->Outputs().NumEntries(); ++i) {
      cc->Outputs().Get(tag_, i).AddPacket(
          cc->InputSidePackets().Index(i).At(time));
    }
  }

  std::string tag_;  // of the outputs
};
REGISTER_CALCULATOR(SidePacketToStreamCalculator);

}  // namespace syncline
