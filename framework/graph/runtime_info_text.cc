#include "framework/graph/runtime_info_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"

namespace syncline {
namespace {

std::string Packets(std::int64_t count) {
  return absl::StrCat(count, count == 1 ? " packet" : " packets");
}

// A timestamp as text; special timestamps by their names.
std::string TimeText(std::int64_t timestamp) {
  return Timestamp::CreateNoErrorChecking(timestamp).DebugString();
}

std::int64_t WaitingPackets(const CalculatorRuntimeInfo& node) {
  std::int64_t count = 0;
  for (const InputStreamRuntimeInfo& input : node.input_stream_infos()) {
    count += input.queue_size();
  }
  return count;
}

std::string RunningText(const GraphRuntimeInfo& info) {
  std::vector<std::string> running;
  for (const CalculatorRuntimeInfo& node : info.calculator_infos()) {
    const std::int64_t start = node.last_process_start_unix_us();
    if (start <= node.last_process_finish_unix_us()) continue;
    const absl::Duration elapsed = absl::Microseconds(
        std::max<std::int64_t>(0, info.capture_time_unix_us() - start));
    running.push_back(absl::StrCat("\"", node.calculator_name(), "\" for ",
                                   absl::FormatDuration(elapsed)));
  }
  if (running.empty()) return "";
  return absl::StrCat("Running: ", absl::StrJoin(running, ", "), "\n");
}

// The bytes that wait, if the queue has a limit in bytes.
std::string BytesText(const InputStreamRuntimeInfo& input) {
  if (input.max_queue_bytes() == 0) return "";
  return absl::StrCat(", ", input.queue_bytes(), " of ",
                      input.max_queue_bytes(), " bytes");
}

// Empty if no node has given work to a device.
std::string DevicesText(const GraphRuntimeInfo& info) {
  std::vector<std::string> parts;
  for (const CalculatorRuntimeInfo& node : info.calculator_infos()) {
    const std::int64_t calls = node.number_of_device_calls();
    if (calls == 0) continue;
    parts.push_back(absl::StrCat(
        "\"", node.calculator_name(), "\" ",
        absl::FormatDuration(absl::Microseconds(node.device_time_us())), " in ",
        calls, calls == 1 ? " call (" : " calls (",
        absl::FormatDuration(absl::Microseconds(node.host_time_us())),
        " on the host)"));
  }
  if (parts.empty()) return "";
  return absl::StrCat("On devices: ", absl::StrJoin(parts, ", "), ".\n");
}

std::string WaitingText(const CalculatorRuntimeInfo& node) {
  std::int64_t earliest = Timestamp::Done().Value();
  std::vector<std::string> held;
  for (const InputStreamRuntimeInfo& input : node.input_stream_infos()) {
    if (input.queue_size() == 0) continue;
    earliest = std::min(earliest, input.minimum_timestamp_or_bound());
    held.push_back(absl::StrCat(
        "\"", input.stream_name(), "\" (", input.queue_size(), BytesText(input),
        ", from ", TimeText(input.minimum_timestamp_or_bound()), ")"));
  }
  std::vector<std::string> missing;
  for (const InputStreamRuntimeInfo& input : node.input_stream_infos()) {
    if (input.queue_size() > 0) continue;
    if (input.minimum_timestamp_or_bound() > earliest) continue;
    missing.push_back(absl::StrCat("\"", input.stream_name(), "\" (bound ",
                                   TimeText(input.minimum_timestamp_or_bound()),
                                   ")"));
  }
  return absl::StrCat("\"", node.calculator_name(), "\" holds ",
                      Packets(WaitingPackets(node)), " of ",
                      absl::StrJoin(held, ", "),
                      missing.empty() ? "" : ", and waits for ",
                      absl::StrJoin(missing, ", "), ".\n");
}

// The conditions that hold the node; empty if none does.
std::string ConditionsText(const CalculatorRuntimeInfo& node) {
  std::vector<std::string> parts;
  for (const ConditionRuntimeInfo& condition : node.condition_infos()) {
    if (condition.state().empty() || condition.state() == "READY") continue;
    parts.push_back(absl::StrCat(
        condition.condition_type(), " \"", condition.condition_name(),
        "\" says ", condition.state(),
        condition.target_time_ns() == 0
            ? ""
            : absl::StrCat(" until ",
                           absl::FormatDuration(
                               absl::Nanoseconds(condition.target_time_ns())),
                           " of the graph's clock"),
        condition.reason().empty()
            ? ""
            : absl::StrCat(" (", condition.reason(), ")")));
  }
  if (parts.empty()) return "";
  return absl::StrCat("\"", node.calculator_name(),
                      "\": ", absl::StrJoin(parts, ", "), ".\n");
}

// Causes that this build does not know are left out.
DropCounts DropsOf(const InputStreamRuntimeInfo& stream) {
  DropCounts drops;
  for (const DroppedPacketsInfo& dropped : stream.dropped_packets()) {
    if (dropped.cause() == DroppedPacketsInfo::UNSPECIFIED ||
        !DroppedPacketsInfo::Cause_IsValid(dropped.cause())) {
      continue;
    }
    drops.Add(static_cast<DropCause>(static_cast<int>(dropped.cause()) - 1),
              dropped.number_of_packets());
  }
  return drops;
}

// Empty if no timestamp went back.
std::string BadTimestampsText(const GraphInputRuntimeInfo& input) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t count, absl::string_view what) {
    if (count > 0) parts.push_back(absl::StrCat(Packets(count), " ", what));
  };
  add(input.rejected_packets(), "refused");
  add(input.dropped_packets(), "dropped");
  add(input.clamped_packets(), "moved to the bound");
  add(input.reordered_packets(), "put in order");
  if (parts.empty()) return "";
  return absl::StrCat(
      "graph input \"", input.stream_name(),
      "\" had timestamps that went back: ", absl::StrJoin(parts, ", "));
}

}  // namespace

std::vector<std::string> DroppedPacketsTexts(const GraphRuntimeInfo& info) {
  std::vector<std::string> texts;
  for (const GraphInputRuntimeInfo& input : info.graph_input_infos()) {
    std::string text = BadTimestampsText(input);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  for (const CalculatorRuntimeInfo& node : info.calculator_infos()) {
    for (const InputStreamRuntimeInfo& input : node.input_stream_infos()) {
      const DropCounts drops = DropsOf(input);
      if (drops.total() == 0) continue;
      texts.push_back(absl::StrCat("\"", node.calculator_name(), "\" dropped ",
                                   DroppedText(drops, input.stream_name())));
    }
  }
  return texts;
}

std::string RuntimeInfoText(const GraphRuntimeInfo& info) {
  std::int64_t waiting = 0;
  for (const CalculatorRuntimeInfo& node : info.calculator_infos()) {
    waiting += WaitingPackets(node);
  }
  std::string text = absl::StrCat(
      "Graph at ",
      absl::FormatTime(absl::FromUnixMicros(info.capture_time_unix_us()),
                       absl::UTCTimeZone()),
      ": ", info.calculator_infos_size(),
      info.calculator_infos_size() == 1 ? " node, " : " nodes, ",
      Packets(waiting), waiting == 1 ? " waits.\n" : " wait.\n",
      RunningText(info), DevicesText(info));
  for (const CalculatorRuntimeInfo& node : info.calculator_infos()) {
    if (WaitingPackets(node) > 0) absl::StrAppend(&text, WaitingText(node));
    absl::StrAppend(&text, ConditionsText(node));
  }
  for (const std::string& dropped : DroppedPacketsTexts(info)) {
    absl::StrAppend(&text, dropped, ".\n");
  }
  if (!info.standstill().empty()) {
    absl::StrAppend(&text, "The graph stands still: ", info.standstill());
  }
  return text;
}

}  // namespace syncline
