#include "framework/plan/generate_side_packets.h"

#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/packet_set.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/plan/generated_packets.h"

namespace syncline {
namespace {

using Packets = std::map<std::string, Packet>;

// Whether every side packet that the node needs is in one of the two.
bool HasInputs(const GraphPlan& plan, const PlanNode& node,
               const Packets& given, const Packets& generated) {
  return absl::c_all_of(node.input_side_packets, [&](int id) {
    const PlanSidePacket& side_packet = plan.side_packets()[id];
    const std::string name(side_packet.name);
    return given.count(name) + generated.count(name) > 0 ||
           (!side_packet.required && side_packet.producer.node < 0);
  });
}

// Calls the generator that `node` stands for, and adds what it made.
absl::Status Generate(const GraphPlan& plan, const PlanNode& node,
                      const Packets& given, Packets* generated,
                      GeneratedPackets* kept) {
  const auto find = [&](const std::string& name) {
    for (const Packets* packets :
         {&given, static_cast<const Packets*>(generated)}) {
      const auto found = packets->find(name);
      if (found != packets->end()) return found->second;
    }
    return Packet();
  };
  SYNCLINE_ASSIGN_OR_RETURN(
      const PacketSet inputs,
      FillInputSidePackets(node.contract->InputSidePackets(), find));
  SYNCLINE_ASSIGN_OR_RETURN(
      PacketSet made,
      GeneratePackets(
          node.contract->Options<PacketGeneratorWrapperCalculatorOptions>(),
          inputs, node.contract->OutputSidePackets().TagMap()));
  for (CollectionItemId id = made.BeginId(); id < made.EndId(); ++id) {
    const int side_packet = node.output_side_packets[id.value()];
    generated->emplace(plan.side_packets()[side_packet].name, made.Get(id));
  }
  kept->by_node.emplace(node.name, std::move(made));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::map<std::string, Packet>> GenerateSidePackets(
    const GraphPlan& plan, const std::map<std::string, Packet>& side_packets,
    GraphServiceManager* services) {
  std::list<const PlanNode*> waiting;
  for (const PlanNode& node : plan.nodes()) {
    if (node.type == kPacketGeneratorWrapper) waiting.push_back(&node);
  }
  Packets generated;
  auto kept = std::make_shared<GeneratedPackets>();
  for (std::size_t before = 0; before != waiting.size();) {
    before = waiting.size();
    for (auto at = waiting.begin(); at != waiting.end();) {
      if (!HasInputs(plan, **at, side_packets, generated)) {
        ++at;
        continue;
      }
      SYNCLINE_RETURN_IF_ERROR(
          Generate(plan, **at, side_packets, &generated, kept.get()));
      at = waiting.erase(at);
    }
  }
  SYNCLINE_RETURN_IF_ERROR(
      services->SetServiceObject(kGeneratedPackets, std::move(kept)));
  return generated;
}

}  // namespace syncline
