// view_graph: a graph as a page for the browser.
//
// Exit status: 0 the page is written; 1 it is not: the file is no graph, or the
// page cannot be written; 2 the command line is wrong. A graph that does not
// compile has a page, too, with its errors.
//
// Thread rule: single-threaded.
// Tested by view_graph_test and view_graph_browser_test.
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/plugin.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "glog/logging.h"
#include "pages/model/graph_picture.h"
#include "pages/view/view_page.h"
#include "tools/about_program.h"
#include "tools/build_description.h"
#include "tools/check_flags.h"
#include "tools/exit_status.h"
#include "tools/file_uses.h"
#include "tools/graph_argument.h"
#include "tools/installed_plugins.h"
#include "tools/repeated_flags.h"
#include "tools/replace_file.h"
#include "tools/standard_streams.h"
#include "tools/view_graph/view_picture.h"

ABSL_FLAG(std::string, output, "", "the HTML file to write");
ABSL_FLAG(bool, open, true, "open the page in the browser");
ABSL_FLAG(std::vector<std::string>, plugin, {},
          "shared libraries with calculators for the graph: FILE,...");
ABSL_FLAG(std::vector<std::string>, template_args, {},
          "arguments of a graph template: NAME=VALUE,...");

extern char** environ;

namespace syncline {
namespace {

constexpr char kProgram[] = "view_graph";

constexpr char kUsage[] =
    R"(Draws a graph as a page for the browser, in one HTML file that needs no
server and no network: nodes and streams, subgraphs to unfold, options,
contracts, where each node is written, errors and findings in place, search.

usage: view_graph GRAPH [SUBGRAPH...] [--output=FILE.html] [--open=BOOL]
                  [--plugin=FILE,...] [--template_args=NAME=VALUE,...]

  GRAPH                Protobuf text (.pbtxt) or binary (.binarypb), also of
                       MediaPipe: calculators and options that this program does
                       not know are shown as they are written
  SUBGRAPH             a file with a type that nodes of the graph name
  --output=FILE        the page; - is standard output. Without it, a new file in
                       the folder for temporary ones, whose name is printed
  --open=BOOL          open the page with xdg-open, where there is a display;
                       by default true, and false for --output=-
  --plugin=FILE        a shared library with calculators and subgraphs, or the
                       name of an installed one
  --template_args=NAME=VALUE
                       a value for a parameter of a graph template
                       Both may be repeated, or take a list with commas.
  --version            what this program was built from
  --help               this text

Examples:
  view_graph graph.pbtxt
  view_graph face_mesh.pbtxt face_landmark.pbtxt --output=face_mesh.html

Keys in the page: arrows go along the graph, + and - zoom, 0 shows all, Enter
unfolds, / searches, Escape selects nothing.

Exit status: 0 the page is written, also of a graph with errors; 1 it is not;
2 the command line is wrong.
)";

int FailUsage(absl::string_view message) {
  return Fail(kProgram, kUsageIsWrong, message);
}

// A new file of the user's, whose name tells which graph it shows.
absl::StatusOr<std::string> TemporaryFile(const std::string& graph) {
  const char* const set = std::getenv("TMPDIR");
  std::string stem = std::filesystem::path(graph).stem().string();
  for (char& c : stem) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  std::string path = absl::StrCat(set == nullptr || *set == 0 ? "/tmp" : set,
                                  "/view_", stem.substr(0, 60), "_XXXXXX.html");
  const int fd = mkstemps(path.data(), static_cast<int>(strlen(".html")));
  if (fd < 0) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("a new file \"", ShownName(path),
                                            "\": name one with --output=FILE"));
  }
  close(fd);
  return path;
}

bool HasDisplay() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* const display = std::getenv(name);
    if (display != nullptr && *display != 0) return true;
  }
  return false;
}

// The browser goes on by itself.
void OpenInBrowser(const std::string& path) {
  std::string program = "xdg-open";
  std::string argument = path;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, program.c_str(), nullptr, nullptr, arguments, environ);
  if (error == 0) return;
  std::cerr << kProgram << ": warning: xdg-open cannot be started ("
            << std::strerror(error)
            << "): open the file in the browser yourself\n";
}

absl::Status OpenPlugins() {
  for (const std::string& plugin : absl::GetFlag(FLAGS_plugin)) {
    SYNCLINE_ASSIGN_OR_RETURN(const std::string file,
                              PluginFile(plugin, PluginFolder()),
                              _.SetPrepend() << "--plugin: ");
    SYNCLINE_RETURN_IF_ERROR(LoadPlugin(file));
  }
  return absl::OkStatus();
}

int Write(const std::string& page, const std::string& graph, FileUses* uses) {
  std::string path = absl::GetFlag(FLAGS_output);
  const bool is_temporary = path.empty();
  if (is_temporary) {
    const absl::StatusOr<std::string> made = TemporaryFile(graph);
    if (!made.ok()) return Fail(kProgram, kFailed, made.status().message());
    path = *made;
  } else if (path != "-") {
    const absl::Status is_free = uses->AddWritten("--output", path);
    if (!is_free.ok()) return FailUsage(is_free.message());
  }
  const absl::Status written = ReplaceFile(kProgram, path, page);
  if (!written.ok()) {
    if (is_temporary) unlink(path.c_str());
    return Fail(kProgram, kFailed, written.message());
  }
  if (path == "-") return 0;
  std::cout << path << std::endl;
  uses->TellPlaces(kProgram);
  if (absl::GetFlag(FLAGS_open) && HasDisplay()) OpenInBrowser(path);
  return std::cout ? 0
                   : Fail(kProgram, kFailed, "cannot write to standard output");
}

int CountErrors(const GraphPicture& picture) {
  int errors = 0;
  const auto count = [&errors](const std::vector<PictureRemark>& remarks) {
    for (const PictureRemark& remark : remarks) {
      errors += remark.kind == PictureRemark::Kind::kError ? 1 : 0;
    }
  };
  count(picture.remarks);
  for (const PictureNode& node : picture.nodes) count(node.remarks);
  return errors;
}

int Main(const std::vector<std::string>& files) {
  if (files.empty()) {
    return FailUsage("name the file of a graph (see view_graph --help)");
  }
  FileUses uses;
  for (const std::string& file : files) uses.AddRead("the graph", file);
  for (const std::string& plugin : absl::GetFlag(FLAGS_plugin)) {
    uses.AddRead("--plugin", plugin);
  }
  const absl::Status opened = OpenPlugins();
  if (!opened.ok()) return Fail(kProgram, kFailed, opened.message());
  ViewRequest request;
  request.path = files[0];
  request.subgraphs.assign(files.begin() + 1, files.end());
  absl::StatusOr<TemplateDict> arguments =
      TemplateArguments(absl::GetFlag(FLAGS_template_args));
  if (!arguments.ok()) return FailUsage(arguments.status().message());
  request.template_arguments = *std::move(arguments);
  const absl::StatusOr<GraphPicture> picture = MakeViewPicture(request);
  if (!picture.ok()) {
    return Fail(kProgram, kFailed, picture.status().message());
  }
  const int errors = CountErrors(*picture);
  if (errors > 0) {
    std::cerr << kProgram << ": the graph has " << errors
              << (errors == 1 ? " error, which stands" : " errors, which stand")
              << " in the page\n";
  }
  return Write(ViewPage(*picture), files[0], &uses);
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  syncline::KeepStandardStreamsApart();
  FLAGS_logtostderr = std::getenv("GLOG_log_dir") == nullptr;
  google::InitGoogleLogging(argv[0]);
  const syncline::AboutProgram about = {
      .help = syncline::kUsage,
      .all_help = "",
      .version = syncline::DescribeBuild("view_graph")};
  if (const auto status = syncline::PrintAboutProgram(argc, argv, about)) {
    return *status;
  }
  absl::SetProgramUsageMessage(syncline::kUsage);
  std::vector<std::string> joined = syncline::JoinRepeatedFlags(
      std::vector<std::string>(argv, argv + argc), {"plugin", "template_args"});
  const std::vector<std::string> own = {"output", "open", "plugin",
                                        "template_args"};
  const absl::Status checked = syncline::CheckFlags(joined, own);
  if (!checked.ok()) return syncline::FailUsage(checked.message());
  std::vector<char*> args;
  for (std::string& arg : joined) args.push_back(arg.data());
  args.push_back(nullptr);
  const std::vector<char*> rest =
      absl::ParseCommandLine(static_cast<int>(joined.size()), args.data());
  int exit_status = 0;
  const absl::Status status = syncline::CatchExceptions([&] {
    exit_status =
        syncline::Main(std::vector<std::string>(rest.begin() + 1, rest.end()));
  });
  return status.ok() ? exit_status
                     : syncline::Fail(syncline::kProgram, syncline::kFailed,
                                      status.message());
}
