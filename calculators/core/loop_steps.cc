#include "calculators/core/loop_steps.h"

#include <utility>

namespace syncline {
namespace {

constexpr char kItem[] = "ITEM";
constexpr char kClone[] = "CLONE";
constexpr char kBatchEnd[] = "BATCH_END";

}  // namespace

absl::Status LoopSteps::DeclareBegin(absl::string_view calculator,
                                     CalculatorContract* cc) {
  const int clones = cc->Inputs().NumEntries(kClone);
  if (clones != cc->Outputs().NumEntries(kClone)) {
    return absl::InvalidArgumentError(absl::StrCat(
        calculator, " needs as many outputs CLONE as inputs, but ", "has ",
        cc->Outputs().NumEntries(kClone), " and ", clones));
  }
  for (int i = 0; i < clones; ++i) {
    cc->Inputs().Get(kClone, i).SetAny();
    cc->Outputs().Get(kClone, i).SetSameAs(&cc->Inputs().Get(kClone, i));
  }
  cc->Outputs().Tag(kBatchEnd).Set<Timestamp>();
  cc->SetProcessTimestampBounds(true);
  return absl::OkStatus();
}

void LoopSteps::SendItem(Packet item, CalculatorContext* cc) {
  cc->Outputs().Tag(kItem).AddPacket(std::move(item).At(next_));
  for (int i = 0; i < cc->Inputs().NumEntries(kClone); ++i) {
    const InputStream& clone = cc->Inputs().Get(kClone, i);
    if (clone.IsEmpty()) continue;
    cc->Outputs().Get(kClone, i).AddPacket(clone.Value().At(next_));
  }
  ++next_;
}

void LoopSteps::EndBatch(CalculatorContext* cc) {
  if (next_ == batch_begin_) ++next_;
  batch_begin_ = next_;
  cc->Outputs().Tag(kBatchEnd).AddPacket(
      MakePacket<Timestamp>(cc->InputTimestamp()).At(next_ - 1));
  for (OutputStream& output : cc->Outputs()) {
    if (output.NextTimestampBound() < next_) {
      output.SetNextTimestampBound(next_);
    }
  }
}

}  // namespace syncline
