// CallOrder: writes down who was called, in order.
//
//   GraphHarness graph("input_stream: 'in'" +
//                      LambdaNode("a", "input_stream: 'in'") +
//                      LambdaNode("b", "input_stream: 'in'"), GetParam());
//   CallOrder order;
//   graph.SetFunction("a", order.Of("a"));
//   graph.SetFunction("b", order.Of("b"));
//   ...
//   EXPECT_EQ(order.Take(), "b a");
//
// Thread rule: functions run on any thread; Take may be called by any.

#ifndef SYNCLINE_TESTING_SCENARIOS_CALL_ORDER_H_
#define SYNCLINE_TESTING_SCENARIOS_CALL_ORDER_H_

#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "testing/lifetimes.h"
#include "testing/test_calculators.h"

namespace syncline {

// The text of a node whose Process does what side packet `name` says; `more` is
// the rest of it, such as its streams.
inline std::string LambdaNode(absl::string_view name, absl::string_view more) {
  return absl::Substitute(
      "node { calculator: 'LambdaCalculator' name: '$0'"
      "       input_side_packet: 'PROCESS:$0' $1 }",
      name, more);
}

class CallOrder {
 public:
  void Note(absl::string_view name) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    absl::StrAppend(&order_, order_.empty() ? "" : " ", name);
  }
  // Notes the call, and passes an int at the input timestamp to all outputs.
  LambdaFunction Of(std::string name) {
    return [this, name = std::move(name)](CalculatorContext* cc) {
      Note(name);
      for (OutputStream& output : cc->Outputs()) {
        output.AddPacket(MakeCounted<int>(1).At(cc->InputTimestamp()));
      }
      return absl::OkStatus();
    };
  }
  // The names, separated by blanks; starts anew.
  std::string Take() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return std::exchange(order_, "");
  }

 private:
  Mutex mutex_;
  std::string order_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SCENARIOS_CALL_ORDER_H_
