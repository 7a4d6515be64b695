#include "tools/contract_description.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/contract_probe.h"
#include "framework/calculator/legacy/legacy_support.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/parameters.pb.h"
#include "framework/packet/packet_type.h"

namespace syncline {
namespace {

using Node = CalculatorGraphConfig::Node;

// What a contract finds out about ports with more ports; more rounds than any
// needs.
constexpr int kMaxRounds = 8;
constexpr std::size_t kMaxPorts = 200;

constexpr std::array<const char*, 4> kFields = {
    "input_stream", "output_stream", "input_side_packet", "output_side_packet"};

struct Port {
  int field;
  std::string tag;
  int index;
  std::string type;
  bool optional;

  bool Is(int other_field, const std::string& other_tag,
          int other_index) const {
    return std::tie(field, tag, index) ==
           std::tie(other_field, other_tag, other_index);
  }
};

const PacketTypeSet& TypesOf(const CalculatorContract& contract, int field) {
  switch (field) {
    case 0:
      return contract.Inputs();
    case 1:
      return contract.Outputs();
    case 2:
      return contract.InputSidePackets();
    default:
      return contract.OutputSidePackets();
  }
}

std::string TypeText(const PacketType& type) {
  if (!type.IsInitialized()) return "";
  if (type.IsAny()) return "any type";
  if (type.IsNone()) return "no packets";
  return type.DebugTypeName();
}

// A node with these ports, and with options that nobody asks for: only then
// the probe hears of those that are asked for.
Node NodeWith(const std::string& type, const std::vector<Port>& ports) {
  Node node;
  node.set_calculator(type);
  node.add_node_options()->set_type_url(
      "type.googleapis.com/google.protobuf.Empty");
  const std::array<google::protobuf::RepeatedPtrField<std::string>*, 4> fields =
      {node.mutable_input_stream(), node.mutable_output_stream(),
       node.mutable_input_side_packet(), node.mutable_output_side_packet()};
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Port& port = ports[i];
    const std::string name = absl::StrCat("port", i);
    *fields[port.field]->Add() =
        port.tag.empty() && port.index == 0
            ? name
            : absl::StrCat(port.tag, ":", port.index, ":", name);
  }
  return node;
}

// One answer of a contract.
struct Answer {
  absl::Status status;
  std::vector<Port> ports;  // of the node, and those that it lacks
  std::vector<std::string> options;
  std::vector<ParameterInfo> parameters;
};

Answer Ask(const CalculatorBaseFactory& factory, const Node& node) {
  Answer answer;
  ContractProbe probe;
  CalculatorContract contract;
  answer.status = contract.Initialize(node, node.calculator());
  if (!answer.status.ok()) return answer;
  answer.status = CallUserCode([&] {
    LegacyCalculatorSupport::Scoped<CalculatorContract> scope(&contract);
    return factory.GetContract(&contract);
  });
  const auto add = [&answer](Port port) {
    if (answer.ports.size() >= kMaxPorts) return;
    for (const Port& known : answer.ports) {
      if (known.Is(port.field, port.tag, port.index)) return;
    }
    answer.ports.push_back(std::move(port));
  };
  for (int field = 0; field < static_cast<int>(kFields.size()); ++field) {
    const PacketTypeSet& types = TypesOf(contract, field);
    for (CollectionItemId id = types.BeginId(); id < types.EndId(); ++id) {
      const auto [tag, index] = types.TagAndIndexFromId(id);
      add({field, tag, index, TypeText(types.Get(id)),
           types.Get(id).IsOptional()});
    }
    for (const auto& [port, type] : types.Missing().all()) {
      // Indexes have no gaps.
      for (int index = 0; index <= port.second; ++index) {
        add({field, port.first, index,
             index == port.second ? TypeText(*type) : "", type->IsOptional()});
      }
    }
    // Asked for by HasTag or the like.
    for (const auto& [layout, tag] : probe.tags()) {
      if (layout == &types.layout() && !tag.empty()) {
        add({field, tag, 0, "", /*optional=*/true});
      }
    }
  }
  answer.options = probe.options();
  answer.parameters = probe.parameters();
  return answer;
}

// Takes over ports and types that are new. True if there are new ports.
bool Learn(const Answer& answer, std::vector<Port>* ports) {
  const std::size_t before = ports->size();
  for (const Port& port : answer.ports) {
    const auto known =
        std::find_if(ports->begin(), ports->end(), [&port](const Port& other) {
          return other.Is(port.field, port.tag, port.index);
        });
    if (known == ports->end()) {
      ports->push_back(port);
      // What is only asked for where something optional is there is optional.
      ports->back().optional = before > 0 || port.optional;
    } else if (known->type.empty()) {
      known->type = port.type;
    }
  }
  return ports->size() > before;
}

std::vector<Port> RequiredAnd(const std::vector<Port>& ports,
                              const Port* extra) {
  std::vector<Port> chosen;
  for (const Port& port : ports) {
    if (!port.optional || &port == extra) chosen.push_back(port);
  }
  return chosen;
}

// What a contract says if its node begins with the ports of `seed`.
struct Answers {
  Answer first;
  Answer all;  // for a node with all ports
  std::vector<Port> ports;
};

Answers AskAll(const std::string& type, const CalculatorBaseFactory& factory,
               const std::vector<Port>& seed) {
  Answers result;
  result.first = Ask(factory, NodeWith(type, seed));
  Learn(result.first, &result.ports);
  result.all = result.first;
  for (int round = 0; round < kMaxRounds; ++round) {
    result.all = Ask(factory, NodeWith(type, result.ports));
    if (!Learn(result.all, &result.ports)) break;
  }
  return result;
}

// Some contracts only count their ports without tag: of them, a node with one
// input, one output, or one of each may do where one without ports does not.
Answers AskWithSeeds(const std::string& type,
                     const CalculatorBaseFactory& factory) {
  Answers plain = AskAll(type, factory, {});
  if (plain.first.status.ok() || plain.all.status.ok()) return plain;
  const Port input = {0, "", 0, "", false};
  const Port output = {1, "", 0, "", false};
  const std::vector<Port> seeds[] = {{input}, {output}, {input, output}};
  for (const std::vector<Port>& seed : seeds) {
    Answers seeded = AskAll(type, factory, seed);
    if (seeded.first.status.ok() || seeded.all.status.ok()) return seeded;
  }
  return plain;
}

}  // namespace

ContractDescription DescribeContract(const std::string& type,
                                     const CalculatorBaseFactory& factory) {
  Answers answers = AskWithSeeds(type, factory);
  std::vector<Port>& ports = answers.ports;
  const Answer& first = answers.first;
  const Answer& all = answers.all;
  if (!all.status.ok()) {
    // Ports that exclude one another: each by itself.
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (!ports[i].type.empty()) continue;
      const Answer one =
          Ask(factory, NodeWith(type, RequiredAnd(ports, &ports[i])));
      Learn(one, &ports);
    }
  }
  ContractDescription result;
  if (!first.status.ok() && !all.status.ok()) {
    result.refusal = std::string(first.status.message());
  }
  std::stable_sort(
      ports.begin(), ports.end(),
      [](const Port& a, const Port& b) { return a.field < b.field; });
  for (const Port& port : ports) {
    std::string name = port.tag;
    if (port.index > 0) absl::StrAppend(&name, ":", port.index);
    result.ports.push_back(
        {kFields[port.field], std::move(name), port.type, port.optional});
  }
  const std::string& values = Parameters::descriptor()->full_name();
  for (const Answer* const answer : {&first, &all}) {
    for (const std::string& name : answer->options) {
      if (name != values &&
          std::find(result.options.begin(), result.options.end(), name) ==
              result.options.end()) {
        result.options.push_back(name);
      }
    }
  }
  result.parameters =
      all.parameters.empty() ? first.parameters : all.parameters;
  return result;
}

}  // namespace syncline
