#include "testing/calculator_harness.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_stop.h"
#include "framework/base/status_text.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/counter.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/default_service.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/calculator/side_packets.h"
#include "framework/graph_text/proto_text.h"
#include "framework/stream/bound_after_call.h"
#include "testing/literal_streams.h"

namespace syncline {
namespace {

constexpr char kDefaultHandler[] = "DefaultInputStreamHandler";
constexpr char kImmediateHandler[] = "ImmediateInputStreamHandler";

// The short form of a tag index: "TAG:0" and "TAG" are the same port.
std::string ShortForm(absl::string_view tag_index) {
  std::string tag;
  int index;
  const absl::Status status = tool::ParseTagIndex(tag_index, &tag, &index);
  if (!status.ok()) ReportMisuse(status);
  return tool::CatTag(tag, index);
}

std::vector<std::string> ShortForms(const PortLayout& layout) {
  std::vector<std::string> ports;
  for (CollectionItemId id = layout.BeginId(); id < layout.EndId(); ++id) {
    const auto [tag, index] = layout.TagAndIndexFromId(id);
    ports.push_back(tool::CatTag(tag, index));
  }
  return ports;
}

template <typename Map>
const typename Map::mapped_type& FindPort(const Map& ports,
                                          absl::string_view tag_index,
                                          absl::string_view what) {
  const auto found = ports.find(ShortForm(tag_index));
  if (found != ports.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, port] : ports) {
    known.push_back(absl::StrCat("\"", name, "\""));
  }
  ReportMisuse(absl::NotFoundError(absl::StrCat(
      "The calculator has no ", what, " \"", tag_index, "\"; it has ",
      known.empty() ? "none, or Run() failed before it had any"
                    : absl::StrJoin(known, ", "),
      ".")));
}

// INVALID_ARGUMENT if the test gave something to a port that is not there.
template <typename Map>
absl::Status CheckPorts(const Map& given, const PortLayout& layout,
                        absl::string_view what) {
  const std::vector<std::string> ports = ShortForms(layout);
  for (const auto& [port, value] : given) {
    if (std::find(ports.begin(), ports.end(), port) != ports.end()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "The test gives ", what, " \"", port,
        "\", which the node lacks; it has ", layout.ShortDebugString(), "."));
  }
  return absl::OkStatus();
}

// One error as it is; several together.
absl::Status OneStatus(std::vector<absl::Status> errors) {
  if (errors.empty()) return absl::OkStatus();
  return errors.size() == 1 ? std::move(errors[0])
                            : CombineStatuses("", errors);
}

}  // namespace

// One run: owns what a graph would own for the node, and writes what it sees
// into the harness.
class HarnessRun {
 public:
  explicit HarnessRun(CalculatorHarness* harness) : harness_(*harness) {}

  absl::Status Run() {
    SYNCLINE_RETURN_IF_ERROR(Describe());
    SYNCLINE_RETURN_IF_ERROR(Prepare());
    absl::Status status = CallAll();
    harness_.counters_ = counters_.GetCounterSet()->GetCountersValues();
    const std::vector<std::string> ports =
        ShortForms(contract_.OutputSidePackets().layout());
    for (size_t i = 0; i < ports.size(); ++i) {
      harness_.output_side_packets_[ports[i]] =
          environment_->node_output_side_packets()[i]->packet();
    }
    return status;
  }

 private:
  absl::Status Describe() {
    const std::string& type = harness_.node_.calculator();
    absl::StatusOr<std::unique_ptr<CalculatorBaseFactory>> factory =
        CalculatorBaseRegistry::CreateByName(type);
    if (!factory.ok()) {
      return PrefixStatus(
          absl::StrCat("Unable to find Calculator \"", type, "\": "),
          factory.status());
    }
    factory_ = *std::move(factory);
    SYNCLINE_RETURN_IF_ERROR(PrefixStatus(
        absl::StrCat(type, ": "), contract_.Initialize(harness_.node_)));
    SYNCLINE_RETURN_IF_ERROR(InvokeGetContract(*factory_, &contract_));
    std::string handler = contract_.GetInputStreamHandler();
    if (harness_.node_.has_input_stream_handler()) {
      handler = harness_.node_.input_stream_handler().input_stream_handler();
    }
    is_immediate_ = handler == kImmediateHandler;
    if (handler.empty() || handler == kDefaultHandler || is_immediate_) {
      return absl::OkStatus();
    }
    return absl::UnimplementedError(absl::StrCat(
        "The node \"", contract_.GetNodeName(), "\" uses \"", handler,
        "\", whose rule of joining inputs needs a graph; a harness knows \"",
        kDefaultHandler, "\" and \"", kImmediateHandler, "\"."));
  }

  absl::Status Prepare() {
    for (const auto& request : contract_.ServiceRequests()) {
      SYNCLINE_RETURN_IF_ERROR(ProvideDefaultService(
          *request, contract_.GetNodeName(), &harness_.services_));
    }
    SYNCLINE_ASSIGN_OR_RETURN(PacketSet side_packets, SidePackets());
    environment_ = std::make_unique<NodeEnvironment>(
        contract_,
        NodeEnvironment::Run{.input_side_packets = std::move(side_packets),
                             .counters = &counters_,
                             .services = &harness_.services_});
    context_ = std::make_unique<CalculatorContext>(*environment_);
    for (const std::string& port : ShortForms(contract_.Outputs().layout())) {
      sent_.push_back(&harness_.outputs_[port]);
    }
    return PrepareInputs();
  }

  absl::StatusOr<PacketSet> SidePackets() {
    const PacketTypeSet& types = contract_.InputSidePackets();
    SYNCLINE_RETURN_IF_ERROR(
        CheckPorts(harness_.side_packets_, types.layout(), "the side packet"));
    const std::vector<std::string> ports = ShortForms(types.layout());
    size_t next = 0;
    return FillInputSidePackets(types, [&](const std::string&) {
      const auto found = harness_.side_packets_.find(ports[next++]);
      return found == harness_.side_packets_.end() ? Packet() : found->second;
    });
  }

  absl::Status PrepareInputs() {
    const PacketTypeSet& types = contract_.Inputs();
    SYNCLINE_RETURN_IF_ERROR(CheckPorts(harness_.inputs_, types.layout(),
                                        "packets to the input stream"));
    SYNCLINE_RETURN_IF_ERROR(CheckPorts(harness_.headers_, types.layout(),
                                        "a header to the input stream"));
    CollectionItemId id = types.BeginId();
    for (const std::string& port : ShortForms(types.layout())) {
      const auto header = harness_.headers_.find(port);
      if (header != harness_.headers_.end()) {
        context_->Inputs().Get(id).SetHeader(header->second);
      }
      const auto fed = harness_.inputs_.find(port);
      const std::vector<Packet> packets =
          fed == harness_.inputs_.end() ? std::vector<Packet>() : fed->second;
      std::vector<absl::Status> errors = {inputs_.Add(packets)};
      for (const Packet& packet : packets) {
        if (packet.IsEmpty()) continue;
        errors.push_back(types.Get(id).Validate(packet));
      }
      SYNCLINE_RETURN_IF_ERROR(CombineStatuses(
          absl::StrCat("The test feeds \"", port, "\" what no stream carries:"),
          errors));
      ++id;
    }
    return PrepareMessageTimes();
  }

  // Which inputs keep message times: as the contract and the node say.
  absl::Status PrepareMessageTimes() {
    for (const auto& [tag, index] : contract_.GetMessageTimes()) {
      SYNCLINE_RETURN_IF_ERROR(KeepMessageTimes(tag, index));
    }
    for (const InputStreamInfo& info : harness_.node_.input_stream_info()) {
      if (!info.message_times()) continue;
      std::string tag;
      int index;
      SYNCLINE_RETURN_IF_ERROR(
          tool::ParseTagIndex(info.tag_index(), &tag, &index));
      SYNCLINE_RETURN_IF_ERROR(KeepMessageTimes(tag, index));
    }
    return absl::OkStatus();
  }

  absl::Status KeepMessageTimes(const std::string& tag, int index) {
    const PortLayout& layout = contract_.Inputs().layout();
    const CollectionItemId id = layout.GetId(tag, index);
    const std::string port = tool::CatTag(tag, index);
    if (!id.IsValid()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The node \"", contract_.GetNodeName(),
          "\" asks for message times of the input stream \"", port,
          "\", which it lacks; it has ", layout.ShortDebugString(), "."));
    }
    const auto found = harness_.message_times_.find(port);
    kept_times_[id] = {.given = found == harness_.message_times_.end()
                                    ? std::vector<PacketTimes>()
                                    : found->second};
    // Also in Open and Close.
    context_->Inputs().Get(id).SetMessageTimes(PacketTimes());
    return absl::OkStatus();
  }

  // To the packets of the next call.
  void ShowMessageTimes() {
    for (auto& [id, kept] : kept_times_) {
      InputStream& input = context_->Inputs().Get(id);
      PacketTimes times;
      if (!input.IsEmpty()) {
        times = kept.given[kept.next++];
        if (times.publication_ns == PacketTimes::kNone) {
          times.publication_ns = context_->Clock()->NowNs();
        }
        if (times.acquisition_ns == PacketTimes::kNone) {
          times.acquisition_ns = times.publication_ns;
        }
        if (times.arrival_ns == PacketTimes::kNone) {
          times.arrival_ns = times.publication_ns;
        }
      }
      input.SetMessageTimes(times);
    }
  }

  absl::Status CallAll() {
    SYNCLINE_ASSIGN_OR_RETURN(calculator_,
                              InvokeCreate(*factory_, context_.get()));
    SYNCLINE_RETURN_IF_ERROR(
        Call(CallPhase::kOpen, Timestamp::Unstarted(), &InvokeOpen));
    absl::Status status = ProcessAll();
    context_->SetGraphStatus(status);
    discards_ = !status.ok();
    absl::Status closed =
        Call(CallPhase::kClose, Timestamp::Done(), &InvokeClose);
    if (discards_) return status;
    for (CalculatorHarness::Sent* const sent : sent_) {
      RaiseBound(Timestamp::Done(), sent);
    }
    return closed;
  }

  absl::Status ProcessAll() {
    if (contract_.Inputs().NumEntries() > 0) return ProcessInputs();
    return sent_.empty() ? absl::OkStatus() : ProcessSource();
  }

  absl::Status ProcessSource() {
    for (int64_t i = 0; i < harness_.max_source_calls_; ++i) {
      absl::Status status = Process(Timestamp(0));
      if (tool::IsStatusStop(status)) return absl::OkStatus();
      if (!status.ok()) return status;
    }
    return absl::ResourceExhaustedError(
        absl::StrCat("The source \"", contract_.GetNodeName(),
                     "\" did not stop after ", harness_.max_source_calls_,
                     " calls; SetMaxSourceCalls() allows more."));
  }

  absl::Status ProcessInputs() {
    Timestamp at;
    while ((at = inputs_.NextTime()) != Timestamp::Done()) {
      const bool has_packet = is_immediate_
                                  ? inputs_.TakeOne(&context_->Inputs())
                                  : inputs_.TakeTogether(&context_->Inputs());
      if (!has_packet && !contract_.GetProcessTimestampBounds()) {
        PassBoundOn(at);
        continue;
      }
      ShowMessageTimes();
      absl::Status status = Process(at);
      if (tool::IsStatusStop(status)) {
        harness_.stop_requested_ = true;
      } else if (!status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  absl::Status Process(Timestamp at) {
    harness_.calls_.push_back(at);
    return Call(CallPhase::kProcess, at, &InvokeProcess);
  }

  absl::Status Call(
      CallPhase phase, Timestamp at,
      absl::FunctionRef<absl::Status(CalculatorBase*, CalculatorContext*)>
          invoke) {
    context_->BeginCall(phase, at);
    auto output = context_->Outputs().begin();
    for (const CalculatorHarness::Sent* const sent : sent_) {
      (*output++).Begin(sent->bound, sent->closed, !sent->packets.empty());
    }
    const absl::Status returned = invoke(calculator_.get(), context_.get());
    std::vector<absl::Status> errors(context_->call().errors().begin(),
                                     context_->call().errors().end());
    for (const auto& side_packet : environment_->node_output_side_packets()) {
      absl::Status error = side_packet->TakeError();
      if (!error.ok()) errors.push_back(std::move(error));
    }
    const bool stops = tool::IsStatusStop(returned);
    if (!returned.ok() && !stops) errors.push_back(returned);
    if (returned.ok() || stops) Collect(at, &errors);
    context_->EndCall();
    absl::Status status = OneStatus(std::move(errors));
    return status.ok() ? returned : status;
  }

  // Takes what the call sent.
  void Collect(Timestamp at, std::vector<absl::Status>* errors) {
    if (discards_) return;
    auto output = context_->Outputs().begin();
    for (CalculatorHarness::Sent* const sent : sent_) {
      CollectStream(at, *output++, sent, errors);
    }
  }

  static void CollectStream(Timestamp at, OutputStream& output,
                            CalculatorHarness::Sent* sent,
                            std::vector<absl::Status>* errors) {
    sent->header = output.Header();
    if (sent->closed) return;
    OutputOfCall call;
    call.input_timestamp = at;
    call.offset = output.Offset();
    call.explicit_bound = output.explicit_bound();
    // Shorter than the packets where none were given with the last ones.
    absl::Span<const PacketTimes> times = output.times();
    for (Packet& packet : output.packets()) {
      call.last_packet = packet.Timestamp();
      sent->packets.push_back(std::move(packet));
      sent->times.push_back(times.empty() ? PacketTimes() : times.front());
      if (!times.empty()) times.remove_prefix(1);
    }
    const Timestamp bound = BoundAfterCall(call);
    if (call.explicit_bound != Timestamp::Unset() && bound < sent->bound) {
      errors->push_back(output.BoundGoesBackError(sent->bound, bound));
    }
    RaiseBound(bound, sent);
    sent->closed = output.IsClosed();
    if (sent->closed) RaiseBound(Timestamp::Done(), sent);
  }

  // Without a call, a node with an offset still moves its bounds.
  void PassBoundOn(Timestamp at) {
    auto output = context_->Outputs().begin();
    for (CalculatorHarness::Sent* const sent : sent_) {
      const TimestampDiff offset = (*output++).Offset();
      if (sent->closed) continue;
      RaiseBound(BoundPassedOn(at.NextAllowedInStream(), offset), sent);
    }
    context_->EndCall();
  }

  static void RaiseBound(Timestamp bound, CalculatorHarness::Sent* sent) {
    if (bound <= sent->bound) return;
    sent->bound = bound;
    sent->bounds.push_back(bound);
  }

  CalculatorHarness& harness_;
  CalculatorContract contract_;
  BasicCounterFactory counters_;
  LiteralStreams inputs_;
  // Of an input that keeps them: what its packets were fed with.
  struct KeptTimes {
    std::vector<PacketTimes> given;
    std::size_t next = 0;
  };
  std::map<CollectionItemId, KeptTimes> kept_times_;
  bool is_immediate_ = false;
  // The run failed: what Close sends goes nowhere.
  bool discards_ = false;
  std::vector<CalculatorHarness::Sent*> sent_;  // by output port
  std::unique_ptr<CalculatorBaseFactory> factory_;
  std::unique_ptr<NodeEnvironment> environment_;
  std::unique_ptr<CalculatorContext> context_;
  std::unique_ptr<CalculatorBase> calculator_;
};

CalculatorHarness::CalculatorHarness(absl::string_view node_text)
    : config_status_(ParseProtoText(node_text, "", &node_)) {}

CalculatorHarness::CalculatorHarness(CalculatorGraphConfig::Node node)
    : node_(std::move(node)) {}

CalculatorHarness::~CalculatorHarness() = default;

void CalculatorHarness::Feed(absl::string_view tag_index,
                             std::vector<Packet> packets) {
  Feed(tag_index, std::move(packets), PacketTimes());
}

void CalculatorHarness::Feed(absl::string_view tag_index,
                             std::vector<Packet> packets,
                             const PacketTimes& times) {
  const std::string port = ShortForm(tag_index);
  std::vector<Packet>& stream = inputs_[port];
  for (Packet& packet : packets) {
    if (!packet.IsEmpty()) message_times_[port].push_back(times);
    stream.push_back(std::move(packet));
  }
}

void CalculatorHarness::SetHeader(absl::string_view tag_index, Packet header) {
  headers_[ShortForm(tag_index)] = std::move(header);
}

void CalculatorHarness::SetSidePacket(absl::string_view tag_index,
                                      Packet packet) {
  side_packets_[ShortForm(tag_index)] = std::move(packet);
}

absl::Status CalculatorHarness::Run() {
  outputs_.clear();
  output_side_packets_.clear();
  counters_.clear();
  calls_.clear();
  stop_requested_ = false;
  if (!config_status_.ok()) return config_status_;
  return HarnessRun(this).Run();
}

const std::vector<Packet>& CalculatorHarness::Output(
    absl::string_view tag_index) const {
  return FindPort(outputs_, tag_index, "output stream").packets;
}

const std::vector<PacketTimes>& CalculatorHarness::OutputTimes(
    absl::string_view tag_index) const {
  return FindPort(outputs_, tag_index, "output stream").times;
}

Timestamp CalculatorHarness::OutputBound(absl::string_view tag_index) const {
  return FindPort(outputs_, tag_index, "output stream").bound;
}

const std::vector<Timestamp>& CalculatorHarness::OutputBounds(
    absl::string_view tag_index) const {
  return FindPort(outputs_, tag_index, "output stream").bounds;
}

const Packet& CalculatorHarness::OutputHeader(
    absl::string_view tag_index) const {
  return FindPort(outputs_, tag_index, "output stream").header;
}

const Packet& CalculatorHarness::OutputSidePacket(
    absl::string_view tag_index) const {
  return FindPort(output_side_packets_, tag_index, "output side packet");
}

int64_t CalculatorHarness::CounterValue(absl::string_view name) const {
  const std::string& node =
      node_.name().empty() ? node_.calculator() : node_.name();
  const auto found = counters_.find(absl::StrCat(node, "-", name));
  return found == counters_.end() ? 0 : found->second;
}

}  // namespace syncline
