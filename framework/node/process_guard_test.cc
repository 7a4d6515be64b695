// Calls one after the other are guarded and named as single calls are.
#include "framework/node/process_guard.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/legacy/legacy_support.h"
#include "framework/calculator/test_support.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using Action = std::function<absl::Status()>;
using CurrentContext = LegacyCalculatorSupport::Scoped<CalculatorContext>;

class ActingCalculator : public CalculatorBase {
 public:
  explicit ActingCalculator(Action action) : action_(std::move(action)) {}
  absl::Status Process(CalculatorContext*) override { return action_(); }

 private:
  const Action action_;
};

// Nodes "first" and "second".
class ProcessGuardTest : public testing::Test {
 protected:
  ProcessGuardTest()
      : first_("calculator: 'Type' name: 'first'", [](CalculatorContract*) {}),
        second_("calculator: 'Type' name: 'second'",
                [](CalculatorContract*) {}) {}

  // The status of the guard. `interrupted_` is the context that it names.
  absl::Status Run(Action first, Action second) {
    ActingCalculator a(std::move(first));
    ActingCalculator b(std::move(second));
    ProcessGuard guard;
    absl::Status status = guard.Run([&] {
      absl::Status failure;
      const bool succeeds = guard.Succeeds(&a, &first_.context(), &failure) &&
                            guard.Succeeds(&b, &second_.context(), &failure);
      EXPECT_EQ(succeeds, failure.ok());
      return failure;
    });
    interrupted_ = guard.interrupted();
    return status;
  }

  TestNode first_;
  TestNode second_;
  CalculatorContext* interrupted_ = nullptr;
};

absl::Status Succeed() { return absl::OkStatus(); }

TEST_F(ProcessGuardTest, MakesCallsWithTheirContexts) {
  CalculatorContext outer(first_.environment());
  const CurrentContext scope(&outer);
  std::vector<CalculatorContext*> current;
  const auto note = [&] {
    EXPECT_TRUE(IsGuardedCall());
    current.push_back(CurrentContext::current());
    return absl::OkStatus();
  };
  SYNCLINE_EXPECT_OK(Run(note, note));
  EXPECT_THAT(current,
              testing::ElementsAre(&first_.context(), &second_.context()));
  EXPECT_EQ(CurrentContext::current(), &outer);
  EXPECT_FALSE(IsGuardedCall());
  EXPECT_EQ(interrupted_, nullptr);
}

// Whatever a call does, its status is that of InvokeProcess.
TEST_F(ProcessGuardTest, ErrorsAreThoseOfASingleCall) {
  const std::vector<Action> actions = {
      [] { return absl::DataLossError("broken"); },
      [] { return tool::StatusStop(); },
      []() -> absl::Status { throw std::runtime_error("thrown"); },
      []() -> absl::Status { throw 7; },
      []() -> absl::Status {
        ReportMisuse(absl::FailedPreconditionError("misused"));
      },
      [] {
        try {
          ReportMisuse(absl::FailedPreconditionError("hidden"));
        } catch (...) {
        }
        return absl::OkStatus();
      },
      []() -> absl::Status {
        try {
          ReportMisuse(absl::FailedPreconditionError("the first"));
        } catch (...) {
        }
        throw std::runtime_error("the second");
      },
  };
  for (const Action& action : actions) {
    ActingCalculator calculator(action);
    const absl::Status expected =
        InvokeProcess(&calculator, &second_.context());
    EXPECT_FALSE(expected.ok());
    EXPECT_EQ(Run(Succeed, action), expected);
    EXPECT_EQ(CurrentContext::current(), nullptr);
    EXPECT_FALSE(IsGuardedCall());
  }
}

TEST_F(ProcessGuardTest, TellsWhichCallAnExceptionHasEnded) {
  const auto throws = []() -> absl::Status { throw 7; };
  EXPECT_FALSE(Run(throws, Succeed).ok());
  EXPECT_EQ(interrupted_, &first_.context());
  EXPECT_FALSE(Run(Succeed, throws).ok());
  EXPECT_EQ(interrupted_, &second_.context());
  EXPECT_FALSE(Run(Succeed, [] { return absl::DataLossError("no"); }).ok());
  EXPECT_EQ(interrupted_, nullptr);
}

TEST_F(ProcessGuardTest, AnExceptionBetweenCallsNamesNone) {
  ActingCalculator calculator(Succeed);
  {
    ProcessGuard guard;
    const absl::Status status = guard.Run([&]() -> absl::Status {
      absl::Status failure;
      EXPECT_TRUE(guard.Succeeds(&calculator, &first_.context(), &failure));
      throw std::runtime_error("between");
    });
    EXPECT_EQ(status.message(), "An exception was thrown: between");
    EXPECT_EQ(guard.interrupted(), nullptr);
  }
  ProcessGuard guard;
  const absl::Status status = guard.Run([&]() -> absl::Status {
    ReportMisuse(absl::FailedPreconditionError("between"));
  });
  EXPECT_EQ(status, absl::FailedPreconditionError("between"));
  EXPECT_EQ(guard.interrupted(), nullptr);
}

}  // namespace
}  // namespace syncline
