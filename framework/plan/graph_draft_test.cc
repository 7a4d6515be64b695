// A draft shows what a graph says, also where it does not compile.

#include "framework/plan/graph_draft.h"

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

GraphDraft DraftOf(absl::string_view text, const CompileOptions& options = {}) {
  auto source = ReadGraphText(text, "graph.pbtxt");
  EXPECT_TRUE(source.ok()) << source.status();
  return DraftGraph(*std::move(source), options);
}

const DraftNode& Named(const GraphDraft& draft, absl::string_view name) {
  for (const DraftNode& node : draft.nodes) {
    if (node.contract->GetNodeName() == name) return node;
  }
  ADD_FAILURE() << "no node " << name;
  return draft.nodes.front();
}

TEST(GraphDraftTest, AGraphThatCompilesHasNoErrors) {
  const GraphDraft draft = DraftOf(R"(
    input_stream: "in" output_stream: "out"
    node { name: "a" calculator: "AnyNode"
           input_stream: "in" output_stream: "out" })");
  EXPECT_THAT(draft.errors, IsEmpty());
  ASSERT_THAT(draft.nodes, SizeIs(1));
  const DraftNode& node = draft.nodes[0];
  EXPECT_TRUE(node.is_known);
  EXPECT_TRUE(node.is_described);
  EXPECT_EQ(node.place, "graph.pbtxt:3");
  EXPECT_EQ(node.subgraph, -1);
  EXPECT_EQ(draft.streams[node.inputs[0].stream].name, "in");
  EXPECT_EQ(draft.streams[node.outputs[0]].name, "out");
  EXPECT_EQ(draft.streams[node.outputs[0]].producer, (PortRef{0, 0}));
}

TEST(GraphDraftTest, ATypeThatNobodyKnowsIsANodeWithPortsAndNoError) {
  const GraphDraft draft = DraftOf(R"(
    input_stream: "in"
    node { calculator: "FarAwayCalculator" input_stream: "IN:in"
           output_stream: "OUT:1:middle" output_stream: "OUT:other" }
    node { name: "known" calculator: "AnyNode" input_stream: "middle" })");
  EXPECT_THAT(draft.errors, IsEmpty());
  const DraftNode& unknown = Named(draft, "FarAwayCalculator");
  EXPECT_FALSE(unknown.is_known);
  EXPECT_FALSE(unknown.is_described);
  EXPECT_THAT(unknown.outputs, SizeIs(2));
  EXPECT_EQ(draft.streams[unknown.outputs[1]].name, "middle");
  EXPECT_TRUE(Named(draft, "known").is_described);
}

TEST(GraphDraftTest, AnErrorIsAtItsNode) {
  const GraphDraft draft = DraftOf(R"(
    node { name: "fine" calculator: "IntNode" output_stream: "a" }
    node { name: "wrong" calculator: "AnyNode" input_stream: "nobody" })");
  ASSERT_THAT(draft.errors, SizeIs(1));
  EXPECT_EQ(draft.num_errors, 1);
  EXPECT_THAT(draft.errors[0].text,
              AllOf(StartsWith("graph.pbtxt:3: node \"wrong\""),
                    HasSubstr("\"nobody\"")));
  ASSERT_GE(draft.errors[0].node, 0);
  EXPECT_EQ(draft.nodes[draft.errors[0].node].contract->GetNodeName(), "wrong");
}

TEST(GraphDraftTest, AnErrorOfTheGraphIsAtNoNode) {
  const GraphDraft draft = DraftOf(R"(
    executor { name: "a" type: "NoSuchExecutor" }
    node { name: "fine" calculator: "IntNode" output_stream: "a" })");
  ASSERT_THAT(draft.errors, SizeIs(1));
  EXPECT_EQ(draft.errors[0].node, -1);
  EXPECT_THAT(draft.errors[0].text, HasSubstr("NoSuchExecutor"));
}

TEST(GraphDraftTest, ASubgraphThatDoesNotFitStaysAsANodeWithItsError) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("Inner", *ReadGraphText(R"(
    type: "Inner" input_stream: "IN:x" output_stream: "OUT:y"
    node { calculator: "AnyNode" input_stream: "x" output_stream: "y" })"))
                  .ok());
  CompileOptions options;
  options.registry = &registry;
  const GraphDraft draft = DraftOf(R"(
    input_stream: "in"
    node { name: "good" calculator: "Inner"
           input_stream: "IN:in" output_stream: "OUT:a" }
    node { name: "bad" calculator: "Inner"
           input_stream: "WRONG:in" output_stream: "OUT:b" })",
                                   options);
  ASSERT_THAT(draft.subgraphs, SizeIs(testing::Ge(1)));
  EXPECT_EQ(draft.subgraphs[0].name, "good");
  EXPECT_EQ(draft.subgraphs[0].type, "Inner");
  EXPECT_EQ(draft.subgraphs[0].place, "graph.pbtxt:3");
  EXPECT_EQ(Named(draft, "good__AnyNode").subgraph, 0);
  ASSERT_THAT(draft.errors, SizeIs(testing::Ge(1)));
  ASSERT_GE(draft.errors[0].node, 0);
  EXPECT_EQ(draft.nodes[draft.errors[0].node].contract->GetNodeName(), "bad");
}

TEST(GraphDraftTest, SubgraphsWithoutEndAreShownAsFarAsTheyGo) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("Loop", *ReadGraphText(R"(
    type: "Loop" node { calculator: "Loop" })"))
                  .ok());
  CompileOptions options;
  options.registry = &registry;
  const GraphDraft draft = DraftOf(R"(node { calculator: "Loop" })", options);
  ASSERT_THAT(draft.errors, SizeIs(1));
  EXPECT_THAT(draft.errors[0].text, HasSubstr("contains itself"));
  EXPECT_THAT(draft.nodes, SizeIs(1));
}

TEST(GraphDraftTest, TooManyNodesAreOneError) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("Three", *ReadGraphText(R"(
    type: "Three" node { calculator: "IntNode" output_stream: "a" }
    node { calculator: "IntNode" output_stream: "b" }
    node { calculator: "AnyNode" input_stream: "a" input_stream: "b" })"))
                  .ok());
  CompileOptions options;
  options.registry = &registry;
  options.max_nodes = 2;
  const GraphDraft draft = DraftOf(R"(
    node { calculator: "Three" }
    node { calculator: "Three" })",
                                   options);
  ASSERT_THAT(draft.errors, SizeIs(1));
  EXPECT_THAT(draft.errors[0].text, HasSubstr("more than 2 nodes"));
}

TEST(GraphDraftTest, ManyErrorsAreCountedAndTheFirstAreKept) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += R"(node { calculator: "AnyNode" input_stream: "nobody" })";
  }
  const GraphDraft draft = DraftOf(text);
  EXPECT_THAT(draft.errors, SizeIs(100));
  EXPECT_EQ(draft.num_errors, 300);
  EXPECT_THAT(draft.nodes, SizeIs(300));
}

TEST(GraphDraftTest, CopiesLiveOnWithoutTheFirst) {
  GraphDraft copy;
  {
    const GraphDraft draft = DraftOf(R"(
      node { name: "a" calculator: "IntNode" output_stream: "x" })");
    copy = draft;
  }
  EXPECT_EQ(copy.nodes[0].contract->GetNodeName(), "a");
  EXPECT_EQ(copy.nodes[0].config->calculator(), "IntNode");
  EXPECT_THAT(copy.streams,
              ElementsAre(testing::Field(&DraftStream::name, "x")));
}

}  // namespace
}  // namespace syncline
