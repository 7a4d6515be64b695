#include "tools/lint/lint_graph.h"

#include <chrono>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"
#include "tools/lint/nolint.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> RulesFound(const GraphPlan& plan) {
  std::vector<std::string> rules;
  for (const LintFinding& finding : LintGraph(plan)) {
    rules.push_back(finding.rule);
  }
  return rules;
}

TEST(LintGraphTest, RulesAreInTheOrderOfTheirNames) {
  std::string last;
  for (const LintRule& rule : LintRules()) {
    EXPECT_LT(last, rule.name);
    EXPECT_FALSE(rule.finds.empty());
    last = std::string(rule.name);
  }
}

TEST(LintGraphTest, AGoodGraphHasNoFindings) {
  EXPECT_THAT(LintTextOf(R"(
    input_stream: "in" output_stream: "out"
    node { calculator: "PromisingNode" input_stream: "in" output_stream: "a" }
    node { calculator: "PromisingNode" input_stream: "in" input_stream: "a"
           output_stream: "out" })"),
              IsEmpty());
}

TEST(LintGraphTest, AnEmptyGraphHasNoFindings) {
  EXPECT_THAT(LintTextOf(""), IsEmpty());
}

TEST(LintGraphTest, FindingsAreInTheOrderOfNodes) {
  EXPECT_THAT(RulesFound(LintPlanOf(R"(input_stream: "in"
    node { calculator: "SilentNode" input_stream: "in" output_stream: "a" }
    node { calculator: "PromisingNode" input_stream: "in" input_stream: "a"
           output_stream: "b" }
    node { calculator: "TestSource" output_stream: "c"
      condition { type: "CountCondition" options {
        [syncline.CountConditionOptions.ext] { count: 0 } } } })")),
              ElementsAre("unread-output", "unsettled-join",
                          "condition-never-met", "unread-output"));
}

// A subgraph with a node that nobody reads, in a graph that says `comment`
// beside it.
std::vector<std::string> FoundInSubgraph(const std::string& comment) {
  const std::string main = absl::StrCat(
      "input_stream: \"in\"\nnode { name: \"inner\" calculator: "
      "\"UnreadSubgraph\" input_stream: \"in\" }",
      comment);
  std::vector<GraphSource> sources;
  for (const auto& [file, text] :
       {std::pair<std::string, std::string>("graph.pbtxt", main),
        {"sub.pbtxt",
         "type: \"UnreadSubgraph\" input_stream: \"x\"\n\nnode { calculator: "
         "\"SilentNode\" input_stream: \"x\" output_stream: \"y\" }"}}) {
    const absl::StatusOr<GraphSource> source = ReadGraphText(text, file);
    EXPECT_TRUE(source.ok()) << source.status();
    sources.push_back(*source);
  }
  const absl::StatusOr<GraphPlan> plan = Compile(std::move(sources));
  EXPECT_TRUE(plan.ok()) << plan.status();
  std::vector<std::string> found;
  for (const LintFinding& finding :
       ApplyNolint(LintGraph(*plan), main, "graph.pbtxt")) {
    found.push_back(finding.location);
  }
  return found;
}

TEST(LintGraphTest, AFindingInASubgraphHasBothPlaces) {
  EXPECT_THAT(FoundInSubgraph(""),
              ElementsAre("sub.pbtxt:3 (in subgraph \"inner\" "
                          "(UnreadSubgraph) at graph.pbtxt:2)"));
}

TEST(LintGraphTest, ACommentAtTheSubgraphsNodeIsForWhatIsInside) {
  EXPECT_THAT(FoundInSubgraph("  # NOLINT(unread-output)"), IsEmpty());
}

TEST(LintGraphTest, NodesOfATemplateAreWhereTheyWereWritten) {
  const std::string node =
      "node { calculator: \"TestSource\" output_stream: % name % }";
  const std::string begin =
      "%param names: list(\"a\", \"b\")%\n%for (name : names)%\n";
  EXPECT_THAT(
      LintTextOf(absl::StrCat(begin, node, "\n%end%")),
      AllOf(HasSubstr("graph.pbtxt:3:1: warning: \"TestSource_1\" sends"),
            HasSubstr("graph.pbtxt:3:1: warning: \"TestSource_2\" sends")));
  EXPECT_THAT(LintTextOf(absl::StrCat(begin, node, "  # NOLINT\n%end%")),
              IsEmpty());
}

TEST(LintGraphTest, AConfigWithoutTextHasNoPlaces) {
  CalculatorGraphConfig config;
  CalculatorGraphConfig::Node* const node = config.add_node();
  node->set_calculator("TestSource");
  node->add_output_stream("out");
  const absl::StatusOr<GraphPlan> plan = Compile(config);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const std::vector<LintFinding> findings = LintGraph(*plan);
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].location, "");
}

// A chain of nodes, of which every second one is silent, and joins of streams
// from all along the chain.
CalculatorGraphConfig LongChain(int num_nodes, int num_joins) {
  CalculatorGraphConfig config;
  config.add_input_stream("s0");
  config.add_output_stream(absl::StrCat("s", num_nodes));
  for (int i = 0; i < num_nodes; ++i) {
    CalculatorGraphConfig::Node* const node = config.add_node();
    node->set_calculator(i % 2 == 0 ? "SilentNode" : "PromisingNode");
    node->add_input_stream(absl::StrCat("s", i));
    node->add_output_stream(absl::StrCat("s", i + 1));
  }
  for (int i = 0; i < num_joins; ++i) {
    CalculatorGraphConfig::Node* const join = config.add_node();
    join->set_calculator("PromisingNode");
    const int each = num_nodes / num_joins;
    for (int j = 0; j < each; ++j) {
      join->add_input_stream(absl::StrCat("s", j * num_joins + i));
    }
  }
  return config;
}

// Looking at all pairs of nodes would take much longer.
TEST(LintGraphTest, TakesTimeThatIsLinearInTheSizeOfTheGraph) {
  constexpr int kNodes = 50'000;
  const absl::StatusOr<GraphPlan> plan =
      Compile(LongChain(kNodes, /*num_joins=*/20));
  ASSERT_TRUE(plan.ok()) << plan.status();
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<LintFinding> findings = LintGraph(*plan);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  // Each input of a join comes through more silent nodes than the one before.
  EXPECT_GT(findings.size(), kNodes * 9 / 10);
  EXPECT_LT(seconds.count(), 30);
  std::cout << "LintGraph took " << seconds.count() << " s\n";
}

}  // namespace
}  // namespace syncline
