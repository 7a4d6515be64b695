// Makes the picture of a graph: of a plan, or of a draft where the graph does
// not compile or has calculators that the program does not know.
//
//   GraphPicture picture = MakeGraphPicture(plan, "graph.pbtxt");
//
// Nodes and streams of a picture have the numbers that they have in the plan,
// so that what is known of a run by these numbers fits the picture.
//
// Thread rule: pure functions. Linear in the size of the graph.
// Tested by make_picture_test.

#ifndef SYNCLINE_PAGES_MODEL_MAKE_PICTURE_H_
#define SYNCLINE_PAGES_MODEL_MAKE_PICTURE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "framework/plan/graph_draft.h"
#include "framework/plan/graph_plan.h"
#include "pages/model/graph_picture.h"

namespace syncline {

// With the plan's warnings at their nodes.
GraphPicture MakeGraphPicture(const GraphPlan& plan, absl::string_view title);
// With its errors and warnings at their nodes.
GraphPicture MakeGraphPicture(const GraphDraft& draft, absl::string_view title);

// Adds to a node, or to the whole graph where the node is -1. Nothing is added
// for a node that is not there.
void AddRemark(int node, PictureRemark remark, GraphPicture* picture);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_MODEL_MAKE_PICTURE_H_
