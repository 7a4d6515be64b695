// What the tests of switch containers share: a graph with a switch container.
// The nodes that it contains are registered in switch_container_test_nodes.cc.

#ifndef SYNCLINE_FRAMEWORK_TOOL_SWITCH_CONTAINER_TEST_H_
#define SYNCLINE_FRAMEWORK_TOOL_SWITCH_CONTAINER_TEST_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "testing/worker_counts.h"

namespace syncline {

// All files of the test share one suite.
class SwitchContainerTest : public WorkersTest {};

// A graph with a container of the named nodes between "foo" and "bar". A join
// reads "bar" and "foo".
inline std::string Container(const std::string& selection,
                             const std::vector<std::string>& nodes,
                             const std::string& options = "") {
  std::string contained;
  for (const std::string& node : nodes) {
    absl::StrAppend(&contained, "contained_node { calculator: '", node, "' }");
  }
  return absl::StrCat(R"(
    input_stream: "foo"
    input_stream: "select"
    input_stream: "enable"
    node {
      calculator: "SwitchContainer"
      )",
                      selection, R"(
      input_stream: "foo"
      output_stream: "bar"
      options { [syncline.SwitchContainerOptions.ext] {)",
                      contained, options, R"(} }
    }
    node {
      calculator: "PassThroughCalculator"
      input_stream: "foo"
      input_stream: "bar"
      output_stream: "joined_foo"
      output_stream: "joined_bar"
    })");
}

inline constexpr char kEnable[] = "input_stream: 'ENABLE:enable'";
inline constexpr char kSelect[] = "input_stream: 'SELECT:select'";

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_SWITCH_CONTAINER_TEST_H_
