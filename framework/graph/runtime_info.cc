#include "framework/graph/runtime_info.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/port_layout.h"
#include "framework/condition/condition_result.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_input.h"
#include "framework/stream/drop_cause.h"

namespace syncline {
namespace {

std::string FullPortName(const PortLayout& layout, int port) {
  const auto [tag, index] = layout.TagAndIndex(port);
  return absl::StrCat(tag, ":", index, ":", layout.Names()[port]);
}

// In the message, 0 stands for no cause.
static_assert(DroppedPacketsInfo::Cause_MAX ==
              static_cast<int>(kNumDropCauses));

void AddDrops(const DropCounts& drops, InputStreamRuntimeInfo* stream) {
  if (drops.total() == 0) return;
  for (size_t i = 0; i < kNumDropCauses; ++i) {
    const auto cause = static_cast<DropCause>(i);
    if (drops.of(cause) == 0) continue;
    DroppedPacketsInfo* const dropped = stream->add_dropped_packets();
    dropped->set_cause(static_cast<DroppedPacketsInfo::Cause>(i + 1));
    dropped->set_number_of_packets(drops.of(cause));
  }
}

void AddConditions(const PlanConditions& plan, const NodeSnapshot& snapshot,
                   CalculatorRuntimeInfo* calculator) {
  for (size_t i = 0; i < plan.conditions.size(); ++i) {
    ConditionRuntimeInfo* const condition = calculator->add_condition_infos();
    condition->set_condition_name(plan.conditions[i].name);
    condition->set_condition_type(plan.conditions[i].type);
    if (snapshot.conditions.empty()) continue;
    const ConditionResult& result = snapshot.conditions[i];
    condition->set_state(std::string(ConditionStateName(result.state)));
    condition->set_reason(std::string(result.reason));
    if (result.state == ConditionState::kWaitTime) {
      condition->set_target_time_ns(result.target_ns);
    }
  }
}

// A node that waits for inputs with a timeout: the wait is shown as a
// condition.
void AddInputWait(const PlanNode& plan, const NodeSnapshot& snapshot,
                  CalculatorRuntimeInfo* calculator) {
  if (snapshot.input_wait.until_ns == ConditionResult::kNoTarget) return;
  ConditionRuntimeInfo* const wait = calculator->add_condition_infos();
  wait->set_condition_name("input_stream_handler");
  wait->set_condition_type(std::string(plan.handlers.input));
  wait->set_state(std::string(ConditionStateName(ConditionState::kWaitTime)));
  wait->set_target_time_ns(snapshot.input_wait.until_ns);
  wait->set_reason(snapshot.input_wait.has_packets
                       ? "inputs that others wait for"
                       : "an input, or a call without one");
}

void AddInput(const std::string& name, const NodeSnapshot::Input& input,
              CalculatorRuntimeInfo* calculator) {
  InputStreamRuntimeInfo* const stream = calculator->add_input_stream_infos();
  stream->set_stream_name(name);
  stream->set_queue_size(static_cast<std::int32_t>(input.queue_size));
  stream->set_number_of_packets_added(
      static_cast<std::int32_t>(input.packets_added));
  stream->set_minimum_timestamp_or_bound(input.min_timestamp_or_bound.Value());
  // -1 stands for no limit, and 0 in the message.
  stream->set_queue_bytes(std::max<std::int64_t>(0, input.bytes));
  stream->set_max_queue_size(std::max(0, input.limit));
  stream->set_max_queue_bytes(std::max<std::int64_t>(0, input.byte_limit));
  AddDrops(input.drops, stream);
}

void AddOutput(const std::string& name, const NodeSnapshot::Output& output,
               CalculatorRuntimeInfo* calculator) {
  OutputStreamRuntimeInfo* const stream = calculator->add_output_stream_infos();
  stream->set_stream_name(name);
  stream->set_number_of_packets_added(
      static_cast<std::int32_t>(output.packets_added));
  stream->set_minimum_timestamp_or_bound(output.bound.Value());
}

void AddNode(const PlanNode& node, const NodeSnapshot& snapshot,
             GraphRuntimeInfo* info) {
  CalculatorRuntimeInfo* const calculator = info->add_calculator_infos();
  calculator->set_calculator_name(std::string(node.name));
  calculator->set_last_process_start_unix_us(snapshot.last_start_us);
  // If calls overlap, the last one may have ended while others still run.
  calculator->set_last_process_finish_unix_us(
      snapshot.running_calls == 0
          ? snapshot.last_finish_us
          : std::min(snapshot.last_finish_us, snapshot.last_start_us - 1));
  calculator->set_host_time_us(snapshot.host_time_ns / 1000);
  calculator->set_device_time_us(snapshot.device_time_ns / 1000);
  calculator->set_number_of_device_calls(snapshot.device_calls);
  int port = 0;
  for (const NodeSnapshot::Input& input : snapshot.inputs) {
    AddInput(FullPortName(node.contract->Inputs().layout(), port++), input,
             calculator);
  }
  if (node.conditions != nullptr) {
    AddConditions(*node.conditions, snapshot, calculator);
  }
  AddInputWait(node, snapshot, calculator);
  port = 0;
  for (const NodeSnapshot::Output& output : snapshot.outputs) {
    AddOutput(FullPortName(node.contract->Outputs().layout(), port++), output,
              calculator);
  }
}

void AddGraphInput(const std::string& name, const GraphInput::Snapshot& input,
                   GraphRuntimeInfo* info) {
  GraphInputRuntimeInfo* const stream = info->add_graph_input_infos();
  stream->set_stream_name(name);
  stream->set_number_of_packets_added(input.packets_added);
  stream->set_timestamp_bound(input.bound.Value());
  stream->set_held_packets(input.held);
  stream->set_rejected_packets(input.rejected);
  stream->set_dropped_packets(input.dropped);
  stream->set_clamped_packets(input.clamped);
  stream->set_reordered_packets(input.reordered);
}

}  // namespace

GraphRuntimeInfo MakeRuntimeInfo(const GraphPlan& plan,
                                 absl::Span<const NodeSnapshot> nodes,
                                 absl::Span<const GraphInput::Snapshot> inputs,
                                 std::int64_t unix_us) {
  GraphRuntimeInfo info;
  info.set_capture_time_unix_us(unix_us);
  for (const PlanNode& node : plan.nodes()) {
    AddNode(node, nodes[node.id], &info);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    AddGraphInput(plan.graph_inputs()[i].name, inputs[i], &info);
  }
  return info;
}

}  // namespace syncline
