// A condition with all that a node and a run give it, for tests without a node
// and a run:
//
//   ConditionUnderTest<CountCondition> count("CountConditionOptions",
//                                            "count: 2");
//   SYNCLINE_ASSERT_OK(count.Begin());
//   EXPECT_EQ(count.State(), ConditionState::kReady);
//   count.Call();
//
// Thread rule: used by one thread.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_CONDITION_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_CONDITION_CONDITION_TEST_SUPPORT_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/graph_clock.h"
#include "framework/condition/condition.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/memory/allocator.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {

struct CountingListener : ConditionListener {
  void OnConditionChanged() override { ++count; }
  std::atomic<int> count{0};
};

template <typename T>
class ConditionUnderTest {
 public:
  // For a condition without options.
  ConditionUnderTest() = default;
  // `options` is the text of the message `extension`.
  ConditionUnderTest(absl::string_view extension, absl::string_view options) {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        absl::StrCat("[syncline.", extension, ".ext] {", options, "}"),
        &options_));
  }

  // --- The node, before Initialize.
  void AddInput(absl::string_view tag) {
    inputs_.push_back({std::string(tag), 0, absl::StrCat("in_", tag)});
    facts_.emplace_back();
  }
  void AddOutput(absl::string_view tag) {
    outputs_.push_back({std::string(tag), 0, absl::StrCat("out_", tag)});
    output_facts_.emplace_back();
  }
  void AddAllocator(std::shared_ptr<Allocator> allocator) {
    allocator_names_.push_back(allocator->name());
    allocators_[allocator->name()] = std::move(allocator);
  }

  absl::Status Initialize() {
    setup_ = std::make_unique<ConditionSetup>(&options_, inputs_, outputs_,
                                              allocator_names_, &requests_);
    return condition_.Initialize(setup_.get());
  }
  absl::Status Start() {
    ConditionRun run;
    run.clock = &clock_;
    run.allocator = [this](absl::string_view name) {
      return allocators_[std::string(name)];
    };
    condition_.SetListener(listener_);
    return condition_.Start(run);
  }
  absl::Status Begin() {
    const absl::Status status = Initialize();
    return status.ok() ? Start() : status;
  }

  // --- What there is.
  void At(std::int64_t now_ns) { EXPECT_TRUE(clock_.AdvanceTo(now_ns).ok()); }
  NodeFacts::Input& input(int i = 0) { return facts_[i]; }
  NodeFacts::Output& output(int i = 0) { return output_facts_[i]; }
  NodeFacts Facts() {
    NodeFacts facts;
    facts.now_ns = clock_.NowNs();
    facts.inputs = facts_;
    facts.outputs = output_facts_;
    facts.has_input_set = true;
    return facts;
  }

  // --- What it says.
  absl::StatusOr<ConditionResult> Check() {
    const NodeFacts facts = Facts();
    const absl::Status status = condition_.UpdateState(facts);
    if (!status.ok()) return status;
    return condition_.Check(facts);
  }
  ConditionState State() {
    const absl::StatusOr<ConditionResult> result = Check();
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? result->state : ConditionState::kNever;
  }
  // The target of WAIT_TIME; -1 in another state.
  std::int64_t Target() {
    const absl::StatusOr<ConditionResult> result = Check();
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() && result->state == ConditionState::kWaitTime
               ? result->target_ns
               : -1;
  }
  // As a node does it; a call of another member of a group if not READY.
  bool Dispatch() {
    const absl::StatusOr<ConditionResult> result = Check();
    EXPECT_TRUE(result.ok()) << result.status();
    return *condition_.OnDispatch(Facts(), *result);
  }
  void Call() {
    ASSERT_TRUE(Dispatch());
    condition_.BeforeExecute();
    EXPECT_TRUE(condition_.OnExecute(clock_.NowNs()).ok());
  }

  int notifications() const { return listener_->count; }
  ManualClock& clock() { return clock_; }
  ConditionSetup& setup() { return *setup_; }
  const ConditionRequests& requests() const { return requests_; }
  T& operator*() { return condition_; }
  T* operator->() { return &condition_; }

 private:
  SynclineOptions options_;
  std::vector<ConditionPort> inputs_;
  std::vector<ConditionPort> outputs_;
  std::vector<std::string> allocator_names_;
  std::map<std::string, std::shared_ptr<Allocator>> allocators_;
  ConditionRequests requests_;
  std::unique_ptr<ConditionSetup> setup_;

  ManualClock clock_;
  std::vector<NodeFacts::Input> facts_;
  std::vector<NodeFacts::Output> output_facts_;
  const std::shared_ptr<CountingListener> listener_ =
      std::make_shared<CountingListener>();
  T condition_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_CONDITION_TEST_SUPPORT_H_
