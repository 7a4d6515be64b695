// What a node waits for that has a call in flight: for its own call to return,
// for an observer of its stream, or for a thread.
//
// Thread rule: pure functions.
// Tested by call_step_test.

#ifndef SYNCLINE_FRAMEWORK_REPORT_CALL_STEP_H_
#define SYNCLINE_FRAMEWORK_REPORT_CALL_STEP_H_

#include <string>

#include "absl/strings/string_view.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/run_view.h"
#include "framework/report/wait_step.h"

namespace syncline {

// 1500000 as 1,500,000; special timestamps by their names.
std::string TimeText(Timestamp time);

// Where the packets of the stream go that is observed, as the observer says;
// empty if none does.
std::string ObserverName(const RunView& view, int stream);
// What to do where it takes no more.
std::string FullObserverAdvice(absl::string_view name);

// The call that a thread is in for `node`; null: no thread is.
const RunView::Call* FindCall(const RunView& view, int node);

// REQUIRES: the node has a call in flight.
WaitStep CallStep(const GraphPlan& plan, const RunView& view, int node);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_CALL_STEP_H_
