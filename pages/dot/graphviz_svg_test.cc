// What Graphviz makes of pictures: labels do not overlap, names are text, and
// 1,000 nodes take less than 10 seconds.

#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "pages/dot/dot_text.h"
#include "pages/dot/graphviz.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A graph of so many nodes, each of which reads one or two earlier ones, or
// `num_inputs` from anywhere before; some send back.
class MadePicture {
 public:
  explicit MadePicture(int num_nodes, int num_subgraphs = 0, int num_inputs = 0)
      : num_inputs_(num_inputs) {
    picture_.executors = {{"", "4 threads"}, {"gpu", "1 thread"}};
    for (int i = 0; i < num_subgraphs; ++i) {
      picture_.subgraphs.push_back({.name = absl::StrCat("part", i),
                                    .type = "PartSubgraph",
                                    .parent = i % 3 == 2 ? i - 1 : -1});
    }
    picture_.streams.push_back({.name = "in", .is_graph_input = true});
    picture_.side_packets.push_back({.name = "model", .type = "string"});
    for (int i = 0; i < num_nodes; ++i) {
      AddNode(i, num_subgraphs == 0 ? -1 : i * num_subgraphs / num_nodes);
    }
    picture_.streams.back().is_graph_output = true;
  }

  const GraphPicture& picture() const { return picture_; }

 private:
  int Random(int below) {
    seed_ = seed_ * 1103515245 + 12345;
    return static_cast<int>((seed_ >> 8) % static_cast<unsigned>(below));
  }

  void Read(int stream, int node, bool is_back_edge) {
    PictureNode& reader = picture_.nodes[node];
    const int port = static_cast<int>(reader.inputs.size());
    reader.inputs.push_back({.label = absl::StrCat("TAG:", port),
                             .stream = stream,
                             .type = "int",
                             .is_back_edge = is_back_edge});
    picture_.streams[stream].readers.push_back(
        {.node = node, .port = port, .is_back_edge = is_back_edge});
  }

  void AddNode(int id, int subgraph) {
    PictureNode node;
    node.name = absl::StrCat("node_with_a_name_", id);
    node.type = "PassThroughCalculator";
    node.subgraph = subgraph;
    node.executor = id % 2;
    node.is_known = true;
    if (id % 7 == 0) node.conditions = {{"few", "CountCondition", ""}};
    picture_.nodes.push_back(std::move(node));
    const int last = static_cast<int>(picture_.streams.size()) - 1;
    const int num_inputs = num_inputs_ == 0 ? 1 + id % 2 : num_inputs_;
    for (int i = 0; i < num_inputs; ++i) {
      const int back = Random(num_inputs_ == 0 ? 20 : last + 1);
      Read(std::max(0, last - back), id, false);
    }
    if (id % 10 == 3) {
      picture_.nodes[id].input_side_packets = {
          {.label = "MODEL", .stream = 0, .type = "string"}};
      picture_.side_packets[0].readers.push_back({.node = id, .port = 0});
    }
    const int stream = static_cast<int>(picture_.streams.size());
    picture_.streams.push_back({.name = absl::StrCat("stream_", id),
                                .type = "int",
                                .from_node = id,
                                .from_port = 0});
    picture_.nodes[id].outputs = {{.label = ":0", .stream = stream}};
    if (id % 50 == 49) Read(stream, id - 40, true);
  }

  const int num_inputs_;
  GraphPicture picture_;
  unsigned seed_ = 7;
};

struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;
  std::string text;
};

// Texts that Graphviz has placed, of one list of things.
void AddTexts(const json& drawn, std::vector<Box>* boxes) {
  double size = 11;
  for (const json& step : drawn) {
    if (step["op"] == "F") size = step["size"];
    if (step["op"] != "T" || step["text"] == " ") continue;
    const double x = step["pt"][0];
    const double y = step["pt"][1];
    const double width = step["width"];
    const double left = step["align"] == "l"   ? x
                        : step["align"] == "r" ? x - width
                                               : x - width / 2;
    boxes->push_back(
        {left, y - 0.15 * size, left + width, y + 0.65 * size, step["text"]});
  }
}

std::vector<Box> TextsOf(const GraphPicture& picture,
                         const PictureState* state = nullptr) {
  GraphvizOptions options;
  options.format = "json";
  const absl::StatusOr<std::string> drawn =
      RunGraphviz(DotText(picture, state), options);
  EXPECT_TRUE(drawn.ok()) << drawn.status();
  std::vector<Box> boxes;
  if (!drawn.ok()) return boxes;
  const json graph = json::parse(*drawn);
  for (const char* list : {"objects", "edges"}) {
    if (!graph.contains(list)) continue;
    for (const json& thing : graph[list]) {
      if (thing.contains("_ldraw_")) AddTexts(thing["_ldraw_"], &boxes);
    }
  }
  if (graph.contains("_ldraw_")) AddTexts(graph["_ldraw_"], &boxes);
  return boxes;
}

std::vector<std::string> Overlaps(std::vector<Box> boxes) {
  std::sort(boxes.begin(), boxes.end(),
            [](const Box& a, const Box& b) { return a.bottom < b.bottom; });
  std::vector<std::string> overlaps;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1;
         j < boxes.size() && boxes[j].bottom < boxes[i].top; ++j) {
      if (boxes[i].left < boxes[j].right && boxes[j].left < boxes[i].right) {
        overlaps.push_back(absl::StrCat(boxes[i].text, " / ", boxes[j].text));
      }
    }
  }
  return overlaps;
}

TEST(GraphvizSvgTest, LabelsDoNotOverlap) {
  for (const int nodes : {1, 5, 40, 200}) {
    const MadePicture flat(nodes);
    const std::vector<Box> texts = TextsOf(flat.picture());
    EXPECT_GE(texts.size(), 3 * static_cast<std::size_t>(nodes));
    EXPECT_THAT(Overlaps(texts), IsEmpty()) << nodes << " nodes";
    const MadePicture nested(nodes, 6);
    EXPECT_THAT(Overlaps(TextsOf(nested.picture())), IsEmpty())
        << nodes << " nodes in subgraphs";
  }
}

TEST(GraphvizSvgTest, LabelsOfARunDoNotOverlap) {
  const MadePicture made(60, 4);
  PictureState state;
  state.phase = "failed";
  state.error = "A long sentence about what went wrong in this run. ";
  state.error += state.error + state.error + state.error;
  for (const PictureNode& node : made.picture().nodes) {
    PictureNodeState of_node;
    of_node.queues.resize(node.inputs.size(),
                          {.size = 100, .limit = 100, .num_dropped = 12345});
    of_node.num_sent = {123456789};
    of_node.condition_states = {"WAIT_TIME: until 12:00"};
    state.nodes.push_back(std::move(of_node));
    if (state.nodes.size() < 20) {
      const int id = static_cast<int>(state.nodes.size());
      state.waits.push_back({.waiting = id,
                             .for_node = id - 1,
                             .why = "waits for stream \"x\" up to 1,234"});
    }
  }
  EXPECT_THAT(Overlaps(TextsOf(made.picture(), &state)), IsEmpty());
}

TEST(GraphvizSvgTest, NamesAreTextInTheSvg) {
  MadePicture made(2);
  GraphPicture picture = made.picture();
  const std::string bad = "<script>alert(1)</script>&amp;\"'\\N\x01\xff]]>";
  picture.title = bad;
  picture.subgraphs = {{.name = bad, .type = bad, .location = bad}};
  picture.nodes[0].subgraph = 0;
  picture.nodes[0].name = picture.nodes[0].type = bad;
  picture.nodes[0].options = picture.nodes[0].inputs[0].label = bad;
  picture.nodes[0].conditions = {{bad, bad, bad}};
  picture.nodes[0].remarks = {{PictureRemark::Kind::kError, bad}};
  picture.streams[0].name = picture.streams[1].name = bad;
  picture.streams[0].type = bad;
  picture.executors = {{bad, bad}, {bad, bad}};
  picture.remarks = {{PictureRemark::Kind::kLint, bad}};
  const absl::StatusOr<std::string> svg = RunGraphviz(DotText(picture));
  ASSERT_TRUE(svg.ok()) << svg.status();
  EXPECT_THAT(*svg, Not(HasSubstr("<script")));
  EXPECT_THAT(*svg, HasSubstr("&lt;script&gt;alert(1)"));
  // In labels and in tooltips, where Graphviz would put other names for \N.
  EXPECT_THAT(*svg, HasSubstr(R"(\N\x01)"));
  EXPECT_THAT(*svg, Not(HasSubstr(R"(\\N)")));
  EXPECT_THAT(*svg, Not(HasSubstr(R"(\\x01)")));
  for (const char c : *svg) {
    ASSERT_TRUE(static_cast<unsigned char>(c) >= ' ' || c == '\n');
  }
}

TEST(GraphvizSvgTest, TypesAreShownOnHover) {
  const MadePicture made(3);
  const absl::StatusOr<std::string> svg = RunGraphviz(DotText(made.picture()));
  ASSERT_TRUE(svg.ok()) << svg.status();
  EXPECT_THAT(*svg, HasSubstr("xlink:title=\"stream_2: int\""));
}

// What it has used of a core, so that it does not matter what else runs.
absl::Duration TimeOfGraphviz() {
  rusage used = {};
  getrusage(RUSAGE_CHILDREN, &used);
  return absl::DurationFromTimeval(used.ru_utime) +
         absl::DurationFromTimeval(used.ru_stime);
}

TEST(GraphvizSvgTest, AThousandNodesTakeLessThanTenSeconds) {
  struct Size {
    int num_subgraphs;
    int num_inputs;
  };
  for (const Size size : {Size{0, 0}, Size{40, 0}, Size{0, 5}, Size{40, 3}}) {
    const MadePicture made(1000, size.num_subgraphs, size.num_inputs);
    const absl::Duration before = TimeOfGraphviz();
    const absl::StatusOr<std::string> svg =
        RunGraphviz(DotText(made.picture()));
    EXPECT_TRUE(svg.ok()) << svg.status();
    EXPECT_LT(TimeOfGraphviz() - before, absl::Seconds(10))
        << size.num_subgraphs << " subgraphs, " << size.num_inputs << " inputs";
  }
}

TEST(GraphvizSvgTest, LabelsOfAThousandTangledNodesDoNotOverlap) {
  const MadePicture made(1000, 0, 5);
  EXPECT_THAT(Overlaps(TextsOf(made.picture())), IsEmpty());
}

}  // namespace
}  // namespace syncline
