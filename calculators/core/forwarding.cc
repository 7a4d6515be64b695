#include "calculators/core/forwarding.h"

#include <algorithm>

#include "framework/calculator_framework.h"

namespace syncline {

absl::Status CheckUntaggedPairs(absl::string_view calculator,
                                CalculatorContract* cc, int unpaired) {
  const int inputs = cc->Inputs().NumEntries("") - unpaired;
  const int outputs = cc->Outputs().NumEntries("");
  if (inputs <= 0 || inputs != outputs) {
    return absl::InvalidArgumentError(absl::StrCat(
        calculator, " needs as many outputs without tag as inputs",
        unpaired == 0 ? "" : absl::StrCat(" apart from the last ", unpaired),
        ", at least one of each, but has ", outputs, " and ",
        std::max(0, inputs)));
  }
  return absl::OkStatus();
}

absl::Status DeclareUntaggedPairs(absl::string_view calculator,
                                  CalculatorContract* cc, int unpaired) {
  SYNCLINE_RETURN_IF_ERROR(CheckUntaggedPairs(calculator, cc, unpaired));
  for (int i = 0; i < cc->Outputs().NumEntries(""); ++i) {
    PacketType& input = cc->Inputs().Index(i);
    input.SetAny();
    cc->Outputs().Index(i).SetSameAs(&input);
  }
  return absl::OkStatus();
}

void ForwardUntaggedHeaders(CalculatorContext* cc) {
  for (int i = 0; i < cc->Outputs().NumEntries(""); ++i) {
    const Packet& header = cc->Inputs().Index(i).Header();
    if (!header.IsEmpty()) cc->Outputs().Index(i).SetHeader(header);
  }
}

void ForwardUntaggedPackets(CalculatorContext* cc) {
  for (int i = 0; i < cc->Outputs().NumEntries(""); ++i) {
    const InputStream& input = cc->Inputs().Index(i);
    if (!input.IsEmpty()) cc->Outputs().Index(i).AddPacket(input.Value());
  }
}

bool AnyInputHasPacket(const CalculatorContext& cc) {
  return std::any_of(cc.Inputs().begin(), cc.Inputs().end(),
                     [](const InputStream& input) { return !input.IsEmpty(); });
}

Timestamp BoundAfter(const Packet& value) {
  const Timestamp time = value.Timestamp();
  if (!value.IsEmpty() || time >= Timestamp::Min()) {
    return time.NextAllowedInStream();
  }
  // If PreStream is settled without a packet, all later packets may come.
  // Before that, a packet at PreStream may still come.
  return time == Timestamp::PreStream() ? Timestamp::Min()
                                        : Timestamp::PreStream();
}

void RaiseBound(Timestamp bound, OutputStream& output) {
  if (output.IsClosed() || bound <= output.NextTimestampBound()) return;
  if (bound > Timestamp::Max()) {
    output.Close();
  } else {
    output.SetNextTimestampBound(bound);
  }
}

}  // namespace syncline
