#include "tools/view_graph/view_picture.h"

#include <sys/stat.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <set>
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

// Where the options of a node are shown that is written there: at the nodes and
// subgraphs that it has become, which are several where its graph is a subgraph
// that is used more than once.
std::vector<std::string*> OptionsAt(const std::string& place,
                                    GraphPicture* picture) {
  std::vector<std::string*> options;
  if (place.empty()) return options;
  for (PictureSubgraph& subgraph : picture->subgraphs) {
    if (subgraph.location == place) options.push_back(&subgraph.options);
  }
  for (PictureNode& node : picture->nodes) {
    if (node.location == place) options.push_back(&node.options);
  }
  return options;
}

// Nodes that became subgraphs have options, too.
void AddOptionsOfSubgraphs(const GraphSource& source, GraphPicture* picture) {
  for (int i = 0; i < source.config.node_size(); ++i) {
    const std::string options = OptionsText(source.config.node(i));
    if (options.empty()) continue;
    for (std::string* const at : OptionsAt(PlaceOf(source, i), picture)) {
      if (at->empty()) *at = options;
    }
  }
}

// The same for the nodes of all subgraphs, also of those that are linked in.
void AddOptionsWithin(const GraphRegistry& registry, GraphPicture* picture) {
  std::set<std::string> types;
  for (const PictureSubgraph& subgraph : picture->subgraphs) {
    types.insert(subgraph.type);
  }
  for (const std::string& type : types) {
    const absl::StatusOr<SubgraphType> found = registry.Find("", type);
    if (!found.ok() || found->source == nullptr) continue;
    AddOptionsOfSubgraphs(*found->source, picture);
  }
}

// Puts the options where they were taken out, which has left an empty field.
void PutBack(const UnknownOptions& unknown, std::string* options) {
  // The first field is the node.
  const std::string text = InTheirFields(unknown, 1);
  if (unknown.fields.size() == 2) {
    const std::string empty = absl::StrCat(unknown.fields[1], " {\n}");
    std::size_t at = options->find(empty);
    // "options" is a part of "node_options".
    while (at != std::string::npos && at > 0 && (*options)[at - 1] != '\n') {
      at = options->find(empty, at + 1);
    }
    if (at != std::string::npos) {
      options->replace(at, empty.size(), text);
      return;
    }
  }
  absl::StrAppend(options, options->empty() ? "" : "\n", text);
}

void AddUnknownOptions(const ViewSource& read, GraphPicture* picture) {
  for (const UnknownOptions& unknown : read.unknown) {
    const int node = NodeAtLine(read.source, unknown.line);
    const std::vector<std::string*> options =
        OptionsAt(PlaceOf(read.source, node), picture);
    for (std::string* const at : options) PutBack(unknown, at);
    if (!options.empty()) continue;
    picture->settings.push_back({absl::StrCat("options, line ", unknown.line),
                                 InTheirFields(unknown, 0)});
  }
}

void SayHowManyOptionsAreUnknown(std::size_t places, GraphPicture* picture) {
  if (places == 0) return;
  AddRemark(-1,
            {PictureRemark::Kind::kWarning,
             absl::StrCat("This program has no type for the options in ",
                          places, places == 1 ? " place" : " places",
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
      ViewSource read, ReadForView(request.path, request.template_arguments));
  GraphRegistry registry(&GraphRegistry::Global());
  // The files of subgraphs.
  std::vector<ViewSource> others;
  for (const std::string& path : request.subgraphs) {
    SYNCLINE_ASSIGN_OR_RETURN(ViewSource subgraph, ReadForView(path, {}));
    const std::string type = subgraph.source.config.type();
    if (type.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(ShownName(path),
                       ": a file of a subgraph says the type that nodes "
                       "name it by, as type: \"FaceDetection\""));
    }
    SYNCLINE_RETURN_IF_ERROR(registry.Register(type, subgraph.source));
    others.push_back(std::move(subgraph));
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
  AddOptionsWithin(registry, &picture);
  others.push_back(std::move(read));
  std::size_t num_unknown = 0;
  for (const ViewSource& each : others) {
    AddUnknownOptions(each, &picture);
    num_unknown += each.unknown.size();
  }
  SayHowManyOptionsAreUnknown(num_unknown, &picture);
  return picture;
}

}  // namespace syncline
