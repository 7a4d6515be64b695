#include "benchmarks/report.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/subject.h"

namespace syncline {
namespace {

using Row = std::vector<std::string>;

// Columns are as wide as their widest cell; the first one is aligned to the
// left.
std::string Align(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      // The first column, and a last column of remarks, are aligned to the
      // left.
      const bool left = i == 0 || i == widths.size() - 1;
      absl::StrAppend(&line, i == 0 ? "" : "  ", left ? "" : padding, row[i],
                      left ? padding : "");
    }
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

std::string Time(double ns) {
  if (ns < 1e5) return absl::StrFormat("%.1f ns", ns);
  if (ns < 1e8) return absl::StrFormat("%.1f us", ns / 1e3);
  return absl::StrFormat("%.1f ms", ns / 1e6);
}

std::string Number(double value) {
  if (value == static_cast<double>(static_cast<long long>(value))) {
    return absl::StrFormat("%.0f", value);
  }
  return value < 10 ? absl::StrFormat("%.2f", value)
                    : absl::StrFormat("%.1f", value);
}

std::string OtherFigures(const Samples& samples, const std::string& workload,
                         int threads, const std::vector<std::string>& peers) {
  std::vector<std::string> parts;
  for (const std::string& name :
       samples.FigureNames(workload, threads, "syncline")) {
    const auto value =
        samples.MedianFigure(workload, threads, "syncline", name);
    parts.push_back(absl::StrCat(name, " ", Number(*value)));
  }
  for (const std::string& peer : peers) {
    const auto violations =
        samples.MedianFigure(workload, threads, peer, kOrderViolations);
    if (violations.value_or(0) == 0) continue;
    parts.push_back(
        absl::StrCat(peer, ": ", kOrderViolations, " ", Number(*violations)));
  }
  return absl::StrJoin(parts, ", ");
}

}  // namespace

std::string ComparisonTable(const std::vector<const Workload*>& workloads,
                            const Samples& samples,
                            const std::vector<std::string>& peers) {
  Row head = {"workload", "threads", "syncline", "per invocation"};
  for (const std::string& peer : peers) {
    head.push_back(peer);
    head.push_back("ratio");
  }
  head.push_back("spread");
  head.push_back("besides");
  std::vector<Row> rows = {head};
  for (const Workload* workload : workloads) {
    const std::string& name = workload->name;
    for (const int threads : workload->threads) {
      const auto ours = samples.NsPerPacket(name, threads, "syncline");
      if (!ours.has_value()) continue;
      Row row = {
          name, absl::StrCat(threads), Time(*ours),
          Time(samples.NsPerInvocation(name, threads, "syncline").value())};
      for (const std::string& peer : peers) {
        const auto theirs = samples.NsPerPacket(name, threads, peer);
        row.push_back(theirs.has_value() ? Time(*theirs) : "-");
        row.push_back(theirs.has_value()
                          ? absl::StrFormat("%.2f", *ours / *theirs)
                          : "-");
      }
      row.push_back(absl::StrFormat(
          "%.0f %%",
          100 * samples.SpreadOfTime(name, threads, "syncline").value()));
      row.push_back(OtherFigures(samples, name, threads, peers));
      rows.push_back(std::move(row));
    }
  }
  return Align(rows);
}

std::string GoalTable(const std::vector<Goal>& goals) {
  std::vector<Row> rows = {{"goal", "value", "bar", "aim", ""}};
  for (const Goal& goal : goals) {
    const char* const sign = goal.more_is_better ? ">= " : "<= ";
    const std::string unit = goal.unit.empty() ? "" : " " + goal.unit;
    rows.push_back(
        {goal.what,
         goal.value.has_value() ? absl::StrCat(Number(*goal.value), unit) : "-",
         absl::StrCat(sign, Number(goal.bar)),
         absl::StrCat(sign, Number(goal.aim)),
         !goal.value.has_value() ? "not measured"
         : goal.ReachesAim()     ? "reached, and the aim"
         : goal.ReachesBar()     ? "reached"
                                 : "MISSED"});
  }
  return Align(rows);
}

}  // namespace syncline
