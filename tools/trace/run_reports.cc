// Job statistics, and what limits the rate of a run, as tables.
//
// Thread rule: pure functions.
// Tested by reports_test.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "framework/condition/condition_result.h"
#include "tools/trace/reports.h"

namespace syncline {
namespace {

Cell PartOf(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

// The default executor has no name.
std::string ExecutorName(const std::string& name) {
  return name.empty() ? "default" : name;
}

Table JobsTable(const JobStats& stats) {
  Table table = {"jobs",
                 "jobs",
                 {{"executor", "", Column::kText},
                  {"node", "node", Column::kText},
                  {"calculator", "", Column::kText},
                  {"executions", "executions", Column::kCount},
                  {"samples", "", Column::kCount},
                  {"min_ns", "min", Column::kNanoseconds},
                  {"median_ns", "median", Column::kNanoseconds},
                  {"p90_ns", "p90", Column::kNanoseconds},
                  {"max_ns", "max", Column::kNanoseconds},
                  {"variance_ns2", "", Column::kNumber},
                  {"load", "load", Column::kShare}}};
  for (const NodeJobs& node : stats.nodes) {
    const auto ns = [&node](std::int64_t value) -> Cell {
      if (node.samples == 0) return {};
      return value;
    };
    table.rows.push_back(
        {ExecutorName(node.executor), node.node, node.calculator,
         node.executions, node.samples, ns(node.min_ns), ns(node.median_ns),
         ns(node.p90_ns), ns(node.max_ns),
         node.samples == 0 ? Cell() : node.variance_ns2, node.load});
  }
  return table;
}

Table ExecutorsTable(const JobStats& stats) {
  Table table = {"executors",
                 "executors, and how many of their calls ran at a time",
                 {{"executor", "executor", Column::kText},
                  {"nodes", "nodes", Column::kCount},
                  {"executions", "executions", Column::kCount},
                  {"load", "load", Column::kNumber}}};
  for (const ExecutorJobs& executor : stats.executors) {
    table.rows.push_back({ExecutorName(executor.executor), executor.nodes,
                          executor.executions, executor.load});
  }
  return table;
}

Table ConditionsTable(const JobStats& stats) {
  Table table = {"conditions",
                 "what the conditions of nodes said when they were asked",
                 {{"node", "node", Column::kText},
                  {"state", "state", Column::kText},
                  {"checks", "times", Column::kCount}}};
  for (const NodeJobs& node : stats.nodes) {
    for (std::size_t i = 0; i < kNumConditionStates; ++i) {
      if (node.condition_checks[i] == 0) continue;
      table.rows.push_back(
          {node.node,
           std::string(ConditionStateName(static_cast<ConditionState>(i))),
           node.condition_checks[i]});
    }
  }
  return table;
}

std::string PercentText(std::int64_t part, std::int64_t whole) {
  return absl::StrFormat("%.1f %%", whole <= 0
                                        ? 0.0
                                        : 100.0 * static_cast<double>(part) /
                                              static_cast<double>(whole));
}

Table CriticalNodesTable(const Trace& trace, const CriticalReport& critical) {
  Table table = {"nodes",
                 "nodes, those first whose calls limit the rate",
                 {{"node", "node", Column::kText},
                  {"calls", "calls", Column::kCount},
                  {"busy_ns", "busy", Column::kNanoseconds},
                  {"most_at_once", "at once", Column::kCount},
                  {"least_ns", "", Column::kNanoseconds},
                  {"share_of_run", "of run", Column::kShare},
                  {"calls_on_chain", "", Column::kCount},
                  {"on_chain_ns", "on chain", Column::kNanoseconds},
                  {"share_of_chain", "of chain", Column::kShare}}};
  for (const CriticalNode& node : critical.nodes) {
    if (node.calls == 0) continue;
    table.rows.push_back(
        {trace.header.node(node.node).name(), node.calls, node.busy_ns,
         static_cast<std::int64_t>(node.most_at_once), node.least_ns,
         PartOf(node.least_ns, critical.duration_ns), node.calls_on_chain,
         node.on_chain_ns, PartOf(node.on_chain_ns, critical.chain_ns)});
  }
  return table;
}

void AddBusiest(const Trace& trace, const CriticalReport& critical,
                Report* report) {
  if (critical.nodes.empty() || critical.nodes[0].calls == 0) return;
  const CriticalNode& busiest = critical.nodes[0];
  const std::string& name = trace.header.node(busiest.node).name();
  report->values.emplace_back("busiest_node", name);
  report->sentences.push_back(
      absl::StrCat("the busiest node is ", name, ": its calls need ",
                   PercentText(busiest.least_ns, critical.duration_ns),
                   " of the run, as at most ", busiest.most_at_once,
                   busiest.most_at_once == 1 ? " of them runs" : " of them run",
                   " at a time"));
}

void AddEstimate(const CriticalReport& critical, Report* report) {
  if (critical.threads == 0) return;
  const double gain =
      critical.estimate_of_one_more_ns <= 0
          ? 0
          : static_cast<double>(critical.estimate_ns) /
                    static_cast<double>(critical.estimate_of_one_more_ns) -
                1;
  report->values.emplace_back("estimated_gain_of_one_more_thread", gain);
  report->notes = {
      absl::StrFormat("an estimate: with %s the calls take %s, and with %s %s: "
                      "one more thread wins %.1f %%",
                      CountText(critical.threads, "thread"),
                      DurationText(critical.estimate_ns),
                      CountText(critical.threads + 1, "thread"),
                      DurationText(critical.estimate_of_one_more_ns),
                      100 * gain),
      "it is made as if all inputs were there from the beginning, queues had "
      "no limits, all executors shared the threads, and handing over cost "
      "nothing"};
}

}  // namespace

Report JobsReport(const JobStats& stats) {
  Report report;
  report.key = "jobs";
  report.tables = {JobsTable(stats), ExecutorsTable(stats),
                   ConditionsTable(stats)};
  return report;
}

Report CriticalPathReport(const Trace& trace, const CriticalReport& critical) {
  Report report;
  report.key = "critical";
  report.values = {
      {"duration_ns", critical.duration_ns},
      {"work_ns", critical.work_ns},
      {"chain_ns", critical.chain_ns},
      {"calls_on_chain", critical.calls_on_chain},
      {"threads", static_cast<std::int64_t>(critical.threads)},
      {"estimate_ns", critical.estimate_ns},
      {"estimate_of_one_more_thread_ns", critical.estimate_of_one_more_ns}};
  report.sentences = {
      absl::StrCat("the run took ", DurationText(critical.duration_ns),
                   ", and its calls ", DurationText(critical.work_ns), " on ",
                   CountText(critical.threads, "thread")),
      absl::StrCat("the longest chain of calls that wait for each other has ",
                   CountText(critical.calls_on_chain, "call"), " and takes ",
                   DurationText(critical.chain_ns), ", ",
                   PercentText(critical.chain_ns, critical.duration_ns),
                   " of the run: no number of threads is faster")};
  AddBusiest(trace, critical, &report);
  report.tables = {CriticalNodesTable(trace, critical)};
  AddEstimate(critical, &report);
  return report;
}

}  // namespace syncline
