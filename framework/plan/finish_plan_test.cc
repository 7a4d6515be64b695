// What stands in the tables of a plan.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/service.h"
#include "framework/component/node_config.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/expansion/test_service.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"
#include "framework/plan/state_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// Before the last step, with what the passes on ports and types leave.
std::unique_ptr<CompileState> Unfinished(absl::string_view text) {
  std::unique_ptr<CompileState> state = StateOf(text);
  ParsePorts(state.get());
  ConnectPorts(state.get());
  OrderNodes(state.get());
  DescribeNodes(state.get());
  UnifyTypes(state.get());
  TraceSources(state.get());
  EXPECT_TRUE(state->errors.empty()) << state->errors.ToStatus();
  return state;
}

std::shared_ptr<const PlanTables> Finished(absl::string_view text) {
  const std::unique_ptr<CompileState> state = Unfinished(text);
  FinishPlan(state.get());
  return state->tables;
}

// "node:port" of each.
std::vector<std::string> Texts(absl::Span<const PortRef> ports) {
  std::vector<std::string> texts;
  for (const PortRef& port : ports) {
    texts.push_back(absl::StrCat(port.node, ":", port.port));
  }
  return texts;
}

// The nodes are sorted: "first" becomes node 0.
constexpr char kUnsorted[] = R"(
    input_stream: "a" input_stream: "b"
    output_stream: "OUT:z" output_stream: "a" output_stream: "nowhere"
    node { name: "second" calculator: "AnyNode"
           input_stream: "x" input_stream: "a" input_stream: "x"
           output_stream: "z" }
    node { name: "first" calculator: "AnyNode"
           input_stream: "b" output_stream: "y" output_stream: "x" })";

TEST(FinishPlanTest, StreamsOfTheGraphComeFirstAndThenThoseOfEachNode) {
  const auto tables = Finished(kUnsorted);
  std::vector<std::string> names;
  for (const PlanStream& stream : tables->streams) {
    EXPECT_EQ(stream.id, names.size());
    names.emplace_back(stream.name);
  }
  EXPECT_THAT(names, ElementsAre("a", "b", "y", "x", "z"));
  EXPECT_EQ(tables->graph_inputs[1].stream, 1);
  EXPECT_THAT(Texts({tables->streams[1].producer, tables->streams[3].producer,
                     tables->streams[4].producer}),
              ElementsAre("-1:1", "0:1", "1:0"));
}

TEST(FinishPlanTest, PortsOfNodesAndGraphHaveTheNewNumbers) {
  const auto tables = Finished(kUnsorted);
  std::vector<int> inputs;
  for (const PlanInput& input : tables->nodes[1].inputs) {
    inputs.push_back(input.stream);
  }
  EXPECT_THAT(inputs, ElementsAre(3, 0, 3));
  std::vector<int> outputs;
  for (const PlanOutput& output : tables->nodes[0].outputs) {
    outputs.push_back(output.stream);
  }
  EXPECT_THAT(outputs, ElementsAre(2, 3));
  std::vector<int> graph_outputs;
  for (const PlanGraphOutput& output : tables->graph_outputs) {
    graph_outputs.push_back(output.stream);
  }
  EXPECT_THAT(graph_outputs, UnorderedElementsAre(4, 0, -1));
}

TEST(FinishPlanTest, AGraphOutputFollowsItsStreamToTheNewNumber) {
  const auto tables = Finished(R"(
      output_stream: "z"
      node { calculator: "AnyNode" input_stream: "x" output_stream: "z" }
      node { calculator: "AnyNode" output_stream: "x" })");
  EXPECT_EQ(tables->streams[1].name, "z");
  EXPECT_EQ(tables->graph_outputs[0].stream, 1);
}

TEST(FinishPlanTest, TheReadersOfAStreamAreInTheOrderOfNodesAndPorts) {
  const auto tables = Finished(kUnsorted);
  std::vector<std::vector<std::string>> readers;
  for (const PlanStream& stream : tables->streams) {
    readers.push_back(Texts(stream.consumers));
  }
  EXPECT_THAT(readers,
              ElementsAre(ElementsAre("1:1"), ElementsAre("0:0"), IsEmpty(),
                          ElementsAre("1:0", "1:2"), IsEmpty()));
}

TEST(FinishPlanTest, TypesAndSourcesGoWithTheirStreams) {
  const auto tables = Finished(R"(
      input_stream: "a"
      node { calculator: "IntNode" input_stream: "a" output_stream: "b" })");
  EXPECT_EQ(tables->streams[1].type->DebugTypeName(), "int");
  EXPECT_EQ(tables->nodes[0].outputs[0].type, tables->streams[1].type);
  EXPECT_EQ(tables->nodes[0].inputs[0].type->DebugTypeName(), "int");
  EXPECT_EQ(tables->streams[1].source_set, tables->nodes[0].sources.set);
  EXPECT_NE(tables->streams[1].source_set, SourceSets::kEmpty);
}

TEST(FinishPlanTest, ASidePacketIsRequiredIfANodeNeedsItAndNoneMakesIt) {
  const auto tables = Finished(R"(
      input_stream: "a"
      node { calculator: "IntNode" input_side_packet: "needed"
             output_side_packet: "made" }
      node { calculator: "OptionalNode" input_stream: "IN:a"
             output_stream: "OUT:b" input_side_packet: "SIDE:extra" }
      node { calculator: "IntNode" input_side_packet: "made" }
      node { calculator: "OptionalNode" input_stream: "IN:a"
             output_stream: "OUT:c" input_side_packet: "SIDE:needed" })");
  std::vector<std::pair<std::string, bool>> required;
  std::vector<std::vector<std::string>> readers;
  for (const PlanSidePacket& side_packet : tables->side_packets) {
    EXPECT_EQ(side_packet.id, required.size());
    required.emplace_back(side_packet.name, side_packet.required);
    readers.push_back(Texts(side_packet.consumers));
  }
  EXPECT_THAT(required, ElementsAre(Pair("made", false), Pair("needed", true),
                                    Pair("extra", false)));
  EXPECT_THAT(readers,
              ElementsAre(ElementsAre("2:0"), ElementsAre("0:0", "3:0"),
                          ElementsAre("1:0")));
  EXPECT_THAT(Texts({tables->side_packets[0].producer,
                     tables->side_packets[1].producer}),
              ElementsAre("0:0", "-1:-1"));
  EXPECT_EQ(tables->side_packets[0].type->DebugTypeName(), "int");
  EXPECT_THAT(tables->nodes[0].input_side_packets, ElementsAre(1));
  EXPECT_THAT(tables->nodes[0].output_side_packets, ElementsAre(0));
  EXPECT_THAT(tables->nodes[2].output_side_packets, IsEmpty());
}

TEST(FinishPlanTest, ANodeHasWhatItsConfigItsContractAndItsDraftSay) {
  const std::unique_ptr<CompileState> state = Unfinished(R"(
      input_stream: "a"
      node { name: "n" calculator: "ChoosyNode" input_stream: "a"
             output_stream: "b" source_layer: 3 max_in_flight: 4
             batch { max_size: 5 max_delay_ns: 6 } })");
  NodeDraft& draft = state->drafts[0];
  const PlanConditions conditions;
  const SynclineOptions options;
  draft.executor = 7;
  draft.conditions = &conditions;
  draft.input_stream_handler = "In";
  draft.input_stream_handler_options = &options;
  draft.output_stream_handler = "Out";
  draft.source = 0;
  draft.contract->SetPersistent(true);
  draft.inputs[0].back_edge = true;
  const CalculatorGraphConfig::Node* const config = &state->node(0);
  FinishPlan(state.get());
  const PlanNode& node = state->tables->nodes[0];
  EXPECT_EQ(node.id, 0);
  EXPECT_EQ(node.name, "n");
  EXPECT_EQ(node.type, "ChoosyNode");
  EXPECT_EQ(&node.config(), config) << "there may be pointers into it";
  EXPECT_EQ(node.factory, draft.factory);
  EXPECT_EQ(node.contract, state->tables->owned.contracts[0].get());
  EXPECT_TRUE(node.inputs[0].back_edge);
  EXPECT_TRUE(node.has_streams);
  EXPECT_TRUE(node.is_source);
  EXPECT_EQ(node.sources.layer, 3);
  EXPECT_EQ(node.sources.position, 0);
  EXPECT_TRUE(node.is_persistent);
  EXPECT_EQ(node.max_in_flight, 1) << "it is a source";
  EXPECT_EQ(node.executor, 7);
  EXPECT_EQ(node.conditions, &conditions);
  EXPECT_EQ(node.batch.max_size, 5);
  EXPECT_EQ(node.batch.max_delay_ns, 6);
  EXPECT_EQ(node.handlers.input, "In");
  EXPECT_EQ(node.handlers.input_options, &options);
  EXPECT_EQ(node.handlers.output, "Out");
  EXPECT_TRUE(node.bounds.are_processed);
  EXPECT_EQ(node.bounds.offset, TimestampDiff(5));
}

TEST(FinishPlanTest, ANodeThatSaysNothingHasTheDefaults) {
  const auto tables = Finished("node { calculator: \"IntNode\" }");
  const PlanNode& node = tables->nodes[0];
  EXPECT_FALSE(node.has_streams);
  EXPECT_FALSE(node.is_source);
  EXPECT_EQ(node.sources.position, -1);
  EXPECT_FALSE(node.is_persistent);
  EXPECT_EQ(node.max_in_flight, 1);
  EXPECT_EQ(node.batch.max_size, 1);
  EXPECT_FALSE(node.bounds.are_processed);
  EXPECT_EQ(node.bounds.offset, TimestampDiff::Unset());
  EXPECT_TRUE(Finished("node { calculator: \"IntNode\" output_stream: \"a\" }")
                  ->nodes[0]
                  .has_streams);
}

TEST(FinishPlanTest, EachStatusHandlerHasItsOwnSidePackets) {
  const auto tables = Finished(R"(
      status_handler { status_handler: "IntStatusHandler"
                       input_side_packet: "a" }
      status_handler { status_handler: "IntStatusHandler"
                       input_side_packet: "b" input_side_packet: "a" })");
  EXPECT_THAT(tables->status_handlers[0].input_side_packets, ElementsAre(0));
  EXPECT_THAT(tables->status_handlers[1].input_side_packets, ElementsAre(1, 0));
}

TEST(FinishPlanTest, NamesArePlacesInTheTables) {
  const std::unique_ptr<CompileState> state =
      Unfinished(absl::StrCat(kUnsorted,
                              "node { calculator: \"IntNode\" name: \"side\" "
                              "input_side_packet: \"p\" }"));
  FinishPlan(state.get());
  const PlanTables& tables = *state->tables;
  EXPECT_EQ(tables.index.nodes.Find(tables.nodes, "first"), 0);
  EXPECT_EQ(tables.index.nodes.Find(tables.nodes, "second"), 1);
  EXPECT_EQ(tables.index.nodes.Find(tables.nodes, "side"), 2);
  EXPECT_EQ(tables.index.streams.Find(tables.streams, "x"), 3);
  EXPECT_EQ(tables.index.streams.Find(tables.streams, "first"), -1);
  EXPECT_EQ(tables.index.side_packets.Find(tables.side_packets, "p"), 0);
  EXPECT_EQ(tables.index.graph_inputs.Find(tables.graph_inputs, "a"), 0);
  EXPECT_EQ(tables.index.graph_inputs.Find(tables.graph_inputs, "b"), 1);
}

// All that a node of nothing but names can say.
constexpr char kPlainNode[] = R"(
    node { name: "n" calculator: "IntNode" input_side_packet: "p"
           output_stream: "b" source_layer: 1 buffer_size_hint: 7 })";

TEST(FinishPlanTest, NodesOfNothingButNamesAreKeptAsBytes) {
  const std::unique_ptr<CompileState> state = Unfinished(kPlainNode);
  const std::string before = state->node(0).SerializeAsString();
  FinishPlan(state.get());
  const PlanNode& node = state->tables->nodes[0];
  EXPECT_TRUE(node.kept_config->is_packed());
  EXPECT_EQ(node.config().SerializeAsString(), before);
  EXPECT_EQ(&node.contract->node(), &node.config());
  EXPECT_FALSE(node.contract->HasOptions<SynclineOptions>());
  EXPECT_EQ(GraphPlan(state->tables).Config().node(0).SerializeAsString(),
            before);
}

TEST(FinishPlanTest, WhatSomebodyMayReferToStaysAMessage) {
  for (const char* const more :
       {"options {}", "node_options {}", "input_stream_handler {}",
        "output_stream_handler {}", "input_stream_info { tag_index: ':0' }",
        "condition { type: 'CountCondition' }", "any_of {}", "batch {}",
        "max_in_flight: 2", "persistent: true", "gxf_defaults: true",
        "log_level: 'INFO'"}) {
    const auto tables = Finished(absl::StrCat(
        "input_stream: 'a' node { calculator: 'AnyNode' input_stream: 'a' ",
        more, "}"));
    EXPECT_FALSE(tables->nodes[0].kept_config->is_packed()) << more;
  }
}

// Protobuf does not read such a text, and an application can write one.
TEST(FinishPlanTest, ATextThatIsNotUtf8StaysAsItIs) {
  for (const char* const field : {"name", "executor", "option_value"}) {
    const std::unique_ptr<CompileState> state = Unfinished(kPlainNode);
    CalculatorGraphConfig::Node* const node =
        state->tables->config.mutable_node(0);
    const auto& type = *CalculatorGraphConfig::Node::descriptor();
    const auto* const descriptor = type.FindFieldByName(field);
    if (descriptor->is_repeated()) {
      node->GetReflection()->AddString(node, descriptor, "\xff");
    } else {
      node->GetReflection()->SetString(node, descriptor, "\xff");
    }
    const std::string before = node->ShortDebugString();
    FinishPlan(state.get());
    EXPECT_EQ(state->tables->nodes[0].config().ShortDebugString(), before);
  }
}

TEST(FinishPlanTest, FieldsThatNobodyKnowsAreKept) {
  const std::unique_ptr<CompileState> state = Unfinished(kPlainNode);
  CalculatorGraphConfig::Node* const node =
      state->tables->config.mutable_node(0);
  node->GetReflection()->MutableUnknownFields(node)->AddVarint(70000, 5);
  const std::string before = node->SerializeAsString();
  FinishPlan(state.get());
  const PlanNode& kept = state->tables->nodes[0];
  EXPECT_TRUE(kept.kept_config->is_packed());
  EXPECT_EQ(kept.config().SerializeAsString(), before);
}

TEST(FinishPlanTest, NamesAreThoseOfTheContractsAndLayouts) {
  const std::unique_ptr<CompileState> state = Unfinished(kUnsorted);
  FinishPlan(state.get());
  const PlanTables& tables = *state->tables;
  for (const PlanNode& node : tables.nodes) {
    EXPECT_EQ(node.name.data(), node.contract->GetNodeName().data());
    for (std::size_t port = 0; port < node.outputs.size(); ++port) {
      const absl::string_view name =
          tables.streams[node.outputs[port].stream].name;
      EXPECT_EQ(name.data(),
                node.contract->Outputs().layout().Names()[port].data());
    }
  }
}

TEST(FinishPlanTest, NodesOfOneTypeShareItsName) {
  const auto tables = Finished(R"(
      node { name: "x" calculator: "IntNode" output_stream: "a" }
      node { name: "y" calculator: "AnyNode" input_stream: "a" }
      node { name: "z" calculator: "IntNode" output_stream: "b" })");
  EXPECT_EQ(tables->nodes[0].type, "IntNode");
  EXPECT_EQ(tables->nodes[1].type, "AnyNode");
  EXPECT_EQ(tables->nodes[2].type.data(), tables->nodes[0].type.data());
}

TEST(FinishPlanTest, OriginsAndWarningsGoIntoThePlan) {
  const std::unique_ptr<CompileState> state =
      Unfinished("\nnode { calculator: \"IntNode\" }");
  state->warnings = {"odd"};
  FinishPlan(state.get());
  const PlanTables& tables = *state->tables;
  EXPECT_THAT(tables.warnings, ElementsAre("odd"));
  ASSERT_THAT(tables.origins.of_nodes, SizeIs(1));
  EXPECT_EQ(tables.origins.texts.Location(tables.origins.of_nodes[0]),
            "graph.pbtxt:2");
}

TEST(FinishPlanTest, ServicesAreListedWithTheNodesThatAsk) {
  const std::shared_ptr<const PlanTables> tables = Finished(R"(
    node { calculator: "OptionalServiceNode" }
    node { calculator: "IntNode" }
    node { name: "needs" calculator: "ServiceNode" })");
  ASSERT_THAT(tables->services, SizeIs(1));
  EXPECT_EQ(tables->services[0].key, kTestService.key);
  EXPECT_TRUE(tables->services[0].required);
  EXPECT_THAT(tables->services[0].nodes, ElementsAre(0, 2));
  EXPECT_FALSE(Finished("node { calculator: \"OptionalServiceNode\" }")
                   ->services[0]
                   .required);
}

}  // namespace
}  // namespace syncline
