#include "pages/dot/dot_node.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "pages/dot/dot_escape.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

// Characters of a name that are shown; the tooltip has it whole.
constexpr std::size_t kMostName = 48;
constexpr std::size_t kMostPort = 28;
constexpr std::size_t kMostWait = 60;
// Ports that have a cell of their own; the rest is counted.
constexpr std::size_t kMostPorts = 60;
constexpr std::size_t kMostTooltip = 3000;

// Without the name of the subgraph, in whose box it stands. Expansion writes
// that name in small letters, and "_" for some signs.
std::string InnerName(const GraphPicture& picture, const std::string& name,
                      int subgraph) {
  if (subgraph < 0 || subgraph >= static_cast<int>(picture.subgraphs.size())) {
    return name;
  }
  const std::string prefix =
      absl::StrCat(absl::StrReplaceAll(picture.subgraphs[subgraph].name,
                                       {{".", "_"}, {" ", "_"}, {":", "_"}}),
                   "__");
  return absl::StartsWithIgnoreCase(name, prefix) && name.size() > prefix.size()
             ? name.substr(prefix.size())
             : name;
}

std::string Cell(absl::string_view port, std::size_t index,
                 absl::string_view attributes, absl::string_view markup) {
  return absl::StrCat("<TD PORT=\"", port, index, "\" ", attributes, ">",
                      markup.empty() ? " " : markup, "</TD>");
}

constexpr char kStreamCell[] = "BGCOLOR=\"#e8ecef\"";
constexpr char kBackCell[] =
    "BGCOLOR=\"#e8ecef\" BORDER=\"1\" COLOR=\"#0b6bcb\" STYLE=\"dashed\"";
constexpr char kOpenCell[] = "BORDER=\"1\" COLOR=\"#a86500\"";
constexpr char kSideCell[] = "BORDER=\"1\" COLOR=\"#8b96a1\" STYLE=\"dotted\"";

// "≡5/7 −2": five packets wait of seven that may, and two were dropped.
std::string QueueMarkup(const PictureNodeState* state, std::size_t port) {
  if (state == nullptr || port >= state->queues.size()) return "";
  const PictureQueue& queue = state->queues[port];
  std::string text;
  if (queue.size > 0) {
    text = absl::StrCat("≡", queue.size);
    if (queue.limit > 0) absl::StrAppend(&text, "/", queue.limit);
  }
  if (queue.num_dropped > 0) {
    absl::StrAppend(&text, text.empty() ? "" : " ", "−", queue.num_dropped);
  }
  if (text.empty()) return "";
  const bool is_full = queue.limit > 0 && queue.size >= queue.limit;
  return absl::StrCat(" <FONT COLOR=\"", is_full ? "#c62828" : "#0b6bcb",
                      "\"><B>", text, "</B></FONT>");
}

std::string NameOf(const std::vector<PictureStream>& streams, int stream,
                   const GraphPicture& picture, int subgraph) {
  if (stream < 0 || stream >= static_cast<int>(streams.size())) return "";
  return DotMarkup(
      Shortened(InnerName(picture, streams[stream].name, subgraph), kMostPort));
}

// Its tag; without one, the name of its stream.
std::string InputLabel(const GraphPicture& picture, const PictureNode& node,
                       const PicturePort& port,
                       const std::vector<PictureStream>& streams) {
  std::string label;
  if (absl::StartsWith(port.label, ":")) {
    label = NameOf(streams, port.stream, picture, node.subgraph);
  }
  return label.empty() ? DotMarkup(Shortened(port.label, kMostPort)) : label;
}

std::string InputCells(const GraphPicture& picture, const PictureNode& node,
                       const PictureNodeState* state) {
  std::string cells;
  for (std::size_t i = 0; i < node.inputs.size() && i < kMostPorts; ++i) {
    const PicturePort& port = node.inputs[i];
    cells += Cell("i", i,
                  port.stream < 0     ? kOpenCell
                  : port.is_back_edge ? kBackCell
                                      : kStreamCell,
                  absl::StrCat(InputLabel(picture, node, port, picture.streams),
                               QueueMarkup(state, i)));
  }
  for (std::size_t i = 0; i < node.input_side_packets.size() && i < kMostPorts;
       ++i) {
    cells += Cell("si", i, kSideCell,
                  InputLabel(picture, node, node.input_side_packets[i],
                             picture.side_packets));
  }
  return cells;
}

std::string OutputCells(const GraphPicture& picture, const PictureNode& node,
                        const PictureNodeState* state) {
  std::string cells;
  for (std::size_t i = 0; i < node.outputs.size() && i < kMostPorts; ++i) {
    std::string sent;
    if (state != nullptr && i < state->num_sent.size()) {
      sent = absl::StrCat(" <FONT COLOR=\"#5d6873\">", state->num_sent[i],
                          "</FONT>");
    }
    cells += Cell("o", i, kStreamCell,
                  absl::StrCat(NameOf(picture.streams, node.outputs[i].stream,
                                      picture, node.subgraph),
                               sent));
  }
  for (std::size_t i = 0; i < node.output_side_packets.size() && i < kMostPorts;
       ++i) {
    cells +=
        Cell("so", i, kSideCell,
             NameOf(picture.side_packets, node.output_side_packets[i].stream,
                    picture, node.subgraph));
  }
  return cells;
}

// As many as are drawn: a reference such as "&amp;" is one, and a letter has up
// to four bytes in UTF-8, of which the first is of another kind.
std::size_t LettersOf(absl::string_view markup) {
  std::size_t letters = 0;
  bool is_reference = false;
  for (const char byte : markup) {
    if (!is_reference && (byte & 0xc0) != 0x80) ++letters;
    if (byte == '&') is_reference = true;
    if (byte == ';') is_reference = false;
  }
  return letters;
}

// A line of a node, at most `most` characters of it. Spaces around a long one
// make room for letters that are drawn wider than Graphviz has expected, as
// bold ones and those of another font are.
std::string Line(absl::string_view text, std::size_t most) {
  constexpr std::size_t kLettersOfSpace = 12;
  const std::string markup = DotMarkup(Shortened(text, most));
  const std::size_t letters = LettersOf(markup);
  std::string room;
  for (std::size_t i = 2 * kLettersOfSpace; i <= letters;
       i += kLettersOfSpace) {
    room += "&#160;";
  }
  return absl::StrCat(room, markup, room);
}

std::string Row(absl::string_view markup) {
  return absl::StrCat("<TR><TD>", markup, "</TD></TR>");
}

std::string CellsRow(const std::string& cells) {
  if (cells.empty()) return "";
  return Row(
      absl::StrCat("<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"3\" "
                   "CELLPADDING=\"1\"><TR>",
                   cells, "</TR></TABLE>"));
}

std::string Small(absl::string_view color, absl::string_view markup) {
  return absl::StrCat("<FONT POINT-SIZE=\"9\" COLOR=\"", color, "\">", markup,
                      "</FONT>");
}

std::string ConditionsRow(const PictureNode& node,
                          const PictureNodeState* state) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < node.conditions.size() && i < 8; ++i) {
    const PictureCondition& condition = node.conditions[i];
    std::string text = condition.name.empty() ? condition.type : condition.name;
    if (state != nullptr && i < state->condition_states.size() &&
        !state->condition_states[i].empty()) {
      absl::StrAppend(&text, " ", state->condition_states[i]);
    }
    texts.push_back(Line(absl::StrCat("◇ ", text), kMostName));
  }
  if (texts.empty()) return "";
  return Row(Small("#5d6873", absl::StrJoin(texts, "<BR/>")));
}

std::string RemarksRow(const PictureNode& node) {
  int errors = 0;
  for (const PictureRemark& remark : node.remarks) {
    errors += remark.kind == PictureRemark::Kind::kError ? 1 : 0;
  }
  const int others = static_cast<int>(node.remarks.size()) - errors;
  std::vector<std::string> texts;
  if (errors > 0) {
    texts.push_back(absl::StrCat(errors, errors == 1 ? " error" : " errors"));
  }
  if (others > 0) {
    texts.push_back(
        absl::StrCat(others, others == 1 ? " finding" : " findings"));
  }
  if (texts.empty()) return "";
  return Row(Small(errors > 0 ? "#c62828" : "#a86500",
                   absl::StrCat("⚠ ", absl::StrJoin(texts, ", "))));
}

std::string PortsText(absl::string_view title,
                      const std::vector<PicturePort>& ports,
                      const std::vector<PictureStream>& streams) {
  std::string text;
  for (const PicturePort& port : ports) {
    const bool is_connected =
        port.stream >= 0 && port.stream < static_cast<int>(streams.size());
    absl::StrAppend(&text, title, " ", port.label, " ",
                    is_connected ? streams[port.stream].name : "(nothing)",
                    port.type.empty() ? "" : ": ", port.type,
                    port.is_back_edge ? ", back edge" : "", "\n");
    if (text.size() > kMostTooltip) break;
  }
  return text;
}

}  // namespace

const char* ExecutorColor(int executor) {
  constexpr const char* kColors[] = {"#ffffff", "#dcecfa", "#fbe6cf",
                                     "#d9f0e2", "#eedff6", "#f8dbe2",
                                     "#d6f0f0", "#f0ecd0"};
  constexpr int kNumColors = sizeof(kColors) / sizeof(kColors[0]);
  if (executor <= 0) return kColors[0];
  return kColors[1 + (executor - 1) % (kNumColors - 1)];
}

std::string DotNodeTable(const GraphPicture& picture, int id,
                         const PictureNodeState* state,
                         const PictureWait* wait) {
  const PictureNode& node = picture.nodes[id];
  const bool is_in_call = state != nullptr && state->is_in_call;
  const char* color = wait != nullptr ? "#d1390f"
                      : is_in_call    ? "#1b7f4b"
                      : node.is_known ? "#5d6873"
                                      : "#a86500";
  std::string table = absl::StrCat(
      "<TABLE STYLE=\"", node.is_known ? "rounded" : "rounded,dashed",
      "\" BORDER=\"", wait != nullptr || is_in_call ? 2 : 1, "\" COLOR=\"",
      color, "\" BGCOLOR=\"", ExecutorColor(node.executor),
      "\" CELLBORDER=\"0\" CELLSPACING=\"1\" CELLPADDING=\"1\">");
  table += CellsRow(InputCells(picture, node, state));
  table += Row(absl::StrCat(
      "<B>", Line(InnerName(picture, node.name, node.subgraph), kMostName),
      "</B>"));
  if (!node.type.empty()) {
    table += Row(Small("#5d6873", Line(node.type, kMostName)));
  }
  table += ConditionsRow(node, state);
  if (wait != nullptr) {
    table += Row(Small("#d1390f", Line(wait->why, kMostWait)));
  }
  table += RemarksRow(node);
  table += CellsRow(OutputCells(picture, node, state));
  return table + "</TABLE>";
}

std::string StreamTooltip(const PictureStream& stream) {
  return absl::StrCat(stream.name, stream.type.empty() ? "" : ": ",
                      stream.type);
}

std::string NodeTooltip(const GraphPicture& picture, int id,
                        const PictureWait* wait) {
  const PictureNode& node = picture.nodes[id];
  std::string text = absl::StrCat(node.name, "\n", node.type, "\n");
  if (!node.location.empty()) absl::StrAppend(&text, node.location, "\n");
  if (!node.is_known) text += "This program does not know the type.\n";
  for (const PictureRemark& remark : node.remarks) {
    absl::StrAppend(&text, remark.text, "\n");
  }
  if (wait != nullptr) absl::StrAppend(&text, wait->why, "\n");
  const int executor = node.executor;
  if (executor > 0 && executor < static_cast<int>(picture.executors.size())) {
    absl::StrAppend(&text, "executor ", picture.executors[executor].name, "\n");
  }
  absl::StrAppend(&text, PortsText("in", node.inputs, picture.streams),
                  PortsText("out", node.outputs, picture.streams),
                  PortsText("in side packet", node.input_side_packets,
                            picture.side_packets),
                  PortsText("out side packet", node.output_side_packets,
                            picture.side_packets),
                  node.options);
  if (text.size() > kMostTooltip) {
    text = Shortened(text, kMostTooltip);
  }
  return text;
}

}  // namespace syncline
