// The graph inputs of a CalculatorGraph: how they get packets and bounds, and
// the limits of their queues.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/packet_times.h"
#include "framework/graph/calculator_graph_members.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"

namespace syncline {
namespace {

absl::StatusOr<int> FindInput(const GraphPlan* plan, absl::string_view name) {
  if (plan == nullptr) return NotInitialized();
  const int input = plan->FindGraphInput(name);
  if (input >= 0) return input;
  return absl::NotFoundError(absl::StrCat(
      "The graph has no input stream \"", name,
      "\". Packets can be added to streams that the graph's config lists as "
      "input_stream."));
}

template <typename Members>
absl::Status AddTo(const Members& members, absl::string_view stream_name,
                   Packet&& packet, const PacketTimes& times) {
  // The text of an error takes memory, which may have run out.
  return CatchExceptions([&]() -> absl::Status {
    const GraphPlan* const plan = members.plan.get();
    const int input = plan == nullptr ? -1 : plan->FindGraphInput(stream_name);
    if (ABSL_PREDICT_FALSE(input < 0)) {
      return FindInput(plan, stream_name).status();
    }
    const auto run = members.run.Get();
    if (!run) return NotStarted();
    return run->AddPacket(
        input, std::move(packet), times,
        /*may_wait=*/members.add_mode ==
            CalculatorGraph::GraphInputStreamAddMode::WAIT_TILL_NOT_FULL);
  });
}

// `limits`: by graph input.
template <typename Limit>
absl::Status SetLimit(const GraphPlan* plan, absl::string_view name,
                      absl::string_view what, Limit limit,
                      std::vector<Limit>* limits) {
  SYNCLINE_ASSIGN_OR_RETURN(const int input, FindInput(plan, name));
  if (limit < -1 || limit == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The ", what, " of graph input \"", name,
        "\" must be positive, or -1 for no limit, and is ", limit, "."));
  }
  (*limits)[input] = limit;
  return absl::OkStatus();
}

}  // namespace

bool CalculatorGraph::HasInputStream(absl::string_view name) const {
  return members_->plan != nullptr && members_->plan->FindGraphInput(name) >= 0;
}

absl::Status CalculatorGraph::AddPacketToInputStream(
    absl::string_view stream_name, const Packet& packet) {
  return AddPacketToInputStream(stream_name, Packet(packet));
}

absl::Status CalculatorGraph::AddPacketToInputStream(
    absl::string_view stream_name, Packet&& packet) {
  return AddTo(*members_, stream_name, std::move(packet), PacketTimes());
}

absl::Status CalculatorGraph::AddPacketToInputStream(
    absl::string_view stream_name, Packet packet, const PacketTimes& times) {
  return AddTo(*members_, stream_name, std::move(packet), times);
}

absl::Status CalculatorGraph::SetInputStreamTimestampBound(
    const std::string& stream_name, Timestamp timestamp) {
  return CatchExceptions([&]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const int input,
                              FindInput(members_->plan.get(), stream_name));
    const auto run = members_->run.Get();
    if (!run) return NotStarted();
    return run->SetBound(input, timestamp);
  });
}

absl::Status CalculatorGraph::CloseInputStream(const std::string& stream_name) {
  SYNCLINE_ASSIGN_OR_RETURN(const int input,
                            FindInput(members_->plan.get(), stream_name));
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  run->CloseInput(input);
  return absl::OkStatus();
}

absl::Status CalculatorGraph::CloseAllInputStreams() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  run->CloseAllInputs();
  return absl::OkStatus();
}

absl::Status CalculatorGraph::CloseAllPacketSources() {
  const auto run = members_->run.Get();
  if (!run) return NotStarted();
  run->CloseAllPacketSources();
  return absl::OkStatus();
}

absl::Status CalculatorGraph::SetInputStreamMaxQueueSize(
    const std::string& stream_name, int max_queue_size) {
  return SetLimit(members_->plan.get(), stream_name, "queue size",
                  max_queue_size, &members_->setup.input_limits.packets);
}

absl::Status CalculatorGraph::SetInputStreamMaxQueueBytes(
    const std::string& stream_name, std::int64_t max_queue_bytes) {
  return SetLimit(members_->plan.get(), stream_name, "queue size in bytes",
                  max_queue_bytes, &members_->setup.input_limits.bytes);
}

int CalculatorGraph::GetMaxInputStreamQueueSize() const {
  return plan().settings().max_queue_size;
}

CalculatorGraph::GraphInputStreamAddMode
CalculatorGraph::GetGraphInputStreamAddMode() const {
  return members_->add_mode;
}

void CalculatorGraph::SetGraphInputStreamAddMode(GraphInputStreamAddMode mode) {
  members_->add_mode = mode;
}

}  // namespace syncline
