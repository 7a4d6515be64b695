#include "framework/calculator/contract.h"

#include <algorithm>
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

struct CalculatorContract::Messages {
  SynclineOptions input_stream_handler_options;
  std::vector<ConditionConfig> conditions;
  google::protobuf::RepeatedPtrField<ConditionGroup> any_of;
};

CalculatorContract::CalculatorContract()
    : node_(&CalculatorGraphConfig::Node::default_instance()),
      options_(std::make_unique<NodeOptions>(*node_)),
      messages_(std::make_unique<Messages>()) {}

CalculatorContract::~CalculatorContract() = default;

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

const CalculatorOptions& CalculatorContract::Options() const {
  return node_->options();
}

int CalculatorContract::GetMaxInFlight() const {
  return node_->max_in_flight() == 0 ? 1 : node_->max_in_flight();
}

bool CalculatorContract::IsPersistent() const {
  return is_persistent_ || node_->persistent();
}

void CalculatorContract::SetInputStreamHandlerOptions(
    const SynclineOptions& options) {
  messages_->input_stream_handler_options = options;
}

const SynclineOptions& CalculatorContract::GetInputStreamHandlerOptions()
    const {
  return messages_->input_stream_handler_options;
}

void CalculatorContract::AddCondition(absl::string_view type,
                                      absl::string_view name) {
  AddCondition(type, name, SynclineOptions::default_instance());
}

void CalculatorContract::AddCondition(absl::string_view type,
                                      absl::string_view name,
                                      const SynclineOptions& options) {
  ConditionConfig& condition = messages_->conditions.emplace_back();
  condition.set_type(std::string(type));
  condition.set_name(std::string(name));
  *condition.mutable_options() = options;
}

ConditionGroup* CalculatorContract::AddAnyOf() {
  return messages_->any_of.Add();
}

const std::vector<ConditionConfig>& CalculatorContract::GetConditions() const {
  return messages_->conditions;
}

const google::protobuf::RepeatedPtrField<ConditionGroup>&
CalculatorContract::GetAnyOf() const {
  return messages_->any_of;
}

bool CalculatorContract::HasConditions() const {
  return !messages_->conditions.empty() || !messages_->any_of.empty();
}

GraphServiceRequest& CalculatorContract::UseService(
    const GraphServiceBase& service) {
  const absl::string_view key = service.key;
  const auto at =
      std::lower_bound(services_.begin(), services_.end(), key,
                       [](const auto& known, absl::string_view key) {
                         return known->Service().key < key;
                       });
  if (at != services_.end() && (*at)->Service().key == key) {
    return (*at)->Repeat();
  }
  return **services_.insert(at, std::make_unique<GraphServiceRequest>(service));
}

const GraphServiceRequest* CalculatorContract::FindServiceRequest(
    absl::string_view key) const {
  for (const auto& request : services_) {
    if (request->Service().key == key) return request.get();
  }
  return nullptr;
}

std::string NodeText(const CalculatorContract& contract) {
  const std::string& name = contract.GetNodeName();
  const std::string& type = contract.node().calculator();
  if (name == type || type.empty()) return absl::StrCat("\"", name, "\"");
  return absl::StrCat("\"", name, "\" (", type, ")");
}

}  // namespace syncline
