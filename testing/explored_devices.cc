#include "testing/explored_devices.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "gpu/device_service.h"

namespace syncline {
namespace {

// As many as programs have; see gpu/stand_in/stand_in_kind.cc.
constexpr int kNumDevices = 2;

}  // namespace

bool ExploredDevices::AreUsedBy(const GraphPlan& plan) {
  return std::any_of(plan.services().begin(), plan.services().end(),
                     [](const PlanService& service) {
                       return service.key == gpu::kDeviceService.key;
                     });
}

ExploredDevices::ExploredDevices(const GraphPlan& plan,
                                 ScheduleChooser* chooser)
    : chooser_(chooser),
      answers_(std::make_shared<Answers>(chooser)),
      devices_(gpu::MakeStandInDevices(
          OptionsFor(answers_),
          plan.settings().check_device_access.value_or(true))) {}

ExploredDevices::~ExploredDevices() {
  answers_->EndRun();
  while (NumPossible() > 0) Do(0);
}

gpu::StandInOptions ExploredDevices::OptionsFor(
    const std::shared_ptr<Answers>& answers) {
  return {
      .num_devices = kNumDevices,
      .has_threads = false,
      .choose =
          [answers](std::size_t count) { return answers->ChooseInWait(count); },
      .choose_in_calls =
          [answers](absl::Span<const std::string> ready) {
            return answers->ChooseInCall(ready);
          }};
}

absl::Status ExploredDevices::GiveTo(CalculatorGraph* graph) const {
  return graph->SetServiceObject(gpu::kDeviceService,
                                 gpu::DeviceContext::Make(devices_.devices));
}

// --- What the schedule chooses

std::size_t ExploredDevices::Answers::ChooseInWait(std::size_t count) {
  if (count == 1 || IsOtherThread() || chooser_ == nullptr) return 0;
  return chooser_->Choose(count);
}

absl::optional<std::size_t> ExploredDevices::Answers::ChooseInCall(
    absl::Span<const std::string> ready) {
  if (IsOtherThread()) return absl::nullopt;
  if (chooser_ == nullptr) return 0;
  if (chooser_->ChooseLater()) {
    chooser_->SetText(absl::StrCat("no device goes on with \"",
                                   absl::StrJoin(ready, "\" or \""), "\""));
    return absl::nullopt;
  }
  if (ready.size() == 1) return 0;
  const std::size_t chosen = chooser_->Choose(ready.size());
  chooser_->SetText(absl::StrCat("a device does \"", ready[chosen],
                                 "\" before \"", ready[0], "\""));
  return chosen;
}

// --- Between calls

std::size_t ExploredDevices::NumPossible() const {
  return devices_.stand_in->NumReady() + (notices_.empty() ? 0 : 1);
}

void ExploredDevices::Do(std::size_t number) {
  if (!devices_.stand_in->Step(number)) notices_.CallNext();
}

void ExploredDevices::DoOneByChoice() {
  const std::size_t count = NumPossible();
  if (count == 1) return Do(0);
  const std::vector<std::string> works = devices_.stand_in->ReadyWorks();
  const std::size_t chosen = chooser_->Choose(count);
  chooser_->SetText(
      chosen == works.size()
          ? "a notice comes first"
          : absl::StrCat("a device does \"", works[chosen], "\" first"));
  Do(chosen);
}

void ExploredDevices::MayGoOn() {
  while (NumPossible() > 0) {
    if (chooser_->ChooseLater()) {
      return chooser_->SetText("no device goes on between two calls");
    }
    DoOneByChoice();
  }
}

bool ExploredDevices::GoOn() {
  if (NumPossible() == 0) return false;
  DoOneByChoice();
  MayGoOn();
  return true;
}

}  // namespace syncline
