// Sends many files through a graph as fast as possible: the result is the same
// for any number of threads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "examples/example_program.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/file_helpers.h"
#include "framework/port/parse_text_proto.h"

namespace syncline {
namespace {

using Lines = std::vector<std::string>;

// Returns a line for each of the files.
absl::StatusOr<Lines> Count(CalculatorGraphConfig config, int threads,
                            const std::vector<std::string>& files) {
  config.set_num_threads(threads);
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
  Lines lines;
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("counts", [&](const Packet& packet) {
        const auto& [all, different] = packet.Get<std::pair<Packet, Packet>>();
        lines.push_back(absl::StrCat(
            files[static_cast<std::size_t>(packet.Timestamp().Value())], ": ",
            all.Get<int>(), " words, ", different.Get<int>(), " different"));
        return absl::OkStatus();
      }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  for (std::size_t i = 0; i < files.size() && !graph.HasError(); ++i) {
    // If this fails, the run has failed, and its own status says why.
    graph
        .AddPacketToInputStream("path",
                                MakePacket<std::string>(files[i]).At(
                                    Timestamp(static_cast<std::int64_t>(i))))
        .IgnoreError();
  }
  graph.CloseAllInputStreams().IgnoreError();
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  return lines;
}

// The files themselves, and for a folder the files directly in it, sorted by
// name.
absl::StatusOr<std::vector<std::string>> FilesIn(
    const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code no_folder;
    auto folder = std::filesystem::directory_iterator(path, no_folder);
    if (no_folder) files.push_back(path);
    for (const auto& entry : folder) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  if (!files.empty()) return files;
  return absl::NotFoundError("there are no files in the folders");
}

absl::Status Run(std::vector<std::string> paths) {
  if (paths.empty()) paths = {"examples/batch/texts"};
  SYNCLINE_ASSIGN_OR_RETURN(const auto files, FilesIn(paths));
  std::string text;
  SYNCLINE_RETURN_IF_ERROR(
      file::GetContents("examples/batch/batch.pbtxt", &text));
  const auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(text);
  SYNCLINE_ASSIGN_OR_RETURN(const Lines one, Count(config, 1, files));
  SYNCLINE_ASSIGN_OR_RETURN(const Lines eight, Count(config, 8, files));
  if (one != eight) return absl::InternalError("8 threads have other results");
  for (const std::string& line : one) std::cout << line << "\n";
  std::cout << "the same with 1 thread and with 8\n";
  return absl::OkStatus();
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  return syncline::RunExample(
      argc, argv,
      {.summary = "Says how many words files have, and how many of them are "
                  "different.",
       .arguments = "[FILE or FOLDER]...",
       .examples = {"batch", "batch examples/batch/texts README.md"}},
      syncline::Run);
}
