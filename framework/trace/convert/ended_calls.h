// EndedCalls: the last calls of each node, for results that come later or from
// another thread, as where calls of a node overlap.
//
// Of a node whose results have come so, the last kMostOfNode calls are known;
// of others, as may be before the first of its results, kMostBefore.
//
// Thread rule: for one thread at a time.
// Tested by ended_calls_test and graph_profile_builder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_ENDED_CALLS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_ENDED_CALLS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "framework/trace/convert/profile_records.h"

namespace syncline {

struct EndedCall {
  std::int64_t timestamp = 0;
  std::int64_t finish_us = 0;
  // From when the data is that the call sends.
  std::int64_t origin_us = 0;
  // Null if a part has it.
  ProfileRecordPtr record;
};

class EndedCalls {
 public:
  static constexpr std::size_t kMostOfNode = 1024;
  static constexpr std::size_t kMostBefore = 64;

  explicit EndedCalls(int num_nodes)
      : of_node_(static_cast<std::size_t>(num_nodes)) {}

  void Add(std::int32_t node, EndedCall call) {
    Node& of = of_node_[node];
    of.calls.push_back(std::move(call));
    const std::size_t most = of.has_results ? kMostOfNode : kMostBefore;
    if (of.calls.size() > most) of.calls.pop_front();
  }

  // Null if it is not known. Valid until the next call.
  const EndedCall* FindForResults(std::int32_t node, std::int64_t timestamp) {
    Node& of = of_node_[node];
    of.has_results = true;
    const auto found = std::find_if(of.calls.rbegin(), of.calls.rend(),
                                    [timestamp](const EndedCall& call) {
                                      return call.timestamp == timestamp;
                                    });
    return found == of.calls.rend() ? nullptr : &*found;
  }

  // Gives back the memory of records that a part has.
  void ReleaseTaken() {
    for (Node& of : of_node_) {
      for (EndedCall& call : of.calls) {
        if (call.record != nullptr && call.record->is_taken) {
          call.record = nullptr;
        }
      }
    }
  }

 private:
  struct Node {
    bool has_results = false;
    std::deque<EndedCall> calls;
  };
  std::vector<Node> of_node_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_ENDED_CALLS_H_
