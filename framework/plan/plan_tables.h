// The storage behind a GraphPlan: what the passes leave when they are done.
//
// Spans and pointers of the plan's records point into these vectors, which are
// filled once, on the heap, and never move or change after that. Everything
// that user code can hold a pointer to (contracts, the config) lives here too,
// so a plan needs nothing of the CompileState it was made with.
//
// Internal to this folder.
//
// Thread rule: as GraphPlan's: constant once Compile returns.
// Tested by finish_plan_test and graph_plan_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_PLAN_TABLES_H_
#define SYNCLINE_FRAMEWORK_PLAN_PLAN_TABLES_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "framework/base/hash_map.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/component/node_config.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/node_origin.h"
#include "framework/packet/packet_type.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/name_index.h"
#include "framework/plan/source_sets.h"

namespace syncline {

struct PlanTables {
  // What records point to, one for each calculator type or node or handler.
  struct Owned {
    // By node. Before everything that points to parts of them.
    std::unique_ptr<NodeConfig[]> node_configs;
    // What they are made of, where they are kept as bytes.
    std::string node_bytes;
    std::vector<std::unique_ptr<CalculatorBaseFactory>> factories;
    std::vector<std::unique_ptr<CalculatorContract>> contracts;
    // What stream drafts of graph inputs call their streams by.
    std::shared_ptr<const PortLayout> graph_input_layout;
    // Types that no contract owns: of graph inputs, and "any".
    PacketType any_type;
    // Contracts of status handlers, one each.
    std::vector<std::unique_ptr<PacketTypeSet>> status_handler_types;
    std::vector<std::unique_ptr<StaticStatusHandler>> status_handler_objects;
    std::vector<std::unique_ptr<PlanConditions>> conditions;
    // Options that no config holds: of handlers, merged from node and contract,
    // and of default conditions.
    std::vector<std::unique_ptr<SynclineOptions>> options;
    // Names of calculators and handlers, which many nodes have in common.
    HashSet<std::string> shared_names;
  };
  // What the spans in the records point to, node after node.
  struct Ports {
    std::vector<PlanInput> inputs;
    std::vector<PlanOutput> outputs;
    std::vector<int> node_side_packets;
    std::vector<int> handler_side_packets;
    std::vector<PortRef> stream_consumers;
    std::vector<PortRef> side_packet_consumers;
  };
  // Where nodes come from: texts are made only when asked for.
  struct Origins {
    OriginTable texts;
    std::vector<NodeOrigin> of_nodes;
  };
  // Ids by name.
  struct Index {
    NameIndex nodes;
    NameIndex streams;
    NameIndex side_packets;
    NameIndex graph_inputs;
  };

  PlanTables() = default;
  ~PlanTables() { delete whole_config.load(std::memory_order_acquire); }
  PlanTables(const PlanTables&) = delete;
  PlanTables& operator=(const PlanTables&) = delete;

  // FinishPlan moves its nodes to owned.node_configs.
  CalculatorGraphConfig config;
  // With the nodes; null until somebody asks for it.
  mutable std::atomic<const CalculatorGraphConfig*> whole_config{nullptr};
  Owned owned;

  // The records that GraphPlan shows.
  std::vector<PlanNode> nodes;
  std::vector<PlanStream> streams;
  std::vector<PlanSidePacket> side_packets;
  std::vector<PlanExecutor> executors;
  std::vector<PlanSource> sources;
  std::vector<PlanGraphInput> graph_inputs;
  std::vector<PlanGraphOutput> graph_outputs;
  std::vector<PlanStatusHandler> status_handlers;
  std::vector<PlanService> services;
  PlanSettings settings;
  std::vector<std::string> warnings;

  Ports ports;
  SourceSets source_sets;
  Origins origins;
  Index index;
};

// Expansion i is at i - 1.
std::vector<PlanSubgraph> SubgraphsOf(const OriginTable& origins);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_PLAN_TABLES_H_
