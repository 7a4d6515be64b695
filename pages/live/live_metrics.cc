// LiveMetrics: a sample in the text form of Prometheus, version 0.0.4.
//
// Each node and port is told by labels, which hold any text: quotes,
// backslashes and line ends are escaped, and what is no UTF-8 is replaced.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/graph_text/utf8.h"
#include "pages/live/live_sample.h"

namespace syncline {
namespace {

std::string LabelValue(absl::string_view text) {
  const bool is_valid = IsValidUtf8(text);
  std::string value;
  for (const char c : text) {
    if (c == '\\') {
      value += "\\\\";
    } else if (c == '"') {
      value += "\\\"";
    } else if (c == '\n') {
      value += "\\n";
    } else if (!is_valid &&
               !absl::ascii_isascii(static_cast<unsigned char>(c))) {
      value += "?";
    } else {
      value += c;
    }
  }
  return value;
}

class Metrics {
 public:
  using Labels = std::vector<std::pair<absl::string_view, absl::string_view>>;

  // The values of `name` follow. `type` is "counter" or "gauge".
  void Begin(absl::string_view name, absl::string_view type,
             absl::string_view help) {
    name_ = absl::StrCat("syncline_", name);
    absl::StrAppend(&text_, "# HELP ", name_, " ", help, "\n# TYPE ", name_,
                    " ", type, "\n");
  }
  template <typename Number>
  void Add(const Labels& labels, Number value) {
    absl::StrAppend(&text_, name_);
    absl::string_view before = "{";
    for (const auto& [label, of_label] : labels) {
      absl::StrAppend(&text_, before, label, "=\"", LabelValue(of_label), "\"");
      before = ",";
    }
    absl::StrAppend(&text_, labels.empty() ? "" : "}", " ", value, "\n");
  }
  std::string Text() && { return std::move(text_); }

 private:
  std::string name_;
  std::string text_;
};

void AddRun(const LiveSample& sample, Metrics* metrics) {
  metrics->Begin("run_number", "gauge",
                 "Which run of the graph goes on, or was the last one.");
  metrics->Add({}, sample.run.number);
  metrics->Begin("run_is_over", "gauge", "1 once the run has ended.");
  metrics->Add({}, sample.run.is_over ? 1 : 0);
  metrics->Begin("run_seconds", "gauge",
                 "Since the start of the run, up to its end.");
  metrics->Add({}, absl::ToDoubleSeconds(sample.run.elapsed));
  metrics->Begin("run_stands_still", "gauge",
                 "1 while somebody waits and nothing moves.");
  metrics->Add({}, sample.state.standstill.empty() ? 0 : 1);
}

// Calls `add` for each port of each node that fits the plan.
template <typename Ports, typename Add>
void ForEachPort(const GraphPlan& plan, const GraphRuntimeInfo& info,
                 Ports ports, Add add) {
  for (std::size_t i = 0; i < plan.nodes().size(); ++i) {
    if (static_cast<int>(i) >= info.calculator_infos_size()) return;
    const CalculatorRuntimeInfo& node =
        info.calculator_infos(static_cast<int>(i));
    for (const auto& port : ports(node)) {
      add(absl::string_view(node.calculator_name()), port);
    }
  }
}

// Of "TAG:0:name" what stands before the last colon, and the name.
std::pair<absl::string_view, absl::string_view> PortAndStream(
    absl::string_view full) {
  const auto tag_end = full.find(':');
  const auto index_end =
      tag_end == full.npos ? full.npos : full.find(':', tag_end + 1);
  if (index_end == full.npos) return {"", full};
  return {full.substr(0, index_end), full.substr(index_end + 1)};
}

void AddStreams(const GraphPlan& plan, const GraphRuntimeInfo& info,
                Metrics* metrics) {
  const auto inputs = [](const CalculatorRuntimeInfo& node) -> const auto& {
    return node.input_stream_infos();
  };
  const auto outputs = [](const CalculatorRuntimeInfo& node) -> const auto& {
    return node.output_stream_infos();
  };
  const auto labels = [](absl::string_view node, absl::string_view full) {
    const auto [port, stream] = PortAndStream(full);
    return Metrics::Labels{{"node", node}, {"port", port}, {"stream", stream}};
  };
  metrics->Begin("output_packets_total", "counter",
                 "Packets that a node has sent.");
  ForEachPort(plan, info, outputs,
              [&](absl::string_view node, const auto& port) {
                metrics->Add(labels(node, port.stream_name()),
                             port.number_of_packets_added());
              });
  metrics->Begin("input_packets_total", "counter",
                 "Packets that have come to an input of a node.");
  ForEachPort(plan, info, inputs,
              [&](absl::string_view node, const auto& port) {
                metrics->Add(labels(node, port.stream_name()),
                             port.number_of_packets_added());
              });
  metrics->Begin("queue_packets", "gauge",
                 "Packets that wait at an input of a node.");
  ForEachPort(
      plan, info, inputs, [&](absl::string_view node, const auto& port) {
        metrics->Add(labels(node, port.stream_name()), port.queue_size());
      });
  metrics->Begin("queue_limit_packets", "gauge",
                 "How many packets may wait there; 0 for no limit.");
  ForEachPort(
      plan, info, inputs, [&](absl::string_view node, const auto& port) {
        metrics->Add(labels(node, port.stream_name()), port.max_queue_size());
      });
  metrics->Begin("dropped_packets_total", "counter",
                 "Packets that came to an input and that no call saw.");
  ForEachPort(plan, info, inputs,
              [&](absl::string_view node, const auto& port) {
                for (const DroppedPacketsInfo& drop : port.dropped_packets()) {
                  Metrics::Labels of_drop = labels(node, port.stream_name());
                  const std::string cause = absl::AsciiStrToLower(
                      DroppedPacketsInfo::Cause_Name(drop.cause()));
                  of_drop.emplace_back("cause", cause);
                  metrics->Add(of_drop, drop.number_of_packets());
                }
              });
}

void AddGraphInputs(const GraphRuntimeInfo& info, Metrics* metrics) {
  metrics->Begin("graph_input_packets_total", "counter",
                 "Packets that the application has given to the graph.");
  for (const GraphInputRuntimeInfo& input : info.graph_input_infos()) {
    metrics->Add({{"stream", input.stream_name()}},
                 input.number_of_packets_added());
  }
  metrics->Begin("graph_input_refused_packets_total", "counter",
                 "Packets that were refused or dropped at an input of the "
                 "graph.");
  for (const GraphInputRuntimeInfo& input : info.graph_input_infos()) {
    metrics->Add({{"stream", input.stream_name()}},
                 input.rejected_packets() + input.dropped_packets());
  }
}

void AddConditions(const GraphRuntimeInfo& info, Metrics* metrics) {
  metrics->Begin("condition_is_ready", "gauge",
                 "0 while a condition holds its node back.");
  for (const CalculatorRuntimeInfo& node : info.calculator_infos()) {
    int index = 0;
    for (const ConditionRuntimeInfo& condition : node.condition_infos()) {
      // Names are not always given.
      metrics->Add({{"node", node.calculator_name()},
                    {"index", absl::StrCat(index++)},
                    {"condition", condition.condition_name()},
                    {"type", condition.condition_type()}},
                   condition.state() == "READY" || condition.state().empty());
    }
  }
}

void AddCalls(const GraphPlan& plan, const std::vector<NodeCalls>& calls,
              Metrics* metrics) {
  const std::size_t known = std::min(calls.size(), plan.nodes().size());
  const auto add = [&](auto value) {
    for (std::size_t i = 0; i < known; ++i) {
      metrics->Add({{"node", plan.nodes()[i].name}}, value(calls[i]));
    }
  };
  metrics->Begin("node_busy_ratio", "gauge",
                 "The share of the last second in which a node was in calls.");
  add([](const NodeCalls& node) { return node.busy; });
  metrics->Begin("node_call_mean_seconds", "gauge",
                 "How long calls of a node took in the last second.");
  add([](const NodeCalls& node) {
    return node.num == 0 ? 0.0
                         : static_cast<double>(node.total_ns) / 1e9 /
                               static_cast<double>(node.num);
  });
  metrics->Begin("node_call_longest_seconds", "gauge",
                 "The longest call of a node in the last second.");
  add([](const NodeCalls& node) {
    return static_cast<double>(node.longest_ns) / 1e9;
  });
}

void AddLatencies(const std::vector<SinkLatency>& latencies, Metrics* metrics) {
  const auto add = [&](auto ns) {
    for (const SinkLatency& sink : latencies) {
      metrics->Add(
          {{"sink", sink.name}, {"kind", sink.is_node ? "node" : "stream"}},
          static_cast<double>(ns(sink)) / 1e9);
    }
  };
  metrics->Begin("sink_latency_median_seconds", "gauge",
                 "From a source to a sink, of packets that arrived lately.");
  add([](const SinkLatency& sink) { return sink.p50_ns; });
  metrics->Begin("sink_latency_p99_seconds", "gauge",
                 "The same, for 99 of 100 packets.");
  add([](const SinkLatency& sink) { return sink.p99_ns; });
}

}  // namespace

std::string LiveMetrics(const GraphPlan& plan, const LiveSample& sample) {
  Metrics metrics;
  AddRun(sample, &metrics);
  AddStreams(plan, sample.info, &metrics);
  AddGraphInputs(sample.info, &metrics);
  AddConditions(sample.info, &metrics);
  AddCalls(plan, sample.calls, &metrics);
  AddLatencies(sample.latencies, &metrics);
  return std::move(metrics).Text();
}

}  // namespace syncline
