// Copyright 2025 The Acme Authors.
//
// A calculator as MediaPipe v0.10.35 has them: Abseil's logging, nullability,
// std::optional, services and resources.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/base/no_destructor.h"
#include "absl/base/nullability.h"
#include "absl/log/absl_check.h"
#include "absl/log/absl_log.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "mediapipe/acme/calculators/label_service.h"
#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/deps/status_macros.h"
#include "mediapipe/framework/port/status_macros.h"
#include "mediapipe/framework/resources.h"

namespace mediapipe {
namespace {

const std::vector<std::string>& Vowels() {
  static const absl::NoDestructor<std::vector<std::string>> vowels(
      std::vector<std::string>{"a", "e", "i", "o", "u"});
  return *vowels;
}

// The label of a line "7: seven", if it is the one of `index`.
std::optional<std::string> LabelOf(std::string_view line, int index) {
  const std::string prefix = absl::StrCat(index, ": ");
  if (!line.starts_with(prefix)) return std::nullopt;
  std::string label;
  label = line;
  return label.substr(prefix.size());
}

absl::StatusOr<std::string> FindLabel(absl::Nonnull<const Resource*> resource,
                                      int index) {
  absl::string_view labels = resource->ToStringView();
  for (absl::string_view line : absl::StrSplit(labels, '\n')) {
    std::optional<std::string> label = LabelOf(line, index);
    if (label.has_value()) return *std::move(label);
  }
  return absl::NotFoundError(absl::StrCat("no label for ", index));
}

}  // namespace

// Turns a number into its label, from a file of labels.
class LabelCalculator : public mediapipe::CalculatorBase {
 public:
  static absl::Status GetContract(mediapipe::CalculatorContract* absl_nonnull cc) {
    cc->Inputs().Tag("INDEX").Set<int>();
    cc->Outputs().Tag("LABEL").Set<std::string>();
    cc->InputSidePackets().Tag("LABELS").Set<std::string>().Optional();
    cc->UseService(kLabelService).Optional();
    cc->SetTimestampOffset(mediapipe::TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(mediapipe::CalculatorContext* cc) final {
    ABSL_CHECK(cc != nullptr);
    if (!cc->InputSidePackets().HasTag("LABELS")) return absl::OkStatus();
    const std::string& path =
        cc->InputSidePackets().Tag("LABELS").Get<std::string>();
    MP_ASSIGN_OR_RETURN(labels_, cc->GetResources().Get(path),
                        _ << "when reading \"" << path << "\"");
    ABSL_LOG(INFO) << "labels from " << path;
    return absl::OkStatus();
  }

  absl::Status Process(mediapipe::CalculatorContext* cc) final {
    const int index = cc->Inputs().Tag("INDEX").Get<int>();
    absl::MutexLock lock(mutex_);
    auto service = cc->Service(kLabelService);
    if (service.IsAvailable()) service.GetObject().Ask(index);
    std::string label = "?";
    if (labels_ != nullptr) {
      MP_ASSIGN_OR_RETURN(label, FindLabel(labels_.get(), index));
    }
    MP_RETURN_IF_ERROR(Check(label)).SetPrepend() << "checking: ";
    ABSL_LOG_IF(WARNING, label == "?") << "no labels";
    ABSL_DCHECK_GE(index, 0);
    auto packet = mediapipe::MakePacket<std::string>(std::move(label));
    cc->Outputs().Tag("LABEL").AddPacket(
        std::move(packet).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  static absl::Status Check(absl::string_view label) {
    RET_CHECK(!absl::c_contains(Vowels(), label)) << "a vowel: " << label;
    return absl::OkStatus();
  }

  std::unique_ptr<Resource> labels_;
  absl::Mutex mutex_;
};
REGISTER_CALCULATOR(::mediapipe::LabelCalculator);

}  // namespace mediapipe
