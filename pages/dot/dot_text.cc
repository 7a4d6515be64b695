#include "pages/dot/dot_text.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "pages/dot/dot_escape.h"
#include "pages/dot/dot_node.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

// Arrows from which Graphviz is told to try less: with these, 1,000 nodes take
// it 2 seconds where they have 3,000 arrows, and 4 to 6 with 5,000; without, a
// minute and more. What would take the time is nslimit, the rounds in which
// nodes are moved sideways: a tenth of them makes such a picture no wider.
constexpr std::size_t kManyArrows = 300;
constexpr std::size_t kVeryManyArrows = 1800;
// Arrows of side packets; where there are more, the ports name them only.
constexpr std::size_t kMostSideArrows = 200;
constexpr std::size_t kMostLineLength = 100;

constexpr char kWaitColor[] = "#d1390f";

class DotWriter {
 public:
  DotWriter(const GraphPicture& picture, const PictureState* state)
      : picture_(picture), state_(state) {}

  std::string Write() {
    SortNodes();
    FindWaits();
    Begin();
    WriteLevel(-1, "  ");
    WriteGraphPorts(picture_.streams, "stream", "");
    if (ShowsSideArrows()) {
      WriteGraphPorts(picture_.side_packets, "side", ",dashed");
    }
    WriteStreams();
    if (ShowsSideArrows()) WriteSidePackets();
    WriteOtherWaits();
    WriteLegend();
    text_ += "}\n";
    return std::move(text_);
  }

 private:
  void SortNodes();
  void FindWaits();
  void Begin();
  // Nodes and subgraphs of a subgraph, -1 for the graph itself.
  void WriteLevel(int subgraph, const std::string& indent);
  void WriteNode(int id, const std::string& indent);
  // Inputs and outputs of the graph that something is connected to.
  void WriteGraphPorts(const std::vector<PictureStream>& streams,
                       absl::string_view kind, absl::string_view style);
  void WriteStreams();
  void WriteSidePackets();
  // Waits that no stream shows.
  void WriteOtherWaits();
  void WriteLegend();

  bool IsNode(int id) const {
    return id >= 0 && id < static_cast<int>(picture_.nodes.size());
  }
  bool ShowsSideArrows() const { return num_side_arrows_ <= kMostSideArrows; }
  const PictureNodeState* StateOf(int id) const {
    const auto at = static_cast<std::size_t>(id);
    return state_ == nullptr || at >= state_->nodes.size() ? nullptr
                                                           : &state_->nodes[at];
  }
  // Where an arrow begins: an output, or an input of the graph.
  std::string Start(const PictureStream& stream, absl::string_view kind,
                    absl::string_view port, std::size_t id) const;
  void Arrow(const std::string& from, const std::string& to,
             const std::vector<std::string>& attributes) {
    absl::StrAppend(&text_, "  ", from, " -> ", to, " [",
                    absl::StrJoin(attributes, " "), "];\n");
  }

  const GraphPicture& picture_;
  const PictureState* const state_;
  std::string text_;
  // By subgraph + 1.
  std::vector<std::vector<int>> nodes_of_;
  std::vector<std::vector<int>> subgraphs_of_;
  // By node: what it waits for, or null.
  std::vector<const PictureWait*> waits_;
  std::size_t num_arrows_ = 0;
  std::size_t num_side_arrows_ = 0;
};

void DotWriter::SortNodes() {
  const int num_subgraphs = static_cast<int>(picture_.subgraphs.size());
  nodes_of_.resize(picture_.subgraphs.size() + 1);
  subgraphs_of_.resize(picture_.subgraphs.size() + 1);
  for (int id = 0; id < static_cast<int>(picture_.nodes.size()); ++id) {
    const int subgraph = picture_.nodes[id].subgraph;
    const bool is_known = subgraph >= 0 && subgraph < num_subgraphs;
    nodes_of_[is_known ? subgraph + 1 : 0].push_back(id);
  }
  for (int id = 0; id < num_subgraphs; ++id) {
    const int parent = picture_.subgraphs[id].parent;
    // A parent comes before.
    subgraphs_of_[parent >= 0 && parent < id ? parent + 1 : 0].push_back(id);
  }
  for (const PictureStream& stream : picture_.streams) {
    num_arrows_ += stream.readers.size();
  }
  for (const PictureStream& side_packet : picture_.side_packets) {
    num_side_arrows_ += side_packet.readers.size();
  }
}

void DotWriter::FindWaits() {
  waits_.resize(picture_.nodes.size());
  if (state_ == nullptr) return;
  for (const PictureWait& wait : state_->waits) {
    if (IsNode(wait.waiting)) waits_[wait.waiting] = &wait;
  }
}

// A text in lines of their own, broken at blanks.
std::string Lines(absl::string_view text) {
  std::string lines;
  std::size_t length = 0;
  for (const char c : text) {
    ++length;
    if (c == '\n' || (c == ' ' && length > kMostLineLength)) {
      lines += '\n';
      length = 0;
    } else {
      lines += c;
    }
  }
  return lines;
}

std::string PhaseText(absl::string_view phase) {
  if (phase == "running") return "The run goes on.";
  if (phase == "interrupted") return "The run has been interrupted.";
  return absl::StrCat("The run has ", phase, ".");
}

void DotWriter::Begin() {
  text_ =
      "// Drawn by Graphviz: dot -Tsvg -O FILE\ndigraph graph_of_nodes {\n"
      "  graph [fontname=\"Helvetica,Arial,sans-serif\" fontsize=12 "
      "labelloc=t labeljust=l compound=true ranksep=0.45 nodesep=0.3];\n"
      "  node [shape=plain fontname=\"Helvetica,Arial,sans-serif\" "
      "fontsize=11];\n"
      "  edge [arrowsize=0.6 color=\"#7a858f\"];\n";
  const std::size_t arrows =
      num_arrows_ + (ShowsSideArrows() ? num_side_arrows_ : 0);
  if (arrows > kVeryManyArrows) {
    text_ +=
        "  graph [splines=line nslimit=0.02 nslimit1=0.2 mclimit=0.02 "
        "searchsize=10];\n";
  } else if (arrows > kManyArrows) {
    text_ += "  graph [splines=polyline nslimit=1 nslimit1=1 mclimit=0.3];\n";
  }
  std::vector<std::string> label = {picture_.title};
  if (state_ != nullptr) {
    if (!state_->phase.empty()) {
      label.push_back(PhaseText(state_->phase));
    }
    for (const std::string* text : {&state_->error, &state_->standstill}) {
      if (!text->empty()) label.push_back(*text);
    }
  }
  for (const PictureRemark& remark : picture_.remarks) {
    label.push_back(remark.text);
  }
  std::string shown;
  for (const std::string& line : label) {
    absl::StrAppend(&shown, Lines(line), "\n");
  }
  // Graphviz takes "\l" for the end of a line that is flush left.
  std::string quoted = DotQuoted(shown);
  std::string left;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] == '\\' && i + 1 < quoted.size()) {
      left += quoted[i];
      left += quoted[i + 1] == 'n' ? 'l' : quoted[i + 1];
      ++i;
    } else {
      left += quoted[i];
    }
  }
  absl::StrAppend(&text_, "  label=", left, ";\n");
}

void DotWriter::WriteLevel(int subgraph, const std::string& indent) {
  // Subgraphs may be nested more deeply than a stack allows.
  struct Step {
    int subgraph;
    std::size_t next = 0;
  };
  std::vector<Step> steps = {{subgraph}};
  while (!steps.empty()) {
    Step& step = steps.back();
    const std::vector<int>& inner = subgraphs_of_[step.subgraph + 1];
    if (step.next == 0) {
      for (const int id : nodes_of_[step.subgraph + 1]) WriteNode(id, indent);
    }
    if (step.next == inner.size()) {
      if (step.subgraph >= 0) absl::StrAppend(&text_, indent, "}\n");
      steps.pop_back();
      continue;
    }
    const int id = inner[step.next++];
    const PictureSubgraph& at = picture_.subgraphs[id];
    absl::StrAppend(
        &text_, indent, "subgraph cluster_", id, " {\n", indent, "label=<<B>",
        DotMarkup(Shortened(at.name, 60)), "</B> ",
        DotMarkup(Shortened(at.type, 60)), ">; tooltip=",
        DotTooltip(absl::StrCat(at.name, "\n", at.type, "\n", at.location)),
        "; style=\"rounded,dashed\"; color=\"#8b96a1\"; bgcolor=\"#1e3c5a0c\";"
        "\n");
    steps.push_back({id});
  }
}

void DotWriter::WriteNode(int id, const std::string& indent) {
  const PictureWait* const wait = waits_[id];
  absl::StrAppend(&text_, indent, "n", id, " [label=<",
                  DotNodeTable(picture_, id, StateOf(id), wait),
                  "> tooltip=", DotTooltip(NodeTooltip(picture_, id, wait)),
                  "];\n");
}

void DotWriter::WriteGraphPorts(const std::vector<PictureStream>& streams,
                                absl::string_view kind,
                                absl::string_view style) {
  for (std::size_t id = 0; id < streams.size(); ++id) {
    const PictureStream& stream = streams[id];
    const std::string attributes = absl::StrCat(
        " [shape=box style=\"rounded,filled", style,
        "\" fillcolor=\"#eef1f4\" color=\"#8b96a1\" height=0.25 margin=0.08 "
        "label=<",
        DotMarkup(Shortened(stream.name, 40)),
        "> tooltip=", DotTooltip(StreamTooltip(stream)), "];\n");
    if (stream.from_node < 0 && !stream.readers.empty()) {
      absl::StrAppend(&text_, "  in_", kind, id, attributes);
    }
    if (stream.is_graph_output && IsNode(stream.from_node)) {
      absl::StrAppend(&text_, "  out_", kind, id, attributes);
    }
  }
}

std::string DotWriter::Start(const PictureStream& stream,
                             absl::string_view kind, absl::string_view port,
                             std::size_t id) const {
  if (!IsNode(stream.from_node)) return absl::StrCat("in_", kind, id);
  return absl::StrCat("n", stream.from_node, ":", port, stream.from_port, ":s");
}

void DotWriter::WriteStreams() {
  for (std::size_t id = 0; id < picture_.streams.size(); ++id) {
    const PictureStream& stream = picture_.streams[id];
    const std::string start = Start(stream, "stream", "o", id);
    const std::string tooltip =
        absl::StrCat("tooltip=", DotTooltip(StreamTooltip(stream)));
    for (const PictureStream::Reader& reader : stream.readers) {
      if (!IsNode(reader.node)) continue;
      std::vector<std::string> attributes = {tooltip};
      if (reader.is_back_edge) {
        attributes.push_back("constraint=false style=dashed color=\"#0b6bcb\"");
      }
      const PictureWait* const wait = waits_[reader.node];
      if (wait != nullptr && wait->stream == static_cast<int>(id)) {
        attributes.push_back(
            absl::StrCat("color=\"", kWaitColor, "\" penwidth=2.2"));
      }
      Arrow(start, absl::StrCat("n", reader.node, ":i", reader.port, ":n"),
            attributes);
    }
    if (stream.is_graph_output && IsNode(stream.from_node)) {
      Arrow(start, absl::StrCat("out_stream", id), {tooltip});
    }
  }
}

void DotWriter::WriteSidePackets() {
  for (std::size_t id = 0; id < picture_.side_packets.size(); ++id) {
    const PictureStream& side_packet = picture_.side_packets[id];
    const std::string start = Start(side_packet, "side", "so", id);
    const std::string attributes =
        absl::StrCat("style=dotted arrowhead=vee tooltip=",
                     DotTooltip(StreamTooltip(side_packet)));
    for (const PictureStream::Reader& reader : side_packet.readers) {
      if (!IsNode(reader.node)) continue;
      Arrow(start, absl::StrCat("n", reader.node, ":si", reader.port, ":n"),
            {attributes});
    }
    if (side_packet.is_graph_output && IsNode(side_packet.from_node)) {
      Arrow(start, absl::StrCat("out_side", id), {attributes});
    }
  }
}

void DotWriter::WriteOtherWaits() {
  if (state_ == nullptr) return;
  for (const PictureWait& wait : state_->waits) {
    if (!IsNode(wait.waiting) || !IsNode(wait.for_node) || wait.stream >= 0) {
      continue;
    }
    Arrow(absl::StrCat("n", wait.waiting), absl::StrCat("n", wait.for_node),
          {absl::StrCat("constraint=false style=dotted penwidth=2 color=\"",
                        kWaitColor, "\" tooltip=", DotTooltip(wait.why))});
  }
}

void DotWriter::WriteLegend() {
  if (picture_.executors.size() < 2) return;
  text_ +=
      "  executors [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" "
      "CELLSPACING=\"2\" COLOR=\"#b9c1c9\">";
  for (std::size_t i = 0; i < picture_.executors.size() && i < 20; ++i) {
    const PictureExecutor& executor = picture_.executors[i];
    absl::StrAppend(
        &text_, "<TR><TD BGCOLOR=\"", ExecutorColor(static_cast<int>(i)),
        "\">executor ",
        DotMarkup(executor.name.empty() ? "(default)"
                                        : Shortened(executor.name, 40)),
        ": ", DotMarkup(Shortened(executor.description, 60)), "</TD></TR>");
  }
  text_ += "</TABLE>> tooltip=\"executors\"];\n";
}

}  // namespace

std::string DotText(const GraphPicture& picture, const PictureState* state) {
  return DotWriter(picture, state).Write();
}

}  // namespace syncline
