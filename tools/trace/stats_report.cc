// What nodes, queues and threads did, as tables.
//
// Thread rule: pure functions.
// Tested by reports_test.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/stream/drop_cause.h"
#include "tools/trace/reports.h"

namespace syncline {
namespace {

// Nothing where there is no whole.
Cell ShareOf(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

Cell MeanOf(const Durations& durations) {
  if (durations.count == 0) return {};
  return durations.mean();
}

Cell MaxOf(const Durations& durations) {
  if (durations.count == 0) return {};
  return durations.max;
}

// Whether any of them gave a device work that is in the trace.
bool UsesDevices(const TraceStats& stats) {
  return std::any_of(
      stats.nodes.begin(), stats.nodes.end(),
      [](const NodeStats& node) { return node.device.count > 0; });
}

Table NodesTable(const TraceStats& stats) {
  // Few graphs have one, and lines are short.
  const char* const device_head = UsesDevices(stats) ? "device" : "";
  Table table = {"nodes",
                 "nodes, those with the most time in calls first",
                 {{"node", "node", Column::kText},
                  {"calculator", "", Column::kText},
                  {"calls", "calls", Column::kCount},
                  {"total_ns", "total", Column::kNanoseconds},
                  {"mean_ns", "mean", Column::kNanoseconds},
                  {"max_ns", "max", Column::kNanoseconds},
                  {"share_of_busiest", "share", Column::kShare},
                  {"share_of_run", "of run", Column::kShare},
                  {"most_at_once", "", Column::kCount},
                  {"open_ns", "", Column::kNanoseconds},
                  {"close_ns", "", Column::kNanoseconds},
                  {"device_ns", device_head, Column::kNanoseconds},
                  {"incomplete_calls", "", Column::kCount},
                  {"failed_calls", "", Column::kCount}}};
  const std::vector<int> order = stats.ByTime();
  const std::int64_t busiest =
      order.empty() ? 0 : stats.nodes[order[0]].process.total;
  for (const int i : order) {
    const NodeStats& node = stats.nodes[i];
    table.rows.push_back({node.name, node.calculator, node.process.count,
                          node.process.total, MeanOf(node.process),
                          MaxOf(node.process),
                          ShareOf(node.process.total, busiest),
                          ShareOf(node.process.total, stats.duration),
                          static_cast<std::int64_t>(node.most_at_once),
                          node.open.total, node.close.total, node.device.total,
                          node.num_incomplete, node.num_failed});
  }
  return table;
}

// Apart from the calls of Process, which lines of a terminal have no room
// beside.
Table OpenAndCloseTable(const TraceStats& stats) {
  Table table = {"open_and_close",
                 "Open and Close, which the times above do not count",
                 {{"node", "node", Column::kText},
                  {"open_ns", "open", Column::kNanoseconds},
                  {"close_ns", "close", Column::kNanoseconds}}};
  for (const int i : stats.ByTime()) {
    const NodeStats& node = stats.nodes[i];
    if (node.open.count + node.close.count == 0) continue;
    const auto total = [](const Durations& calls) -> Cell {
      if (calls.count == 0) return {};
      return calls.total;
    };
    table.rows.push_back({node.name, total(node.open), total(node.close)});
  }
  return table;
}

Table WaitsTable(const TraceStats& stats) {
  Table table = {"waits",
                 "before the calls: ready and waiting for a thread, packets in "
                 "queues",
                 {{"node", "node", Column::kText},
                  {"ready_calls", "ready", Column::kCount},
                  {"ready_mean_ns", "mean", Column::kNanoseconds},
                  {"ready_max_ns", "max", Column::kNanoseconds},
                  {"queued_packets", "queued", Column::kCount},
                  {"queue_mean_ns", "mean", Column::kNanoseconds},
                  {"queue_max_ns", "max", Column::kNanoseconds},
                  {"not_ready", "not ready", Column::kCount}}};
  for (const int i : stats.ByTime()) {
    const NodeStats& node = stats.nodes[i];
    const Durations queues = node.in_queues();
    table.rows.push_back({node.name, node.ready.count, MeanOf(node.ready),
                          MaxOf(node.ready), queues.count, MeanOf(queues),
                          MaxOf(queues), node.num_not_ready});
  }
  return table;
}

Table JoinsTable(const TraceStats& stats) {
  Table table = {
      "joins",
      "which input of a join came last, and how long after the first",
      {{"node", "node", Column::kText},
       {"port", "port", Column::kCount},
       {"stream", "stream", Column::kText},
       {"came_last", "came last", Column::kCount},
       {"share", "share", Column::kShare},
       {"wait_mean_ns", "mean", Column::kNanoseconds},
       {"wait_max_ns", "max", Column::kNanoseconds}}};
  for (const int i : stats.ByTime()) {
    const NodeStats& node = stats.nodes[i];
    if (node.inputs.size() < 2) continue;
    std::int64_t all = node.num_without_last;
    for (const InputStats& input : node.inputs) all += input.came_last.count;
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
      const InputStats& input = node.inputs[port];
      table.rows.push_back({node.name, static_cast<std::int64_t>(port),
                            input.stream, input.came_last.count,
                            ShareOf(input.came_last.count, all),
                            MeanOf(input.came_last), MaxOf(input.came_last)});
    }
    if (node.num_without_last == 0) continue;
    table.rows.push_back({node.name,
                          {},
                          std::string("(less than two came)"),
                          node.num_without_last,
                          ShareOf(node.num_without_last, all),
                          {},
                          {}});
  }
  return table;
}

Table QueuesTable(const TraceStats& stats) {
  Table table = {
      "queues",
      "queues: the most packets that waited, and how often they were "
      "full",
      {{"node", "node", Column::kText},
       {"port", "port", Column::kCount},
       {"stream", "stream", Column::kText},
       {"most_waiting", "most", Column::kCount},
       {"queue_mean_ns", "mean", Column::kNanoseconds},
       {"full", "full", Column::kCount},
       {"full_ns", "for", Column::kNanoseconds}}};
  for (const int i : stats.ByTime()) {
    const NodeStats& node = stats.nodes[i];
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
      const InputStats& input = node.inputs[port];
      table.rows.push_back({node.name, static_cast<std::int64_t>(port),
                            input.stream, input.most_waiting,
                            MeanOf(input.in_queue), input.full.count,
                            input.full.total});
    }
  }
  return table;
}

Table DropsTable(const TraceStats& stats) {
  Table table = {"drops",
                 "packets that no call saw",
                 {{"node", "node", Column::kText},
                  {"stream", "stream", Column::kText},
                  {"packets", "packets", Column::kCount},
                  {"cause", "why they were dropped", Column::kText}}};
  for (const NodeStats& node : stats.nodes) {
    for (const InputStats& input : node.inputs) {
      for (std::size_t i = 0; i < kNumDropCauses; ++i) {
        const auto cause = static_cast<DropCause>(i);
        if (input.dropped.of(cause) == 0) continue;
        table.rows.push_back({node.name, input.stream, input.dropped.of(cause),
                              std::string(DropCauseText(cause))});
      }
    }
  }
  return table;
}

Table ThrottledTable(const TraceStats& stats) {
  Table table = {"throttled",
                 "sources and inputs of the graph that waited for full queues",
                 {{"source", "source", Column::kText},
                  {"times", "times", Column::kCount},
                  {"total_ns", "for", Column::kNanoseconds},
                  {"share_of_run", "of run", Column::kShare}}};
  const auto add = [&](const std::string& name, const Durations& throttled) {
    if (throttled.count == 0) return;
    table.rows.push_back({name, throttled.count, throttled.total,
                          ShareOf(throttled.total, stats.duration)});
  };
  for (const NodeStats& node : stats.nodes) add(node.name, node.throttled);
  for (const GraphInputStats& input : stats.inputs) {
    // MediaPipe's files do not say which source it was.
    add(input.stream.empty() ? "(not named)" : input.stream, input.throttled);
  }
  return table;
}

Table ThreadsTable(const TraceStats& stats) {
  Table table = {"threads",
                 "threads",
                 {{"thread", "thread", Column::kText},
                  {"tid", "", Column::kCount},
                  {"calls", "calls", Column::kCount},
                  {"busy_ns", "in calls", Column::kNanoseconds},
                  {"share_of_run", "of run", Column::kShare},
                  {"wake_ups", "wake-ups", Column::kCount},
                  {"events", "events", Column::kCount},
                  {"lost_events", "lost", Column::kCount}}};
  for (const ThreadStats& thread : stats.threads) {
    table.rows.push_back({thread.name, thread.tid, thread.calls, thread.busy,
                          ShareOf(thread.busy, stats.duration), thread.wake_ups,
                          thread.num_events, thread.num_lost});
  }
  return table;
}

}  // namespace

Report StatsReport(const TraceStats& stats) {
  Report report;
  report.key = "stats";
  std::int64_t events = 0;
  std::int64_t calls = 0;
  for (const ThreadStats& thread : stats.threads) {
    events += thread.num_events;
    calls += thread.calls;
  }
  report.sentences = {absl::StrCat(
      CountText(calls, "call"), " of ",
      CountText(static_cast<std::int64_t>(stats.nodes.size()), "node"), " on ",
      CountText(static_cast<std::int64_t>(stats.threads.size()), "thread"),
      " in ", DurationText(stats.duration), "; ", CountText(events, "event"))};
  report.values = {
      {"duration_ns", stats.duration}, {"calls", calls}, {"events", events}};
  report.tables = {NodesTable(stats),     OpenAndCloseTable(stats),
                   WaitsTable(stats),     JoinsTable(stats),
                   QueuesTable(stats),    DropsTable(stats),
                   ThrottledTable(stats), ThreadsTable(stats)};
  return report;
}

}  // namespace syncline
