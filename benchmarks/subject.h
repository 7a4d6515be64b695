// Subject: Syncline or a peer, which can run workloads.
//
// A run builds the graph, measures, takes the graph down, and counts the
// packets that arrived. If a packet was lost, the result is an error and not a
// figure.
//
// Thread rule: one call at a time.
#ifndef SYNCLINE_BENCHMARKS_SUBJECT_H_
#define SYNCLINE_BENCHMARKS_SUBJECT_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "benchmarks/workload.h"

namespace syncline {

// A figure that is not a time per packet.
struct Figure {
  std::string name;
  double value;
};

// The figure of a peer that does not keep the order of packets by itself: how
// many reached a sink out of order.
inline constexpr char kOrderViolations[] = "order violations";

struct Measurement {
  double ns_per_packet = 0;
  double ns_per_invocation = 0;
  std::vector<Figure> figures;
};

class Subject {
 public:
  virtual ~Subject() = default;
  virtual absl::string_view name() const = 0;
  virtual bool Supports(const Workload& workload, int threads) const = 0;
  virtual absl::StatusOr<Measurement> Run(const Workload& workload, int threads,
                                          std::int64_t packets) = 0;
};

struct Subjects {
  // All subjects that are built into this program; Syncline is the first.
  std::vector<std::unique_ptr<Subject>> present;
  // The peers that are missing, and why; one line each.
  std::vector<std::string> missing;
};
Subjects MakeSubjects();

// --- For implementations of Subject

class Stopwatch {
 public:
  double ElapsedNs() const {
    return std::chrono::duration<double, std::nano>(Clock::now() - start_)
        .count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
};

// The measurement of a run that took `ns` for `packets`. It is an error unless
// `delivered` equals `expected`.
inline absl::StatusOr<Measurement> TimePerPacket(const Workload& workload,
                                                 double ns,
                                                 std::int64_t packets,
                                                 std::int64_t delivered,
                                                 std::int64_t expected) {
  if (delivered != expected) {
    return absl::DataLossError(absl::StrCat(
        "\"", workload.name, "\": ", delivered, " of ", expected, " arrived"));
  }
  Measurement result;
  result.ns_per_packet = ns / static_cast<double>(packets);
  result.ns_per_invocation =
      result.ns_per_packet /
      static_cast<double>(workload.InvocationsPerPacket());
  return result;
}

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_SUBJECT_H_
