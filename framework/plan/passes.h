// The passes of Compile that nothing but compile.cc and their tests have to
// know, in their order. The top of each .cc file explains the pass.
//
// Thread rule: a pass works on the compile's own state.
// Tested by the test of each pass, and by compile_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_PASSES_H_
#define SYNCLINE_FRAMEWORK_PLAN_PASSES_H_

#include "framework/config/calculator.pb.h"
#include "framework/plan/compile_state.h"

namespace syncline {

void LowerLegacy(CompileState* state);
void LowerMerge(CompileState* state);
void LowerScheduler(CompileState* state);
// Before ConnectPorts. Fills NodeDraft::contract up to its types, and describes
// the status handlers.
void ParsePorts(CompileState* state);
void DescribeStatusHandlers(CompileState* state);
void ConnectPorts(CompileState* state);
void OrderNodes(CompileState* state);
// Fills NodeDraft::factory, contract and described. User code runs on this
// thread.
void DescribeNodes(CompileState* state);
void KeepMessageTimes(CompileState* state);
void UnifyTypes(CompileState* state);
void TraceSources(CompileState* state);
void ChooseHandlers(CompileState* state);
void CheckConditions(CompileState* state);
void TraceBounds(CompileState* state);
void CheckSettings(CompileState* state);
void CheckConditionGraph(CompileState* state);
void FinishPlan(CompileState* state);

// Whether LowerMerge made the node.
bool MergesInputs(const CalculatorGraphConfig::Node& node);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_PASSES_H_
