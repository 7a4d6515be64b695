#include "framework/plan/compile_state.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/graph_errors.h"
#include "framework/plan/state_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One node of the graph itself, and one that comes out of a subgraph.
constexpr char kGraph[] = R"(input_stream: "a"
node { name: "n" calculator: "AnyNode"
       input_stream: "X:a"
       input_stream: "a" output_stream: "b" }
node { name: "s" calculator: "TwoPassGraph"
       input_stream: "IN:b" output_stream: "OUT:c" }
executor { name: "one" }
executor { name: "two" }
)";

// Of the first error.
std::string Message(const CompileState& state) {
  return std::string(state.errors.ToStatus().message().substr(
      sizeof("ValidatedGraphConfig Initialization failed.")));
}

TEST(CompileStateTest, TheTablesHaveTheConfig) {
  const std::unique_ptr<CompileState> state = StateOf(kGraph);
  EXPECT_EQ(&state->config(), &state->tables->config);
  EXPECT_EQ(&state->node(1), &state->tables->config.node(1));
  EXPECT_EQ(state->node(1).name(), "s__PassNode_1");
  EXPECT_EQ(state->Label(0), "node \"n\" (AnyNode)");
}

TEST(CompileStateTest, AnErrorOfANodeHasItsPlaceItsLabelAndItsSubgraphs) {
  const std::unique_ptr<CompileState> state = StateOf(kGraph);
  state->NodeError(0, "is bad.");
  EXPECT_EQ(Message(*state), "graph.pbtxt:2: node \"n\" (AnyNode): is bad.");
  EXPECT_EQ(state->errors.ToStatus().code(),
            absl::StatusCode::kInvalidArgument);

  const std::unique_ptr<CompileState> other = StateOf(kGraph);
  other->NodeError(1, absl::NotFoundError("is worse."));
  EXPECT_EQ(Message(*other),
            "node \"s__PassNode_1\" (PassNode): is worse. (in subgraph \"s\" "
            "(TwoPassGraph) at graph.pbtxt:5)");
  EXPECT_EQ(other->errors.ToStatus().code(), absl::StatusCode::kNotFound);
}

TEST(CompileStateTest, AWarningOfANodeIsWordedLikeAnError) {
  const std::unique_ptr<CompileState> state = StateOf(kGraph);
  state->NodeWarning(0, "is odd.");
  EXPECT_THAT(state->warnings,
              ElementsAre("graph.pbtxt:2: node \"n\" (AnyNode): is odd."));
  EXPECT_TRUE(state->errors.empty());
}

TEST(CompileStateTest, BeyondTheLimitErrorsAreOnlyCounted) {
  const std::unique_ptr<CompileState> state = StateOf(kGraph);
  for (int i = 0; i < GraphErrors::kMaxKept; ++i) state->NodeError(0, "x");
  state->NodeError(0, "the last one");
  state->PortError(0, "input_stream", state->node(0).input_stream(), "a",
                   absl::InternalError("the last port"));
  EXPECT_EQ(state->errors.count(), GraphErrors::kMaxKept + 2);
  EXPECT_THAT(Message(*state), Not(HasSubstr("the last")));
}

std::string PortMessage(int node, absl::string_view name,
                        bool ports_moved = false) {
  const std::unique_ptr<CompileState> state = StateOf(kGraph);
  state->drafts[node].ports_moved = ports_moved;
  state->PortError(node, "input_stream", state->node(node).input_stream(), name,
                   absl::InternalError("is bad."));
  EXPECT_EQ(state->errors.ToStatus().code(), absl::StatusCode::kInternal);
  return Message(*state);
}

TEST(CompileStateTest, AnErrorOfAPortHasItsOwnLine) {
  EXPECT_EQ(PortMessage(0, "a"),
            "graph.pbtxt:3: node \"n\" (AnyNode): is bad.");
}

TEST(CompileStateTest, APortWhosePlaceIsNotKnownHasThatOfItsNode) {
  EXPECT_THAT(PortMessage(0, "nothing"), HasSubstr("graph.pbtxt:2: node"));
  EXPECT_THAT(PortMessage(0, "a", /*ports_moved=*/true),
              HasSubstr("graph.pbtxt:2: node"));
  // The place in a subgraph's config is not the one in the expanded node.
  EXPECT_THAT(PortMessage(1, "b"), HasSubstr("at graph.pbtxt:5)"));
}

TEST(CompileStateTest, AnErrorOfAFieldHasTheLineOfItsElement) {
  const std::unique_ptr<CompileState> state = StateOf(kGraph);
  state->FieldError("executor", 1, "is bad.");
  EXPECT_EQ(Message(*state), "graph.pbtxt:8: is bad.");
  EXPECT_EQ(state->errors.ToStatus().code(),
            absl::StatusCode::kInvalidArgument);
  state->FieldError("executor", 0, "is lost.", absl::StatusCode::kDataLoss);
  EXPECT_THAT(Message(*state), HasSubstr("\ngraph.pbtxt:7: is lost."));
  EXPECT_EQ(state->errors.ToStatus().code(), absl::StatusCode::kUnknown)
      << "the codes differ";
}

TEST(CompileStateTest, OffersNearNamesOrThoseThatAreKnown) {
  const std::unique_ptr<CompileState> state = StateOf(kGraph);
  const std::vector<std::string> names = {"camera", "cameras", "lidar"};
  EXPECT_EQ(state->DidYouMean("camerax", names),
            " Did you mean \"camera\" or \"cameras\"?");
  EXPECT_EQ(state->DidYouMeanOrKnown("camerax", names),
            " Did you mean \"camera\" or \"cameras\"?");
  EXPECT_EQ(state->DidYouMean("xyz", names), "");
  EXPECT_EQ(state->DidYouMeanOrKnown("xyz", names),
            " Known are \"camera\", \"cameras\" and \"lidar\".");
}

TEST(CompileStateTest, SearchesOnlySoManyNamesAndSoOften) {
  const std::unique_ptr<CompileState> state = StateOf(kGraph);
  std::vector<std::string> names(CompileState::kMaxCandidates - 1, "far");
  names.push_back("camera");
  names.push_back("cameras");
  EXPECT_EQ(state->DidYouMean("camerax", names), " Did you mean \"camera\"?");
  for (int i = 1; i < 20; ++i) {
    EXPECT_NE(state->DidYouMeanOrKnown("xyz", {"far"}), "") << i;
  }
  EXPECT_EQ(state->DidYouMean("camerax", names), "");
  EXPECT_EQ(state->DidYouMeanOrKnown("xyz", {"far"}), "");
}

// With these fields, so many inputs and so many outputs.
bool IsSource(absl::string_view fields, std::size_t inputs,
              std::size_t outputs) {
  const std::unique_ptr<CompileState> state =
      StateOf(absl::StrCat("node { calculator: \"AnyNode\" ", fields, " }"));
  NodeDraft& draft = state->drafts[0];
  draft.contract = std::make_unique<CalculatorContract>();
  EXPECT_TRUE(draft.contract->Initialize(state->node(0), "n").ok());
  draft.inputs.resize(inputs);
  draft.outputs.resize(outputs);
  return draft.is_source();
}

TEST(CompileStateTest, ASourceHasNoInputButAnOutputOrACondition) {
  EXPECT_TRUE(IsSource("", 0, 1));
  EXPECT_FALSE(IsSource("", 0, 0));
  EXPECT_FALSE(IsSource("", 1, 1));
  EXPECT_TRUE(IsSource("condition { type: \"C\" }", 0, 0));
  EXPECT_TRUE(IsSource("any_of { condition { type: \"C\" } }", 0, 0));
  EXPECT_FALSE(IsSource("condition { type: \"C\" }", 1, 0));
}

TEST(CompileStateTest, AContractMayHaveTheConditionOfASource) {
  NodeDraft draft;
  EXPECT_FALSE(draft.is_source()) << "its calculator is not known";
  const CalculatorGraphConfig::Node node;
  draft.contract = std::make_unique<CalculatorContract>();
  ASSERT_TRUE(draft.contract->Initialize(node, "n").ok());
  EXPECT_FALSE(draft.is_source());
  draft.contract->AddCondition("C", "c");
  EXPECT_TRUE(draft.is_source());
}

}  // namespace
}  // namespace syncline
