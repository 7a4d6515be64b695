// Names of nodes and side packets in a config, and the parts of port names.
//
// Thread rule: pure functions.
// Tested by name_util_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_NAME_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_NAME_UTIL_H_

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace tool {

// `base`, or base_02, base_03, ... : the first that no node of `config` has as
// its name.
std::string GetUnusedNodeName(const CalculatorGraphConfig& config,
                              const std::string& base);

// The same among the names of side packets.
std::string GetUnusedSidePacketName(const CalculatorGraphConfig& config,
                                    const std::string& base);

// What the graph calls node `node_id`: its name, or else its type; where
// several nodes would have the same name, all of them get "_1", "_2", ... in
// order. REQUIRES: 0 <= node_id < config.node_size().
std::string CanonicalNodeName(const CalculatorGraphConfig& config, int node_id);

// The tag and the index of a text such as "TAG:1" or "TAG"; {"", -1} for any
// other text.
std::pair<std::string, int> ParseTagIndex(absl::string_view tag_index);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_NAME_UTIL_H_
