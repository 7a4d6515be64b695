// Latencies from sources to sinks and round loops, as tables and as a log of
// messages.
//
// Thread rule: pure functions.
// Tested by reports_test.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/exit_status.h"
#include "tools/trace/reports.h"

namespace syncline {
namespace {

std::int64_t Rounded(double ns) {
  constexpr double kLimit = 9.0e18;
  return std::llround(std::clamp(ns, -kLimit, kLimit));
}

Cell IfAny(const LatencyPath& path, std::int64_t ns) {
  if (path.messages.empty()) return {};
  return ns;
}

// The message, by its rank on the path and by the time of the packet that the
// source sent.
struct MessageCells {
  Cell number;
  Cell timestamp;
};

MessageCells CellsOf(const LatencyPath& path, std::ptrdiff_t position) {
  if (path.messages.empty()) return {};
  const LatencyMessage& message =
      path.messages[static_cast<std::size_t>(position)];
  return {message.number, message.source_timestamp};
}

Table PathsTable(const std::vector<LatencyPath>& paths, std::string key,
                 std::string title) {
  Table table = {std::move(key),
                 std::move(title),
                 {{"path", "path", Column::kLine},
                  {"messages", "messages", Column::kCount},
                  {"skipped", "skipped", Column::kCount},
                  {"mean_ns", "mean", Column::kNanoseconds},
                  {"min_ns", "min", Column::kNanoseconds},
                  {"p50_ns", "p50", Column::kNanoseconds},
                  {"p99_ns", "p99", Column::kNanoseconds},
                  {"max_ns", "max", Column::kNanoseconds},
                  {"min_message", "", Column::kCount},
                  {"min_timestamp", "", Column::kCount},
                  {"max_message", "", Column::kCount},
                  {"max_timestamp", "", Column::kCount}}};
  for (const LatencyPath& path : paths) {
    const auto count = static_cast<std::int64_t>(path.messages.size());
    const MessageCells fastest = CellsOf(path, path.fastest);
    const MessageCells slowest = CellsOf(path, path.slowest);
    table.rows.push_back({path.name, count, path.num_all - count,
                          IfAny(path, Rounded(path.mean_ns)),
                          IfAny(path, path.min_ns), IfAny(path, path.p50_ns),
                          IfAny(path, path.p99_ns), IfAny(path, path.max_ns),
                          fastest.number, fastest.timestamp, slowest.number,
                          slowest.timestamp});
  }
  return table;
}

Table StepsTable(const Trace& trace, const std::vector<LatencyPath>& paths,
                 std::string key, std::string title) {
  Table table = {std::move(key),
                 std::move(title),
                 {{"path", "path", Column::kLine},
                  {"node", "node", Column::kText},
                  {"waiting_ns", "queue and others", Column::kNanoseconds},
                  {"waiting_share", "share", Column::kShare},
                  {"in_call_ns", "in the call", Column::kNanoseconds},
                  {"in_call_share", "share", Column::kShare}}};
  for (const LatencyPath& path : paths) {
    const auto share = [&path](double ns) -> Cell {
      if (path.mean_ns <= 0) return {};
      return ns / path.mean_ns;
    };
    if (path.messages.empty()) continue;
    for (const PathNode& node : path.nodes) {
      table.rows.push_back({path.name, trace.header.node(node.node).name(),
                            Rounded(node.waiting_ns), share(node.waiting_ns),
                            Rounded(node.in_call_ns), share(node.in_call_ns)});
    }
  }
  return table;
}

// A message of a path, for the order of arrival.
struct Arrived {
  std::uint64_t end;
  std::size_t path;
  std::size_t message;
};

struct Counts {
  std::int64_t all = 0;
  std::int64_t counted = 0;
};

Counts CountsOf(const std::vector<LatencyPath>& paths) {
  Counts counts;
  for (const LatencyPath& path : paths) {
    counts.all += path.num_all;
    counts.counted += static_cast<std::int64_t>(path.messages.size());
  }
  return counts;
}

std::string CountedText(const Counts& counts) {
  return absl::StrCat(", ", counts.counted, " of which ",
                      counts.counted == 1 ? "counts" : "count");
}

std::string MicrosecondsText(std::int64_t ns) {
  return absl::StrFormat("%.3f", static_cast<double>(ns) / 1000);
}

std::string LogLine(const Trace& trace, const LatencyPath& path,
                    std::size_t number) {
  const auto ticks = path.TicksOf(number);
  std::string line;
  std::uint64_t tick = path.messages[number].begin;
  for (std::size_t i = 0; i < path.nodes.size(); ++i) {
    const std::uint64_t begin = tick + static_cast<std::uint64_t>(ticks[2 * i]);
    const std::uint64_t sent =
        begin + static_cast<std::uint64_t>(ticks[2 * i + 1]);
    absl::StrAppend(&line, line.empty() ? "" : " -> ", "(",
                    ShownName(trace.header.node(path.nodes[i].node).name()),
                    ",", MicrosecondsText(trace.Ns(begin)), ",",
                    MicrosecondsText(trace.Ns(sent)), ")");
    tick = sent;
  }
  return line + "\n";
}

}  // namespace

Report LatencyReport(const Trace& trace, const Latencies& latencies,
                     const LatencyOptions& options) {
  Report report;
  report.key = "latency";
  const Counts of_paths = CountsOf(latencies.paths);
  const Counts of_loops = CountsOf(latencies.loops);
  report.sentences = {absl::StrCat(
      CountText(of_paths.all, "message"), " on ",
      CountText(static_cast<std::int64_t>(latencies.paths.size()), "path"),
      CountedText(of_paths))};
  if (!latencies.loops.empty()) {
    report.sentences.push_back(absl::StrCat(
        CountText(of_loops.all, "message"), " round ",
        CountText(static_cast<std::int64_t>(latencies.loops.size()), "loop"),
        CountedText(of_loops)));
  }
  report.values = {{"messages", of_paths.all},
                   {"counted", of_paths.counted},
                   {"incomplete", latencies.num_incomplete},
                   {"loop_messages", of_loops.all},
                   {"loop_counted", of_loops.counted},
                   {"loop_incomplete", latencies.num_incomplete_loops},
                   {"skip_first", options.skip_first},
                   {"skip_last", options.skip_last},
                   {"latency_threshold_ns", options.threshold_ns}};
  report.tables = {
      PathsTable(latencies.paths, "paths", "from source to sink"),
      PathsTable(
          latencies.loops, "loops",
          "round loops, from a call to the one that takes what came back")};
  if (!options.is_limited) {
    report.tables.push_back(StepsTable(trace, latencies.paths, "steps",
                                       "where the time went, on average"));
    report.tables.push_back(
        StepsTable(trace, latencies.loops, "loop_steps",
                   "where the time of loops went, on average"));
  }
  if (of_paths.all + of_loops.all > 0 &&
      of_paths.counted + of_loops.counted == 0) {
    report.notes.push_back(
        "no message counts: try --skip_first=0 --skip_last=0");
  }
  const std::int64_t incomplete =
      latencies.num_incomplete + latencies.num_incomplete_loops;
  if (incomplete > 0) {
    report.notes.push_back(
        absl::StrCat(CountText(incomplete, "packet"),
                     " arrived whose way the trace does not have"));
  }
  return report;
}

std::string LatencyLog(const Trace& trace, const Latencies& latencies) {
  std::vector<const LatencyPath*> paths;
  for (const LatencyPath& path : latencies.paths) paths.push_back(&path);
  for (const LatencyPath& loop : latencies.loops) paths.push_back(&loop);
  std::vector<Arrived> arrived;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    if (paths[p]->ticks.empty()) continue;
    for (std::size_t m = 0; m < paths[p]->messages.size(); ++m) {
      arrived.push_back({paths[p]->messages[m].end, p, m});
    }
  }
  std::sort(arrived.begin(), arrived.end(),
            [](const Arrived& a, const Arrived& b) {
              return std::tie(a.end, a.path, a.message) <
                     std::tie(b.end, b.path, b.message);
            });
  std::string log;
  for (const Arrived& one : arrived) {
    log += LogLine(trace, *paths[one.path], one.message);
  }
  return log;
}

}  // namespace syncline
