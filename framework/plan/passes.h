// The passes of Compile after ExpandSubgraphs, in the order in which compile.cc
// calls them. Two of them are declared in assign_executors.h. The top of each
// .cc file explains its pass.
//
// A pass does not call another pass. What one pass uses of another is in the
// compile's state, or is one of the functions after the list.
//
// Thread rule: free functions. A pass changes the state that it is given, so
// one state is for one thread at a time.
// Tested by the test of each pass, and by compile_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_PASSES_H_
#define SYNCLINE_FRAMEWORK_PLAN_PASSES_H_

#include "framework/config/calculator.pb.h"
#include "framework/plan/compile_state.h"

namespace syncline {

void LowerLegacy(CompileState* state);
void LowerMerge(CompileState* state);
void LowerScheduler(CompileState* state);
// LowerNumThreads: see assign_executors.h.
//
// Fills NodeDraft::contract up to its types, and describes the status handlers.
void ParsePorts(CompileState* state);
void ConnectPorts(CompileState* state);
void OrderNodes(CompileState* state);
// Fills NodeDraft::factory, contract and described. User code runs on this
// thread.
void DescribeNodes(CompileState* state);
void KeepMessageTimes(CompileState* state);
void UnifyTypes(CompileState* state);
void TraceSources(CompileState* state);
// AssignExecutors: see assign_executors.h.
void ChooseHandlers(CompileState* state);
void CheckConditions(CompileState* state);
void TraceBounds(CompileState* state);
void CheckSettings(CompileState* state);
void CheckConditionGraph(CompileState* state);
void FinishPlan(CompileState* state);

// --- All of them

// From LowerLegacy to CheckConditionGraph. What is wrong is noted.
void RunPasses(CompileState* state);

// --- Parts of passes

// The last part of ParsePorts.
void DescribeStatusHandlers(CompileState* state);

// Whether LowerMerge made the node; KeepMessageTimes asks.
bool MergesInputs(const CalculatorGraphConfig::Node& node);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_PASSES_H_
