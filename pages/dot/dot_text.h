// A picture of a graph in DOT, which Graphviz draws (graphviz.h).
//
// A node is a table: the ports of its inputs with their tags, its name, its
// type, its conditions, and its outputs with the names of the streams. So a
// stream is named where it begins, and no label of an arrow can lie on another.
// Subgraphs are boxes, executors are colors, back edges are dashed, side
// packets are dotted. Types, places and options are in the tooltips.
//
// With the state of a run: packets sent, queues, conditions, and in red what
// waits and by which stream.
//
// Thread rule: a pure function.
// Tested by dot_text_test and graphviz_svg_test.

#ifndef SYNCLINE_PAGES_DOT_DOT_TEXT_H_
#define SYNCLINE_PAGES_DOT_DOT_TEXT_H_

#include <string>

#include "pages/model/graph_picture.h"

namespace syncline {

// `state` may be null: no run is shown. Numbers that do not fit the picture are
// left out.
std::string DotText(const GraphPicture& picture,
                    const PictureState* state = nullptr);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_DOT_DOT_TEXT_H_
