// LocalFileContentsCalculator: reads files into side packets.
//
//   node {
//     calculator: "LocalFileContentsCalculator"
//     input_side_packet: "FILE_PATH:0:model_path"     # std::string
//     input_side_packet: "FILE_PATH:1:labels_path"
//     output_side_packet: "CONTENTS:0:model"          # std::string
//     output_side_packet: "CONTENTS:1:labels"
//   }
//
// The graph's resources resolve the paths. A file that cannot be read ends the
// run with an error.
//
// Thread rule: no state of its own.
#include <memory>
#include <string>
#include <utility>

#include "calculators/util/local_file_contents_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/resources.h"

namespace syncline {
namespace {

constexpr char kFilePath[] = "FILE_PATH";
constexpr char kContents[] = "CONTENTS";

}  // namespace

class LocalFileContentsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const int files = cc->InputSidePackets().NumEntries(kFilePath);
    if (files == 0 || files != cc->OutputSidePackets().NumEntries(kContents)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "LocalFileContentsCalculator needs a CONTENTS for each FILE_PATH, at "
          "least one of each, but has ",
          cc->OutputSidePackets().NumEntries(kContents), " and ", files));
    }
    for (int i = 0; i < files; ++i) {
      cc->InputSidePackets().Get(kFilePath, i).Set<std::string>();
      cc->OutputSidePackets().Get(kContents, i).Set<std::string>();
    }
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const Resources::Options options{
        .read_as_binary =
            !cc->Options<LocalFileContentsCalculatorOptions>().text_mode()};
    for (int i = 0; i < cc->InputSidePackets().NumEntries(kFilePath); ++i) {
      const auto& path =
          cc->InputSidePackets().Get(kFilePath, i).Get<std::string>();
      SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<Resource> file,
                                cc->GetResources().Get(path, options));
      cc->OutputSidePackets()
          .Get(kContents, i)
          .Set(MakePacket<std::string>(
              std::move(*file).ReleaseOrCopyAsString()));
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* /*cc*/) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(LocalFileContentsCalculator);

}  // namespace syncline
