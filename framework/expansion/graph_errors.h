// Collects what is wrong with a graph, so that one compile reports all of it.
//
// Every pass adds errors to one GraphErrors. At the end they become one status,
// whose text begins with "ValidatedGraphConfig Initialization failed." and has
// an error per line, in the order found. The code is the one that all errors
// share, or UNKNOWN. Only the first kMaxKept are kept, and the rest are
// counted, so that a config of a million mistakes has a readable answer. Very
// long texts are cut.
//
// Thread rule: for one thread.
// Tested by graph_errors_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_GRAPH_ERRORS_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_GRAPH_ERRORS_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/expansion/node_origin.h"

namespace syncline {

class GraphErrors {
 public:
  static constexpr int kMaxKept = 100;
  static constexpr size_t kMaxText = 8000;

  struct RecordedError {
    absl::Status status;
    // What the error is about; nothing for one of the graph itself.
    absl::optional<NodeOrigin> origin;
  };

  // Records an error. OK is not one.
  void Add(absl::Status error, absl::optional<NodeOrigin> origin = {});

  // Counts an error whose text would not be kept. REQUIRES: full().
  void CountOnly() { ++count_; }

  bool empty() const { return count_ == 0; }
  // All of them, kept or not.
  int count() const { return count_; }
  // The next error will be counted only: no need to word it well.
  bool full() const { return count_ >= kMaxKept; }

  // OK when nothing was recorded.
  absl::Status ToStatus() const;
  // In the order found.
  const std::vector<RecordedError>& kept() const { return kept_; }

 private:
  std::vector<RecordedError> kept_;
  int count_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_GRAPH_ERRORS_H_
