// The picture of a graph that is in a file, whatever the program knows of it: a
// plan where it compiles, with what the linter finds; else what is known, with
// the errors in their places. Options of unknown types are shown as written.
//
// Thread rule: a free function.
// Tested by view_picture_test.

#ifndef SYNCLINE_TOOLS_VIEW_GRAPH_VIEW_PICTURE_H_
#define SYNCLINE_TOOLS_VIEW_GRAPH_VIEW_PICTURE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "pages/model/graph_picture.h"

namespace syncline {

struct ViewRequest {
  std::string path;
  // Files with a `type` each, which nodes may name as a subgraph.
  std::vector<std::string> subgraphs;
  TemplateDict template_arguments;
};

// INVALID_ARGUMENT and the errors of the file system name the file, and the
// place in it: it is no graph, or it cannot be read.
absl::StatusOr<GraphPicture> MakeViewPicture(const ViewRequest& request);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_VIEW_GRAPH_VIEW_PICTURE_H_
