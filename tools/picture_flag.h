// The flag of run_graph that asks for a picture of the graph: --picture.
//
// Thread rule: one thread.
// Tested by picture_flag_test and run_graph_picture_test.

#ifndef SYNCLINE_TOOLS_PICTURE_FLAG_H_
#define SYNCLINE_TOOLS_PICTURE_FLAG_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pages/model/graph_picture.h"
#include "tools/file_uses.h"

namespace syncline {

// For CheckFlags; and the part of --help.
std::vector<std::string> PictureFlagNames();
extern const char kPictureFlagHelp[];

struct PictureRequest {
  // Empty: no picture is asked for.
  std::string path;
  // By the end of that name; DOT otherwise.
  bool is_svg = false;
};

// INVALID_ARGUMENT: the end of the name says no form.
absl::StatusOr<PictureRequest> ReadPictureFlag();
// As it reads a file of that name.
absl::StatusOr<PictureRequest> PictureRequestFor(absl::string_view path);

// The file is read by no other flag.
absl::Status AddPictureUse(const PictureRequest& request, FileUses* uses);

// Draws and writes the picture. A file that is there keeps what it has until
// the new picture is whole. Where Graphviz is missing or fails, the text for it
// is written beside, into PATH.dot unless there is another file of that name,
// and the error says so.
absl::Status WritePicture(const PictureRequest& request,
                          const GraphPicture& picture,
                          const PictureState* state = nullptr);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_PICTURE_FLAG_H_
