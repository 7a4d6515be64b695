#include "examples/pedestrians/demo_video.h"

#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "calculators/vision/walkers.h"
#include "framework/calculator_graph.h"
#include "framework/formats/image_frame.h"
#include "framework/packet.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_macros.h"
#include "framework/timestamp.h"

namespace syncline {
namespace {

constexpr int kFrameRate = 10;
// The generated video: twenty seconds.
constexpr int kFrames = 200;
constexpr int kWidth = 640;
constexpr int kHeight = 480;

// The user's folder for what can be had again, or a fresh one: where everybody
// may write, somebody else could have put another video under our name.
absl::StatusOr<std::string> CacheFolder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  std::string folder = variable("XDG_CACHE_HOME");
  std::string home = variable("HOME");
  const passwd* const user = getpwuid(getuid());
  if (home.empty() && user != nullptr) home = user->pw_dir;
  if (folder.empty() && !home.empty()) folder = absl::StrCat(home, "/.cache");
  std::error_code error;
  if (folder.empty()) {
    folder = std::filesystem::temp_directory_path(error) / "pedestrians.XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
      error.assign(errno, std::generic_category());
    }
  }
  absl::StrAppend(&folder, "/syncline/pedestrians");
  if (!error) std::filesystem::create_directories(folder, error);
  if (!error) return folder;
  return absl::UnavailableError(absl::StrCat(
      "cannot make the folder \"", folder, "\" for the video: ",
      error.message(), "; name a video with --input_video_path=FILE"));
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) &&
         std::filesystem::file_size(path, error) > 0;
}

// Whether `script path` succeeded and made the file.
bool Fetch(const std::string& script, const std::string& path) {
  std::cerr << "pedestrians: fetching vtest.avi out of Debian's package "
               "opencv-doc (96 MB, once) into "
            << path << std::endl;
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/bash", "bash", script.c_str(), path.c_str(),
          static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 &&
         IsFile(path);
}

}  // namespace

absl::StatusOr<DemoVideo> FindDemoVideo(const std::string& fetch_script) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::string folder, CacheFolder());
  const std::string path = absl::StrCat(folder, "/vtest.avi");
  if (IsFile(path) || Fetch(fetch_script, path)) return DemoVideo{path, ""};
  const std::string generated = absl::StrCat(folder, "/walkers.avi");
  if (!IsFile(generated)) {
    SYNCLINE_RETURN_IF_ERROR(
        WriteWalkersVideo(generated, kFrames, kWidth, kHeight));
  }
  return DemoVideo{generated,
                   "apt-get download opencv-doc failed; `apt-get update` and "
                   "a network may help"};
}

absl::Status WriteWalkersVideo(const std::string& path, int frames, int width,
                               int height) {
  // Writes to another name first and renames the file, so that other processes
  // see the whole video or none.
  const std::string part =
      absl::StrCat(path, ".", static_cast<int>(getpid()), ".avi");
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "frames"
        input_side_packet: "path"
        node {
          calculator: "OpenCvVideoEncoderCalculator"
          input_stream: "VIDEO:frames"
          input_side_packet: "OUTPUT_FILE_PATH:path"
          options {
            [syncline.OpenCvVideoEncoderCalculatorOptions.ext] { fps: 10 }
          }
        })pb")));
  SYNCLINE_RETURN_IF_ERROR(
      graph.StartRun({{"path", MakePacket<std::string>(part)}}));
  const double scale = height / 480.0;
  const std::vector<Walker> walkers = {
      {width * 0.1, height * 0.85, 260 * scale, 45 * scale},
      {width * 0.8, height * 0.90, 290 * scale, -60 * scale},
      {width * 0.5, height * 0.70, 200 * scale, 30 * scale}};
  for (int i = 0; i < frames; ++i) {
    SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream(
        "frames",
        MakePacket<ImageFrame>(DrawWalkers(walkers, width, height,
                                           static_cast<double>(i) / kFrameRate))
            .At(Timestamp(i * 1000000LL / kFrameRate))));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  std::error_code error;
  std::filesystem::rename(part, path, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write \"",
                                             absl::Utf8SafeCHexEscape(path),
                                             "\": ", error.message()));
}

}  // namespace syncline
