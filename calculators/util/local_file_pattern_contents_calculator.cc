// LocalFilePatternContentsCalculator: a source that sends the contents of the
// files of a folder.
//
//   node {
//     calculator: "LocalFilePatternContentsCalculator"
//     input_side_packet: "FILE_DIRECTORY:folder"     # std::string
//     input_side_packet: "FILE_SUFFIX:suffix"        # std::string
//     output_stream: "CONTENTS:file"                 # std::string
//   }
//
// It sends the files whose names end with FILE_SUFFIX, in the order of their
// names, at 1, 2, 3, ...; it leaves out folders, pipes and devices. A file that
// cannot be read ends the run with an error.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/port/file_helpers.h"

namespace syncline {

class LocalFilePatternContentsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag("FILE_DIRECTORY").Set<std::string>();
    cc->InputSidePackets().Tag("FILE_SUFFIX").Set<std::string>();
    cc->Outputs().Tag("CONTENTS").Set<std::string>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_RETURN_IF_ERROR(file::MatchFileTypeInDirectory(
        cc->InputSidePackets().Tag("FILE_DIRECTORY").Get<std::string>(),
        cc->InputSidePackets().Tag("FILE_SUFFIX").Get<std::string>(), &files_));
    // Reading a pipe would wait until somebody writes into it.
    files_.erase(std::remove_if(files_.begin(), files_.end(),
                                [](const std::string& path) {
                                  std::error_code error;
                                  return !std::filesystem::is_regular_file(
                                      path, error);
                                }),
                 files_.end());
    std::sort(files_.begin(), files_.end());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (next_ == files_.size()) return tool::StatusStop();
    std::string contents;
    SYNCLINE_RETURN_IF_ERROR(file::GetContents(files_[next_], &contents));
    cc->Outputs()
        .Tag("CONTENTS")
        .AddPacket(MakePacket<std::string>(std::move(contents))
                       .At(Timestamp(static_cast<std::int64_t>(next_) + 1)));
    ++next_;
    return absl::OkStatus();
  }

 private:
  std::vector<std::string> files_;
  std::size_t next_ = 0;
};
REGISTER_CALCULATOR(LocalFilePatternContentsCalculator);

}  // namespace syncline
