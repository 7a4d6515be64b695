// Which sources can feed which node and stream.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Names of the members of a set.
std::vector<std::string> Sources(const GraphPlan& plan, int source_set) {
  std::vector<std::string> names;
  plan.ForEachSource(source_set, [&](int id) {
    const PlanSource& source = plan.sources()[id];
    names.push_back(source.node >= 0
                        ? std::string(plan.nodes()[source.node].name)
                        : plan.graph_inputs()[source.graph_input].name);
  });
  return names;
}

std::vector<std::string> SourcesOf(const GraphPlan& plan, const char* node) {
  return Sources(plan, NodeNamed(plan, node).sources.set);
}

TEST(TraceSourcesTest, GraphInputsAndSourceNodesAreSources) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node { name: "s" calculator: "IntNode" output_stream: "x" }
    node { name: "none" calculator: "IntNode" }
    node {
      name: "join"
      calculator: "IntNode"
      input_stream: "x"
      input_stream: "in"
    }
  )pb");
  ASSERT_THAT(plan.sources(), SizeIs(2));
  EXPECT_EQ(plan.sources()[0].graph_input, 0);
  EXPECT_EQ(plan.sources()[1].node, NodeNamed(plan, "s").id);
  EXPECT_TRUE(NodeNamed(plan, "s").is_source);
  EXPECT_EQ(NodeNamed(plan, "s").sources.position, 1);
  EXPECT_EQ(plan.graph_inputs()[0].source, 0);
  EXPECT_FALSE(NodeNamed(plan, "none").is_source);
  EXPECT_FALSE(NodeNamed(plan, "none").has_streams);
  EXPECT_THAT(SourcesOf(plan, "s"), ElementsAre("s"));
  EXPECT_THAT(SourcesOf(plan, "join"), ElementsAre("in", "s"));
  EXPECT_THAT(SourcesOf(plan, "none"), IsEmpty());
  EXPECT_THAT(Sources(plan, StreamNamed(plan, "in").source_set),
              ElementsAre("in"));
}

TEST(TraceSourcesTest, SourcesReachThroughChainsAndShareTheirSet) {
  const GraphPlan plan = PlanOf(R"pb(
    node { name: "s" calculator: "IntNode" output_stream: "x0" }
    node {
      name: "a"
      calculator: "IntNode"
      input_stream: "x0"
      output_stream: "x1"
    }
    node { name: "b" calculator: "IntNode" input_stream: "x1" }
  )pb");
  EXPECT_THAT(SourcesOf(plan, "b"), ElementsAre("s"));
  EXPECT_EQ(NodeNamed(plan, "b").sources.set, NodeNamed(plan, "s").sources.set);
}

TEST(TraceSourcesTest, ABackEdgeBringsWhatIsKnownByThen) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node {
      name: "first"
      calculator: "AnyNode"
      input_stream: "in"
      input_stream: "back"
      input_stream_info { tag_index: ":1" back_edge: true }
      output_stream: "x"
    }
    node { name: "other" calculator: "IntNode" output_stream: "y" }
    node {
      name: "last"
      calculator: "IntNode"
      input_stream: "x"
      input_stream: "y"
      output_stream: "back"
    }
  )pb");
  EXPECT_THAT(SourcesOf(plan, "first"), ElementsAre("in"));
  EXPECT_THAT(SourcesOf(plan, "last"), ElementsAre("in", "other"));
}

TEST(TraceSourcesTest, ManySourcesAndManyJoinsStaySmall) {
  // Join i reads source i and join i - 1: all sets differ.
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    absl::StrAppend(&text, "node { calculator: \"IntNode\" output_stream: \"s",
                    i, "\" }");
  }
  for (int i = 0; i < 5000; ++i) {
    absl::StrAppend(&text, "node { calculator: \"IntNode\" input_stream: \"s",
                    i, "\" ");
    if (i > 0) absl::StrAppend(&text, "input_stream: \"j", i - 1, "\" ");
    absl::StrAppend(&text, "output_stream: \"j", i, "\" }");
  }
  const GraphPlan plan = PlanOf(text);
  EXPECT_THAT(Sources(plan, plan.nodes().back().sources.set), SizeIs(5000));
}

}  // namespace
}  // namespace syncline
