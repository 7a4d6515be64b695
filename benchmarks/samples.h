// Samples: what was measured, by workload, number of threads and subject.
//
// Medians stand for all repetitions: one that was disturbed does not count. The
// spread is the middle half of the samples, as a share of the median.
//
// Thread rule: one thread at a time.
// Tested by report_test.
#ifndef SYNCLINE_BENCHMARKS_SAMPLES_H_
#define SYNCLINE_BENCHMARKS_SAMPLES_H_

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "benchmarks/subject.h"

namespace syncline {

// Of a copy, sorted; the mean of the two in the middle where there are two. 0
// for none.
double Median(std::vector<double> values);
// (third quartile - first quartile) / median; 0 for fewer than two.
double Spread(std::vector<double> values);

class Samples {
 public:
  void Add(const Workload& workload, int threads, absl::string_view subject,
           const Measurement& measurement);

  // Nothing where that was not measured.
  absl::optional<double> NsPerPacket(absl::string_view workload, int threads,
                                     absl::string_view subject) const;
  absl::optional<double> NsPerInvocation(absl::string_view workload,
                                         int threads,
                                         absl::string_view subject) const;
  absl::optional<double> MedianFigure(absl::string_view workload, int threads,
                                      absl::string_view subject,
                                      absl::string_view figure) const;
  absl::optional<double> SpreadOfTime(absl::string_view workload, int threads,
                                      absl::string_view subject) const;

  // Names of the figures of ours that are no time per packet.
  std::vector<std::string> FigureNames(absl::string_view workload, int threads,
                                       absl::string_view subject) const;

  // `workload,threads,subject,ns_per_packet,ns_per_invocation`, and a line for
  // each that was measured, with medians.
  std::string ToCsv() const;

 private:
  using Key = std::tuple<std::string, int, std::string>;
  struct Entry {
    std::vector<double> ns_per_packet;
    std::vector<double> ns_per_invocation;
    std::map<std::string, std::vector<double>> figures;
  };

  const Entry* Find(absl::string_view workload, int threads,
                    absl::string_view subject) const;

  std::map<Key, Entry> entries_;
};

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_SAMPLES_H_
