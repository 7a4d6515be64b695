// Frames of a video on a device: resized, their edges, boxes, and back.
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "examples/example_program.h"
#include "examples/gpu_video/video_run.h"
#include "framework/formats/image_frame.h"
#include "framework/packet.h"
#include "framework/port/status_macros.h"

ABSL_FLAG(std::string, device, "",
          "as cuda:0 or stand_in; without it, the first there is");
ABSL_FLAG(std::string, input, "", "a video (with OpenCV)");
ABSL_FLAG(int, frames, 0, "makes a video of so many frames");
ABSL_FLAG(std::string, output, "", "where to write the last picture, as .ppm");
ABSL_FLAG(std::string, output_video, "",
          "where to write the pictures as .avi (with OpenCV)");

namespace syncline {
namespace {

absl::Status WritePicture(const ImageFrame& picture, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << "P6 " << picture.Width() << " " << picture.Height() << " 255\n";
  for (int row = 0; row < picture.Height(); ++row) {
    file.write(reinterpret_cast<const char*>(picture.PixelData()) +
                   row * picture.WidthStep(),
               3 * picture.Width());
  }
  if (file.flush()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write \"", path, "\""));
}

// The video that was named; else vtest.avi, where it is and can be read; else
// none, and one is made.
std::string ChooseInput() {
  const std::string input = absl::GetFlag(FLAGS_input);
  if (!input.empty() || absl::GetFlag(FLAGS_frames) > 0) return input;
  return HasVideoFiles() ? FindVtest() : "";
}

absl::Status Run() {
  constexpr int kMadeFrames = 50;
  const int frames = absl::GetFlag(FLAGS_frames);
  if (frames < 0) return absl::InvalidArgumentError("--frames is 1 or more");
  if (frames > 0 && !absl::GetFlag(FLAGS_input).empty()) {
    return absl::InvalidArgumentError(
        "--frames is of a video that is made: give it or --input, not both");
  }
  const std::string input = ChooseInput();
  Packet last;
  SYNCLINE_ASSIGN_OR_RETURN(
      const VideoReport report,
      RunGpuVideo(
          {.device = absl::GetFlag(FLAGS_device),
           .input = input,
           .frames = frames > 0 ? frames : kMadeFrames,
           .output = absl::GetFlag(FLAGS_output_video),
           .on_picture = [&last](const Packet& picture) { last = picture; }}));
  std::cout << report.device << "\n"
            << (input.empty() ? "a video that is made" : input) << "\n"
            << absl::StreamFormat(
                   "%d pictures of %d x %d, %d kernels and copies\n",
                   report.pictures, report.width, report.height, report.works)
            << absl::StreamFormat(
                   "%d waits of streams on the device, %d of the host\n",
                   report.waits, report.host_waits)
            << absl::StreamFormat("mean of the edges %.3f, checksum %08x\n",
                                  report.mean_of_edges, report.checksum);
  const std::string output = absl::GetFlag(FLAGS_output);
  if (output.empty() || last.IsEmpty()) return absl::OkStatus();
  return WritePicture(last.Get<ImageFrame>(), output);
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  return syncline::RunExample(
      argc, argv,
      {.summary =
           "Edges and boxes of a video, on a GPU or on the stand-in.\n\n"
           "Without --input the video is vtest.avi, where Debian's opencv-doc "
           "or\n"
           "examples/pedestrians has put it; else, and with --frames, it is "
           "made.",
       .flags = {"device", "input", "frames", "output", "output_video"},
       .examples = {"gpu_video --frames=30 --output=edges.ppm",
                    "gpu_video --device=cuda:0 --input=walk.avi "
                    "--output_video=edges.avi"}},
      [](const std::vector<std::string>&) { return syncline::Run(); });
}
