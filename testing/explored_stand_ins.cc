// The devices of gpu/stand_in as those of an exploration (explored_devices.h).
//
// Thread rule: as there.
// Tested by gpu/explore_devices_test.

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
#include "framework/base/registration.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "gpu/device_memory.h"
#include "gpu/device_service.h"
#include "gpu/device_work.h"
#include "gpu/notices.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "testing/explored_devices.h"
#include "testing/schedule_chooser.h"

namespace syncline {
namespace {

// As many as programs have; see gpu/stand_in/stand_in_kind.cc.
constexpr int kNumDevices = 2;

class ExploredStandIns : public ExploredDevices {
 public:
  ExploredStandIns(const GraphPlan& plan, ScheduleChooser* chooser);
  ~ExploredStandIns() override;
  ExploredStandIns(const ExploredStandIns&) = delete;
  ExploredStandIns& operator=(const ExploredStandIns&) = delete;

  absl::Status GiveTo(CalculatorGraph* graph) const override;
  void MayGoOn() override;
  bool GoOn() override;
  bool HasPendingWork(const Packet& packet) const override;

 private:
  // What the devices ask. They may live on in packets that somebody keeps.
  class Answers {
   public:
    explicit Answers(ScheduleChooser* chooser) : chooser_(chooser) {}
    // From now on what is left happens in the plain order.
    void EndRun() { chooser_ = nullptr; }

    // Of `count` works, which comes next.
    std::size_t ChooseInWait(std::size_t count);
    // The same in a call that submits work or asks for its end; or none.
    absl::optional<std::size_t> ChooseInCall(
        absl::Span<const std::string> ready);

   private:
    bool IsOtherThread() const { return std::this_thread::get_id() != thread_; }

    ScheduleChooser* chooser_;
    const std::thread::id thread_ = std::this_thread::get_id();
  };

  static gpu::StandInOptions OptionsFor(
      const std::shared_ptr<Answers>& answers);
  // How many different things can happen next.
  std::size_t NumPossible() const;
  // The `number`-th of them.
  void Do(std::size_t number);
  void DoOneByChoice();

  ScheduleChooser* const chooser_;
  const std::shared_ptr<Answers> answers_;
  gpu::NoticeCollector notices_;
  const gpu::StandInDevices devices_;
  const gpu::MemoryDevicesScope memory_{devices_.devices};
};

ExploredStandIns::ExploredStandIns(const GraphPlan& plan,
                                   ScheduleChooser* chooser)
    : chooser_(chooser),
      answers_(std::make_shared<Answers>(chooser)),
      devices_(gpu::MakeStandInDevices(
          OptionsFor(answers_),
          plan.settings().check_device_access.value_or(true))) {}

ExploredStandIns::~ExploredStandIns() {
  answers_->EndRun();
  while (NumPossible() > 0) Do(0);
}

gpu::StandInOptions ExploredStandIns::OptionsFor(
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

absl::Status ExploredStandIns::GiveTo(CalculatorGraph* graph) const {
  return graph->SetServiceObject(gpu::kDeviceService,
                                 gpu::DeviceContext::Make(devices_.devices));
}

bool ExploredStandIns::HasPendingWork(const Packet& packet) const {
  return !gpu::PendingWorkOf(packet).empty();
}

// --- What the schedule chooses

std::size_t ExploredStandIns::Answers::ChooseInWait(std::size_t count) {
  if (count == 1 || IsOtherThread() || chooser_ == nullptr) return 0;
  return chooser_->Choose(count);
}

absl::optional<std::size_t> ExploredStandIns::Answers::ChooseInCall(
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

std::size_t ExploredStandIns::NumPossible() const {
  return devices_.stand_in->NumReady() + (notices_.empty() ? 0 : 1);
}

void ExploredStandIns::Do(std::size_t number) {
  if (!devices_.stand_in->Step(number)) notices_.CallNext();
}

void ExploredStandIns::DoOneByChoice() {
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

void ExploredStandIns::MayGoOn() {
  while (NumPossible() > 0) {
    if (chooser_->ChooseLater()) {
      return chooser_->SetText("no device goes on between two calls");
    }
    DoOneByChoice();
  }
}

bool ExploredStandIns::GoOn() {
  if (NumPossible() == 0) return false;
  DoOneByChoice();
  MayGoOn();
  return true;
}

REGISTER_FACTORY_FUNCTION_QUALIFIED(
    ExploredDeviceKinds, explored_devices, ExploredStandIns,
    std::make_unique<ExploredStandIns, const GraphPlan&, ScheduleChooser*>);

}  // namespace
}  // namespace syncline
