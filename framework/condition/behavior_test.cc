// What each behaviour decides, when the node of one is called, and that a tree
// of them ends as its leaves say, in whatever order they are called.
#include "framework/condition/behavior.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/condition/behavior_condition.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_test_support.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr BehaviorStatus I = BehaviorStatus::kInactive;
constexpr BehaviorStatus R = BehaviorStatus::kRunning;
constexpr BehaviorStatus S = BehaviorStatus::kSuccess;
constexpr BehaviorStatus F = BehaviorStatus::kFailure;

using Statuses = std::vector<BehaviorStatus>;
using Children = std::vector<int>;

// A decision as (status, start, stop).
void ExpectStep(const BehaviorStep& step, BehaviorStatus status,
                const Children& start = {}, const Children& stop = {}) {
  EXPECT_EQ(BehaviorStatusName(step.status), BehaviorStatusName(status));
  EXPECT_EQ(step.start, start);
  EXPECT_EQ(step.stop, stop);
}

TEST(SequenceTest, TakesItsChildrenInOrderUntilOneFails) {
  ExpectStep(DecideSequence(Statuses{}), S);
  ExpectStep(DecideSequence(Statuses{I, I}), R, {0});
  ExpectStep(DecideSequence(Statuses{R, I}), R);
  ExpectStep(DecideSequence(Statuses{S, I}), R, {1});
  ExpectStep(DecideSequence(Statuses{S, R}), R);
  ExpectStep(DecideSequence(Statuses{S, S}), S);
  ExpectStep(DecideSequence(Statuses{F, I}), F);
  ExpectStep(DecideSequence(Statuses{S, F}), F);
}

TEST(SelectorTest, TakesItsChildrenInOrderUntilOneSucceeds) {
  ExpectStep(DecideSelector(Statuses{}), F);
  ExpectStep(DecideSelector(Statuses{I, I}), R, {0});
  ExpectStep(DecideSelector(Statuses{R, I}), R);
  ExpectStep(DecideSelector(Statuses{S, I}), S);
  ExpectStep(DecideSelector(Statuses{F, I}), R, {1});
  ExpectStep(DecideSelector(Statuses{F, S}), S);
  ExpectStep(DecideSelector(Statuses{F, F}), F);
}

TEST(ParallelTest, EndsWhenEnoughOfItsChildrenHave) {
  const ParallelThresholds all;
  ExpectStep(DecideParallel(all, Statuses{}), S);
  ExpectStep(DecideParallel(all, Statuses{I, I, I}), R, {0, 1, 2});
  ExpectStep(DecideParallel(all, Statuses{R, S, R}), R);
  ExpectStep(DecideParallel(all, Statuses{S, S, S}), S);
  ExpectStep(DecideParallel(all, Statuses{F, F, F}), F);
  ExpectStep(DecideParallel(all, Statuses{F, F, S}), F);
  ExpectStep(DecideParallel(all, Statuses{F, R, S}), R);

  const ParallelThresholds some{.success = 2, .failure = 1};
  ExpectStep(DecideParallel(some, Statuses{S, R, R}), R);
  ExpectStep(DecideParallel(some, Statuses{S, R, S}), S, {}, {1});
  ExpectStep(DecideParallel(some, Statuses{R, F, R}), F, {}, {0, 2});
  ExpectStep(DecideParallel(some, Statuses{S, F, S}), S);
  ExpectStep(DecideParallel({.success = 0}, Statuses{I, R}), S, {}, {1});
  ExpectStep(DecideParallel({.failure = 0}, Statuses{I, I}), F);
}

TEST(ParallelTest, ThresholdsAreNumbersOfChildren) {
  SYNCLINE_EXPECT_OK(CheckParallel({}, 0));
  SYNCLINE_EXPECT_OK(CheckParallel({.success = 0, .failure = 3}, 3));
  EXPECT_THAT(CheckParallel({.success = -2}, 3),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("success_threshold is -2; with 3 children")));
  EXPECT_THAT(CheckParallel({.failure = 4}, 3),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("failure_threshold is 4")));
}

TEST(RepeatTest, StartsItsChildAgain) {
  for (const bool after_failure : {false, true}) {
    ExpectStep(DecideRepeat(after_failure, Statuses{I}), R, {0});
    ExpectStep(DecideRepeat(after_failure, Statuses{R}), R);
    ExpectStep(DecideRepeat(after_failure, Statuses{S}), R, {0});
  }
  ExpectStep(DecideRepeat(false, Statuses{F}), F);
  ExpectStep(DecideRepeat(true, Statuses{F}), R, {0});
}

TEST(SwitchTest, RunsTheChildThatWasChosen) {
  ExpectStep(DecideSwitch(1, Statuses{I, I}), R, {1});
  ExpectStep(DecideSwitch(1, Statuses{I, R}), R);
  ExpectStep(DecideSwitch(1, Statuses{I, S}), S);
  ExpectStep(DecideSwitch(1, Statuses{S, F}), F);
  ExpectStep(DecideSwitch(0, Statuses{I, R}), R, {0}, {1});
  ExpectStep(DecideSwitch(0, Statuses{S, R}), S, {}, {1});
  for (const std::int64_t none : {std::int64_t{2}, std::int64_t{-1},
                                  std::numeric_limits<std::int64_t>::max()}) {
    ExpectStep(DecideSwitch(none, Statuses{I, R}), F, {}, {1});
  }
}

TEST(TimerTest, RunsForItsTime) {
  EXPECT_EQ(DecideTimer(100, 50, S, 100).status, R);
  EXPECT_EQ(DecideTimer(100, 50, S, 100).target_ns, 150);
  EXPECT_EQ(DecideTimer(100, 50, S, 149).status, R);
  EXPECT_EQ(DecideTimer(100, 50, S, 150).status, S);
  EXPECT_EQ(DecideTimer(100, 50, F, 151).status, F);
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(DecideTimer(100, kMax, F, 151).target_ns, kMax);
}

TEST(FailureRepeatTest, RepeatsSoOftenAndThenStopsTheNode) {
  FailureRepeat twice({.max_repeat_count = 2});
  using Next = FailureRepeat::Next;
  EXPECT_EQ(twice.AfterTick(R).next, Next::kGoOn);
  EXPECT_EQ(twice.AfterTick(F).next, Next::kRepeat);
  EXPECT_EQ(twice.AfterTick(F).status, F);
  EXPECT_EQ(twice.failures(), 2);
  const FailureRepeat::Verdict last = twice.AfterTick(F);
  EXPECT_EQ(last.next, Next::kStop);
  EXPECT_EQ(last.status, F);
  EXPECT_EQ(twice.AfterTick(S).next, Next::kGoOn);
  EXPECT_EQ(twice.AfterTick(S).status, S);
}

TEST(FailureRepeatTest, MayCallARepeatedFailureRunning) {
  FailureRepeat repeat({.max_repeat_count = 1, .running_if_repeated = true});
  EXPECT_EQ(repeat.AfterTick(F).status, R);
  EXPECT_EQ(repeat.AfterTick(F).status, F);
  FailureRepeat none({});
  EXPECT_EQ(none.AfterTick(F).next, FailureRepeat::Next::kStop);
  FailureRepeat forever({.max_repeat_count = -1});
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(forever.AfterTick(F).next, FailureRepeat::Next::kRepeat);
  }
}

// --- BehaviorCondition

struct Node : ConditionUnderTest<BehaviorCondition> {
  explicit Node(absl::string_view options)
      : ConditionUnderTest("BehaviorConditionOptions", options) {}

  // A tick that reports, or not if kInactive.
  void Tick(BehaviorStatus report) {
    ASSERT_EQ(State(), ConditionState::kReady);
    ASSERT_TRUE(Dispatch());
    (**this).BeforeExecute();
    if (report != I) (**this).Report(report);
    SYNCLINE_ASSERT_OK((**this).OnExecute(0));
  }
};

TEST(BehaviorConditionTest, ARootRunsAtOnceAndClosesWhenItHasEnded) {
  for (const BehaviorStatus end : {S, F}) {
    Node root("is_root: true");
    SYNCLINE_ASSERT_OK(root.Begin());
    EXPECT_EQ(root->behavior_status(), R);
    root.Tick(R);
    EXPECT_EQ(root.State(), ConditionState::kReady) << "again at once";
    root.Tick(end);
    EXPECT_EQ(root->behavior_status(), end);
    EXPECT_EQ(root.State(), ConditionState::kNever);
  }
}

TEST(BehaviorConditionTest, AnotherNodeWaitsUntilItIsStarted) {
  Node node("");
  SYNCLINE_ASSERT_OK(node.Begin());
  int ends = 0;
  const Listener listener = node->AddEndListener([&] { ++ends; });
  EXPECT_EQ(node.State(), ConditionState::kWait);
  node->Wake();
  EXPECT_EQ(node.State(), ConditionState::kWait) << "it does not run";
  node->StartBehavior();
  EXPECT_EQ(node.notifications(), 1);
  node.Tick(I);
  EXPECT_EQ(node->behavior_status(), S) << "without a report, a success";
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(node.State(), ConditionState::kWait);
  node->StartBehavior();
  node.Tick(F);
  EXPECT_EQ(node->behavior_status(), F);
  EXPECT_EQ(ends, 2);
}

TEST(BehaviorConditionTest, ANodeMayWaitForATimeOrToBeWoken) {
  Node node("is_root: true");
  SYNCLINE_ASSERT_OK(node.Begin());
  const auto tick_and_wait = [&](std::int64_t target_ns) {
    ASSERT_TRUE(node.Dispatch());
    node->BeforeExecute();
    node->ReportWaiting(target_ns);
    SYNCLINE_ASSERT_OK(node->OnExecute(0));
  };
  tick_and_wait(100);
  EXPECT_EQ(node.Target(), 100);
  node.At(100);
  EXPECT_EQ(node.State(), ConditionState::kReady);
  tick_and_wait(ConditionResult::kNoTarget);
  EXPECT_EQ(node.State(), ConditionState::kWait);
  node->Wake();
  EXPECT_EQ(node.State(), ConditionState::kReady);
}

TEST(BehaviorConditionTest, WhatATickOfAnOlderTimeReportsIsDropped) {
  Node node("");
  SYNCLINE_ASSERT_OK(node.Begin());
  node->StartBehavior();
  ASSERT_TRUE(node.Dispatch());
  node->BeforeExecute();
  EXPECT_TRUE(node->is_first_tick());
  node->StopBehavior();
  node->StartBehavior();
  node->Report(F);
  SYNCLINE_ASSERT_OK(node->OnExecute(0));
  EXPECT_EQ(node->behavior_status(), R);
  ASSERT_TRUE(node.Dispatch());
  node->BeforeExecute();
  EXPECT_TRUE(node->is_first_tick());
  node->StopBehavior();
  SYNCLINE_ASSERT_OK(node->OnExecute(0));
  EXPECT_EQ(node->behavior_status(), I);
  EXPECT_EQ(node.State(), ConditionState::kWait);
}

TEST(BehaviorConditionTest, FailuresAreRepeatedAndThenCloseTheNode) {
  Node node("max_repeat_count: 1 return_behavior_running_if_failure_repeat: 1");
  SYNCLINE_ASSERT_OK(node.Begin());
  int ends = 0;
  const Listener listener = node->AddEndListener([&] { ++ends; });
  node->StartBehavior();
  node.Tick(F);
  EXPECT_EQ(node->behavior_status(), R);
  EXPECT_EQ(ends, 0);
  node.Tick(F);
  EXPECT_EQ(node->behavior_status(), F);
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(node.State(), ConditionState::kNever);
  node->StartBehavior();
  EXPECT_EQ(ends, 2) << "its parent is not left waiting";
  EXPECT_EQ(node.State(), ConditionState::kNever);
}

TEST(BehaviorConditionTest, ATreeThatHasEndedClosesItsNodes) {
  Node node("");
  SYNCLINE_ASSERT_OK(node.Begin());
  node->EndForGood();
  EXPECT_EQ(node.State(), ConditionState::kNever);
  SYNCLINE_ASSERT_OK(node.Start());
  EXPECT_EQ(node.State(), ConditionState::kWait) << "the next run starts anew";
}

TEST(BehaviorConditionTest, AChoiceIsSeenByTheNextTick) {
  Node node("is_root: true");
  SYNCLINE_ASSERT_OK(node.Begin());
  EXPECT_EQ(node->choice(), absl::nullopt);
  ASSERT_TRUE(node.Dispatch());
  node->BeforeExecute();
  node->ReportWaiting();
  SYNCLINE_ASSERT_OK(node->OnExecute(0));
  EXPECT_EQ(node.State(), ConditionState::kWait);
  node->Choose(2);
  EXPECT_EQ(node.State(), ConditionState::kReady);
  EXPECT_EQ(node->choice(), 2);
}

TEST(BehaviorConditionTest, IsFoundByTheNameOfGxfAndRefusesHalfAController) {
  EXPECT_TRUE(ConditionRegistry::IsRegistered("BTSchedulingTerm"));
  Node node("return_behavior_running_if_failure_repeat: true");
  EXPECT_THAT(node.Initialize(), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("max_repeat_count")));
}

// --- Trees, against what they mean.

// A tree of sequences, selectors and parallels over leaves that end in so many
// ticks.
struct Tree {
  enum Kind { kLeaf, kSequence, kSelector, kParallel } kind = kLeaf;
  BehaviorStatus leaf = S;
  int ticks = 1;
  ParallelThresholds thresholds;
  std::vector<Tree> children;
  // Of the run.
  BehaviorStatus status = I;
  int ticks_left = 0;
};

Tree RandomTree(std::mt19937& random, int depth) {
  Tree tree;
  tree.kind = depth == 0 ? Tree::kLeaf : static_cast<Tree::Kind>(random() % 4);
  tree.leaf = random() % 2 == 0 ? S : F;
  tree.ticks = 1 + random() % 3;
  if (tree.kind == Tree::kLeaf) return tree;
  for (int i = random() % 4; i > 0; --i) {
    tree.children.push_back(RandomTree(random, depth - 1));
  }
  const int count = static_cast<int>(tree.children.size());
  // Not below 1: with 0 no child is started.
  if (count > 0 && random() % 2 == 0) {
    tree.thresholds = {.success = 1 + static_cast<int>(random() % count)};
  }
  return tree;
}

void SetInactive(Tree& tree) {
  tree.status = I;
  for (Tree& child : tree.children) SetInactive(child);
}

void Start(Tree& tree) {
  SetInactive(tree);
  tree.status = R;
  tree.ticks_left = tree.ticks;
}

void Tick(Tree& tree) {
  if (tree.kind == Tree::kLeaf) {
    if (--tree.ticks_left == 0) tree.status = tree.leaf;
    return;
  }
  for (Tree& child : tree.children) {
    if (child.status == R) Tick(child);
  }
  Statuses statuses;
  for (const Tree& child : tree.children) statuses.push_back(child.status);
  const BehaviorStep step = tree.kind == Tree::kSequence
                                ? DecideSequence(statuses)
                            : tree.kind == Tree::kSelector
                                ? DecideSelector(statuses)
                                : DecideParallel(tree.thresholds, statuses);
  tree.status = step.status;
  for (const int i : step.start) {
    ASSERT_NE(tree.children[i].status, R) << "starts what runs";
    Start(tree.children[i]);
  }
  for (const int i : step.stop) {
    ASSERT_EQ(tree.children[i].status, R) << "stops what does not run";
    SetInactive(tree.children[i]);
  }
  if (tree.status == R) return;
  for (const Tree& child : tree.children) {
    ASSERT_NE(child.status, R) << "ends while a child runs";
  }
}

// How a tree without early ends of parallels has to end.
BehaviorStatus Meaning(const Tree& tree) {
  std::int64_t successes = 0;
  for (const Tree& child : tree.children) {
    const BehaviorStatus status = Meaning(child);
    if (tree.kind == Tree::kSequence && status == F) return F;
    if (tree.kind == Tree::kSelector && status == S) return S;
    if (status == S) ++successes;
  }
  switch (tree.kind) {
    case Tree::kLeaf:
      return tree.leaf;
    case Tree::kSequence:
      return S;
    case Tree::kSelector:
      return F;
    case Tree::kParallel:
      break;
  }
  const std::int64_t count = static_cast<std::int64_t>(tree.children.size());
  const std::int64_t needed =
      tree.thresholds.success < 0 ? count : tree.thresholds.success;
  return successes >= needed ? S : F;
}

TEST(BehaviorTreeTest, ATreeEndsAsItsLeavesSay) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    Tree tree = RandomTree(random, 4);
    Start(tree);
    int ticks = 0;
    while (tree.status == R) {
      Tick(tree);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "tree " << i;
      ASSERT_LT(++ticks, 10'000) << "tree " << i;
    }
    ASSERT_EQ(BehaviorStatusName(tree.status),
              BehaviorStatusName(Meaning(tree)))
        << "tree " << i;
  }
}

// A tree whose nodes have conditions, as in a graph, which calls them one at a
// time in any order.
class TreeInAGraph {
 public:
  TreeInAGraph(Tree* root, std::mt19937* random) : random_(*random) {
    Add(root, "is_root: true");
  }

  // How the root ends.
  BehaviorStatus Run() {
    for (int ticks = 0; ticks < 100'000; ++ticks) {
      std::vector<Member*> ready;
      for (const auto& member : members_) {
        if (member->node->State() == ConditionState::kReady) {
          ready.push_back(member.get());
        }
      }
      if (ready.empty()) break;
      Call(*ready[random_() % ready.size()]);
    }
    return Condition(*members_.back())->behavior_status();
  }

  // Once the root has closed, every other node has to.
  void ExpectAllClose() {
    for (std::size_t i = members_.size(); i-- > 0;) {
      EXPECT_EQ(members_[i]->node->State(), ConditionState::kNever);
      members_[i]->children->EndForGood();
    }
  }

 private:
  struct Member {
    Tree* tree;
    std::shared_ptr<Node> node;
    std::unique_ptr<BehaviorChildren> children;
    int ticks_left = 0;
  };

  static std::shared_ptr<BehaviorCondition> Condition(const Member& member) {
    return {member.node, &**member.node};
  }

  // Children come before their parents.
  Member* Add(Tree* tree, absl::string_view options) {
    std::vector<std::shared_ptr<BehaviorCondition>> children;
    for (Tree& child : tree->children) {
      children.push_back(Condition(*Add(&child, "")));
    }
    auto member = std::make_unique<Member>();
    member->tree = tree;
    member->node = std::make_shared<Node>(options);
    EXPECT_TRUE(member->node->Begin().ok());
    member->children = std::make_unique<BehaviorChildren>(Condition(*member),
                                                          std::move(children));
    members_.push_back(std::move(member));
    return members_.back().get();
  }

  void Call(Member& member) {
    const std::shared_ptr<BehaviorCondition> condition = Condition(member);
    ASSERT_TRUE(member.node->Dispatch());
    condition->BeforeExecute();
    Tick(member, *condition);
    SYNCLINE_ASSERT_OK(condition->OnExecute(0));
  }

  void Tick(Member& member, BehaviorCondition& condition) {
    const Tree& tree = *member.tree;
    if (tree.kind == Tree::kLeaf) {
      if (condition.is_first_tick()) member.ticks_left = tree.ticks;
      condition.Report(--member.ticks_left > 0 ? R : tree.leaf);
      return;
    }
    if (!member.children->Begin()) return;
    const BehaviorStatuses statuses = member.children->Statuses();
    member.children->End(tree.kind == Tree::kSequence ? DecideSequence(statuses)
                         : tree.kind == Tree::kSelector
                             ? DecideSelector(statuses)
                             : DecideParallel(tree.thresholds, statuses));
  }

  std::mt19937& random_;
  std::vector<std::unique_ptr<Member>> members_;
};

TEST(BehaviorTreeTest, NodesWithConditionsEndAsTheTreeDoesInAnyOrder) {
  std::mt19937 random(9);
  for (int i = 0; i < 500; ++i) {
    Tree tree = RandomTree(random, 4);
    TreeInAGraph graph(&tree, &random);
    ASSERT_EQ(BehaviorStatusName(graph.Run()),
              BehaviorStatusName(Meaning(tree)))
        << "tree " << i;
    graph.ExpectAllClose();
  }
}

}  // namespace
}  // namespace syncline
