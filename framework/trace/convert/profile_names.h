// ProfileNames: the nodes and streams of a GraphProfile, as the head of a trace
// has them.
//
// A profile names nodes and streams in each of its parts, or it relies on the
// names of an earlier part, and has the config only once: numbers of a part
// become numbers of the trace here. What a profile does not say, such as the
// inputs of a node without a config, follows from the events.
//
// Thread rule: for one thread at a time.
// Tested by graph_profile_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_NAMES_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_NAMES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/config/trace_file.pb.h"

namespace syncline {

class ProfileNames {
 public:
  explicit ProfileNames(const GraphProfile& profile);

  // Numbers that are looked up from here on are those of this part.
  void BeginPart(const GraphTrace& part);

  // A node that has no name is called by its number. DATA_LOSS: the number is
  // out of range.
  absl::StatusOr<std::int32_t> Node(std::int64_t number);
  absl::StatusOr<std::int32_t> Stream(std::int64_t number);
  // Of a stream that is not told.
  std::int32_t UnknownStream() { return StreamOf(""); }

  // The port of the node that has the stream: the one after `before` ports of
  // the same stream. It is added if the node has none.
  std::int32_t Port(std::int32_t node, std::int32_t stream, int before);
  // The node sends this stream, unless another one is known to.
  void AddProducer(std::int32_t node, std::int32_t stream);

  const TraceFileHeader& header() const { return header_; }

 private:
  void ReadConfig(const CalculatorGraphConfig& config);
  std::int32_t NodeOf(const std::string& name);
  std::int32_t StreamOf(const std::string& name);
  void AddPort(std::int32_t node, std::int32_t stream);

  TraceFileHeader header_;
  HashMap<std::string, std::int32_t> nodes_;
  HashMap<std::string, std::int32_t> streams_;
  // By node and stream.
  HashMap<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>>
      ports_;
  // From the numbers of the part; -1: not looked up yet.
  std::vector<std::int32_t> node_numbers_;
  std::vector<std::int32_t> stream_numbers_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_NAMES_H_
