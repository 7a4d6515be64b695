// The leaves of the tree: what the robot does. Each is called while the tree
// wants it to run, reports its state, and does not know the others.
#include <cstdint>
#include <iostream>

#include "framework/calculator_framework.h"
#include "framework/conditions.h"
#include "framework/graph_clock.h"

namespace syncline {
namespace {

constexpr int64_t kSecond = 1000000000;

class LeafCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->AddCondition("BehaviorCondition");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    std::cout << cc->Clock()->NowNs() / kSecond << " s, " << cc->NodeName()
              << ": ";
    Tick(cc, cc->Condition<BehaviorCondition>("BehaviorCondition").get());
    return absl::OkStatus();
  }

 protected:
  virtual void Tick(CalculatorContext* cc, BehaviorCondition* behavior) = 0;
};

}  // namespace

// Finds the dock at its third look.
class LookCalculator : public LeafCalculator {
 protected:
  void Tick(CalculatorContext*, BehaviorCondition* behavior) override {
    const bool is_seen = ++looks_ == 3;
    std::cout << (is_seen ? "there it is\n" : "no dock to be seen\n");
    behavior->Report(is_seen ? BehaviorStatus::kSuccess
                             : BehaviorStatus::kFailure);
  }

 private:
  int looks_ = 0;
};
REGISTER_CALCULATOR(LookCalculator);

class DriveStraightCalculator : public LeafCalculator {
 protected:
  void Tick(CalculatorContext*, BehaviorCondition* behavior) override {
    std::cout << "a chair is in the way\n";
    behavior->Report(BehaviorStatus::kFailure);
  }
};
REGISTER_CALCULATOR(DriveStraightCalculator);

// Drives three legs of ten seconds each.
class DriveAroundCalculator : public LeafCalculator {
 protected:
  void Tick(CalculatorContext* cc, BehaviorCondition* behavior) override {
    if (behavior->is_first_tick()) legs_ = 0;
    if (legs_ == 3) {
      std::cout << "at the dock\n";
      return;  // A tick that reports nothing is a success.
    }
    std::cout << "leg " << ++legs_ << "\n";
    behavior->ReportWaiting(cc->Clock()->NowNs() + 10 * kSecond);
  }

 private:
  int legs_ = 0;
};
REGISTER_CALCULATOR(DriveAroundCalculator);

}  // namespace syncline
