// The spectrogram of a WAV file, as text on the terminal and as a picture.
#include <errno.h>
#include <stdlib.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "examples/example_program.h"
#include "examples/spectrogram/whistle.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/formats/image_frame.h"
#include "framework/port/file_helpers.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_macros.h"

ABSL_FLAG(std::string, input, "", "the WAV file; without it, one is made");
ABSL_FLAG(std::string, output, "", "where to write the picture, as .ppm");

namespace syncline {
namespace {

void PrintAsText(const ImageFrame& picture) {
  for (int row = 0; row < picture.Height(); ++row) {
    const auto* const pixels = picture.PixelData() + row * picture.WidthStep();
    std::string line;
    for (int i = 0; i < picture.Width(); ++i) {
      line += " .:-=+*#%@"[pixels[i] * 9 / 255];
    }
    std::cout << absl::StripTrailingAsciiWhitespace(line) << "\n";
  }
}

absl::Status WritePpm(const ImageFrame& picture, const std::string& path) {
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

// In a new folder with a random name: somebody could have put a link at a name
// that is known before, and this would overwrite the file behind it.
absl::StatusOr<std::string> NewFileName(absl::string_view name) {
  const char* const folder = getenv("TMPDIR");
  std::string path =
      absl::StrCat(folder ? folder : "/tmp", "/spectrogram.XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return absl::UnavailableError(absl::StrCat(
        "cannot make the folder \"", path, "\": ", std::strerror(errno),
        "; name a sound with --input=FILE"));
  }
  return absl::StrCat(path, "/", name);
}

absl::Status Run() {
  std::string input = absl::GetFlag(FLAGS_input);
  if (input.empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(input, NewFileName("whistle.wav"));
    SYNCLINE_RETURN_IF_ERROR(WriteWhistle(input));
  }
  std::string text;
  SYNCLINE_RETURN_IF_ERROR(
      file::GetContents("examples/spectrogram/spectrogram.pbtxt", &text));
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(text)));
  // Each stream has one packet, at the end.
  Packet small;
  Packet large;
  const auto keep_in = [](Packet* kept) {
    return [kept](const Packet& packet) {
      *kept = packet;
      return absl::OkStatus();
    };
  };
  SYNCLINE_RETURN_IF_ERROR(graph.ObserveOutputStream("small", keep_in(&small)));
  SYNCLINE_RETURN_IF_ERROR(graph.ObserveOutputStream("large", keep_in(&large)));
  SYNCLINE_RETURN_IF_ERROR(
      graph.Run({{"path", MakePacket<std::string>(input)}}));
  if (small.IsEmpty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", input, "\" has no samples"));
  }
  PrintAsText(small.Get<ImageFrame>());
  const std::string output = absl::GetFlag(FLAGS_output);
  return output.empty() ? absl::OkStatus()
                        : WritePpm(large.Get<ImageFrame>(), output);
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  return syncline::RunExample(
      argc, argv,
      {.summary = "Shows the spectrogram of a WAV file.",
       .flags = {"input", "output"},
       .examples = {"spectrogram",
                    "spectrogram --input=song.wav --output=song.ppm"}},
      [](const std::vector<std::string>&) { return syncline::Run(); });
}
