// How nodes of a run are set up: which nodes there are, and who reads what.

#include "framework/run/run_nodes.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/port/status_matchers.h"
#include "framework/report/report_test_support.h"
#include "framework/run/output_tap.h"
#include "framework/run/persistent_calculators.h"
#include "framework/run/preparation/check_handlers.h"
#include "framework/run/queue_settings.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Nodes: 0 "first" reads the graph inputs "x" and "y", 1 "second" reads "a" and
// "x", 2 "last" reads "a" twice.
GraphPlan MakePlan(const std::string& settings = "",
                   const std::string& of_first = "",
                   const std::string& of_others = "") {
  return TestPlan(absl::StrCat(settings, R"(
    input_stream: "x" input_stream: "y"
    node { name: "first" calculator: "TestLambda" input_stream: "x"
           input_stream: "y" output_stream: "a" )",
                               of_first, R"(}
    node { name: "second" calculator: "TestLambda" input_stream: "a"
           input_stream: "x" output_stream: "b" )",
                               of_others, R"(}
    node { name: "last" calculator: "TestLambda" input_stream: "a"
           input_stream: "a" )",
                               of_others, "}"));
}

const InputLimits kNoLimits = {.packets = {0, 0}, .bytes = {0, 0}};

NodePolicies PoliciesOf(const GraphPlan& plan) {
  absl::StatusOr<NodePolicies> policies = FindPolicies(plan);
  SYNCLINE_EXPECT_OK(policies.status());
  return *std::move(policies);
}

class TestTap : public OutputTap {
 public:
  using OutputTap::OutputTap;
  void StartRun() override {}
  void EndRun() override {}
  Facts Deliver(absl::Span<const Packet>, Timestamp) override { return {}; }
};

TEST(RunNodesTest, KnowsItsNodesAndWhoReadsWhat) {
  const GraphPlan plan = MakePlan("max_queue_size: 7 ");
  const std::vector<std::shared_ptr<OutputTap>> taps = {
      std::make_shared<TestTap>(plan.FindStream("a"))};
  const RunNodes nodes(plan, PoliciesOf(plan), nullptr,
                       {.packets = {0, 3}, .bytes = {0, 0}}, taps);
  ASSERT_EQ(nodes.size(), 3);
  int id = 0;
  for (const Node::Placed& node : nodes) EXPECT_EQ(node->plan().id, id++);
  EXPECT_EQ(id, 3);
  EXPECT_EQ(nodes[0]->Snapshot().inputs[0].limit, 7);
  EXPECT_EQ(nodes[0]->Snapshot().inputs[1].limit, 3);
  const std::vector<NodeSnapshot> snapshots = nodes.Snapshots();
  ASSERT_EQ(snapshots.size(), 3);
  EXPECT_EQ(snapshots[0].inputs[1].limit, 3);
  EXPECT_EQ(snapshots[2].inputs[1].limit, 7);
  const auto readers = [&](const std::string& stream) {
    std::vector<std::pair<int, int>> ports;
    for (const ReaderPort& reader :
         nodes.ReadersOf(plan.FindStream(stream)).ports) {
      ports.emplace_back(reader.node->plan().id, reader.port);
      EXPECT_EQ(reader.node, nodes[reader.node->plan().id].get());
    }
    return ports;
  };
  using Port = std::pair<int, int>;
  EXPECT_THAT(readers("x"), ElementsAre(Port(0, 0), Port(1, 1)));
  EXPECT_THAT(readers("y"), ElementsAre(Port(0, 1)));
  EXPECT_THAT(readers("a"), ElementsAre(Port(1, 0), Port(2, 0), Port(2, 1)));
  EXPECT_THAT(readers("b"), IsEmpty());
  EXPECT_THAT(nodes.ReadersOf(plan.FindStream("a")).taps,
              ElementsAre(taps[0].get()));
  EXPECT_EQ(nodes.ReadersOfOnly(*nodes[1]),
            &nodes.ReadersOf(plan.FindStream("b")));
  EXPECT_EQ(nodes.ReadersOfOnly(*nodes[2]), nullptr) << "it has no output";
  EXPECT_THAT(nodes.ReadersOf(plan.FindStream("b")).taps, IsEmpty());
}

TEST(RunNodesTest, PersistentNodesHaveTheObjectThatIsKept) {
  const GraphPlan plan = MakePlan("", "persistent: true");
  PersistentCalculators kept;
  BasicCounterFactory counters;
  const GraphServiceManager services;
  SYNCLINE_ASSERT_OK(kept.MakeMissing(plan, &counters, &services));
  const RunNodes nodes(plan, PoliciesOf(plan), &kept, kNoLimits, {});
  EXPECT_NE(kept.Of(0), nullptr);
  EXPECT_EQ(nodes[0]->calculator(), kept.Of(0));
  EXPECT_EQ(nodes[1]->calculator(), nullptr) << "it is made when it opens";
}

TEST(RunNodesTest, OutputsKeepTimesForReadersThatAsk) {
  const GraphPlan plan = MakePlan(
      "", "", R"(input_stream_info { tag_index: ":1" message_times: true })");
  const RunNodes nodes(plan, PoliciesOf(plan), nullptr, kNoLimits, {});
  EXPECT_TRUE(nodes[0]->outputs().KeepsTimes(0));
  EXPECT_FALSE(nodes[1]->outputs().KeepsTimes(0)) << "nobody reads it";
}

TEST(RunNodesTest, OutputsKnowThatNobodyReadsThem) {
  const GraphPlan plan = MakePlan();
  const RunNodes unread(plan, PoliciesOf(plan), nullptr, kNoLimits, {});
  EXPECT_EQ(unread[0]->outputs().UnreadProgress(0), nullptr);
  EXPECT_NE(unread[1]->outputs().UnreadProgress(0), nullptr);
  const RunNodes tapped(plan, PoliciesOf(plan), nullptr, kNoLimits,
                        {std::make_shared<TestTap>(plan.FindStream("b"))});
  EXPECT_EQ(tapped[1]->outputs().UnreadProgress(0), nullptr);
}

// Whether the first node may send a packet that is earlier than the last.
bool FirstMayGoBack(const std::string& of_others) {
  const GraphPlan plan = MakePlan("", "", of_others);
  const RunNodes nodes(plan, PoliciesOf(plan), nullptr, kNoLimits, {});
  Node& first = *nodes[0];
  Effects effects;
  first.Start(0, &effects);
  for (const int port : {0, 1}) first.HeaderArrived(port, Packet(), &effects);
  auto* const open = static_cast<Invocation*>(effects.ready.at(0));
  SYNCLINE_EXPECT_OK(first.Open(open, {.node_id = 0}));
  CalculatorContext* const context = open->sets[0].context;
  for (const int time : {5, 3}) {
    context->Outputs().Index(0).AddPacket(
        MakePacket<int>(1).At(Timestamp(time)));
  }
  std::vector<absl::Status> errors;
  first.TakeOutput(context, 0, &errors);
  for (const absl::Status& error : context->call().errors()) {
    errors.push_back(error);
  }
  context->EndCall();
  first.FinishOpen(open, &effects);
  for (const Node::Placed& node : nodes) node->Destroy(DropCause::kAtEnd);
  return errors.empty();
}

TEST(RunNodesTest, OutputsThatOneJoinReadsAloneAreSentTogether) {
  const GraphPlan plan = TestPlan(R"(
    node { name: "producer" calculator: "TestLambda"
           output_stream: "a" output_stream: "b" output_stream: "c"
           output_stream: "d" output_stream: "e" output_stream: "f" }
    node { name: "join" calculator: "TestLambda" input_stream: "b"
           input_stream: "a" input_stream: "c" input_stream: "f" }
    node { name: "other" calculator: "TestLambda" input_stream: "c" }
    node { name: "of_a_policy" calculator: "TestLambda" input_stream: "d"
           input_stream: "e"
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" } })");
  const NodePolicies policies = PoliciesOf(plan);
  const RunNodes nodes(plan, policies, /*kept=*/nullptr,
                       {.packets = {}, .bytes = {}},
                       /*taps=*/{});
  const auto together = [&] {
    nodes.LetNodesSendTogether(plan);
    std::vector<int> counts;
    for (int port = 0; port < 6; ++port) {
      counts.push_back(nodes[0]->outputs().SentTogether(port));
    }
    return counts;
  };
  EXPECT_THAT(together(), ElementsAre(2, 1, 1, 1, 1, 1))
      << "c has two readers, d and e go to a node that is no plain join";
  nodes[1]->SetGate({});
  EXPECT_THAT(together(), ElementsAre(1, 1, 1, 1, 1, 1))
      << "a gate is told of each packet by itself";
}

TEST(RunNodesTest, OutputsGoBackWhereReadersIgnoreTime) {
  EXPECT_FALSE(FirstMayGoBack(""));
  EXPECT_TRUE(
      FirstMayGoBack("input_stream_handler { input_stream_handler: "
                     "\"BarrierInputStreamHandler\" }"));
}

// `size` nodes: the first sends to the second and, twice, to the third.
std::vector<std::size_t> ReadersThatNodesFetch(int size) {
  std::string text = R"(
    node { calculator: "TestLambda" output_stream: "a" }
    node { calculator: "TestLambda" input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_stream: "a" input_stream: "a" }
    node { calculator: "TestLambda" input_stream: "b" })";
  for (int i = 4; i < size; ++i) {
    absl::StrAppend(&text, "node { calculator: 'TestLambda' ",
                    "output_stream: 'unread", i, "' }");
  }
  const GraphPlan plan = TestPlan(text);
  const RunNodes nodes(plan, PoliciesOf(plan), nullptr, kNoLimits, {});
  EXPECT_EQ(nodes.size(), size);
  std::vector<std::size_t> num_readers;
  for (const int node : {0, 1, 2, size - 1}) {
    num_readers.push_back(nodes[node]->row().num_readers());
  }
  return num_readers;
}

TEST(RunNodesTest, NodesOfLargeGraphsFetchTheirReadersAhead) {
  EXPECT_THAT(ReadersThatNodesFetch(250), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(ReadersThatNodesFetch(251), ElementsAre(3, 1, 0, 0));
}

TEST(RunNodesTest, TheRoomBehindAStreamIsThatOfItsFullestReader) {
  const GraphPlan plan =
      MakePlan("max_queue_size: 7 ", "",
               R"(input_stream_info { tag_index: ":1" max_queue_size: 3 })");
  const RunNodes nodes(plan, PoliciesOf(plan), nullptr, kNoLimits, {});
  EXPECT_EQ(nodes.RoomBehind(plan.FindStream("a")), 3);
  EXPECT_EQ(nodes.RoomBehind(plan.FindStream("y")), 7);
  EXPECT_EQ(nodes.RoomBehind(plan.FindStream("b")),
            std::numeric_limits<std::int64_t>::max())
      << "nobody reads it";
}

}  // namespace
}  // namespace syncline
