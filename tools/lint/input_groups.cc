#include "tools/lint/input_groups.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/config/latest_input_stream_handler.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"

namespace syncline {
namespace {

// They join by timestamps, and wait for every input.
constexpr absl::string_view kSettlingHandlers[] = {
    "DefaultInputStreamHandler",        "EarlyCloseInputStreamHandler",
    "FixedSizeInputStreamHandler",      "LatestInputStreamHandler",
    "TimestampAlignInputStreamHandler",
};

// They make no call before every input has a packet or is settled. With
// TimestampAlign the base goes alone until the others begin.
constexpr absl::string_view kAllBeforeFirstCall[] = {
    "ApproximateTimeInputStreamHandler", "BarrierInputStreamHandler",
    "DefaultInputStreamHandler",         "EarlyCloseInputStreamHandler",
    "FixedSizeInputStreamHandler",       "LatestInputStreamHandler",
};

constexpr absl::string_view kSyncSets = "SyncSetInputStreamHandler";

InputGroups OneGroup(int num_inputs) {
  InputGroups groups(1);
  for (int port = 0; port < num_inputs; ++port) groups[0].push_back(port);
  return groups;
}

InputGroups EachAlone(int num_inputs) {
  InputGroups groups;
  for (int port = 0; port < num_inputs; ++port) groups.push_back({port});
  return groups;
}

// The input that an option of the handler names; -1 if there is none.
int PortNamed(const PlanNode& node, const std::string& tag_index) {
  std::string tag;
  int index = 0;
  if (!tool::ParseTagIndex(tag_index, &tag, &index).ok()) return -1;
  const CollectionItemId id =
      node.contract->Inputs().layout().GetId(tag, index);
  return id.IsValid() ? id.value() : -1;
}

// Inputs that no set names form one more set.
InputGroups SyncSets(const PlanNode& node) {
  const int num_inputs = static_cast<int>(node.inputs.size());
  std::vector<bool> is_named(node.inputs.size());
  InputGroups groups;
  for (const auto& set :
       node.handlers.input_options
           ->GetExtension(SyncSetInputStreamHandlerOptions::ext)
           .sync_set()) {
    std::vector<int> group;
    for (const std::string& tag_index : set.tag_index()) {
      const int port = PortNamed(node, tag_index);
      if (port < 0 || is_named[port]) continue;
      is_named[port] = true;
      group.push_back(port);
    }
    if (!group.empty()) groups.push_back(std::move(group));
  }
  std::vector<int> others;
  for (int port = 0; port < num_inputs; ++port) {
    if (!is_named[port]) others.push_back(port);
  }
  if (!others.empty()) groups.push_back(std::move(others));
  return groups;
}

InputGroups GroupsBy(const PlanNode& node,
                     absl::Span<const absl::string_view> one_group) {
  const int num_inputs = static_cast<int>(node.inputs.size());
  if (num_inputs == 0) return {};
  if (node.handlers.input == kSyncSets &&
      node.handlers.input_options != nullptr) {
    return SyncSets(node);
  }
  return absl::c_linear_search(one_group, node.handlers.input)
             ? OneGroup(num_inputs)
             : EachAlone(num_inputs);
}

}  // namespace

InputGroups SettledTogether(const PlanNode& node) {
  return GroupsBy(node, kSettlingHandlers);
}

InputGroups NeededForFirstCall(const PlanNode& node) {
  return GroupsBy(node, kAllBeforeFirstCall);
}

int MainInput(const PlanNode& node) {
  if (node.handlers.input != "LatestInputStreamHandler" ||
      node.handlers.input_options == nullptr) {
    return -1;
  }
  return PortNamed(node,
                   node.handlers.input_options
                       ->GetExtension(LatestInputStreamHandlerOptions::ext)
                       .main_tag_index());
}

absl::string_view PlainType(const PlanNode& node) {
  return node.type.substr(node.type.rfind('.') + 1);
}

}  // namespace syncline
