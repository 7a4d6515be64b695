// Reads graphs: text or binary, from memory or from a file, into a config whose
// names are ours and whose parts know where they stand.
//
//   SYNCLINE_ASSIGN_OR_RETURN(GraphSource source, ReadGraphFile("a.pbtxt"));
//   SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan, Compile(std::move(source)));
//
// MediaPipe's graphs read unchanged: see proto_text.h and normalize_names.h.
// Text with %...% rules (template_text.h) is expanded as it is read.
// This file does not check whether a graph is valid; Compile does. For all
// bytes, the result is a config or an INVALID_ARGUMENT status that begins with
// the file's name, and for text with "file:line:column".
//
// Thread rule: pure functions; positions are immutable.
// Tested by graph_source_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_GRAPH_SOURCE_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_GRAPH_SOURCE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/graph_positions.h"

namespace syncline {

// A config, and where its parts come from.
struct GraphSource {
  CalculatorGraphConfig config;
  // Null when the config did not come from text. Of a template's config only
  // the nodes have places: those that they came from.
  std::shared_ptr<const GraphPositions> positions;
};

// `file` only serves errors and positions, and may be empty. `arguments` are
// for text that is a template; see expand_template.h.
absl::StatusOr<GraphSource> ReadGraphText(absl::string_view text,
                                          absl::string_view file = "",
                                          const TemplateDict& arguments = {});
absl::StatusOr<GraphSource> ReadGraphBinary(absl::string_view bytes,
                                            absl::string_view file = "");

// Reads a regular file: as text if its name ends in .pbtxt, .textproto,
// .prototxt or .txt, as binary if it ends in .binarypb, .pb or .binpb,
// otherwise as what its contents look like. NOT_FOUND, PERMISSION_DENIED, ...
// when it cannot be read.
absl::StatusOr<GraphSource> ReadGraphFile(absl::string_view path,
                                          const TemplateDict& arguments = {});

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_GRAPH_SOURCE_H_
