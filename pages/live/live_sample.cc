#include "pages/live/live_sample.h"

#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"
#include "pages/model/picture_json.h"

namespace syncline {
namespace {

using Json = nlohmann::ordered_json;

double Microseconds(std::int64_t ns) {
  return static_cast<double>(ns / 100) / 10;
}

// With three digits behind the point.
double Rounded(double value) { return std::round(value * 1000) / 1000; }

Json CallsJson(const std::vector<NodeCalls>& calls) {
  Json all = Json::array();
  for (const NodeCalls& node : calls) {
    if (node.num == 0) {
      all.push_back(nullptr);
      continue;
    }
    all.push_back({Rounded(node.per_second),
                   Microseconds(node.total_ns / node.num),
                   Microseconds(node.longest_ns), Rounded(node.busy)});
  }
  return all;
}

Json LatenciesJson(const std::vector<SinkLatency>& latencies) {
  Json all = Json::array();
  for (const SinkLatency& sink : latencies) {
    all.push_back({{"name", sink.name},
                   {"is_node", sink.is_node},
                   {"packets", sink.num},
                   {"p50_us", Microseconds(sink.p50_ns)},
                   {"p99_us", Microseconds(sink.p99_ns)},
                   {"longest_us", Microseconds(sink.longest_ns)}});
  }
  return all;
}

// "QUEUE_FULL" as "queue full".
std::string CauseText(DroppedPacketsInfo::Cause cause) {
  return absl::AsciiStrToLower(
      absl::StrReplaceAll(DroppedPacketsInfo::Cause_Name(cause), {{"_", " "}}));
}

Json DropsJson(const GraphRuntimeInfo& info) {
  Json all = Json::array();
  for (int node = 0; node < info.calculator_infos_size(); ++node) {
    const auto& inputs = info.calculator_infos(node).input_stream_infos();
    for (int input = 0; input < inputs.size(); ++input) {
      for (const DroppedPacketsInfo& drop : inputs[input].dropped_packets()) {
        all.push_back({{"node", node},
                       {"input", input},
                       {"cause", CauseText(drop.cause())},
                       {"packets", drop.number_of_packets()}});
      }
    }
  }
  return all;
}

Json RefusalsJson(const GraphRuntimeInfo& info) {
  Json all = Json::array();
  const auto add = [&all](const std::string& name, std::int64_t packets,
                          const char* why) {
    if (packets == 0) return;
    all.push_back({{"name", name}, {"packets", packets}, {"why", why}});
  };
  for (const GraphInputRuntimeInfo& input : info.graph_input_infos()) {
    add(input.stream_name(), input.rejected_packets(), "refused");
    add(input.stream_name(), input.dropped_packets(), "dropped");
    add(input.stream_name(), input.held_packets(), "held back");
    add(input.stream_name(), input.clamped_packets(), "moved to a later time");
    add(input.stream_name(), input.reordered_packets(), "put in their place");
  }
  return all;
}

}  // namespace

std::string LiveJson(const LiveSample& sample, const LivePageState& page) {
  Json json = {{"number", sample.number},
               {"unix_us", sample.unix_us},
               {"run", sample.run.number},
               {"state", JsonValue(sample.state)},
               {"calls", CallsJson(sample.calls)},
               {"latencies", LatenciesJson(sample.latencies)},
               {"drops", DropsJson(sample.info)},
               {"refusals", RefusalsJson(sample.info)},
               {"page", page.page},
               {"has_control", page.has_control},
               {"is_tracing", page.is_tracing},
               {"trace_text", page.trace_text},
               {"has_trace", page.has_trace},
               {"last_line", page.last_line}};
  return JsonText(json);
}

}  // namespace syncline
