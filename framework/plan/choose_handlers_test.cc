// Which stream handler each node gets, and what is said of wrong ones.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/expansion/graph_errors.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

int TriggerSize(const PlanNode& node) {
  return node.handlers.input_options
      ->GetExtension(FixedSizeInputStreamHandlerOptions::ext)
      .trigger_queue_size();
}

std::string WithOptions(const std::string& handler, const std::string& type) {
  return absl::StrCat(
      "input_stream: 'in' node { name: 'n' calculator: 'IntNode' "
      "input_stream: 'in' input_stream_handler { input_stream_handler: '",
      handler, "' options { [syncline.", type, ".ext] {} } } }");
}

TEST(ChooseHandlersTest, TheDefaultsAreUsedWhenNobodyAsks) {
  const GraphPlan plan = PlanOf("node { calculator: \"IntNode\" }");
  EXPECT_EQ(plan.nodes()[0].handlers.input, "DefaultInputStreamHandler");
  EXPECT_EQ(plan.nodes()[0].handlers.output, "InOrderOutputStreamHandler");
}

TEST(ChooseHandlersTest, TheContractsHandlerComesWithItsOptions) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node { calculator: "ChoosyNode" input_stream: "in" }
  )pb");
  EXPECT_EQ(plan.nodes()[0].handlers.input, "FixedSizeInputStreamHandler");
  EXPECT_EQ(TriggerSize(plan.nodes()[0]), 7);
}

TEST(ChooseHandlersTest, TheNodesHandlerBeatsTheContractEvenIfItIsTheDefault) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node {
      calculator: "ChoosyNode"
      input_stream: "in"
      input_stream_handler { input_stream_handler: "DefaultInputStreamHandler" }
    }
  )pb");
  EXPECT_EQ(plan.nodes()[0].handlers.input, "DefaultInputStreamHandler");
}

TEST(ChooseHandlersTest, TheGraphsHandlerBeatsTheContractAndNotTheNode) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    input_stream_handler { input_stream_handler: "BarrierInputStreamHandler" }
    node { name: "a" calculator: "ChoosyNode" input_stream: "in" }
    node {
      name: "b"
      calculator: "IntNode"
      input_stream: "in"
      input_stream_handler {
        input_stream_handler: "ImmediateInputStreamHandler"
      }
    }
  )pb");
  EXPECT_EQ(NodeNamed(plan, "a").handlers.input, "BarrierInputStreamHandler");
  EXPECT_EQ(NodeNamed(plan, "b").handlers.input, "ImmediateInputStreamHandler");
  EXPECT_EQ(plan.Config().node(0).input_stream_handler().input_stream_handler(),
            "BarrierInputStreamHandler");
}

TEST(ChooseHandlersTest, OptionsOfTheNodeAloneAdjustThoseOfTheContract) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node {
      calculator: "ChoosyNode"
      input_stream: "in"
      input_stream_handler {
        options {
          [syncline.FixedSizeInputStreamHandlerOptions.ext] {
            target_queue_size: 3
          }
        }
      }
    }
  )pb");
  EXPECT_EQ(plan.nodes()[0].handlers.input, "FixedSizeInputStreamHandler");
  EXPECT_EQ(TriggerSize(plan.nodes()[0]), 7);
  EXPECT_EQ(plan.nodes()[0]
                .handlers.input_options
                ->GetExtension(FixedSizeInputStreamHandlerOptions::ext)
                .target_queue_size(),
            3);
}

TEST(ChooseHandlersTest, UnknownHandlersNameTheNodeAndTheNearest) {
  const absl::Status status = ErrorOf(R"pb(
    node {
      name: "n"
      calculator: "IntNode"
      input_stream_handler { input_stream_handler: "BarierInputStreamHandler" }
      output_stream_handler { output_stream_handler: "NoOutputStreamHandler" }
    }
  )pb");
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("node \"n\" (IntNode): "
                              "\"BarierInputStreamHandler\" is not a "
                              "registered input stream handler."),
                    HasSubstr("BarrierInputStreamHandler"),
                    HasSubstr("NoOutputStreamHandler")));
}

TEST(ChooseHandlersTest, AHandlerThatNoNameIsNearToListsThem) {
  const absl::Status status = ErrorWithLinesOf(R"pb(
    node {
      name: "n"
      calculator: "IntNode"
      input_stream_handler { input_stream_handler: "Zebra" }
      output_stream_handler { output_stream_handler: "Zebra" }
    })pb");
  EXPECT_THAT(
      Message(status),
      AllOf(HasSubstr("graph.pbtxt:2: node \"n\" (IntNode): \"Zebra\" is not "
                      "a registered input stream handler. Known are "
                      "\"ApproximateTimeInputStreamHandler\", "),
            HasSubstr("RegisterInputPolicyKind()"),
            HasSubstr("The only one is \"InOrderOutputStreamHandler\"."),
            HasSubstr("can be left out")));
}

// A handler looks at the ports, which nobody knows where the contract fails.
TEST(ChooseHandlersTest, NodesWhoseContractFailsAreNotChecked) {
  EXPECT_THAT(Message(ErrorOf(R"pb(
                node {
                  calculator: "FailingNode"
                  input_stream_handler { input_stream_handler: "Zebra" }
                  output_stream_handler { output_stream_handler: "Zebra" }
                }
              )pb")),
              AllOf(HasSubstr("GetContract failed: FailingNode: "),
                    Not(HasSubstr("Zebra"))));
}

TEST(ChooseHandlersTest, NodesBehindTheLastErrorThatIsKeptAreNotChecked) {
  std::string graph;
  for (int i = 0; i < GraphErrors::kMaxKept + 20; ++i) {
    absl::StrAppend(&graph, "node { name: 'n", i,
                    "' calculator: 'IntNode' input_stream_handler { "
                    "input_stream_handler: 'Zebra' } }");
  }
  EXPECT_THAT(Message(ErrorOf(graph)),
              AllOf(HasSubstr(absl::StrCat("\"n", GraphErrors::kMaxKept - 1)),
                    Not(HasSubstr("more errors"))));
}

TEST(ChooseHandlersTest, OptionsOfAnUnknownHandlerAreNoErrorOfTheirOwn) {
  CompileOptions options;
  options.strict = true;
  const std::string message = Message(ErrorOf(
      WithOptions("Zebra", "FixedSizeInputStreamHandlerOptions"), options));
  EXPECT_THAT(message, HasSubstr("\"Zebra\" is not"));
  EXPECT_EQ(message.find("node \"n\""), message.rfind("node \"n\"")) << message;
}

TEST(ChooseHandlersTest, OptionsThatCannotWorkNameTheNode) {
  EXPECT_THAT(Message(ErrorOf(R"pb(
                input_stream: "in"
                node {
                  name: "n"
                  calculator: "IntNode"
                  input_stream: "in"
                  input_stream_handler {
                    input_stream_handler: "SyncSetInputStreamHandler"
                    options {
                      [syncline.SyncSetInputStreamHandlerOptions.ext] {
                        sync_set { tag_index: "NONE" }
                      }
                    }
                  }
                }
              )pb")),
              AllOf(HasSubstr("node \"n\" (IntNode)"), HasSubstr("NONE")));
}

TEST(ChooseHandlersTest, OptionsOfTheGraphNeedNotSuitNodesWithoutInputs) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream_handler {
      input_stream_handler: "SyncSetInputStreamHandler"
      options {
        [syncline.SyncSetInputStreamHandlerOptions.ext] {
          sync_set { tag_index: "IN" }
        }
      }
    }
    packet_generator { packet_generator: "IntGenerator" }
    node { calculator: "IntNode" output_stream: "a" }
    node { calculator: "IntNode" input_stream: "IN:a" }
  )pb");
  for (const PlanNode& node : plan.nodes()) {
    EXPECT_EQ(node.handlers.input, "SyncSetInputStreamHandler");
  }
}

TEST(ChooseHandlersTest, OptionsOfTheGraphAreNotWarnedOfAtNodesWithoutInputs) {
  EXPECT_TRUE(PlanOf(R"pb(
                input_stream_handler {
                  input_stream_handler: "BarrierInputStreamHandler"
                  options {
                    [syncline.FixedSizeInputStreamHandlerOptions.ext] {}
                  }
                }
                node { calculator: "IntNode" output_stream: "a" }
              )pb")
                  .warnings()
                  .empty());
}

TEST(ChooseHandlersTest, TheGraphsOutputStreamHandlerIsIgnored) {
  EXPECT_EQ(PlanOf(R"pb(
              output_stream_handler { output_stream_handler: "Nothing" }
              node { calculator: "IntNode" }
            )pb")
                .nodes()[0]
                .handlers.output,
            "InOrderOutputStreamHandler");
}

// MediaPipe ignores them, so graphs that come from there still run.
TEST(ChooseHandlersTest, OptionsOfAnotherHandlersTypeAreWarnedOf) {
  const GraphPlan plan = PlanOf(WithOptions(
      "BarrierInputStreamHandler", "FixedSizeInputStreamHandlerOptions"));
  ASSERT_EQ(plan.warnings().size(), 1);
  EXPECT_THAT(
      plan.warnings()[0],
      AllOf(
          HasSubstr("node \"n\" (IntNode)"),
          HasSubstr("BarrierInputStreamHandler: its options have "
                    "[syncline.FixedSizeInputStreamHandlerOptions.ext], "
                    "which this type of input stream handler does not read")));
  EXPECT_EQ(PlanOf(WithOptions("DefaultInputStreamHandler",
                               "FixedSizeInputStreamHandlerOptions"))
                .warnings()
                .size(),
            1);
}

TEST(ChooseHandlersTest, OptionsOfAnotherHandlersTypeAreErrorsIfAskedFor) {
  CompileOptions options;
  options.strict = true;
  const absl::Status status =
      Compile(ParseGraph(WithOptions("BarrierInputStreamHandler",
                                     "FixedSizeInputStreamHandlerOptions")),
              options)
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status), HasSubstr("does not read"));
}

TEST(ChooseHandlersTest, OptionsOfTheHandlerAreNotWarnedOf) {
  for (const std::string handler : {"Default", "FixedSize", "SyncSet"}) {
    const std::string name = handler + "InputStreamHandler";
    EXPECT_TRUE(PlanOf(WithOptions(name, name + "Options")).warnings().empty())
        << handler;
  }
  EXPECT_TRUE(PlanOf(R"pb(
                input_stream: "in"
                node { calculator: "ChoosyNode" input_stream: "in" }
              )pb")
                  .warnings()
                  .empty())
      << "those of a contract";
}

TEST(ChooseHandlersTest, OptionsOfAnOutputStreamHandlerAreWarnedOf) {
  const GraphPlan plan = PlanOf(R"pb(
    node {
      name: "n"
      calculator: "IntNode"
      output_stream_handler {
        options {
          [syncline.FixedSizeInputStreamHandlerOptions.ext] {}
        }
      }
    }
  )pb");
  ASSERT_EQ(plan.warnings().size(), 1);
  EXPECT_THAT(plan.warnings()[0],
              HasSubstr("InOrderOutputStreamHandler: its options have "
                        "[syncline.FixedSizeInputStreamHandlerOptions.ext]"));
}

TEST(ChooseHandlersTest, NodesThatSayNothingAndOthersMayTakeTurns) {
  const std::string barrier =
      " input_stream_handler { input_stream_handler: "
      "'BarrierInputStreamHandler' }";
  const std::string node = " node { input_stream: 'in' calculator: ";
  const GraphPlan plan = PlanOf(absl::StrCat(
      "input_stream: 'in' node { calculator: 'IntNode' }", node, "'IntNode' }",
      node, "'IntNode'", barrier, " }", node, "'ChoosyNode' }", node,
      "'IntNode' }", node, "'IntNode' output_stream_handler {} }"));
  std::vector<std::string> handlers;
  for (const PlanNode& each : plan.nodes()) {
    handlers.emplace_back(each.handlers.input);
    EXPECT_EQ(each.handlers.output, "InOrderOutputStreamHandler");
  }
  EXPECT_THAT(
      handlers,
      ElementsAre("DefaultInputStreamHandler", "DefaultInputStreamHandler",
                  "BarrierInputStreamHandler", "FixedSizeInputStreamHandler",
                  "DefaultInputStreamHandler", "DefaultInputStreamHandler"));
}

}  // namespace
}  // namespace syncline
