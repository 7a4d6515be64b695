// GraphPicture: a graph as something to look at: nodes, the subgraphs that they
// stand in, the streams and side packets between them, and what is to be said
// of each. PictureState: what a run of it has done so far, by the same numbers.
//
// Every form of a picture is made from these two: DOT and SVG (pages/dot), the
// page of a file (pages/view) and the page of a run (pages/live). So a name, a
// place in a file or an error is found once, and looks the same everywhere.
//
// All strings are UTF-8 that may hold anything else: quotes, markup, control
// characters. Whoever writes a form escapes them for it.
//
// Thread rule: plain values.
// Tested by picture_json_test.

#ifndef SYNCLINE_PAGES_MODEL_GRAPH_PICTURE_H_
#define SYNCLINE_PAGES_MODEL_GRAPH_PICTURE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace syncline {

// A port of a node of the picture, by its place in `inputs` or `outputs`.
struct PicturePort {
  // "TAG:index", or "TAG" or ":index" where that says all.
  std::string label;
  // Position in GraphPicture::streams, or in side_packets for a port of these.
  // -1: nothing is connected.
  int stream = -1;
  // As the contract says, resolved; empty: unknown.
  std::string type;
  // The stream comes from a later node of a loop.
  bool is_back_edge = false;
  bool is_optional = false;
};

// A condition of a node. Its options are in the text form of Protobuf.
struct PictureCondition {
  std::string name;
  std::string type;
  std::string options;
};

// What else a node or a graph says of itself, such as "input stream handler",
// "ImmediateInputStreamHandler".
struct PictureSetting {
  std::string name;
  std::string value;
};

// Something to be said of a node, or of the whole graph.
struct PictureRemark {
  enum class Kind { kError, kWarning, kLint };
  Kind kind = Kind::kError;
  // One or more lines. For kLint it begins with the name of the rule.
  std::string text;
};

struct PictureNode {
  // Canonical name, unique; and the registered type as the config writes it.
  std::string name;
  std::string type;
  // "file:line", empty: unknown.
  std::string location;
  // Position in subgraphs; -1: it stands in the graph itself.
  int subgraph = -1;
  // Position in executors.
  int executor = 0;
  bool is_source = false;
  // The program knows the type: ports have types, and the contract is there.
  bool is_known = false;
  std::vector<PicturePort> inputs;
  std::vector<PicturePort> outputs;
  std::vector<PicturePort> input_side_packets;
  std::vector<PicturePort> output_side_packets;
  std::vector<PictureCondition> conditions;
  // The node's options as they stand in the config, in text form.
  std::string options;
  std::vector<PictureSetting> settings;
  std::vector<PictureRemark> remarks;
};

// A node of the config that became other nodes.
struct PictureSubgraph {
  std::string name;
  std::string type;
  std::string location;
  // Position in subgraphs of the one around it, which comes before; -1: none.
  int parent = -1;
  std::string options;
  std::vector<PictureRemark> remarks;
};

struct PictureStream {
  std::string name;
  // Resolved; empty: unknown.
  std::string type;
  // Who sends it: position in nodes and among the outputs (or output side
  // packets) of that node. Node -1: an input of the graph, or nobody.
  int from_node = -1;
  int from_port = -1;
  // Who reads it.
  struct Reader {
    int node = -1;
    int port = -1;
    bool is_back_edge = false;
  };
  std::vector<Reader> readers;
  bool is_graph_input = false;
  bool is_graph_output = false;
};

struct PictureExecutor {
  // "" for the default executor, which is the first.
  std::string name;
  // "ThreadPoolExecutor, 4 threads" and the like.
  std::string description;
};

struct GraphPicture {
  // The file, or what else the graph is called by.
  std::string title;
  std::vector<PictureNode> nodes;
  std::vector<PictureSubgraph> subgraphs;
  std::vector<PictureStream> streams;
  std::vector<PictureStream> side_packets;
  std::vector<PictureExecutor> executors;
  // Of the whole graph.
  std::vector<PictureSetting> settings;
  std::vector<PictureRemark> remarks;
};

// --- A run

// Of a node's input: how many packets wait, and what was dropped, since the
// start of the run.
struct PictureQueue {
  int size = 0;
  // 0: no limit.
  int limit = 0;
  std::int64_t num_packets = 0;
  std::int64_t num_dropped = 0;
  // The timestamp of the first packet that waits, or the bound, as text.
  std::string first;
};

struct PictureNodeState {
  std::vector<PictureQueue> queues;           // by input
  std::vector<std::int64_t> num_sent;         // by output
  std::vector<std::string> condition_states;  // by condition, "WAIT: why"
  // Of Process, since the start of the run; -1: not measured.
  std::int64_t num_calls = -1;
  std::int64_t host_time_us = -1;
  bool is_in_call = false;
};

// Node `waiting` waits for node `for_node` (-1: for what `why` says) by the
// stream at position `stream` (-1: by none).
struct PictureWait {
  int waiting = -1;
  int for_node = -1;
  int stream = -1;
  std::string why;
};

struct PictureState {
  // "running", "ended", "failed" or "interrupted".
  std::string phase;
  // Since the start of the run.
  std::int64_t elapsed_us = 0;
  // Of a run that failed.
  std::string error;
  // The first sentence, and then all lines; empty while something moves.
  std::string standstill;
  std::string standstill_text;
  std::vector<PictureNodeState> nodes;    // by node of the picture
  std::vector<std::int64_t> num_packets;  // by stream of the picture
  std::vector<PictureWait> waits;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_MODEL_GRAPH_PICTURE_H_
