#include "tools/picture_flag.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"
#include "pages/dot/dot_text.h"
#include "pages/dot/graphviz.h"
#include "pages/model/graph_picture.h"
#include "tools/exit_status.h"
#include "tools/file_uses.h"
#include "tools/replace_file.h"

ABSL_FLAG(std::string, picture, "",
          "draw the graph into this file: .svg, or .dot for Graphviz");

namespace syncline {
namespace {

// 1,000 nodes take it 2 seconds; the end of a run does not wait for longer.
constexpr absl::Duration kMostTime = absl::Seconds(30);

// Whether this process may write the file, whose name nobody has given it: it
// made the file, now or earlier.
bool IsOwnFile(const std::string& path) {
  static Mutex mutex;
  static auto* const own = new std::set<std::string>;
  MutexLock lock(&mutex);
  if (own->contains(path)) return true;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                      S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (fd < 0) return false;
  close(fd);
  own->insert(path);
  return true;
}

// The picture is asked for as SVG, and there is only the text for it. A file
// that is there already may be anything, so it stays.
absl::Status WriteTextBeside(const std::string& path, const std::string& dot,
                             const absl::Status& why) {
  const std::string beside = absl::StrCat(path, ".dot");
  const bool is_written =
      IsOwnFile(beside) && ReplaceFile("run_graph", beside, dot).ok();
  return absl::Status(
      why.code(),
      absl::StrCat(why.message(), is_written
                                      ? absl::StrCat("; such a file is \"",
                                                     ShownName(beside), "\"")
                                      : ""));
}

}  // namespace

const char kPictureFlagHelp[] =
    R"(  --picture=FILE       draw the graph: FILE.svg with Graphviz, FILE.dot without;
                       of a run at its end, at an error and at Ctrl-\, with
                       what is in the queues and who waits for whom; with
                       --check of the graph (docs/pictures.md)
)";

std::vector<std::string> PictureFlagNames() { return {"picture"}; }

absl::StatusOr<PictureRequest> PictureRequestFor(absl::string_view path) {
  PictureRequest request;
  request.path = std::string(path);
  request.is_svg = absl::EndsWithIgnoreCase(path, ".svg");
  if (path.empty() || request.is_svg ||
      absl::EndsWithIgnoreCase(path, ".dot") ||
      absl::EndsWithIgnoreCase(path, ".gv")) {
    return request;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--picture draws into a file whose name ends in .svg, or in "
                   ".dot for Graphviz, and \"",
                   ShownName(path), "\" does not: give the file such a name"));
}

absl::StatusOr<PictureRequest> ReadPictureFlag() {
  return PictureRequestFor(absl::GetFlag(FLAGS_picture));
}

absl::Status AddPictureUse(const PictureRequest& request, FileUses* uses) {
  return request.path.empty() ? absl::OkStatus()
                              : uses->AddWritten("--picture", request.path);
}

absl::Status WritePicture(const PictureRequest& request,
                          const GraphPicture& picture,
                          const PictureState* state) {
  const std::string dot = DotText(picture, state);
  absl::StatusOr<std::string> text = dot;
  if (request.is_svg) {
    GraphvizOptions options;
    options.timeout = kMostTime;
    text = RunGraphviz(dot, options);
  }
  absl::Status status = text.status();
  if (text.ok()) {
    status = ReplaceFile("run_graph", request.path, *text);
  } else {
    status = WriteTextBeside(request.path, dot, status);
  }
  return status.ok() ? status : PrefixStatus("--picture: ", status);
}

}  // namespace syncline
