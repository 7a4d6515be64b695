#include "framework/policy/policy_test_support.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/port_name.h"
#include "framework/policy/input_policy_registry.h"
#include "google/protobuf/text_format.h"

namespace syncline {

std::string ShortText(Timestamp timestamp) {
  std::string text = timestamp.DebugString();
  absl::string_view short_text = text;
  absl::ConsumePrefix(&short_text, "Timestamp::");
  absl::ConsumeSuffix(&short_text, "()");
  return std::string(short_text);
}

PolicyDriver::PolicyDriver(const std::string& handler,
                           const std::vector<std::string>& ports,
                           const std::string& options,
                           bool process_timestamp_bounds)
    : layout_(*PortLayout::Create(ports)),
      queues_(ports.size()),
      inputs_(MakeInputStreams(layout_)) {
  if (!google::protobuf::TextFormat::ParseFromString(options, &options_)) {
    ReportMisuse(absl::InvalidArgumentError(options));
  }
  const absl::StatusOr<InputPolicyKind> kind = FindInputPolicy(handler);
  if (!kind.ok()) ReportMisuse(kind.status());
  for (InputQueue& queue : queues_) {
    if (kind->ignores_time) queue.IgnoreTime();
  }
  policy_ =
      kind->create({.queues = absl::MakeSpan(queues_),
                    .layout = layout_.get(),
                    .options = &options_,
                    .process_timestamp_bounds = process_timestamp_bounds});
}

PolicyDriver::~PolicyDriver() = default;

int PolicyDriver::Port(const std::string& tag_index) const {
  std::string tag;
  int index = 0;
  const absl::Status status = tool::ParseTagIndex(tag_index, &tag, &index);
  if (!status.ok()) ReportMisuse(status);
  return layout_->GetId(tag, index).value();
}

void PolicyDriver::Add(const std::string& port, Timestamp timestamp) {
  const int value =
      timestamp.IsSpecialValue() ? 0 : static_cast<int>(timestamp.Value());
  Add(Port(port), MakePacket<int>(value).At(timestamp));
}

void PolicyDriver::Bound(const std::string& port, Timestamp bound) {
  RaiseBound(Port(port), bound);
}

void PolicyDriver::Add(int port, Packet packet) {
  const bool was_empty = queues_[port].empty();
  if (queues_[port].Add(std::move(packet)) != InputQueue::Added::kOk) {
    ReportMisuse(absl::InvalidArgumentError("a packet goes back"));
  }
  if (was_empty || policy_->SeesEveryPacket()) policy_->OnChange(port);
}

void PolicyDriver::RaiseBound(int port, Timestamp bound) {
  if (queues_[port].RaiseBound(bound) &&
      (queues_[port].empty() || policy_->SeesEveryBound())) {
    policy_->OnChange(port);
  }
}

std::string PolicyDriver::Call() {
  const Readiness readiness = policy_->Evaluate();
  switch (readiness.state) {
    case Readiness::State::kWait:
      return "";
    case Readiness::State::kProcess:
      return CallText(policy_->Take(readiness.timestamp, &inputs_));
    case Readiness::State::kClose:
      return "Close";
  }
  return "";
}

std::vector<std::string> PolicyDriver::Calls() {
  std::vector<std::string> calls;
  for (std::string call = Call(); !call.empty(); call = Call()) {
    calls.push_back(call);
    if (call == "Close") break;
  }
  return calls;
}

std::string PolicyDriver::CallText(Timestamp timestamp) const {
  std::string text = absl::StrCat(ShortText(timestamp), ":");
  for (CollectionItemId id = layout_->BeginId(); id < layout_->EndId(); ++id) {
    const auto [tag, index] = layout_->TagAndIndexFromId(id);
    const InputStream& input = inputs_.Get(id);
    absl::StrAppend(&text, " ", tag);
    if (tag.empty() || layout_->NumEntries(tag) > 1) {
      absl::StrAppend(&text, ":", index);
    }
    if (input.IsEmpty()) {
      absl::StrAppend(&text, "<", ShortText(input.Value().Timestamp()));
    } else {
      absl::StrAppend(&text, "=", input.Get<int>());
      if (input.Value().Timestamp() != timestamp) {
        absl::StrAppend(&text, "@", ShortText(input.Value().Timestamp()));
      }
    }
    if (input.IsDone()) absl::StrAppend(&text, "!");
  }
  return text;
}

}  // namespace syncline
