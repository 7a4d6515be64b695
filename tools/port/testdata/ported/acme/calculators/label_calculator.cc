// Copyright 2025 The Acme Authors.
//
// A calculator as MediaPipe v0.10.35 has them: Abseil's logging, nullability,
// std::optional, services and resources.

#include <memory>
#include "absl/types/optional.h"
#include <string>
#include "absl/strings/string_view.h"
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "framework/deps/no_destructor.h"
#include "glog/logging.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/mutex.h"
#include "tools/port/testdata/ported/acme/calculators/label_service.h"
#include "framework/calculator_framework.h"
#include "framework/deps/status_macros.h"
#include "framework/port/status_macros.h"
#include "framework/resources.h"
#include "absl/strings/match.h"

namespace syncline {
namespace {

const std::vector<std::string>& Vowels() {
  static const syncline::NoDestructor<std::vector<std::string>> vowels(
      std::vector<std::string>{"a", "e", "i", "o", "u"});
  return *vowels;
}

// The label of a line "7: seven", if it is the one of `index`.
absl::optional<std::string> LabelOf(absl::string_view line, int index) {
  const std::string prefix = absl::StrCat(index, ": ");
  if (!absl::StartsWith(line, prefix)) return absl::nullopt;
  std::string label;
  label = std::string(line);
  return label.substr(prefix.size());
}

absl::StatusOr<std::string> FindLabel(const Resource* resource,
                                      int index) {
  absl::string_view labels = resource->ToStringView();
  for (absl::string_view line : absl::StrSplit(labels, '\n')) {
    absl::optional<std::string> label = LabelOf(line, index);
    if (label.has_value()) return *std::move(label);
  }
  return absl::NotFoundError(absl::StrCat("no label for ", index));
}

}  // namespace

// Turns a number into its label, from a file of labels.
class LabelCalculator : public syncline::CalculatorBase {
 public:
  static absl::Status GetContract(syncline::CalculatorContract* cc) {
    cc->Inputs().Tag("INDEX").Set<int>();
    cc->Outputs().Tag("LABEL").Set<std::string>();
    cc->InputSidePackets().Tag("LABELS").Set<std::string>().Optional();
    cc->UseService(kLabelService).Optional();
    cc->SetTimestampOffset(syncline::TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(syncline::CalculatorContext* cc) final {
    CHECK(cc != nullptr);
    if (!cc->InputSidePackets().HasTag("LABELS")) return absl::OkStatus();
    const std::string& path =
        cc->InputSidePackets().Tag("LABELS").Get<std::string>();
    SYNCLINE_ASSIGN_OR_RETURN(labels_, cc->GetResources().Get(path),
                        _ << "when reading \"" << path << "\"");
    LOG(INFO) << "labels from " << path;
    return absl::OkStatus();
  }

  absl::Status Process(syncline::CalculatorContext* cc) final {
    const int index = cc->Inputs().Tag("INDEX").Get<int>();
    absl::MutexLock lock(&mutex_);
    auto service = cc->Service(kLabelService);
    if (service.IsAvailable()) service.GetObject().Ask(index);
    std::string label = "?";
    if (labels_ != nullptr) {
      SYNCLINE_ASSIGN_OR_RETURN(label, FindLabel(labels_.get(), index));
    }
    SYNCLINE_RETURN_IF_ERROR(Check(label)).SetPrepend() << "checking: ";
    LOG_IF(WARNING, label == "?") << "no labels";
    DCHECK_GE(index, 0);
    auto packet = syncline::MakePacket<std::string>(std::move(label));
    cc->Outputs().Tag("LABEL").AddPacket(
        std::move(packet).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  static absl::Status Check(absl::string_view label) {
    RET_CHECK(!absl::c_linear_search(Vowels(), label)) << "a vowel: " << label;
    return absl::OkStatus();
  }

  std::unique_ptr<Resource> labels_;
  absl::Mutex mutex_;
};
REGISTER_CALCULATOR(::syncline::LabelCalculator);

}  // namespace syncline
