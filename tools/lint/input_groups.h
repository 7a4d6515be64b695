// Which inputs of a node wait for each other, by its input stream handler.
//
//   Default, Latest, ...        {A, B, C}            one call needs all of them
//   SyncSet {A B}               {A, B}, {C}
//   Immediate, ArrivalOrder     {A}, {B}, {C}        nobody waits
//
// A handler that the framework does not have is taken for one that never makes
// an input wait for another, so that no rule speaks of what it does not know.
//
// Thread rule: pure functions.
// Tested by input_groups_test.

#ifndef SYNCLINE_TOOLS_LINT_INPUT_GROUPS_H_
#define SYNCLINE_TOOLS_LINT_INPUT_GROUPS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

// Input ports; each port of the node is in one group.
using InputGroups = std::vector<std::vector<int>>;

// Inputs of one group have to be settled up to the time of a call: none may
// fall behind the others for ever.
InputGroups SettledTogether(const PlanNode& node);

// Inputs of one group have to have a packet, or to be settled at the time of
// one, before the first call that is made for this group.
InputGroups NeededForFirstCall(const PlanNode& node);

// The input that alone makes calls, where the others only have to be settled:
// the main stream of LatestInputStreamHandler. -1 where there is none.
int MainInput(const PlanNode& node);

// The type of the node without packages in front of it.
absl::string_view PlainType(const PlanNode& node);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_INPUT_GROUPS_H_
