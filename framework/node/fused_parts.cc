#include "framework/node/fused_parts.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/hash_map.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/expansion/lower_fused.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace {

using Ports = google::protobuf::RepeatedPtrField<std::string>;

constexpr char kDefaultHandler[] = "DefaultInputStreamHandler";

// The port of the fused node that is connected to `name`; -1 if there is none.
int OuterPort(const PacketTypeSet& outer, absl::string_view name) {
  const CollectionItemId id = outer.GetId(FusedTag(name), 0);
  return id.IsValid() ? id.value() : -1;
}

// Leaves out side packets that neither a part makes nor the fused node reads.
void DropOpenPorts(
    const PacketTypeSet& outer,
    absl::FunctionRef<bool(const std::string& name)> is_made_inside,
    Ports* ports) {
  const auto is_open = [&](const std::string& port) {
    const std::string name = port.substr(port.rfind(':') + 1);
    return !is_made_inside(name) && OuterPort(outer, name) < 0;
  };
  ports->erase(std::remove_if(ports->begin(), ports->end(), is_open),
               ports->end());
}

absl::Status InPart(const CalculatorContract& part,
                    const absl::Status& status) {
  return PrefixStatus(absl::StrCat("in it, node ", NodeText(part), ": "),
                      status);
}

absl::StatusOr<std::unique_ptr<CalculatorBaseFactory>> FindFactory(
    const std::string& type) {
  if (!CalculatorBaseRegistry::IsRegistered(type)) {
    const std::string near =
        DidYouMeanText(CalculatorBaseRegistry::NearestNames(type));
    return absl::NotFoundError(absl::StrCat(
        "Unable to find Calculator ", Quoted(type), ".",
        near.empty() ? " Link the library that registers it into the program, "
                       "with alwayslink = True."
                     : near));
  }
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<CalculatorBaseFactory> factory,
                            CalculatorBaseRegistry::CreateByName(type));
  if (factory != nullptr) return factory;
  return absl::InternalError("its factory is null.");
}

// Times come with the packets of the fused node's own inputs.
absl::Status DescribeMessageTimes(const FusedPart& part,
                                  CalculatorContract* outer) {
  const CalculatorContract& contract = part.contract;
  for (const auto& [tag, index] : contract.GetMessageTimes()) {
    const absl::string_view stream =
        contract.Inputs().layout().Name(tag, index);
    if (!stream.empty() && !part.joins) {
      outer->KeepMessageTimes(FusedTag(stream));
      continue;
    }
    return InPart(
        contract,
        absl::InvalidArgumentError(absl::StrCat(
            "its contract asks for KeepMessageTimes(",
            Quoted(tool::CatTag(tag, index)), "), ",
            stream.empty()
                ? "and it has no such input stream; ask HasTag() first."
                : "but it reads streams of nodes that are fused before it, "
                  "which have none. Make it a node of its own.")));
  }
  return absl::OkStatus();
}

void FindLastReaders(absl::Span<const std::unique_ptr<FusedPart>> parts) {
  HashSet<int> read_later;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    std::vector<FusedPart::Input>& inputs = (*part)->inputs;
    for (auto input = inputs.rbegin(); input != inputs.rend(); ++input) {
      if (input->part >= 0) continue;
      input->is_last_reader = read_later.insert(input->outer_port).second;
    }
  }
}

// Adds the parts of one node, in order.
class Adder {
 public:
  Adder(const CalculatorContract& outer,
        std::vector<std::unique_ptr<FusedPart>>* parts)
      : outer_(outer), parts_(*parts) {}

  absl::Status Add(const CalculatorGraphConfig::Node& node,
                   const std::string& name) {
    FusedPart& part = *parts_.emplace_back(std::make_unique<FusedPart>());
    CalculatorGraphConfig::Node& config = part.config;
    config = node;
    DropOpenPorts(
        outer_.Inputs(),
        [&](const std::string& stream) { return streams_.contains(stream); },
        config.mutable_input_stream());
    DropOpenPorts(
        outer_.InputSidePackets(),
        [&](const std::string& side_packet) {
          return side_packets_.contains(side_packet);
        },
        config.mutable_input_side_packet());
    if (config.log_level().empty()) {
      config.set_log_level(outer_.node().log_level());
    }
    if (outer_.node().persistent()) config.set_persistent(true);
    CalculatorContract& contract = part.contract;
    absl::Status status = contract.Initialize(
        config, absl::StrCat(outer_.GetNodeName(), "/", name));
    if (!status.ok()) return InPart(contract, status);
    auto factory = FindFactory(config.calculator());
    if (!factory.ok()) return InPart(contract, factory.status());
    part.factory = *std::move(factory);
    status = InvokeGetContract(*part.factory, &contract);
    if (!status.ok()) return InPart(contract, status);
    Link(&part);
    return absl::OkStatus();
  }

 private:
  struct Made {
    int part = -1;
    int port = -1;
  };

  void Link(FusedPart* part) {
    const int index = static_cast<int>(parts_.size()) - 1;
    const CalculatorContract& contract = part->contract;
    for (const std::string& name : contract.Inputs().layout().Names()) {
      const int port = static_cast<int>(part->inputs.size());
      const auto made = streams_.find(name);
      if (made == streams_.end()) {
        part->inputs.push_back(
            {.outer_port = OuterPort(outer_.Inputs(), name)});
        continue;
      }
      const Made from = made->second;
      part->inputs.push_back({.part = from.part, .port = from.port});
      parts_[from.part]->outputs[from.port].readers.push_back({index, port});
      part->joins = true;
    }
    for (const std::string& name : contract.Outputs().layout().Names()) {
      const int port = static_cast<int>(part->outputs.size());
      part->outputs.push_back(
          {.outer_port = OuterPort(outer_.Outputs(), name)});
      streams_[name] = {index, port};
    }
    for (const std::string& name :
         contract.OutputSidePackets().layout().Names()) {
      side_packets_.insert(name);
    }
    part->is_called_for_packets =
        !part->inputs.empty() && !contract.GetProcessTimestampBounds();
    part->takes_each =
        part->is_called_for_packets && part->joins && part->inputs.size() == 1;
    // A part without streams is never called, unless it waits for something
    // else. The same is true of any node.
    const CalculatorGraphConfig::Node& node = outer_.node();
    part->is_source = part->inputs.empty() &&
                      (!part->outputs.empty() || contract.HasConditions() ||
                       !node.condition().empty() || !node.any_of().empty());
  }

  const CalculatorContract& outer_;
  std::vector<std::unique_ptr<FusedPart>>& parts_;
  // Made by the parts so far, by name.
  HashMap<std::string, Made> streams_;
  HashSet<std::string> side_packets_;
};

}  // namespace

TimestampDiff WholeOffset(
    const FusedPart& part, TimestampDiff own,
    absl::FunctionRef<TimestampDiff(const FusedPart::Input&)> of_earlier) {
  // Bounds must not go past packets that are held.
  if (own == TimestampDiff::Unset() || part.MayKeepPackets()) {
    return TimestampDiff::Unset();
  }
  absl::optional<TimestampDiff> lowest;
  for (const FusedPart::Input& input : part.inputs) {
    const TimestampDiff offset =
        input.part < 0 ? TimestampDiff(0) : of_earlier(input);
    if (offset == TimestampDiff::Unset()) return offset;
    lowest = std::min(lowest.value_or(offset), offset);
  }
  return lowest.has_value() ? *lowest + own : TimestampDiff::Unset();
}

absl::StatusOr<std::shared_ptr<const FusedParts>> FusedParts::Make(
    const CalculatorContract& outer) {
  const CalculatorGraphConfig::Node& node = outer.node();
  if (node.fused_node().empty()) {
    return absl::InvalidArgumentError(
        "it is the calculator of nodes that have fused_node, and this one has "
        "none.");
  }
  if (outer.GetMaxInFlight() > 1 || node.has_batch()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "it has ", node.has_batch() ? "batch" : "max_in_flight",
        ", but what is fused runs one call at a time, with one input set."));
  }
  std::shared_ptr<FusedParts> parts(new FusedParts());
  const std::vector<std::string> names = CanonicalNames(node.fused_node());
  Adder adder(outer, &parts->parts_);
  for (int i = 0; i < node.fused_node_size(); ++i) {
    SYNCLINE_RETURN_IF_ERROR(adder.Add(node.fused_node(i), names[i]));
  }
  FindLastReaders(parts->parts_);
  return parts;
}

absl::Status FusedParts::Describe(CalculatorContract* outer) const {
  SYNCLINE_RETURN_IF_ERROR(DescribeTypes(outer));
  SYNCLINE_RETURN_IF_ERROR(DescribeHandler(outer));
  DescribeOffset(outer);
  bool processes_bounds = false;
  bool is_independent = true;
  for (const std::unique_ptr<FusedPart>& part : parts_) {
    const CalculatorContract& contract = part->contract;
    for (const auto& request : contract.ServiceRequests()) {
      GraphServiceRequest& asked = outer->UseService(request->Service());
      if (request->IsOptional()) asked.Optional();
    }
    for (const ConditionConfig& condition : contract.GetConditions()) {
      outer->AddCondition(condition.type(), condition.name(),
                          condition.options());
    }
    for (const ConditionGroup& group : contract.GetAnyOf()) {
      *outer->AddAnyOf() = group;
    }
    SYNCLINE_RETURN_IF_ERROR(DescribeMessageTimes(*part, outer));
    if (contract.IsPersistent()) outer->SetPersistent(true);
    // Packets that are held go on when bounds rise, whether packets come or
    // not.
    processes_bounds |=
        contract.GetProcessTimestampBounds() || part->MayKeepPackets();
    // The others make the same of the same packets, however they are called.
    const bool needs_promise = contract.GetProcessTimestampBounds() ||
                               !contract.GetInputStreamHandler().empty();
    if (needs_promise) is_independent &= contract.IsOrderIndependent();
  }
  outer->SetProcessTimestampBounds(processes_bounds);
  outer->SetOrderIndependent(is_independent);
  return absl::OkStatus();
}

absl::Status FusedParts::DescribeHandler(CalculatorContract* outer) const {
  const CalculatorContract* first = nullptr;
  for (const std::unique_ptr<FusedPart>& part : parts_) {
    const CalculatorContract& contract = part->contract;
    const std::string& handler = contract.GetInputStreamHandler();
    if (handler.empty() || handler == kDefaultHandler) continue;
    const auto refuse = [&](absl::string_view why) {
      return InPart(
          contract,
          absl::InvalidArgumentError(absl::StrCat(
              "its contract asks for the input stream handler ",
              Quoted(handler), ", ", why, " Make it a node of its own.")));
    };
    if (part->joins) {
      return refuse(
          "but it reads streams of nodes that are fused before it, which are "
          "joined by the default rule.");
    }
    if (contract.GetInputStreamHandlerOptions().ByteSizeLong() > 0) {
      return refuse(
          "with options that speak of ports which the fused node does not "
          "have.");
    }
    if (first != nullptr && first->GetInputStreamHandler() != handler) {
      return refuse(absl::StrCat("but node ", NodeText(*first), " asks for ",
                                 Quoted(first->GetInputStreamHandler()),
                                 ", and what is fused has one."));
    }
    if (first == nullptr) first = &contract;
  }
  if (first != nullptr) {
    outer->SetInputStreamHandler(first->GetInputStreamHandler());
  }
  return absl::OkStatus();
}

// The offset of each part is that of its contract, since what parts say in Open
// comes later. A contract has one offset for all outputs, so the fused node
// gets one only if all its outputs have the same.
void FusedParts::DescribeOffset(CalculatorContract* outer) const {
  std::vector<TimestampDiff> of_part;
  absl::optional<TimestampDiff> common;
  for (const std::unique_ptr<FusedPart>& part : parts_) {
    const TimestampDiff offset = WholeOffset(
        *part, part->contract.GetTimestampOffset(),
        [&](const FusedPart::Input& input) { return of_part[input.part]; });
    of_part.push_back(offset);
    for (const FusedPart::Output& output : part->outputs) {
      if (output.outer_port < 0) continue;
      if (common.value_or(offset) != offset) return;
      common = offset;
    }
  }
  if (common.has_value()) outer->SetTimestampOffset(*common);
}

}  // namespace syncline
