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
namespace {

// Makes types for ports, and remembers what is wrong with which field.
class LayOut {
 public:
  void operator()(const google::protobuf::RepeatedPtrField<std::string>& ports,
                  absl::string_view field, PacketTypeSet* types) {
    absl::StatusOr<std::shared_ptr<const PortLayout>> layout =
        PortLayout::Create(ports);
    if (layout.ok()) {
      *types = PacketTypeSet(*std::move(layout));
    } else {
      Note(PrefixStatus(absl::StrCat(field, ": "), layout.status()));
    }
  }
  void Note(absl::Status status) {
    if (!status.ok()) errors_.push_back(std::move(status));
  }
  absl::Status status() const {
    return errors_.size() == 1 ? errors_[0] : CombineStatuses("", errors_);
  }

 private:
  std::vector<absl::Status> errors_;
};

}  // namespace

absl::Status CalculatorContract::Initialize(
    const CalculatorGraphConfig::Node& node, absl::string_view node_name) {
  node_ = &node;
  options_ = std::make_unique<NodeOptions>(node);
  node_name_ = !node_name.empty()     ? std::string(node_name)
               : !node.name().empty() ? node.name()
                                      : node.calculator();
  LayOut lay_out;
  lay_out(node.input_stream(), "input_stream", &inputs_);
  lay_out(node.output_stream(), "output_stream", &outputs_);
  lay_out(node.input_side_packet(), "input_side_packet", &input_side_packets_);
  lay_out(node.output_side_packet(), "output_side_packet",
          &output_side_packets_);
  lay_out.Note(ValidateNodeOptions(node));
  return lay_out.status();
}

absl::Status CalculatorContract::Initialize(
    const PacketGeneratorConfig& generator) {
  node_name_ = generator.packet_generator();
  LayOut lay_out;
  lay_out(generator.input_side_packet(), "input_side_packet",
          &input_side_packets_);
  lay_out(generator.output_side_packet(), "output_side_packet",
          &output_side_packets_);
  return lay_out.status();
}

absl::Status CalculatorContract::Initialize(
    const StatusHandlerConfig& handler) {
  node_name_ = handler.status_handler();
  LayOut lay_out;
  lay_out(handler.input_side_packet(), "input_side_packet",
          &input_side_packets_);
  return lay_out.status();
}

GraphServiceRequest& CalculatorContract::UseService(
    const GraphServiceBase& service) {
  const auto [entry, is_new] =
      services_.try_emplace(service.key, GraphServiceRequest(service));
  return is_new ? entry->second : entry->second.Repeat();
}

}  // namespace syncline
