// Samples: the measured values, by workload, number of threads and subject.
//
// The median represents all repetitions, since a disturbed repetition hardly
// changes it. The spread is the middle half of the samples, as a share of the
// median.
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

// The median. If the number of values is even, the mean of the two in the
// middle; 0 without values.
double Median(std::vector<double> values);
// (third quartile - first quartile) / median; 0 for fewer than two.
double Spread(std::vector<double> values);

class Samples {
 public:
  void Add(const Workload& workload, int threads, absl::string_view subject,
           const Measurement& measurement);

  // Nothing if that was not measured.
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

  // The names of our figures that are not times per packet.
  std::vector<std::string> FigureNames(absl::string_view workload, int threads,
                                       absl::string_view subject) const;

  // `workload,threads,subject,ns_per_packet,ns_per_invocation`, and a line with
  // medians for everything that was measured.
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
