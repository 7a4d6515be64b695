#include "calculators/image/frame_filter.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"

namespace syncline {

void FrameFilter::DeclareFrames(CalculatorContract* cc, const char* tag) {
  const char* const used = cc->Inputs().HasTag(tag) ? tag : "";
  cc->Inputs().Tag(used).Set<ImageFrame>();
  cc->Outputs().Tag(used).Set<ImageFrame>();
  cc->SetTimestampOffset(TimestampDiff(0));
}

absl::Status FrameFilter::Open(CalculatorContext* cc) {
  if (!cc->Inputs().HasTag(tag_)) tag_ = "";
  const Packet& header = cc->Inputs().Tag(tag_).Header();
  if (!header.IsEmpty()) cc->Outputs().Tag(tag_).SetHeader(header);
  return absl::OkStatus();
}

absl::Status FrameFilter::Process(CalculatorContext* cc) {
  const Packet& packet = cc->Inputs().Tag(tag_).Value();
  if (packet.IsEmpty()) return absl::OkStatus();
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ImageFrame> result,
                            Filter(packet.Get<ImageFrame>(), cc));
  if (result == nullptr) {
    cc->Outputs().Tag(tag_).AddPacket(packet);
  } else {
    cc->Outputs().Tag(tag_).Add(result.release(), cc->InputTimestamp());
  }
  return absl::OkStatus();
}

}  // namespace syncline
