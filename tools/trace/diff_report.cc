// How two runs differ, as tables.
//
// Thread rule: pure functions.
// Tested by reports_test.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tools/trace/reports.h"

namespace syncline {
namespace {

// Nothing of a side that has no calls.
Cell MedianIfAny(const Sample& sample) {
  if (sample.count == 0) return {};
  return sample.median;
}

Cell P99IfAny(const Sample& sample) {
  if (sample.count == 0) return {};
  return sample.p99;
}

Table NodeDiffsTable(const TraceDiff& diff) {
  Table table = {"nodes",
                 "nodes, those first whose time in all changed the most",
                 {{"node", "node", Column::kText},
                  {"verdict", "is now", Column::kText},
                  {"median_before_ns", "median", Column::kNanoseconds},
                  {"median_after_ns", "now", Column::kNanoseconds},
                  {"calls_before", "calls", Column::kCount},
                  {"calls_after", "now", Column::kCount},
                  {"cost_ns", "in all", Column::kChange},
                  {"total_before_ns", "", Column::kNanoseconds},
                  {"total_after_ns", "", Column::kNanoseconds}}};
  for (const NodeDiff& node : diff.nodes) {
    table.rows.push_back({node.node, std::string(VerdictText(node.verdict)),
                          MedianIfAny(node.before), MedianIfAny(node.after),
                          node.before.count, node.after.count, node.cost_ns(),
                          node.before.total, node.after.total});
  }
  return table;
}

Table QueueDiffsTable(const TraceDiff& diff) {
  Table table = {
      "queues",
      "mean time of packets in queues, and packets that were dropped",
      {{"node", "node", Column::kText},
       {"queue_before_ns", "queues", Column::kNanoseconds},
       {"queue_after_ns", "now", Column::kNanoseconds},
       {"change_ns", "change", Column::kChange},
       {"dropped_before", "dropped", Column::kCount},
       {"dropped_after", "now", Column::kCount}}};
  for (const NodeDiff& node : diff.nodes) {
    table.rows.push_back({node.node, node.queue_before_ns, node.queue_after_ns,
                          node.queue_after_ns - node.queue_before_ns,
                          node.dropped_before, node.dropped_after});
  }
  return table;
}

Table PathDiffsTable(const std::vector<PathDiff>& paths, std::string key,
                     std::string title) {
  Table table = {std::move(key),
                 std::move(title),
                 {{"path", "path", Column::kLine},
                  {"verdict", "is now", Column::kText},
                  {"messages_before", "messages", Column::kCount},
                  {"messages_after", "now", Column::kCount},
                  {"p50_before_ns", "p50", Column::kNanoseconds},
                  {"p50_after_ns", "now", Column::kNanoseconds},
                  {"p99_before_ns", "p99", Column::kNanoseconds},
                  {"p99_after_ns", "now", Column::kNanoseconds}}};
  for (const PathDiff& path : paths) {
    table.rows.push_back({path.path, std::string(VerdictText(path.verdict)),
                          path.before.count, path.after.count,
                          MedianIfAny(path.before), MedianIfAny(path.after),
                          P99IfAny(path.before), P99IfAny(path.after)});
  }
  return table;
}

}  // namespace

Report DiffReport(const TraceDiff& diff) {
  Report report;
  report.key = "diff";
  report.values = {{"duration_before_ns", diff.duration_before_ns},
                   {"duration_after_ns", diff.duration_after_ns}};
  report.sentences = {
      absl::StrCat("the run took ", DurationText(diff.duration_before_ns),
                   ", and takes now ", DurationText(diff.duration_after_ns))};
  report.tables = {
      NodeDiffsTable(diff), QueueDiffsTable(diff),
      PathDiffsTable(diff.paths, "paths", "latency from source to sink")};
  if (!diff.loops.empty()) {
    report.tables.push_back(
        PathDiffsTable(diff.loops, "loops",
                       "round loops, from a call to the one that takes what "
                       "came back"));
  }
  report.notes = {
      "\"not clear\": the medians differ by less than three times the error "
      "that the spread of the durations gives them, or by less than the "
      "microsecond that one of the files counts in"};
  return report;
}

}  // namespace syncline
