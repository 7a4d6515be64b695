#include "pages/model/picture_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/node_wait.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

PictureQueue QueueOf(const InputStreamRuntimeInfo& input) {
  PictureQueue queue;
  queue.size = input.queue_size();
  queue.limit = input.max_queue_size();
  queue.num_packets = input.number_of_packets_added();
  for (const DroppedPacketsInfo& dropped : input.dropped_packets()) {
    queue.num_dropped += dropped.number_of_packets();
  }
  const std::string time =
      Timestamp::CreateNoErrorChecking(input.minimum_timestamp_or_bound())
          .DebugString();
  queue.first = queue.size > 0 ? time : absl::StrCat("bound ", time);
  return queue;
}

std::string StateText(const ConditionRuntimeInfo& condition) {
  if (condition.reason().empty()) return condition.state();
  return absl::StrCat(condition.state(), ": ", condition.reason());
}

PictureNodeState StateOf(const PlanNode& node,
                         const CalculatorRuntimeInfo& info, bool is_timed) {
  PictureNodeState state;
  state.queues.reserve(
      static_cast<std::size_t>(info.input_stream_infos_size()));
  state.num_sent.reserve(
      static_cast<std::size_t>(info.output_stream_infos_size()));
  for (const InputStreamRuntimeInfo& input : info.input_stream_infos()) {
    state.queues.push_back(QueueOf(input));
  }
  for (const OutputStreamRuntimeInfo& output : info.output_stream_infos()) {
    state.num_sent.push_back(output.number_of_packets_added());
  }
  // After the node's own conditions comes the wait of its input policy.
  const int num_conditions =
      node.conditions == nullptr
          ? 0
          : static_cast<int>(node.conditions->conditions.size());
  for (int i = 0; i < std::min(num_conditions, info.condition_infos_size());
       ++i) {
    state.condition_states.push_back(StateText(info.condition_infos(i)));
  }
  if (!is_timed) return state;
  state.host_time_us = info.host_time_us();
  state.is_in_call =
      info.last_process_start_unix_us() > 0 &&
      info.last_process_finish_unix_us() < info.last_process_start_unix_us();
  return state;
}

// The text of a standstill: its first line is the sentence.
void SetStandstill(const std::string& text, PictureState* state) {
  state->standstill_text = text;
  state->standstill = text.substr(0, text.find('\n'));
}

}  // namespace

PictureState MakePictureState(const GraphPlan& plan,
                              const GraphRuntimeInfo& info,
                              absl::Span<const NodeWait> waits) {
  PictureState state;
  SetStandstill(info.standstill(), &state);
  const bool is_timed =
      plan.GraphFields().runtime_info().enable_graph_runtime_info();
  state.nodes.resize(plan.nodes().size());
  state.num_packets.resize(plan.streams().size());
  for (const PlanNode& node : plan.nodes()) {
    if (node.id >= info.calculator_infos_size()) break;
    PictureNodeState of_node =
        StateOf(node, info.calculator_infos(node.id), is_timed);
    for (std::size_t port = 0;
         port < std::min(node.outputs.size(), of_node.num_sent.size());
         ++port) {
      state.num_packets[node.outputs[port].stream] = of_node.num_sent[port];
    }
    state.nodes[node.id] = std::move(of_node);
  }
  const int num_inputs = static_cast<int>(plan.graph_inputs().size());
  for (int i = 0; i < std::min(num_inputs, info.graph_input_infos_size());
       ++i) {
    state.num_packets[plan.graph_inputs()[i].stream] =
        info.graph_input_infos(i).number_of_packets_added();
  }
  for (const NodeWait& wait : waits) {
    state.waits.push_back({.waiting = wait.node,
                           .for_node = wait.for_node,
                           .stream = wait.stream,
                           .why = wait.what});
  }
  return state;
}

}  // namespace syncline
