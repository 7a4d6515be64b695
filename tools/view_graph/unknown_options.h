// Options of types that the program does not have, such as those of MediaPipe's
// calculators: Protobuf reads no graph that has them. So they are taken out of
// the text before it is read, and shown as they are written.
//
//   options { [mediapipe.FaceOptions.ext] { size: 3 } }   becomes   options { }
//
// Thread rule: a pure function.
// Tested by unknown_options_test.

#ifndef SYNCLINE_TOOLS_VIEW_GRAPH_UNKNOWN_OPTIONS_H_
#define SYNCLINE_TOOLS_VIEW_GRAPH_UNKNOWN_OPTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace syncline {

struct UnknownOptions {
  // Where they begin, counted from 1.
  int line = 0;
  // The fields that they are in, from the outermost: {"node", "options"}.
  std::vector<std::string> fields;
  // As they are written.
  std::string text;
};

// Them in the fields that they are in, those from `first` on, with the lines of
// the text moved in:
//
//   options {
//     [mediapipe.FaceOptions.ext] { size: 3 }
//   }
std::string InTheirFields(const UnknownOptions& unknown, std::size_t first);

// Puts blanks in the place of each extension and each value of an Any whose
// type is not linked in, also inside of others. All else stays in its line and
// column. Text that is no Protobuf text stays as it is, as far as it can be
// followed: whoever reads it says what is wrong. Linear in the size of the
// text.
std::vector<UnknownOptions> TakeUnknownOptions(std::string* text);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_VIEW_GRAPH_UNKNOWN_OPTIONS_H_
