#include "framework/calculator/contract.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_text.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

absl::Status CalculatorContract::Initialize(
    const CalculatorGraphConfig::Node& node, absl::string_view node_name) {
  node_ = &node;
  options_ = std::make_unique<NodeOptions>(node);
  node_name_ = !node_name.empty()     ? std::string(node_name)
               : !node.name().empty() ? node.name()
                                      : node.calculator();
  std::vector<absl::Status> errors;
  const auto lay_out = [&errors](const auto& ports, absl::string_view field,
                                 PacketTypeSet* types) {
    absl::StatusOr<std::shared_ptr<const PortLayout>> layout =
        PortLayout::Create(ports);
    if (layout.ok()) {
      *types = PacketTypeSet(*std::move(layout));
    } else {
      errors.push_back(
          PrefixStatus(absl::StrCat(field, ": "), layout.status()));
    }
  };
  lay_out(node.input_stream(), "input_stream", &inputs_);
  lay_out(node.output_stream(), "output_stream", &outputs_);
  lay_out(node.input_side_packet(), "input_side_packet", &input_side_packets_);
  lay_out(node.output_side_packet(), "output_side_packet",
          &output_side_packets_);
  if (absl::Status status = ValidateNodeOptions(node); !status.ok()) {
    errors.push_back(std::move(status));
  }
  if (errors.size() == 1) return std::move(errors[0]);
  return CombineStatuses("", errors);
}

GraphServiceRequest& CalculatorContract::UseService(
    const GraphServiceBase& service) {
  const auto [entry, is_new] =
      services_.try_emplace(service.key, GraphServiceRequest(service));
  return is_new ? entry->second : entry->second.Repeat();
}

}  // namespace syncline
