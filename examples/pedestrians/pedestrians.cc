// Pedestrians, live: see README.md.
//
// Exit status: 0: the video was written. 1: it was not written to its end, or
// the framework costs more than --check_times allows. 2: the command line is
// wrong. 130 or 143: interrupted by Ctrl-C or SIGTERM; the part that was
// written is a valid video.
//
// Thread rule: single-threaded, apart from the graph's threads.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "examples/pedestrians/demo_video.h"
#include "examples/pedestrians/live_line.h"
#include "examples/pedestrians/pedestrian_run.h"
#include "framework/calculator_graph.h"
#include "glog/logging.h"
#include "opencv2/core.hpp"
#include "pages/live/live_page.h"
#include "tools/about_program.h"
#include "tools/check_flags.h"
#include "tools/exit_status.h"
#include "tools/interruption.h"

ABSL_FLAG(std::string, input_video_path, "", "the video");
ABSL_FLAG(std::string, output_video_path, "", "where the annotated one goes");
ABSL_FLAG(bool, realtime, true, "at the video's own rate");
ABSL_FLAG(bool, allow_truncated, false, "takes a video that was cut off");
ABSL_FLAG(bool, check_times, false, "whether the framework costs too much");
ABSL_FLAG(int, threads, 0, "of the default executor");
ABSL_FLAG(int, page, -1, "the port of a page that shows the run; 0 is any");
ABSL_FLAG(std::string, graph, syncline::PedestrianOptions().graph_path,
          "the graph");

namespace syncline {
namespace {

constexpr char kProgram[] = "pedestrians";
constexpr int kMaxThreads = 1024;
constexpr int kNoPage = -1;
constexpr int kMaxPort = 65535;
constexpr char kFetchScript[] = "examples/pedestrians/fetch_vtest.sh";

constexpr char kUsage[] =
    R"(Finds and follows the people in a video, live.

usage: pedestrians [--input_video_path=FILE] [--output_video_path=FILE]
                   [--realtime=true|false] [--allow_truncated] [--check_times]
                   [--threads=N] [--graph=FILE] [--page=PORT]

  --input_video_path=FILE   the video; by default vtest.avi out of Debian's
                            package opencv-doc, which is fetched once
  --output_video_path=FILE  where the annotated video goes, .avi or .mp4; by
                            default pedestrians.avi in a new folder of temporary
                            files
  --realtime=true           frames come at the video's own rate, and the
                            detector gets those that it has time for; when
                            the whole graph is too slow for them, frames are
                            dropped as by a camera, and counted
  --realtime=false          as fast as can be, and the detector gets every
                            frame; the same file for any number of threads
  --allow_truncated         a video that was cut off is taken as far as it goes
  --check_times             fails where the framework costs more than it may;
                            for a live run of an optimised build
  --threads=N               of the default executor; 0: one for each core
  --graph=FILE              another graph than graphs/pedestrians/
                            pedestrians.pbtxt, with the same streams
  --page=PORT               shows the run in a browser (docs/live_page.md) at
                            http://127.0.0.1:PORT; 0: any port that is free
  --version, --help         of which Syncline it is; this text

Examples:
  pedestrians --page=8080
  pedestrians --input_video_path=walk.avi --output_video_path=found.avi
  pedestrians --realtime=false --threads=4

Ctrl-C ends the run in good order: what was written is a valid video.

Exit status: 0 the video was written, 1 it was not, or --check_times failed, 2
the command line is wrong, 130 or 143 interrupted by Ctrl-C or SIGTERM.
)";

// A path is relative to the user's folder, but `bazel run` starts the program
// in another one.
std::string FromUsersFolder(const std::string& path) {
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder == nullptr || path.empty() || absl::StartsWith(path, "/") ||
      absl::StrContains(path, "://")) {
    return path;
  }
  return absl::StrCat(folder, "/", path);
}

std::string DefaultOutput() {
  // A random folder, since somebody could have put a link at a name that is
  // known before.
  std::error_code error;
  std::string folder =
      std::filesystem::temp_directory_path(error) / "pedestrians.XXXXXX";
  return error || mkdtemp(folder.data()) == nullptr
             ? "pedestrians.avi"
             : absl::StrCat(folder, "/pedestrians.avi");
}

// Chooses the input, and a note about it for the user.
absl::Status ChooseInput(PedestrianOptions* options, std::string* note) {
  options->input_path = FromUsersFolder(absl::GetFlag(FLAGS_input_video_path));
  if (!options->input_path.empty()) return absl::OkStatus();
  const absl::StatusOr<DemoVideo> video = FindDemoVideo(kFetchScript);
  if (!video.ok()) return video.status();
  options->input_path = video->path;
  if (!video->why_generated.empty()) {
    *note = absl::StrCat("generated, as ", video->why_generated);
  }
  return absl::OkStatus();
}

// Null where none is asked for.
absl::StatusOr<std::unique_ptr<LivePage>> ServePage(
    const PedestrianOptions& options, CalculatorGraph* graph) {
  GraphPageOptions page;
  page.port = absl::GetFlag(FLAGS_page);
  page.title = options.graph_path;
  if (page.port == kNoPage) return nullptr;
  return LivePage::Serve(graph, std::move(page));
}

bool AreTheSame(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error);
}

int Main() {
  PedestrianOptions options;
  options.realtime = absl::GetFlag(FLAGS_realtime);
  options.allow_truncated = absl::GetFlag(FLAGS_allow_truncated);
  options.threads = absl::GetFlag(FLAGS_threads);
  // The default path is relative to the program's folder, not to the user's.
  if (absl::GetFlag(FLAGS_graph) != options.graph_path) {
    options.graph_path = FromUsersFolder(absl::GetFlag(FLAGS_graph));
  }
  if (options.threads < 0 || options.threads > kMaxThreads) {
    return Fail(kProgram, kUsageIsWrong,
                absl::StrCat("--threads is from 0 to ", kMaxThreads, ", not ",
                             options.threads));
  }
  const int port = absl::GetFlag(FLAGS_page);
  if (port < kNoPage || port > kMaxPort) {
    return Fail(
        kProgram, kUsageIsWrong,
        absl::StrCat("--page is a port from 0 to ", kMaxPort, ", not ", port));
  }
  options.output_path = FromUsersFolder(absl::GetFlag(FLAGS_output_video_path));
  if (options.output_path.empty()) options.output_path = DefaultOutput();
  std::string note;
  const absl::Status chosen = ChooseInput(&options, &note);
  if (!chosen.ok()) return Fail(kProgram, kFailed, chosen.message());
  if (AreTheSame(options.input_path, options.output_path)) {
    return Fail(kProgram, kUsageIsWrong,
                absl::StrCat("the output \"",
                             absl::Utf8SafeCHexEscape(options.output_path),
                             "\" would overwrite the input; name another "
                             "file"));
  }
  // Threads of OpenCV would take the cores from the threads of the graph.
  cv::setNumThreads(1);

  PedestrianRun run(options);
  const absl::Status prepared = run.Prepare();
  if (!prepared.ok()) return Fail(kProgram, kFailed, prepared.message());
  std::cout << "input           " << ShownName(options.input_path)
            << (note.empty() ? "" : absl::StrCat(" (", note, ")")) << "\n"
            << std::flush;
  const absl::StatusOr<std::unique_ptr<LivePage>> page =
      ServePage(options, &run.graph());
  if (!page.ok()) return Fail(kProgram, kFailed, page.status().message());
  if (*page != nullptr) {
    std::cout << "page            " << (*page)->Url() << std::endl;
  }
  absl::Status status;
  int signal = 0;
  {
    const Interruption interruption("pedestrians", [&run] { run.Cancel(); });
    const LiveLine live(&run.log());
    status = run.Run();
    signal = interruption.signal();
  }
  if (signal != 0 && absl::IsCancelled(status)) status = absl::OkStatus();
  if (!status.ok()) return Fail(kProgram, kFailed, status.message());
  const absl::Status compared = run.CompareTimes();
  std::cout << Shown(SummaryOf(options, run.report())) << std::flush;
  if (!compared.ok()) {
    std::cerr << "pedestrians: nothing to compare with: " << compared.message()
              << "\n";
  }
  if (absl::GetFlag(FLAGS_check_times)) {
    const absl::Status checked = CheckTimes(run.report());
    if (!checked.ok()) return Fail(kProgram, kFailed, checked.message());
  }
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  // Without this the log would be written to files in a temporary folder.
  FLAGS_logtostderr = std::getenv("GLOG_log_dir") == nullptr;
  google::InitGoogleLogging(argv[0]);
  const syncline::AboutProgram about = {
      .help = syncline::kUsage,
      .all_help = "",
      .version = syncline::VersionLine(syncline::kProgram)};
  if (const auto status = syncline::PrintAboutProgram(argc, argv, about)) {
    return *status;
  }
  const std::vector<std::string> args(argv, argv + argc);
  const absl::Status checked = syncline::CheckFlags(
      args, {"input_video_path", "output_video_path", "realtime",
             "allow_truncated", "check_times", "threads", "graph", "page"});
  if (!checked.ok()) {
    return syncline::Fail(syncline::kProgram, syncline::kUsageIsWrong,
                          checked.message());
  }
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    return syncline::Fail(
        syncline::kProgram, syncline::kUsageIsWrong,
        absl::StrCat("unexpected argument \"",
                     absl::Utf8SafeCHexEscape(rest[1]),
                     "\"; a video is named with --input_video_path=FILE"));
  }
  return syncline::Main();
}
