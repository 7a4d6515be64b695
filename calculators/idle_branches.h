// For tests: a branch of a graph for every calculator. The test shows that an
// idle branch does not stall a join.
//
// Thread rule: any thread.
// Tested by idle_branches_test.

#ifndef SYNCLINE_CALCULATORS_IDLE_BRANCHES_H_
#define SYNCLINE_CALCULATORS_IDLE_BRANCHES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"

namespace syncline {

// Nodes in which each of some calculators may stand as NAME. A stream that no
// node of the branch sends is an input of the graph, and a stream that no node
// reads is joined.
struct Branch {
  std::string names;  // with blanks between them
  std::string nodes;
  std::map<std::string, Packet> side_packets = {};
};

// The nodes as text of a graph.
inline std::string Node(const std::string& ports) {
  return absl::StrCat("node { calculator: \"NAME\" ", ports, " }");
}
inline std::string Options(const std::string& message,
                           const std::string& text) {
  return absl::StrCat(" options { [syncline.", message, ".ext] {", text, "} }");
}
inline std::string Inputs(const std::string& ports) {
  std::string result;
  for (const absl::string_view port : absl::StrSplit(ports, ' ')) {
    absl::StrAppend(&result, " input_stream: \"", port, "\"");
  }
  return result;
}
inline std::string Outputs(const std::string& ports) {
  std::string result;
  for (const absl::string_view port : absl::StrSplit(ports, ' ')) {
    absl::StrAppend(&result, " output_stream: \"", port, "\"");
  }
  return result;
}
inline std::string Side(const std::string& port) {
  return absl::StrCat(" input_side_packet: \"", port, "\"");
}

std::vector<Branch> FlowBranches();
std::vector<Branch> LoopBranches();
// Vectors and lists as messages.
std::vector<Branch> CollectionBranches();
// Matrices, thresholds, and the times of packets.
std::vector<Branch> MeasureBranches();
// Detections, and rectangles around them.
std::vector<Branch> DetectionBranches();
std::vector<Branch> LandmarkBranches();
// Drawings, masks, and images on the GPU or not.
std::vector<Branch> DrawingBranches();
std::vector<Branch> MediaBranches();
std::vector<Branch> VisionBranches();
// Images and tensors on a device.
std::vector<Branch> DeviceBranches();
// The samples of these have a header.
std::vector<Branch> SeriesBranches();

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_IDLE_BRANCHES_H_
