// Which graph is compiled, and what the plan keeps of it. Each pass has a test
// of its own.

#include "framework/plan/compile.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/expansion/graph_registry.h"
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

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

GraphSource Source(const char* text) { return {ParseGraph(text), nullptr}; }

absl::StatusOr<GraphPlan> CompileAll(std::vector<GraphSource> sources,
                                     CompileOptions options = {}) {
  options.log_warnings = false;
  return Compile(std::move(sources), options);
}

TEST(CompileTest, AnEmptyGraphIsAPlan) {
  const GraphPlan plan = PlanOf("");
  EXPECT_THAT(plan.nodes(), IsEmpty());
  EXPECT_THAT(plan.streams(), IsEmpty());
  EXPECT_THAT(plan.executors(), SizeIs(1));
  EXPECT_EQ(plan.FindNode(""), -1);
  EXPECT_EQ(plan.FindStream("x"), -1);
}

TEST(CompileTest, ErrorsBeginWithWhatFailed) {
  EXPECT_THAT(Message(ErrorOf("node { calculator: \"X\" }")),
              StartsWith("ValidatedGraphConfig Initialization failed.\n"));
}

TEST(CompileTest, CopiesShareThePlanAndOutliveIt) {
  GraphPlan copy = PlanOf("");
  {
    const GraphPlan plan = PlanOf(R"pb(
      input_stream: "in"
      node { name: "n" calculator: "IntNode" input_stream: "in" }
    )pb");
    copy = plan;
    EXPECT_EQ(copy.nodes().data(), plan.nodes().data());
  }
  EXPECT_EQ(copy.nodes()[0].name, "n");
  EXPECT_EQ(copy.nodes()[0].config().name(), "n");
  EXPECT_EQ(copy.streams()[0].consumers[0], (PortRef{0, 0}));
}

TEST(CompileTest, NamesOfMediaPipeAreOurs) {
  CalculatorGraphConfig config;
  config.add_node()->set_calculator("mediapipe.IntNode");
  config.set_package("mediapipe");
  CompileOptions options;
  const auto plan = Compile(config, options);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->nodes()[0].type, "syncline.IntNode");
}

TEST(CompileTest, OfSeveralConfigsTheOneWithoutATypeIsTheGraph) {
  const auto plan =
      CompileAll({Source("type: \"Sub\" node { calculator: \"IntNode\" }"),
                  Source("node { calculator: \"Sub\" }")});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(NodeNames(*plan), ElementsAre("sub__IntNode"));
}

TEST(CompileTest, GraphTypeChoosesTheGraph) {
  const std::vector<GraphSource> sources = {
      Source("type: \"A\" node { calculator: \"B\" }"),
      Source("type: \"B\" node { calculator: \"IntNode\" }")};
  EXPECT_THAT(NodeNames(*CompileAll(sources, {.graph_type = "A"})),
              ElementsAre("b__IntNode"));
  EXPECT_THAT(NodeNames(*CompileAll(sources, {.graph_type = "B"})),
              ElementsAre("IntNode"));
  EXPECT_THAT(NodeNames(*CompileAll(sources, {.graph_type = "NestedGraph"})),
              SizeIs(3))
      << "a registered class";
  const absl::Status status = CompileAll(sources, {.graph_type = "C"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Message(status), HasSubstr("graph_type \"C\""));
}

TEST(CompileTest, WithoutARootAmongSeveralTheTypesAreListed) {
  EXPECT_THAT(
      Message(
          CompileAll({Source("type: \"A\""), Source("type: \"B\"")}).status()),
      AllOf(HasSubstr("graph_type"), HasSubstr("\"A\", \"B\"")));
  EXPECT_FALSE(CompileAll({}).ok());
  EXPECT_FALSE(CompileAll({Source(""), Source("")}).ok());
}

TEST(CompileTest, TwoConfigsOfOneTypeAreAnError) {
  EXPECT_EQ(
      CompileAll({Source("type: \"A\""), Source("type: \"A\""), Source("")})
          .status()
          .code(),
      absl::StatusCode::kAlreadyExists);
}

TEST(CompileTest, AGraphThatContainsItsOwnTypeIsAnError) {
  EXPECT_THAT(Message(CompileAll({Source("type: \"A\" node { calculator: "
                                         "\"A\" }")},
                                 {.graph_type = "A"})
                          .status()),
              HasSubstr("the subgraph contains itself: A > A"));
}

TEST(CompileTest, OneConfigMayHaveAnyType) {
  EXPECT_TRUE(CompileText("type: \"A\"").ok());
  EXPECT_TRUE(CompileText("type: \"A\"", {.graph_type = "A"}).ok());
}

TEST(CompileTest, ARegisteredClassIsCompiledWithTheGivenOptions) {
  CalculatorGraphConfig::Node node;
  auto* chain =
      node.mutable_options()->MutableExtension(NodeChainSubgraphOptions::ext);
  chain->set_chain_length(5);
  chain->set_node_type("PassNode");
  const auto plan =
      Compile(std::vector<GraphSource>(),
              {.graph_type = "ChainGraph", .graph_options = &node});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->nodes(), SizeIs(5));
  EXPECT_THAT(plan->graph_inputs(), SizeIs(1));
}

TEST(CompileTest, ARegisteredClassThatThrowsIsAStatus) {
  EXPECT_THAT(Message(Compile(std::vector<GraphSource>(),
                              {.graph_type = "ThrowingGraph"})
                          .status()),
              HasSubstr("thrown by GetConfig"));
}

TEST(CompileTest, TheCanonicalConfigCompilesToItself) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    max_queue_size: 3
    num_threads: 2
    input_stream_handler { input_stream_handler: "BarrierInputStreamHandler" }
    node {
      calculator: "NestedGraph"
      input_stream: "IN:in"
      output_stream: "OUT:b"
    }
    node { calculator: "IntNode" input_stream: "b" input_side_packet: "p" }
    packet_generator {
      packet_generator: "IntGenerator"
      output_side_packet: "p"
    }
  )pb");
  const GraphPlan again = PlanOf(plan.Config().DebugString());
  EXPECT_EQ(again.Config().DebugString(), plan.Config().DebugString());
  EXPECT_EQ(NodeNames(again), NodeNames(plan));
}

}  // namespace
}  // namespace syncline
