#include "gpu/device_work_condition.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/packet/timestamp.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {
namespace {

std::string PortText(const ConditionPort& port) {
  return port.tag.empty() ? absl::StrCat(":", port.index)
                          : absl::StrCat(port.tag, ":", port.index);
}

}  // namespace

absl::Status DeviceWorkCondition::WatchReceiver(ConditionSetup* setup,
                                                absl::string_view receiver) {
  std::vector<int> inputs;
  if (receiver.empty() && setup->inputs().size() > 1) {
    for (int i = 0; i < static_cast<int>(setup->inputs().size()); ++i) {
      inputs.push_back(i);
    }
  } else {
    SYNCLINE_ASSIGN_OR_RETURN(const int input,
                              setup->Input("receiver", receiver));
    inputs.push_back(input);
  }
  watched_.clear();
  for (const int input : inputs) {
    setup->WatchFront(input);
    const ConditionPort& port =
        setup->inputs()[static_cast<std::size_t>(input)];
    watched_.push_back({input, absl::StrCat("input ", PortText(port), " (\"",
                                            port.stream, "\")")});
  }
  return absl::OkStatus();
}

absl::Status DeviceWorkCondition::Start(const ConditionRun&) {
  notices_ = Notices::Make();
  over_ = std::make_shared<ListenerList>();
  listener_ = over_->Add([this] { Notify(); });
  asked_ = nullptr;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<WorkPoint>> DeviceWorkCondition::FindPending(
    const NodeFacts& facts) const {
  const auto front = [&](const Watched& one) -> const Packet& {
    return facts.inputs[static_cast<std::size_t>(one.input)].front;
  };
  Timestamp next = Timestamp::Max();
  for (const Watched& one : watched_) {
    if (!front(one).IsEmpty()) {
      next = std::min(next, front(one).Timestamp());
    }
  }
  std::vector<WorkPoint> pending;
  for (const Watched& one : watched_) {
    const Packet& packet = front(one);
    if (packet.IsEmpty() || packet.Timestamp() != next) continue;
    const auto where = [&] {
      return absl::StrCat(one.text, " at ", next.DebugString(), ": ");
    };
    SYNCLINE_ASSIGN_OR_RETURN(const std::vector<WorkPoint> points,
                              PointsOf(packet), _.SetPrepend() << where());
    for (const WorkPoint& point : points) {
      SYNCLINE_ASSIGN_OR_RETURN(
          const bool has_ended, point.HasEnded(),
          _.SetPrepend() << where() << point.work().stream->ToText() << ": ");
      // An event that was recorded later may be asked in its place: what a
      // notice has told counts.
      const bool is_told = IsAsked(point) && asked_->is_told;
      if (!has_ended && !is_told) pending.push_back(point);
    }
  }
  return pending;
}

bool DeviceWorkCondition::IsAsked(const WorkPoint& point) const {
  if (asked_ == nullptr) return false;
  return std::any_of(asked_->points.begin(), asked_->points.end(),
                     [&](const WorkPoint& asked) {
                       return asked.work().stream == point.work().stream &&
                              asked.work().number >= point.work().number;
                     });
}

absl::Status DeviceWorkCondition::AskForNotice(std::vector<WorkPoint> pending) {
  const bool is_asked =
      std::all_of(pending.begin(), pending.end(),
                  [this](const WorkPoint& point) { return IsAsked(point); });
  if (is_asked) return absl::OkStatus();
  asked_ = std::make_shared<Asked>();
  asked_->points = std::move(pending);
  return notices_->CallWhenOver(asked_->points, [asked = asked_, over = over_] {
    asked->is_told = true;
    over->Notify();
  });
}

absl::StatusOr<ConditionResult> DeviceWorkCondition::Check(
    const NodeFacts& facts) {
  SYNCLINE_ASSIGN_OR_RETURN(std::vector<WorkPoint> pending, FindPending(facts));
  if (pending.empty()) return ConditionResult::Ready();
  SYNCLINE_RETURN_IF_ERROR(AskForNotice(std::move(pending)));
  return ConditionResult::WaitForEvent("work of a device",
                                       /*holds_time=*/true);
}

void DeviceWorkCondition::Stop() {
  listener_.End();
  over_ = nullptr;
  notices_ = nullptr;
  asked_ = nullptr;
}

}  // namespace syncline::gpu
