#include "framework/graph/calculator_runner.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/port_layout.h"
#include "framework/graph_text/proto_text.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace {

// The nodes around the calculator find the contents of their streams in side
// packets. Their names are these, followed by the number of the port.
constexpr char kInput[] = "calculator_runner_input_";
constexpr char kOutput[] = "calculator_runner_output_";

// Sends the contents of a stream, one packet at a call, sources with an earlier
// packet first.
class CalculatorRunnerSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets()
        .Index(0)
        .Set<const CalculatorRunner::StreamContents*>();
    cc->Outputs().Index(0).SetAny();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    contents_ = cc->InputSidePackets()
                    .Index(0)
                    .Get<const CalculatorRunner::StreamContents*>();
    if (!contents_->header.IsEmpty()) {
      cc->Outputs().Index(0).SetHeader(contents_->header);
    }
    return absl::OkStatus();
  }
  Timestamp SourceProcessOrder(const CalculatorContext*) const override {
    return next_ < contents_->packets.size()
               ? contents_->packets[next_].Timestamp()
               : Timestamp::Done();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (next_ == contents_->packets.size()) return tool::StatusStop();
    cc->Outputs().Index(0).AddPacket(contents_->packets[next_++]);
    return absl::OkStatus();
  }

 private:
  const CalculatorRunner::StreamContents* contents_ = nullptr;
  std::size_t next_ = 0;
};
REGISTER_CALCULATOR(CalculatorRunnerSource);

class CalculatorRunnerSink : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Index(0).Set<CalculatorRunner::StreamContents*>();
    cc->Inputs().Index(0).SetAny();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    contents_ = cc->InputSidePackets()
                    .Index(0)
                    .Get<CalculatorRunner::StreamContents*>();
    contents_->header = cc->Inputs().Index(0).Header();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    contents_->packets.push_back(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }

 private:
  CalculatorRunner::StreamContents* contents_ = nullptr;
};
REGISTER_CALCULATOR(CalculatorRunnerSink);

using Ports = google::protobuf::RepeatedPtrField<std::string>;

// A set with a value for each port. It has no ports if the names are wrong;
// `status` then says why.
template <typename Set>
std::unique_ptr<Set> MakeSet(const Ports& ports, absl::Status* status) {
  absl::StatusOr<std::shared_ptr<const PortLayout>> layout =
      PortLayout::Create(ports);
  if (layout.ok()) return std::make_unique<Set>(*std::move(layout));
  status->Update(layout.status());
  return std::make_unique<Set>();
}

}  // namespace

// --- Making one

CalculatorRunner::CalculatorRunner(
    const CalculatorGraphConfig::Node& node_config) {
  SetNode(node_config);
}

CalculatorRunner::CalculatorRunner(const std::string& node_config_string) {
  CalculatorGraphConfig::Node node;
  config_status_ = ParseProtoText(node_config_string, "", &node);
  SetNode(std::move(node));
}

CalculatorRunner::CalculatorRunner(const std::string& calculator_type,
                                   const std::string& options_string,
                                   int num_inputs, int num_outputs,
                                   int num_side_packets) {
  CalculatorGraphConfig::Node node;
  node.set_calculator(calculator_type);
  if (!options_string.empty()) {
    config_status_ = ParseProtoText(options_string, "", node.mutable_options());
  }
  SetNode(std::move(node));
  SetNumInputs(num_inputs);
  SetNumOutputs(num_outputs);
  SetNumInputSidePackets(num_side_packets);
}

CalculatorRunner::CalculatorRunner(const std::string& calculator_type,
                                   const CalculatorOptions& options) {
  CalculatorGraphConfig::Node node;
  node.set_calculator(calculator_type);
  *node.mutable_options() = options;
  SetNode(std::move(node));
}

CalculatorRunner::~CalculatorRunner() = default;

void CalculatorRunner::SetNode(CalculatorGraphConfig::Node node) {
  node_ = std::move(node);
  if (node_.external_input_size() > 0) {
    if (node_.input_side_packet_size() > 0) {
      config_status_.Update(absl::InvalidArgumentError(
          "the node has both input_side_packet and external_input, its old "
          "name; move all of them to input_side_packet"));
    }
    node_.mutable_input_side_packet()->MergeFrom(node_.external_input());
    node_.clear_external_input();
  }
  inputs_ = MakeSet<StreamContentsSet>(node_.input_stream(), &config_status_);
  outputs_ = MakeSet<StreamContentsSet>(node_.output_stream(), &config_status_);
  side_packets_ =
      MakeSet<PacketSet>(node_.input_side_packet(), &config_status_);
  output_side_packets_ =
      MakeSet<PacketSet>(node_.output_side_packet(), &config_status_);
}

void CalculatorRunner::SetPorts(int count, const char* name, Ports* ports) {
  if (is_built_) {
    return config_status_.Update(absl::FailedPreconditionError(
        "the ports of a CalculatorRunner cannot change after its first Run"));
  }
  ports->Clear();
  for (int i = 0; i < count; ++i) *ports->Add() = absl::StrCat(name, i);
}

void CalculatorRunner::SetNumInputs(int n) {
  SetPorts(n, "input_", node_.mutable_input_stream());
  inputs_ = MakeSet<StreamContentsSet>(node_.input_stream(), &config_status_);
}

void CalculatorRunner::SetNumOutputs(int n) {
  SetPorts(n, "output_", node_.mutable_output_stream());
  outputs_ = MakeSet<StreamContentsSet>(node_.output_stream(), &config_status_);
}

void CalculatorRunner::SetNumInputSidePackets(int n) {
  SetPorts(n, "side_packet_", node_.mutable_input_side_packet());
  side_packets_ =
      MakeSet<PacketSet>(node_.input_side_packet(), &config_status_);
}

// --- Running

absl::Status CalculatorRunner::Build() {
  is_built_ = true;
  CalculatorGraphConfig config;
  if (node_.max_in_flight() <= 1) {
    config.add_executor()->set_type("ApplicationThreadExecutor");
  }
  // A stream that the calculator sends itself needs no source.
  std::set<std::string> made(outputs_->layout().Names().begin(),
                             outputs_->layout().Names().end());
  for (int i = 0; i < inputs_->NumEntries(); ++i) {
    const std::string& stream = inputs_->layout().Names()[i];
    const bool has_contents =
        !inputs_->Get(i).packets.empty() || !inputs_->Get(i).header.IsEmpty();
    if (!made.insert(stream).second) {
      if (!has_contents) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("stream \"", stream,
                       "\" was given packets, but another port of the "
                       "calculator has it already"));
    }
    CalculatorGraphConfig::Node* const source = config.add_node();
    source->set_calculator("CalculatorRunnerSource");
    *source->add_input_side_packet() = absl::StrCat(kInput, i);
    source->add_output_stream(stream);
  }
  *config.add_node() = node_;
  for (int i = 0; i < outputs_->NumEntries(); ++i) {
    CalculatorGraphConfig::Node* const sink = config.add_node();
    sink->set_calculator("CalculatorRunnerSink");
    *sink->add_input_side_packet() = absl::StrCat(kOutput, i);
    sink->add_input_stream(outputs_->layout().Names()[i]);
  }
  return graph_.Initialize(config);
}

absl::Status CalculatorRunner::Run() {
  SYNCLINE_RETURN_IF_ERROR(config_status_);
  for (StreamContents& output : *outputs_) output = StreamContents();
  for (Packet& packet : *output_side_packets_) packet = Packet();
  if (!is_built_) config_status_ = Build();
  SYNCLINE_RETURN_IF_ERROR(config_status_);

  std::map<std::string, Packet> side_packets;
  for (int i = 0; i < inputs_->NumEntries(); ++i) {
    side_packets[absl::StrCat(kInput, i)] =
        MakePacket<const StreamContents*>(&inputs_->Get(i));
  }
  for (int i = 0; i < outputs_->NumEntries(); ++i) {
    side_packets[absl::StrCat(kOutput, i)] =
        MakePacket<StreamContents*>(&outputs_->Get(i));
  }
  for (int i = 0; i < side_packets_->NumEntries(); ++i) {
    if (side_packets_->Get(i).IsEmpty()) continue;
    side_packets[side_packets_->layout().Names()[i]] = side_packets_->Get(i);
  }
  absl::Status status = graph_.Run(side_packets);
  for (int i = 0; i < output_side_packets_->NumEntries(); ++i) {
    absl::StatusOr<Packet> packet =
        graph_.GetOutputSidePacket(output_side_packets_->layout().Names()[i]);
    if (packet.ok()) output_side_packets_->Get(i) = *std::move(packet);
  }
  return status;
}

Counter* CalculatorRunner::GetCounter(const std::string& name) {
  return graph_.GetCounterFactory()->GetCounter(name);
}

std::map<std::string, std::int64_t> CalculatorRunner::GetCountersValues() {
  return graph_.GetCounterFactory()->GetCounterSet()->GetCountersValues();
}

}  // namespace syncline
