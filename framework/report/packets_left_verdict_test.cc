#include "framework/report/packets_left_verdict.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/report/left_at_end.h"
#include "framework/report/report_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

// "x" -> "first" -> "a" -> "second" -> "b" -> a node without a name; and "y"
// and "x" -> "apart" -> "c".
GraphPlan MakePlan(absl::string_view settings = "") {
  return TestPlan(absl::StrCat(settings, R"(
    input_stream: "x" input_stream: "y"
    node { name: "first" calculator: "TestLambda" input_stream: "x"
           output_stream: "a" output_stream: "d" }
    node { name: "second" calculator: "TestLambda" input_stream: "a"
           output_stream: "b" }
    node { calculator: "TestLambda" input_stream: "b" }
    node { name: "apart" calculator: "TestLambda" input_stream: "y"
           input_stream: "x" output_stream: "c" })"));
}

constexpr int kFirst = 0;
constexpr int kSecond = 1;
constexpr int kUnnamed = 2;
constexpr int kApart = 3;

// An open node with so many packets in its queue.
NodeAtEnd With(int node, int packets) {
  NodeAtEnd at_end = {.node = node, .snapshot = OpenNode(1, Timestamp(10))};
  at_end.snapshot.inputs[0].queue_size = packets;
  return at_end;
}

class PacketsLeftVerdictTest : public ::testing::Test {
 protected:
  PacketsLeftVerdict Find(const std::vector<NodeAtEnd>& nodes,
                          bool may_be_left = false) const {
    return FindLeft(plan_, nodes, may_be_left);
  }

  const GraphPlan plan_ = MakePlan();
};

TEST_F(PacketsLeftVerdictTest, HeldAreTheNodesThatWaitAndAllBehindThem) {
  EXPECT_THAT(FindHeldNodes(plan_, {}),
              ElementsAre(false, false, false, false));
  EXPECT_THAT(FindHeldNodes(plan_, {kFirst}),
              ElementsAre(true, true, true, false));
  EXPECT_THAT(FindHeldNodes(plan_, {kSecond, kApart}),
              ElementsAre(false, true, true, true));
}

TEST_F(PacketsLeftVerdictTest, HeldNodesInALoopAreFoundOnce) {
  const GraphPlan plan = TestPlan(R"(
    node { calculator: "TestLambda" input_stream: "b" output_stream: "a"
           input_stream_info { tag_index: ":0" back_edge: true } }
    node { calculator: "TestLambda" input_stream: "a" output_stream: "b" })");
  EXPECT_THAT(FindHeldNodes(plan, {1}), ElementsAre(true, true));
}

TEST_F(PacketsLeftVerdictTest, NothingIsLeftOfNodesWithoutPackets) {
  const PacketsLeftVerdict left = Find({With(kFirst, 0)});
  EXPECT_THAT(left.nodes, IsEmpty());
  SYNCLINE_EXPECT_OK(left.error);
}

TEST_F(PacketsLeftVerdictTest, PacketsOfAnOpenNodeAreAnError) {
  const PacketsLeftVerdict left = Find({With(kFirst, 2), With(kUnnamed, 1)});
  ASSERT_THAT(left.nodes, SizeIs(2));
  EXPECT_EQ(left.nodes[0].node, "first");
  EXPECT_EQ(left.nodes[0].packets, 2);
  EXPECT_EQ(left.nodes[0].why,
            "The node \"first\" (TestLambda) holds packets of \"x\" (2 "
            "packets) and its DefaultInputStreamHandler waits for more of "
            "stream \"x\", whose bound is 10.");
  EXPECT_EQ(left.nodes[1].node, "TestLambda") << "it has no name";
  EXPECT_EQ(left.error.code(), absl::StatusCode::kUnavailable);
  const std::string error(left.error.message());
  EXPECT_THAT(error, StartsWith("Detected a deadlock: all inputs"));
  EXPECT_THAT(error, HasSubstr(absl::StrCat(
                         "\n", left.nodes[0].why, "\n", left.nodes[1].why,
                         "\nWhat is waited for needs a packet")));
  EXPECT_THAT(error, HasSubstr("PacketsLeftOptions.ext] { allowed: true } }"));
}

TEST_F(PacketsLeftVerdictTest, PacketsInABatchCount) {
  NodeAtEnd node = With(kFirst, 2);
  node.snapshot.batched_sets = 3;
  const PacketsLeftVerdict left = Find({node});
  ASSERT_THAT(left.nodes, SizeIs(1));
  EXPECT_EQ(left.nodes[0].packets, 5);
}

TEST_F(PacketsLeftVerdictTest, PacketsInsideOfANodeCount) {
  NodeAtEnd node = With(kFirst, 0);
  node.snapshot.packets_inside = 2;
  node.snapshot.where_inside = "\"p\" (Part): 2";
  const PacketsLeftVerdict left = Find({node});
  ASSERT_THAT(left.nodes, SizeIs(1));
  EXPECT_EQ(left.nodes[0].packets, 2);
  EXPECT_THAT(left.nodes[0].why,
              HasSubstr("Packets wait for other inputs at parts of it: "
                        "\"p\" (Part): 2."));
  EXPECT_EQ(left.error.code(), absl::StatusCode::kUnavailable);
}

TEST_F(PacketsLeftVerdictTest, PacketsOfANodeThatIsNotOpenAreNoError) {
  NodeAtEnd node = With(kFirst, 2);
  node.snapshot.state = NodeState::kWaiting;
  const PacketsLeftVerdict left = Find({node});
  EXPECT_THAT(left.nodes, SizeIs(1));
  SYNCLINE_EXPECT_OK(left.error);
}

TEST_F(PacketsLeftVerdictTest, ANodeThatIsHeldWithoutPacketsIsLeftToo) {
  NodeAtEnd node = With(kFirst, 0);
  node.snapshot.is_held = true;
  node.waits_for_conditions = true;
  PacketsLeftVerdict left = Find({node});
  ASSERT_THAT(left.nodes, SizeIs(1));
  EXPECT_EQ(left.nodes[0].packets, 0);
  SYNCLINE_EXPECT_OK(left.error);
  node.waits_for_conditions = false;
  SYNCLINE_EXPECT_OK(Find({node}).error) << "no packet is lost";
  node.snapshot.state = NodeState::kClosed;
  EXPECT_THAT(Find({node}).nodes, IsEmpty());
}

TEST_F(PacketsLeftVerdictTest, WhatWaitsForConditionsOrBehindThemIsNoError) {
  NodeAtEnd held = With(kFirst, 1);
  held.waits_for_conditions = true;
  PacketsLeftVerdict left = Find({held, With(kSecond, 1), With(kUnnamed, 1)});
  EXPECT_THAT(left.nodes, SizeIs(3));
  SYNCLINE_EXPECT_OK(left.error);
  left = Find({held, With(kSecond, 1), With(kApart, 1)});
  EXPECT_FALSE(left.error.ok());
  EXPECT_THAT(left.error.message(), HasSubstr("\"apart\""));
  EXPECT_THAT(left.error.message(), Not(HasSubstr("\"second\"")));
}

TEST_F(PacketsLeftVerdictTest, ARunThatWasToldToEndMayLeavePackets) {
  const PacketsLeftVerdict left = Find({With(kFirst, 1)}, /*may_be_left=*/true);
  EXPECT_THAT(left.nodes, SizeIs(1));
  SYNCLINE_EXPECT_OK(left.error);
}

TEST_F(PacketsLeftVerdictTest, AGraphMayAllowThatPacketsAreLeft) {
  const GraphPlan plan = MakePlan(
      "options { [syncline.PacketsLeftOptions.ext] { allowed: true } }");
  const PacketsLeftVerdict left = FindLeft(plan, {With(kFirst, 1)}, false);
  EXPECT_THAT(left.nodes, SizeIs(1));
  SYNCLINE_EXPECT_OK(left.error);
}

TEST_F(PacketsLeftVerdictTest, TellsWhatKeepsANodeFromOpening) {
  NodeAtEnd node = With(kSecond, 1);
  node.snapshot.state = NodeState::kWaiting;
  node.missing.streams = {plan_.FindStream("a")};
  EXPECT_THAT(
      Find({node}).nodes[0].why,
      HasSubstr("is not open: it waits for the header of stream \"a\""));
}

TEST_F(PacketsLeftVerdictTest, AGraphMayWantToHearOfADeadlockOfConditions) {
  const GraphPlan plan = MakePlan("report_deadlock: true");
  NodeAtEnd held = With(kFirst, 1);
  held.waits_for_conditions = true;
  EXPECT_FALSE(FindLeft(plan, {held}, false).error.ok());
  held = With(kFirst, 0);
  held.waits_for_conditions = true;
  EXPECT_FALSE(FindLeft(plan, {held, With(kSecond, 1)}, false).error.ok());
  SYNCLINE_EXPECT_OK(FindLeft(plan, {held}, false).error);
}

TEST_F(PacketsLeftVerdictTest, TellsWhatCloseSentInVain) {
  NodeSnapshot snapshot = With(kFirst, 0).snapshot;
  const LeftAtEnd entry = SentInVain(plan_, kFirst, snapshot, {1, 2});
  EXPECT_EQ(entry.node, "first");
  EXPECT_EQ(entry.packets, 0);
  EXPECT_EQ(entry.sent_in_vain, 3);
  EXPECT_EQ(entry.why,
            "The node \"first\" (TestLambda) sent 1 packet of \"a\", 2 packets "
            "of \"d\" in Close(), when nobody reads any more: it was closed "
            "only because the run was over, as these inputs had not ended: "
            "\"x\" (bound 10).");
  snapshot.inputs[0].bound = Timestamp::Done();
  EXPECT_THAT(SentInVain(plan_, kFirst, snapshot, {0, 1}).why,
              EndsWith("had not ended: ."));
  snapshot.inputs.resize(2);
  snapshot.inputs[1].bound = Timestamp(20);
  EXPECT_THAT(SentInVain(plan_, kApart, snapshot, {1}).why,
              EndsWith("had not ended: \"x\" (bound 20)."));
  snapshot.inputs[0].bound = Timestamp(10);
  EXPECT_THAT(SentInVain(plan_, kApart, snapshot, {1}).why,
              EndsWith("had not ended: \"y\" (bound 10), \"x\" (bound 20)."));
}

// So many entries "w1", "w2", ... of packets that waited and "s1", "s2", ... of
// such that were sent in vain.
std::vector<LeftAtEnd> Entries(int waited, int sent) {
  std::vector<LeftAtEnd> entries;
  for (int i = 1; i <= waited; ++i) {
    entries.push_back({.packets = 1, .why = absl::StrCat("w", i)});
  }
  for (int i = 1; i <= sent; ++i) {
    entries.push_back({.sent_in_vain = 1, .why = absl::StrCat("s", i)});
  }
  return entries;
}

TEST_F(PacketsLeftVerdictTest, WarnsOfPacketsOnlyIfSomeWereLost) {
  EXPECT_EQ(PacketsLeftWarning({}), "");
  EXPECT_EQ(PacketsLeftWarning({{.node = "a", .packets = 0, .why = "A"}}), "");
  EXPECT_THAT(
      PacketsLeftWarning({{.node = "a", .packets = 1, .why = "A"},
                          {.node = "b", .packets = 0, .why = "B"},
                          {.node = "c", .sent_in_vain = 1, .why = "C"}}),
      StartsWith("The run ended well, but some packets were never processed:\n"
                 "A\nC\nWhat is waited for"));
}

TEST_F(PacketsLeftVerdictTest, OfManyReportsAFewOfEachKindAreTold) {
  EXPECT_THAT(PacketsLeftWarning(Entries(5, 0)),
              HasSubstr(":\nw1\nw2\nw3\nw4\nw5\nWhat is"));
  EXPECT_THAT(PacketsLeftWarning(Entries(7, 0)),
              HasSubstr("\nw5\nAnd 2 more like these.\nWhat is"));
  EXPECT_THAT(PacketsLeftWarning(Entries(0, 7)),
              HasSubstr("\ns5\nAnd 2 more like these.\nWhat is"));
  EXPECT_THAT(PacketsLeftWarning(Entries(7, 3)),
              HasSubstr("\nw4\nAnd 3 more like these.\n"
                        "s1\nAnd 2 more like these.\nWhat is"));
  EXPECT_THAT(PacketsLeftWarning(Entries(2, 4)),
              HasSubstr("\nw2\ns1\ns2\ns3\nAnd 1 more like these.\nWhat"));
  EXPECT_THAT(PacketsLeftWarning(Entries(4, 1)),
              HasSubstr("\nw4\ns1\nWhat is"));
}

}  // namespace
}  // namespace syncline
