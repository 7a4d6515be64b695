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
#include "framework/calculator/contract_probe.h"
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
    // Most nodes have no side packets, and the types of no ports are there.
    if (ports.empty() && types->NumEntries() == 0 &&
        types->Missing().all().empty() && ContractProbe::Current() == nullptr) {
      return;
    }
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

struct CalculatorContract::Extras {
  // Messages of the config that the contract asks for.
  SynclineOptions input_stream_handler_options;
  std::vector<ConditionConfig> conditions;
  google::protobuf::RepeatedPtrField<ConditionGroup> any_of;

  std::string input_stream_handler;
  std::vector<std::pair<std::string, std::string>> condition_children;
  std::vector<std::pair<std::string, int>> message_times;
  // Pointers: the contract may hold on to a request and ask for more.
  std::vector<std::unique_ptr<GraphServiceRequest>> services;
};

CalculatorContract::CalculatorContract()
    : options_(CalculatorGraphConfig::Node::default_instance()) {}

CalculatorContract::~CalculatorContract() = default;

CalculatorContract::Extras& CalculatorContract::MakeExtras() {
  if (extras_ == nullptr) extras_ = std::make_unique<Extras>();
  return *extras_;
}

const CalculatorContract::Extras& CalculatorContract::GetExtras() const {
  static const Extras& none = *new Extras();
  return extras_ == nullptr ? none : *extras_;
}

absl::Status CalculatorContract::Initialize(
    const CalculatorGraphConfig::Node& node, std::string node_name) {
  options_.SetNode(node);
  if (node_name.empty()) {
    node_name_ = node.name().empty() ? node.calculator() : node.name();
  } else {
    node_name_ = std::move(node_name);
  }
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
  return options_.container();
}

int CalculatorContract::GetMaxInFlight() const {
  if (options_.is_packed() || node().max_in_flight() == 0) return 1;
  return node().max_in_flight();
}

absl::string_view CalculatorContract::GetLogLevel() const {
  return options_.is_packed() ? absl::string_view() : node().log_level();
}

bool CalculatorContract::IsPersistent() const {
  return is_persistent_ || (!options_.is_packed() && node().persistent());
}

void CalculatorContract::SetInputStreamHandler(absl::string_view name) {
  MakeExtras().input_stream_handler = std::string(name);
}

const std::string& CalculatorContract::GetInputStreamHandler() const {
  return GetExtras().input_stream_handler;
}

void CalculatorContract::SetInputStreamHandlerOptions(
    const SynclineOptions& options) {
  MakeExtras().input_stream_handler_options = options;
}

const SynclineOptions& CalculatorContract::GetInputStreamHandlerOptions()
    const {
  return extras_ == nullptr ? SynclineOptions::default_instance()
                            : extras_->input_stream_handler_options;
}

void CalculatorContract::KeepMessageTimes(absl::string_view tag, int index) {
  MakeExtras().message_times.emplace_back(std::string(tag), index);
}

const std::vector<std::pair<std::string, int>>&
CalculatorContract::GetMessageTimes() const {
  return GetExtras().message_times;
}

void CalculatorContract::AddCondition(absl::string_view type,
                                      absl::string_view name) {
  AddCondition(type, name, SynclineOptions::default_instance());
}

void CalculatorContract::AddCondition(absl::string_view type,
                                      absl::string_view name,
                                      const SynclineOptions& options) {
  ConditionConfig& condition = MakeExtras().conditions.emplace_back();
  condition.set_type(std::string(type));
  condition.set_name(std::string(name));
  *condition.mutable_options() = options;
}

ConditionGroup* CalculatorContract::AddAnyOf() {
  return MakeExtras().any_of.Add();
}

const std::vector<ConditionConfig>& CalculatorContract::GetConditions() const {
  return GetExtras().conditions;
}

const google::protobuf::RepeatedPtrField<ConditionGroup>&
CalculatorContract::GetAnyOf() const {
  return GetExtras().any_of;
}

void CalculatorContract::SetConditionChild(absl::string_view name,
                                           absl::string_view child) {
  MakeExtras().condition_children.emplace_back(std::string(name),
                                               std::string(child));
}

const std::vector<std::pair<std::string, std::string>>&
CalculatorContract::GetConditionChildren() const {
  return GetExtras().condition_children;
}

bool CalculatorContract::HasConditions() const {
  return extras_ != nullptr &&
         (!extras_->conditions.empty() || !extras_->any_of.empty());
}

GraphServiceRequest& CalculatorContract::UseService(
    const GraphServiceBase& service) {
  auto& services = MakeExtras().services;
  const absl::string_view key = service.key;
  const auto at =
      std::lower_bound(services.begin(), services.end(), key,
                       [](const auto& known, absl::string_view key) {
                         return known->Service().key < key;
                       });
  if (at != services.end() && (*at)->Service().key == key) {
    return (*at)->Repeat();
  }
  return **services.insert(at, std::make_unique<GraphServiceRequest>(service));
}

const std::vector<std::unique_ptr<GraphServiceRequest>>&
CalculatorContract::ServiceRequests() const {
  return GetExtras().services;
}

const GraphServiceRequest* CalculatorContract::FindServiceRequest(
    absl::string_view key) const {
  for (const auto& request : GetExtras().services) {
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
