// What the tests of fused nodes share.

#ifndef SYNCLINE_TESTING_SCENARIOS_FUSED_NODES_TEST_H_
#define SYNCLINE_TESTING_SCENARIOS_FUSED_NODES_TEST_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "testing/graph_harness.h"
#include "testing/scenarios/diary.h"
#include "testing/worker_counts.h"

namespace syncline {

// One suite for all files of the test.
class FusedNodesTest : public WorkersTest {};

// A function for a LambdaCalculator that writes down who was called when.
inline LambdaFunction Noting(Diary* diary, const std::string& what) {
  return [diary, what](CalculatorContext* cc) {
    diary->Add(absl::StrCat(cc->NodeName(), " ", what, " ",
                            cc->InputTimestamp().DebugString()));
    return absl::OkStatus();
  };
}

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SCENARIOS_FUSED_NODES_TEST_H_
