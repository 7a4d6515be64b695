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
          "the device, as cuda:0 or stand_in; without it the first there is");
ABSL_FLAG(std::string, input, "",
          "a video (with OpenCV); without it, one is made");
ABSL_FLAG(int, frames, 50, "how many frames of a video that is made");
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

absl::Status Run() {
  if (absl::GetFlag(FLAGS_frames) < 1) {
    return absl::InvalidArgumentError("--frames is 1 or more");
  }
  Packet last;
  SYNCLINE_ASSIGN_OR_RETURN(
      const VideoReport report,
      RunGpuVideo(
          {.device = absl::GetFlag(FLAGS_device),
           .input = absl::GetFlag(FLAGS_input),
           .frames = absl::GetFlag(FLAGS_frames),
           .output = absl::GetFlag(FLAGS_output_video),
           .on_picture = [&last](const Packet& picture) { last = picture; }}));
  std::cout << report.device << "\n"
            << absl::StreamFormat(
                   "%d pictures of %d x %d, %d kernels and copies\n",
                   report.pictures, report.width, report.height, report.works)
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
      "Edges and boxes of a video, on a GPU or on the stand-in.\n\n"
      "usage: gpu_video [--device=cuda:0] [--input=FILE.avi] [--frames=N]\n"
      "                 [--output=FILE.ppm] [--output_video=FILE.avi]\n",
      {"device", "input", "frames", "output", "output_video"},
      [](const std::vector<std::string>&) { return syncline::Run(); });
}
