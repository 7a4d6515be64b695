#include "tools/view_graph/view_picture.h"

#include <sys/stat.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/expansion/graph_registry.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/proto_text.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_draft.h"
#include "framework/plan/graph_plan.h"
#include "pages/model/config_text.h"
#include "pages/model/graph_picture.h"
#include "pages/model/make_picture.h"
#include "tools/exit_status.h"
#include "tools/lint/lint_finding.h"
#include "tools/lint/lint_text.h"
#include "tools/lint_remarks.h"
#include "tools/view_graph/unknown_options.h"

namespace syncline {
namespace {

struct ViewSource {
  GraphSource source;
  std::vector<UnknownOptions> unknown;
};

// Of a regular file that is not too large, else nothing.
std::string TextOf(const std::string& path) {
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode) ||
      static_cast<std::size_t>(about.st_size) > kMaxGraphBytes) {
    return "";
  }
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file),
          std::istreambuf_iterator<char>()};
}

absl::StatusOr<ViewSource> ReadForView(const std::string& path,
                                       const TemplateDict& arguments) {
  ViewSource read;
  absl::StatusOr<GraphSource> source = ReadGraphFile(path, arguments);
  if (!source.ok()) {
    std::string text = TextOf(path);
    read.unknown = TakeUnknownOptions(&text);
    if (read.unknown.empty()) return source.status();
    source = ReadGraphText(text, path, arguments);
  }
  SYNCLINE_RETURN_IF_ERROR(source.status());
  read.source = *std::move(source);
  return read;
}

// The node of the graph itself that the line belongs to; -1: none.
int NodeAtLine(const GraphSource& source, int line) {
  int found = -1;
  if (source.positions == nullptr) return found;
  int nearest = 0;
  for (int i = 0; i < source.config.node_size(); ++i) {
    const int begin = source.positions->Node(i).line;
    if (begin > line || begin < nearest) continue;
    nearest = begin;
    found = i;
  }
  return found;
}

std::string PlaceOf(const GraphSource& source, int node) {
  if (source.positions == nullptr || node < 0) return "";
  const FilePosition position = source.positions->Node(node);
  if (position.line <= 0) return "";
  std::string place = absl::StrCat(position.file, ":", position.line);
  if (position.column > 0) absl::StrAppend(&place, ":", position.column);
  return place;
}

// Where the options of a node of the graph itself are shown: at the node, or at
// the subgraph that it has become. Null: it is neither.
std::string* OptionsAt(const std::string& place, GraphPicture* picture) {
  if (place.empty()) return nullptr;
  for (PictureSubgraph& subgraph : picture->subgraphs) {
    if (subgraph.parent < 0 && subgraph.location == place) {
      return &subgraph.options;
    }
  }
  for (PictureNode& node : picture->nodes) {
    if (node.subgraph < 0 && node.location == place) return &node.options;
  }
  return nullptr;
}

// Nodes that became subgraphs have options, too.
void AddOptionsOfSubgraphs(const GraphSource& source, GraphPicture* picture) {
  for (int i = 0; i < source.config.node_size(); ++i) {
    std::string options = OptionsText(source.config.node(i));
    if (options.empty()) continue;
    std::string* const at = OptionsAt(PlaceOf(source, i), picture);
    if (at != nullptr && at->empty()) *at = std::move(options);
  }
}

void AddUnknownOptions(const ViewSource& read, GraphPicture* picture) {
  for (const UnknownOptions& unknown : read.unknown) {
    const int node = NodeAtLine(read.source, unknown.line);
    std::string* const at = OptionsAt(PlaceOf(read.source, node), picture);
    if (at == nullptr) {
      picture->settings.push_back(
          {absl::StrCat("options, line ", unknown.line), unknown.text});
      continue;
    }
    absl::StrAppend(at, at->empty() ? "" : "\n", unknown.text);
  }
  if (read.unknown.empty()) return;
  AddRemark(-1,
            {PictureRemark::Kind::kWarning,
             absl::StrCat("This program has no type for the options in ",
                          read.unknown.size(),
                          read.unknown.size() == 1 ? " place" : " places",
                          ": they are shown as they are written, and not "
                          "checked.")},
            picture);
}

void SayWhatIsUnknown(GraphPicture* picture) {
  int unknown = 0;
  for (const PictureNode& node : picture->nodes) {
    unknown += node.is_known ? 0 : 1;
  }
  if (unknown == 0) return;
  AddRemark(
      -1,
      {PictureRemark::Kind::kWarning,
       absl::StrCat("This program does not know the types of ", unknown,
                    unknown == 1 ? " node" : " nodes",
                    ", which are dashed. A file that defines one as a subgraph "
                    "may follow the graph; --plugin=FILE opens a library with "
                    "calculators.")},
      picture);
}

}  // namespace

absl::StatusOr<GraphPicture> MakeViewPicture(const ViewRequest& request) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const ViewSource read,
      ReadForView(request.path, request.template_arguments));
  GraphRegistry registry(&GraphRegistry::Global());
  for (const std::string& path : request.subgraphs) {
    SYNCLINE_ASSIGN_OR_RETURN(ViewSource subgraph, ReadForView(path, {}));
    const std::string type = subgraph.source.config.type();
    if (type.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(ShownName(path),
                       ": a file of a subgraph says the type that nodes "
                       "name it by, as type: \"FaceDetection\""));
    }
    SYNCLINE_RETURN_IF_ERROR(
        registry.Register(type, std::move(subgraph.source)));
  }
  CompileOptions options;
  options.registry = &registry;
  options.log_warnings = false;
  const absl::StatusOr<GraphPlan> plan = Compile(read.source, options);
  GraphPicture picture;
  if (plan.ok()) {
    picture = MakeGraphPicture(*plan, request.path);
    const absl::StatusOr<std::vector<LintFinding>> findings =
        LintGraphFile(*plan, read.source, request.path);
    SYNCLINE_RETURN_IF_ERROR(findings.status());
    AddFindings(*findings, &picture);
  } else {
    picture = MakeGraphPicture(DraftGraph(read.source, options), request.path);
    SayWhatIsUnknown(&picture);
  }
  AddOptionsOfSubgraphs(read.source, &picture);
  AddUnknownOptions(read, &picture);
  return picture;
}

}  // namespace syncline
