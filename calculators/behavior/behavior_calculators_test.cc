// Behaviour trees in whole graphs: the tree decides which leaves are called,
// and the end of the tree ends the graph.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"
#include "framework/conditions.h"
#include "framework/graph_clock.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The calls of leaves, in order; only the first thousand are kept. Read it when
// the run is over.
class Log {
 public:
  void Add(std::string line) {
    const std::size_t place = count_++;
    if (place < lines_.size()) lines_[place] = std::move(line);
  }
  std::vector<std::string> lines() const {
    return {lines_.begin(),
            lines_.begin() + std::min<std::size_t>(count_, lines_.size())};
  }

 private:
  std::vector<std::string> lines_ = std::vector<std::string>(1000);
  std::atomic<std::size_t> count_{0};
};

// A leaf with a script of letters, one for each call. S succeeds, F fails, R
// keeps running, and C keeps running and chooses the other child of "root". The
// last letter is repeated. It writes "name=letter", and the time of the graph's
// clock in seconds unless that is 0.
class ScriptedLeaf : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag("LOG").Set<std::shared_ptr<Log>>();
    cc->InputSidePackets().Tag("SCRIPT").Set<std::string>();
    cc->AddCondition("BehaviorCondition");
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const std::string& script =
        cc->InputSidePackets().Tag("SCRIPT").Get<std::string>();
    const char letter = script[std::min(ticks_++, script.size() - 1)];
    std::string line =
        absl::StrCat(cc->NodeName(), "=", std::string(1, letter));
    const std::int64_t seconds = cc->Clock()->NowNs() / 1'000'000'000;
    if (seconds > 0) absl::StrAppend(&line, "@", seconds);
    cc->InputSidePackets().Tag("LOG").Get<std::shared_ptr<Log>>()->Add(line);
    const auto behavior = cc->Condition<BehaviorCondition>("BehaviorCondition");
    if (letter == 'R') behavior->Report(BehaviorStatus::kRunning);
    if (letter == 'F') behavior->Report(BehaviorStatus::kFailure);
    if (letter == 'C') {
      behavior->Report(BehaviorStatus::kRunning);
      cc->Condition<BehaviorCondition>("root/BehaviorCondition")->Choose(1);
    }
    return absl::OkStatus();
  }

 private:
  std::size_t ticks_ = 0;
};
REGISTER_CALCULATOR(ScriptedLeaf);

class BehaviorCalculatorsTest : public WorkersTest {
 protected:
  // A graph of the root, `inner` nodes, and leaves with scripts.
  static std::string Graph(
      absl::string_view root, absl::string_view inner,
      const std::vector<std::pair<std::string, std::string>>& leaves) {
    std::string graph = absl::StrCat(
        "clock { type: 'ManualClock' } input_side_packet: 'log' ", root, inner);
    for (const auto& [name, script] : leaves) {
      absl::StrAppend(&graph, "node { name: '", name,
                      "' calculator: 'ScriptedLeaf' input_side_packet: "
                      "'LOG:log' input_side_packet: 'SCRIPT:script_",
                      name, "' } input_side_packet: 'script_", name, "' ");
    }
    return graph;
  }
  static std::string Root(absl::string_view type, absl::string_view options) {
    return Inner("root", type, options, /*is_root=*/true);
  }
  static std::string Inner(absl::string_view name, absl::string_view type,
                           absl::string_view options, bool is_root = false) {
    return absl::StrCat(
        "node { name: '", name, "' calculator: '", type,
        "' options { [syncline.BehaviorCalculatorOptions.ext] { ", options,
        " } } ",
        is_root
            ? "condition { type: 'BehaviorCondition' options { "
              "[syncline.BehaviorConditionOptions.ext] { is_root: true } } }"
            : "",
        " } ");
  }

  std::vector<std::string> Run(
      absl::string_view root, absl::string_view inner,
      const std::vector<std::pair<std::string, std::string>>& leaves) {
    auto log = std::make_shared<Log>();
    GraphHarness graph(Graph(root, inner, leaves), GetParam());
    graph.SetSidePacket("log", MakePacket<std::shared_ptr<Log>>(log));
    for (const auto& [name, script] : leaves) {
      graph.SetSidePacket("script_" + name, MakePacket<std::string>(script));
    }
    SYNCLINE_EXPECT_OK(graph.Run());
    return log->lines();
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(BehaviorCalculatorsTest);

TEST_P(BehaviorCalculatorsTest, ASequenceRunsItsChildrenInOrder) {
  EXPECT_THAT(
      Run(Root("SequenceBehaviorCalculator", "children: ['a', 'b', 'c']"), "",
          {{"c", "S"}, {"b", "RRF"}, {"a", "S"}}),
      ElementsAre("a=S", "b=R", "b=R", "b=F"));
}

TEST_P(BehaviorCalculatorsTest, ASelectorTriesItsChildrenInOrder) {
  EXPECT_THAT(
      Run(Root("SelectorBehaviorCalculator", "children: ['a', 'b', 'c']"), "",
          {{"a", "F"}, {"b", "RS"}, {"c", "S"}}),
      ElementsAre("a=F", "b=R", "b=S"));
}

TEST_P(BehaviorCalculatorsTest, AParallelStopsWhatItDoesNotNeedAnyMore) {
  const std::vector<std::string> lines =
      Run(Root("ParallelBehaviorCalculator",
               "children: ['a', 'b'] success_threshold: 1"),
          "", {{"a", "RRRS"}, {"b", "R"}});
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "a=S"), 1);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "a=R"), 3);
}

TEST_P(BehaviorCalculatorsTest, ARepeatGoesOnUntilItsChildFails) {
  EXPECT_THAT(Run(Root("RepeatBehaviorCalculator", "children: 'a'"), "",
                  {{"a", "SSF"}}),
              ElementsAre("a=S", "a=S", "a=F"));
}

TEST_P(BehaviorCalculatorsTest, ASwitchRunsTheChildThatWasChosen) {
  const std::vector<std::string> lines =
      Run(Root("SwitchBehaviorCalculator", "children: ['a', 'b']"), "",
          {{"a", "C"}, {"b", "S"}});
  ASSERT_GE(lines.size(), 2);
  EXPECT_EQ(lines[0], "a=C");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "b=S"), 1);
}

TEST_P(BehaviorCalculatorsTest, ATimerEndsAtItsTime) {
  EXPECT_THAT(
      Run(Root("SequenceBehaviorCalculator", "children: ['a', 'wait', 'b']"),
          Inner("wait", "TimerBehaviorCalculator", "delay: '1h'"),
          {{"a", "S"}, {"b", "S"}}),
      ElementsAre("a=S", "b=S@3600"));
}

TEST_P(BehaviorCalculatorsTest, TreesHaveManyLevels) {
  EXPECT_THAT(
      Run(Root("SequenceBehaviorCalculator", "children: ['try', 'both', 'a']"),
          Inner("try", "SelectorBehaviorCalculator", "children: ['no', 'b']") +
              Inner("no", "ConstantBehaviorCalculator",
                    "constant_status: FAILURE") +
              Inner("both", "ParallelBehaviorCalculator",
                    "children: ['yes', 'c']") +
              Inner("yes", "ConstantBehaviorCalculator", ""),
          {{"a", "S"}, {"b", "S"}, {"c", "RS"}}),
      ElementsAre("b=S", "c=R", "c=S", "a=S"));
}

TEST_P(BehaviorCalculatorsTest, OptionsOfAnotherKindAreRefused) {
  const struct {
    const char* type;
    const char* options;
    const char* why;
  } cases[] = {
      {"SequenceBehaviorCalculator", "delay: '1s'",
       "\"delay\" does not belong"},
      {"ConstantBehaviorCalculator", "children: 'a'",
       "\"children\" does not belong"},
      {"ParallelBehaviorCalculator", "success_threshold: -2",
       "success_threshold is -2"},
      {"RepeatBehaviorCalculator", "", "has 0 children"},
      {"SwitchBehaviorCalculator", "children: 'a' desired_behavior: 1",
       "desired_behavior is 1"},
      {"TimerBehaviorCalculator", "", "a period is missing"},
      {"TimerBehaviorCalculator", "delay: '1 jiffy'", "its unit is none of"},
      {"SelectorBehaviorCalculator", "s_term: ''", "s_term is empty"},
  };
  for (const auto& [type, options, why] : cases) {
    GraphHarness graph(Graph(Root(type, options), "", {}), GetParam());
    EXPECT_THAT(graph.Initialize(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(why)))
        << type << " " << options;
  }
}

// With a clock that advances only when the graph is idle, this would run for
// ever.
TEST_P(BehaviorCalculatorsTest, ATreeThatIsItsOwnDescendantIsRefused) {
  GraphHarness graph(
      Graph(Root("SequenceBehaviorCalculator", "children: ['try', 'a']"),
            Inner("try", "SelectorBehaviorCalculator",
                  "children: ['a', 'root/BehaviorCondition']"),
            {{"a", "F"}}),
      GetParam());
  EXPECT_THAT(graph.Initialize(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"root/BehaviorCondition\" starts "
                                 "\"try/BehaviorCondition\" starts "
                                 "\"root/BehaviorCondition\"")));
}

TEST_P(BehaviorCalculatorsTest, AChildThatDoesNotExistIsAnError) {
  GraphHarness graph(
      Graph(Root("SequenceBehaviorCalculator", "children: 'nobody'"), "", {}),
      GetParam());
  graph.SetSidePacket("log", MakePacket<std::shared_ptr<Log>>());
  EXPECT_THAT(graph.Run().message(), HasSubstr("nobody"));
}

}  // namespace
}  // namespace syncline
