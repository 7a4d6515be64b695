// The label of a node in DOT, a table of its ports and texts, and the tooltips.
//
// Thread rule: pure functions.
// Tested by dot_text_test.

#ifndef SYNCLINE_PAGES_DOT_DOT_NODE_H_
#define SYNCLINE_PAGES_DOT_DOT_NODE_H_

#include <string>

#include "pages/model/graph_picture.h"

namespace syncline {

// The ports of cells are "i0" and "o0" for inputs and outputs, "si0" and "so0"
// for those of side packets. `state` and `wait`, which is that of this node,
// may be null.
std::string DotNodeTable(const GraphPicture& picture, int node,
                         const PictureNodeState* state,
                         const PictureWait* wait);

// In lines, and not escaped.
std::string NodeTooltip(const GraphPicture& picture, int node,
                        const PictureWait* wait);
std::string StreamTooltip(const PictureStream& stream);

// "#rrggbb": white for the default executor, which is 0.
const char* ExecutorColor(int executor);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_DOT_DOT_NODE_H_
