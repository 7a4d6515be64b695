// What a run has done so far, for the picture of its graph.
//
//   PictureState state = MakePictureState(plan, *graph.GetGraphRuntimeInfo(),
//                                         graph.GetWaits());
//   state.phase = "running";
//
// Thread rule: a pure function. Linear in the size of the graph.
// Tested by picture_state_test.

#ifndef SYNCLINE_PAGES_MODEL_PICTURE_STATE_H_
#define SYNCLINE_PAGES_MODEL_PICTURE_STATE_H_

#include <string>

#include "absl/types/span.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/node_wait.h"
#include "pages/model/graph_picture.h"

namespace syncline {

// By the numbers of MakeGraphPicture(plan). Phase, time and error are left to
// the caller. Of `info`, which may be of another time than `waits`, what does
// not fit the plan is left out.
PictureState MakePictureState(const GraphPlan& plan,
                              const GraphRuntimeInfo& info,
                              absl::Span<const NodeWait> waits);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_MODEL_PICTURE_STATE_H_
