// The inner nodes of behaviour trees, as in GXF. These have children:
// SequenceBehaviorCalculator, SelectorBehaviorCalculator,
// ParallelBehaviorCalculator, RepeatBehaviorCalculator and
// SwitchBehaviorCalculator. These have none: ConstantBehaviorCalculator and
// TimerBehaviorCalculator.
//
//   node {
//     name: "root"
//     calculator: "SequenceBehaviorCalculator"
//     options { [syncline.BehaviorCalculatorOptions.ext] {
//       children: "look" children: "grasp" } }
//     condition { type: "BehaviorCondition" options {
//       [syncline.BehaviorConditionOptions.ext] { is_root: true } } }
//   }
//   node { name: "look" calculator: "LookCalculator" }       # leaves of yours
//   node { name: "grasp" calculator: "GraspCalculator" }
//
// A leaf is a calculator that asks for the condition in its contract,
// cc->AddCondition("BehaviorCondition"), and reports its state through the
// condition. No node of a tree needs streams: parents start their children, and
// are called when a child has ended. framework/condition/behavior.h describes
// what each kind decides. When the root has ended, the whole tree closes.
//
// Thread rule: one object per node, one call at a time.
// Tested by behavior_calculators_test.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "calculators/behavior/behavior_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/conditions.h"
#include "framework/graph_clock.h"
#include "google/protobuf/descriptor.h"

namespace syncline {
namespace {

using Options = BehaviorCalculatorOptions;

// Refuses options that this kind does not use, so that no option is ignored
// silently.
absl::Status CheckFields(const Options& options,
                         absl::Span<const absl::string_view> allowed) {
  std::vector<const google::protobuf::FieldDescriptor*> given;
  options.GetReflection()->ListFields(options, &given);
  for (const auto* const field : given) {
    if (field->name() == "s_term") continue;
    if (absl::c_linear_search(allowed, field->name())) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "The option \"", field->name(),
        "\" does not belong to this kind of behaviour. Remove it."));
  }
  return absl::OkStatus();
}

BehaviorStatus StatusOf(Options::Status status) {
  return status == Options::FAILURE ? BehaviorStatus::kFailure
                                    : BehaviorStatus::kSuccess;
}

absl::Status AddOwnCondition(CalculatorContract* cc) {
  const std::string& name = cc->Options<Options>().s_term();
  if (name.empty()) {
    return absl::InvalidArgumentError("s_term is empty. Leave it out.");
  }
  cc->AddCondition("BehaviorCondition", name);
  return absl::OkStatus();
}

// A child is given by the name of its node, or with the name of its condition
// too.
std::string ConditionOfChild(const std::string& child) {
  return absl::StrContains(child, '/')
             ? child
             : absl::StrCat(child, "/BehaviorCondition");
}

absl::Status AddConditionOfParent(CalculatorContract* cc) {
  const Options& options = cc->Options<Options>();
  for (const std::string& child : options.children()) {
    cc->SetConditionChild(options.s_term(), ConditionOfChild(child));
  }
  return AddOwnCondition(cc);
}

// A calculator with children. The kinds differ only in their decision.
class ParentBehavior : public CalculatorBase {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    const Options& options = cc->Options<Options>();
    condition_ = cc->Condition<BehaviorCondition>(options.s_term());
    std::vector<std::shared_ptr<BehaviorCondition>> children;
    for (const std::string& child : options.children()) {
      children.push_back(
          cc->Condition<BehaviorCondition>(ConditionOfChild(child)));
    }
    children_.emplace(condition_, std::move(children));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (!children_->Begin()) return absl::OkStatus();
    children_->End(Decide(cc->Options<Options>(), children_->Statuses()));
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext*) override {
    children_->EndForGood();
    return absl::OkStatus();
  }

 protected:
  virtual BehaviorStep Decide(const Options& options,
                              BehaviorStatuses children) = 0;

  BehaviorCondition& condition() { return *condition_; }

 private:
  std::shared_ptr<BehaviorCondition> condition_;
  absl::optional<BehaviorChildren> children_;
};

// Kinds that have children and no further options.
template <BehaviorStep (*decide)(BehaviorStatuses)>
class OrderedBehavior : public ParentBehavior {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(CheckFields(cc->Options<Options>(), {"children"}));
    return AddConditionOfParent(cc);
  }

 protected:
  BehaviorStep Decide(const Options&, BehaviorStatuses children) override {
    return decide(children);
  }
};

}  // namespace

class SequenceBehaviorCalculator : public OrderedBehavior<DecideSequence> {};
REGISTER_CALCULATOR(SequenceBehaviorCalculator);

class SelectorBehaviorCalculator : public OrderedBehavior<DecideSelector> {};
REGISTER_CALCULATOR(SelectorBehaviorCalculator);

class ParallelBehaviorCalculator : public ParentBehavior {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const Options& options = cc->Options<Options>();
    SYNCLINE_RETURN_IF_ERROR(CheckFields(
        options, {"children", "success_threshold", "failure_threshold"}));
    SYNCLINE_RETURN_IF_ERROR(
        CheckParallel(Thresholds(options), options.children_size()));
    return AddConditionOfParent(cc);
  }

 protected:
  BehaviorStep Decide(const Options& options,
                      BehaviorStatuses children) override {
    return DecideParallel(Thresholds(options), children);
  }

 private:
  static ParallelThresholds Thresholds(const Options& options) {
    return {options.success_threshold(), options.failure_threshold()};
  }
};
REGISTER_CALCULATOR(ParallelBehaviorCalculator);

class RepeatBehaviorCalculator : public ParentBehavior {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const Options& options = cc->Options<Options>();
    SYNCLINE_RETURN_IF_ERROR(
        CheckFields(options, {"children", "repeat_after_failure"}));
    if (options.children_size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "RepeatBehaviorCalculator has ", options.children_size(),
          " children. Give it one; a SequenceBehaviorCalculator has "
          "several."));
    }
    return AddConditionOfParent(cc);
  }

 protected:
  BehaviorStep Decide(const Options& options,
                      BehaviorStatuses children) override {
    return DecideRepeat(options.repeat_after_failure(), children);
  }
};
REGISTER_CALCULATOR(RepeatBehaviorCalculator);

class SwitchBehaviorCalculator : public ParentBehavior {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const Options& options = cc->Options<Options>();
    SYNCLINE_RETURN_IF_ERROR(
        CheckFields(options, {"children", "desired_behavior"}));
    if (options.desired_behavior() < 0 ||
        options.desired_behavior() >= options.children_size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "desired_behavior is ", options.desired_behavior(), "; the node has ",
          options.children_size(), " children, which count from 0."));
    }
    return AddConditionOfParent(cc);
  }

 protected:
  BehaviorStep Decide(const Options& options,
                      BehaviorStatuses children) override {
    return DecideSwitch(
        condition().choice().value_or(options.desired_behavior()), children);
  }
};
REGISTER_CALCULATOR(SwitchBehaviorCalculator);

class ConstantBehaviorCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(
        CheckFields(cc->Options<Options>(), {"constant_status"}));
    return AddOwnCondition(cc);
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Options& options = cc->Options<Options>();
    cc->Condition<BehaviorCondition>(options.s_term())
        ->Report(StatusOf(options.constant_status()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ConstantBehaviorCalculator);

class TimerBehaviorCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const Options& options = cc->Options<Options>();
    SYNCLINE_RETURN_IF_ERROR(CheckFields(options, {"delay", "switch_status"}));
    SYNCLINE_RETURN_IF_ERROR(ParsePeriodNs("delay", options.delay()).status());
    return AddOwnCondition(cc);
  }

  absl::Status Open(CalculatorContext* cc) override {
    const Options& options = cc->Options<Options>();
    condition_ = cc->Condition<BehaviorCondition>(options.s_term());
    SYNCLINE_ASSIGN_OR_RETURN(delay_ns_,
                              ParsePeriodNs("delay", options.delay()));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const std::int64_t now_ns = cc->Clock()->NowNs();
    if (condition_->is_first_tick()) started_ns_ = now_ns;
    const TimerStep step =
        DecideTimer(started_ns_, delay_ns_,
                    StatusOf(cc->Options<Options>().switch_status()), now_ns);
    if (step.status == BehaviorStatus::kRunning) {
      condition_->ReportWaiting(step.target_ns);
    } else {
      condition_->Report(step.status);
    }
    return absl::OkStatus();
  }

 private:
  std::shared_ptr<BehaviorCondition> condition_;
  std::int64_t delay_ns_ = 0;
  std::int64_t started_ns_ = 0;
};
REGISTER_CALCULATOR(TimerBehaviorCalculator);

}  // namespace syncline
