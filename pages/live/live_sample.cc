#include "pages/live/live_sample.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "pages/model/json_writer.h"
#include "pages/model/picture_json.h"

namespace syncline {
namespace {

double Microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e3; }

void WriteCalls(const std::vector<NodeCalls>& calls, JsonWriter* json) {
  json->BeginArray();
  for (const NodeCalls& node : calls) {
    if (node.num == 0) {
      json->Null();
      continue;
    }
    json->BeginArray();
    json->Number(node.per_second);
    json->Number(Microseconds(node.total_ns / node.num));
    json->Number(Microseconds(node.longest_ns));
    json->Number(node.busy);
    json->EndArray();
  }
  json->EndArray();
}

void WriteLatencies(const std::vector<SinkLatency>& latencies,
                    JsonWriter* json) {
  json->BeginArray();
  for (const SinkLatency& sink : latencies) {
    json->BeginObject();
    json->Key("name").String(sink.name);
    json->Key("is_node").Bool(sink.is_node);
    json->Key("packets").Int(sink.num);
    json->Key("p50_us").Number(Microseconds(sink.p50_ns));
    json->Key("p99_us").Number(Microseconds(sink.p99_ns));
    json->Key("longest_us").Number(Microseconds(sink.longest_ns));
    json->EndObject();
  }
  json->EndArray();
}

// "QUEUE_FULL" as "queue full".
std::string CauseText(DroppedPacketsInfo::Cause cause) {
  return absl::AsciiStrToLower(
      absl::StrReplaceAll(DroppedPacketsInfo::Cause_Name(cause), {{"_", " "}}));
}

void WriteDrops(const GraphRuntimeInfo& info, JsonWriter* json) {
  json->BeginArray();
  for (int node = 0; node < info.calculator_infos_size(); ++node) {
    const auto& inputs = info.calculator_infos(node).input_stream_infos();
    for (int input = 0; input < inputs.size(); ++input) {
      for (const DroppedPacketsInfo& drop : inputs[input].dropped_packets()) {
        json->BeginObject();
        json->Key("node").Int(node);
        json->Key("input").Int(input);
        json->Key("cause").String(CauseText(drop.cause()));
        json->Key("packets").Int(drop.number_of_packets());
        json->EndObject();
      }
    }
  }
  json->EndArray();
}

void WriteRefusals(const GraphRuntimeInfo& info, JsonWriter* json) {
  const auto add = [json](const std::string& name, std::int64_t packets,
                          const char* why) {
    if (packets == 0) return;
    json->BeginObject();
    json->Key("name").String(name);
    json->Key("packets").Int(packets);
    json->Key("why").String(why);
    json->EndObject();
  };
  json->BeginArray();
  for (const GraphInputRuntimeInfo& input : info.graph_input_infos()) {
    add(input.stream_name(), input.rejected_packets(), "refused");
    add(input.stream_name(), input.dropped_packets(), "dropped");
    add(input.stream_name(), input.held_packets(), "held back");
    add(input.stream_name(), input.clamped_packets(), "moved to a later time");
    add(input.stream_name(), input.reordered_packets(), "put in their place");
  }
  json->EndArray();
}

}  // namespace

std::string LiveJson(const LiveSample& sample, const LivePageState& page) {
  JsonWriter json;
  json.BeginObject();
  json.Key("number").Int(sample.number);
  json.Key("unix_us").Int(sample.unix_us);
  json.Key("run").Int(sample.run.number);
  WriteState(sample.state, &json.Key("state"));
  WriteCalls(sample.calls, &json.Key("calls"));
  WriteLatencies(sample.latencies, &json.Key("latencies"));
  WriteDrops(sample.info, &json.Key("drops"));
  WriteRefusals(sample.info, &json.Key("refusals"));
  json.Key("page").String(page.page);
  json.Key("has_control").Bool(page.has_control);
  json.Key("is_tracing").Bool(page.is_tracing);
  json.Key("trace_text").String(page.trace_text);
  json.Key("has_trace").Bool(page.has_trace);
  json.Key("last_line").Int(page.last_line);
  json.EndObject();
  return std::move(json).Text();
}

}  // namespace syncline
