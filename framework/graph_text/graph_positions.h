// Where in a text file the parts of a graph config stand, so that errors can
// begin with "file:line".
//
// Only lines of nodes and of their and the graph's own fields are kept, 20
// bytes each; what is nested deeper has the line of the field around it. Of a
// graph that a template made, the nodes have places in the template, with the
// column, and all else has none.
//
// Thread rule: immutable.
// Tested by graph_positions_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_GRAPH_POSITIONS_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_GRAPH_POSITIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/text_format.h"

namespace syncline {

struct FilePosition {
  std::string file;
  // Counted from 1; 0 when it is not known.
  int line = 0;
  // The same; 0 also where the line is enough.
  int column = 0;
};

class GraphPositions {
 public:
  // `config` is what was read when `locations` was filled. `file` may be empty;
  // it then reads "<text>".
  GraphPositions(absl::string_view file, const CalculatorGraphConfig& config,
                 const google::protobuf::TextFormat::ParseInfoTree& locations);

  // One place for each node.
  struct Place {
    int line = 0;
    int column = 0;
  };
  GraphPositions(absl::string_view file, const std::vector<Place>& nodes);

  // Node `i` of the config.
  FilePosition Node(int i) const;

  // Element `j` of a field of node `i`, by the field's name in the .proto file,
  // such as "input_stream"; of a field that is not repeated, j is 0. The node's
  // position when the field has none.
  FilePosition NodeField(int i, absl::string_view field, int j = 0) const;

  // Element `j` of a field of the graph itself. Line 0 when it has none.
  FilePosition Field(absl::string_view field, int j = 0) const;

 private:
  using Tree = google::protobuf::TextFormat::ParseInfoTree;

  // One element of one field. Sorted by the first three.
  struct Entry {
    int node;  // -1 for the graph itself
    int field;
    int index;
    int line;
    int column = 0;
  };

  void Add(int node, const google::protobuf::Message& message,
           const Tree& locations);
  // Line 0 when there is none.
  FilePosition Find(int node, int field, int index) const;

  std::string file_;
  std::vector<Entry> entries_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_GRAPH_POSITIONS_H_
