#include "framework/plan/default_conditions.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/conditions.pb.h"
#include "framework/plan/make_conditions.h"

namespace syncline {
namespace {

// As "TAG:index".
std::vector<std::string> PortsWithout(const std::vector<int>& named,
                                      const PortLayout& layout) {
  std::vector<std::string> ports;
  for (int port = 0; port < layout.NumEntries(); ++port) {
    if (absl::c_linear_search(named, port)) continue;
    const auto [tag, index] = layout.TagAndIndex(port);
    ports.push_back(absl::StrCat(tag, ":", index));
  }
  return ports;
}

ConditionConfig DefaultOf(absl::string_view type, absl::string_view port) {
  ConditionConfig config;
  config.set_type(std::string(type));
  config.set_name(absl::StrCat(type, " of ", port));
  return config;
}

}  // namespace

std::vector<ConditionConfig> DefaultConditions(
    const CalculatorContract& contract, const MadeConditions& made) {
  std::vector<ConditionConfig> defaults;
  for (const std::string& port :
       PortsWithout(made.named_inputs, contract.Inputs().layout())) {
    defaults.push_back(DefaultOf("MessageAvailableCondition", port));
    defaults.back()
        .mutable_options()
        ->MutableExtension(MessageAvailableConditionOptions::ext)
        ->set_receiver(port);
  }
  for (const std::string& port :
       PortsWithout(made.named_outputs, contract.Outputs().layout())) {
    defaults.push_back(DefaultOf("DownstreamMessageAffordableCondition", port));
    defaults.back()
        .mutable_options()
        ->MutableExtension(DownstreamMessageAffordableConditionOptions::ext)
        ->set_transmitter(port);
  }
  return defaults;
}

}  // namespace syncline
