#include "benchmarks/samples.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace syncline {
namespace {

// The quantile, interpolated between two samples. REQUIRES: sorted, not empty.
double Quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = at - static_cast<double>(below);
  return sorted[below] * (1 - weight) + sorted[above] * weight;
}

}  // namespace

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return Quantile(values, 0.5);
}

double Spread(std::vector<double> values) {
  if (values.size() < 2) return 0;
  std::sort(values.begin(), values.end());
  const double median = Quantile(values, 0.5);
  if (median == 0) return 0;
  return (Quantile(values, 0.75) - Quantile(values, 0.25)) / median;
}

void Samples::Add(const Workload& workload, int threads,
                  absl::string_view subject, const Measurement& measurement) {
  Entry& entry = entries_[{workload.name, threads, std::string(subject)}];
  entry.ns_per_packet.push_back(measurement.ns_per_packet);
  entry.ns_per_invocation.push_back(measurement.ns_per_invocation);
  for (const Figure& figure : measurement.figures) {
    entry.figures[figure.name].push_back(figure.value);
  }
}

const Samples::Entry* Samples::Find(absl::string_view workload, int threads,
                                    absl::string_view subject) const {
  const auto it =
      entries_.find({std::string(workload), threads, std::string(subject)});
  return it == entries_.end() ? nullptr : &it->second;
}

absl::optional<double> Samples::NsPerPacket(absl::string_view workload,
                                            int threads,
                                            absl::string_view subject) const {
  const Entry* const entry = Find(workload, threads, subject);
  if (entry == nullptr) return absl::nullopt;
  return Median(entry->ns_per_packet);
}

absl::optional<double> Samples::NsPerInvocation(
    absl::string_view workload, int threads, absl::string_view subject) const {
  const Entry* const entry = Find(workload, threads, subject);
  if (entry == nullptr) return absl::nullopt;
  return Median(entry->ns_per_invocation);
}

absl::optional<double> Samples::MedianFigure(absl::string_view workload,
                                             int threads,
                                             absl::string_view subject,
                                             absl::string_view figure) const {
  const Entry* const entry = Find(workload, threads, subject);
  if (entry == nullptr) return absl::nullopt;
  const auto it = entry->figures.find(std::string(figure));
  if (it == entry->figures.end()) return absl::nullopt;
  return Median(it->second);
}

absl::optional<double> Samples::SpreadOfTime(absl::string_view workload,
                                             int threads,
                                             absl::string_view subject) const {
  const Entry* const entry = Find(workload, threads, subject);
  if (entry == nullptr) return absl::nullopt;
  return Spread(entry->ns_per_packet);
}

std::vector<std::string> Samples::FigureNames(absl::string_view workload,
                                              int threads,
                                              absl::string_view subject) const {
  std::vector<std::string> names;
  if (const Entry* const entry = Find(workload, threads, subject)) {
    for (const auto& [name, values] : entry->figures) names.push_back(name);
  }
  return names;
}

std::string Samples::ToCsv() const {
  std::string csv =
      "workload,threads,subject,ns_per_packet,ns_per_invocation\n";
  for (const auto& [key, entry] : entries_) {
    const auto& [workload, threads, subject] = key;
    absl::StrAppend(&csv,
                    absl::StrFormat("%s,%d,%s,%.2f,%.2f\n", workload, threads,
                                    subject, Median(entry.ns_per_packet),
                                    Median(entry.ns_per_invocation)));
  }
  return csv;
}

}  // namespace syncline
