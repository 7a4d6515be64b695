// recording: what is in a recording, a part of it, whether two are the same,
// and its packets for other programs.
//
// Exit status: 0 it was done, and what diff compares is the same; 1 it was not,
// or there is a difference; 2 the command line is wrong.
//
// Thread rule: single-threaded.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/packet/timestamp.h"
#include "tools/check_flags.h"
#include "tools/packet_lines.h"
#include "tools/recording/commands.h"

ABSL_FLAG(std::string, from, "", "the first timestamp");
ABSL_FLAG(std::string, to, "", "the last timestamp");
ABSL_FLAG(std::vector<std::string>, streams, {}, "these streams only");
ABSL_FLAG(std::string, out, "", "where to write to");
ABSL_FLAG(std::string, format, "csv", "of export: csv, json, images or wav");
ABSL_FLAG(std::int64_t, sample_rate, 0, "of export --format=wav");

namespace syncline {
namespace {

constexpr char kUsage[] =
    R"(Looks into recordings of Syncline graphs (run_graph --record).

usage: recording info FILE
       recording cut FILE --out=FILE [--from=T] [--to=T] [--streams=NAME,...]
       recording diff FILE FILE [--from=T] [--to=T] [--streams=NAME,...]
       recording export FILE [--format=FORMAT] [--streams=NAME] [--out=PATH]

  info     what made it, how the run ended, and what each stream holds
  cut      writes a part to a new file, or what can be read of a damaged one
  diff     compares packets; prints the first difference of each stream
  export   writes packets for other programs:
             csv     timestamp,value, of one stream
             json    a line for each packet: stream, timestamp, value
             images  a file for each image of one stream, into the folder --out
             wav     the matrices of one stream, as --sample_rate=HZ
           csv and json go to standard output unless --out names a file

  --from=T, --to=T   packets of these timestamps only, both included
  --streams=NAME     these streams only
  --help             this text

Exit status: 0 done, and the same; 1 not, or different; 2 the command line is
wrong.
)";

absl::Status Wrong(absl::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat(message, " (see recording --help)"));
}

absl::StatusOr<RecordingPart> PartFromFlags() {
  RecordingPart part;
  part.streams = absl::GetFlag(FLAGS_streams);
  const std::string from = absl::GetFlag(FLAGS_from);
  const std::string to = absl::GetFlag(FLAGS_to);
  if (!from.empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(part.range.from, ParseTimestamp(from));
  }
  if (!to.empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(part.range.to, ParseTimestamp(to));
  }
  return part;
}

absl::StatusOr<ExportOptions> ExportFromFlags(const RecordingPart& part) {
  ExportOptions options;
  const std::string format = absl::GetFlag(FLAGS_format);
  const std::string out = absl::GetFlag(FLAGS_out);
  if (!out.empty()) options.out = out;
  if (format == "json") {
    options.format = ExportOptions::kJson;
    return part.streams.size() <= 1
               ? absl::StatusOr<ExportOptions>(options)
               : Wrong("export takes one stream, or all of them");
  }
  if (part.streams.size() != 1) {
    return Wrong("name the stream to export: --streams=NAME");
  }
  if (format == "csv") return options;
  if (out.empty() || out == "-") {
    return Wrong("name where images and sound go to: --out=PATH");
  }
  if (format == "images") {
    options.format = ExportOptions::kImages;
    return options;
  }
  if (format != "wav") return Wrong("--format is csv, json, images or wav");
  options.format = ExportOptions::kWav;
  options.sample_rate = absl::GetFlag(FLAGS_sample_rate);
  if (options.sample_rate <= 0) {
    return Wrong("say how many samples a second has: --sample_rate=HZ");
  }
  return options;
}

absl::Status CheckCount(const std::vector<std::string>& files,
                        std::size_t wanted) {
  if (files.size() == wanted) return absl::OkStatus();
  return Wrong(wanted == 1 ? "name one recording" : "name two recordings");
}

// The exit status.
absl::StatusOr<int> RunCommand(const std::string& command,
                               const std::vector<std::string>& files,
                               const RecordingPart& part) {
  if (command == "info") {
    SYNCLINE_RETURN_IF_ERROR(PrintRecording(files[0], &std::cout));
    return 0;
  }
  if (command == "cut") {
    SYNCLINE_RETURN_IF_ERROR(
        CutRecording(files[0], part, absl::GetFlag(FLAGS_out)));
    return 0;
  }
  if (command == "diff") {
    SYNCLINE_ASSIGN_OR_RETURN(
        const bool same, DiffRecordings(files[0], files[1], part, &std::cout));
    return same ? 0 : 1;
  }
  SYNCLINE_ASSIGN_OR_RETURN(const ExportOptions options, ExportFromFlags(part));
  SYNCLINE_RETURN_IF_ERROR(ExportRecording(files[0], part, options));
  return 0;
}

absl::Status CheckCommandLine(const std::string& command,
                              const std::vector<std::string>& files,
                              const absl::Status& part) {
  if (!part.ok()) return part;
  if (command == "diff") return CheckCount(files, 2);
  if (command == "cut" && absl::GetFlag(FLAGS_out).empty()) {
    return Wrong("name the new recording: --out=FILE");
  }
  if (command == "export") {
    SYNCLINE_RETURN_IF_ERROR(ExportFromFlags(*PartFromFlags()).status());
  } else if (command != "info" && command != "cut") {
    return Wrong(command.empty()
                     ? "say what to do: info, cut, diff or export"
                     : absl::StrCat("there is no command \"", command, "\""));
  }
  return CheckCount(files, 1);
}

int Fail(int exit_status, absl::string_view message) {
  std::cerr << "recording: " << message << "\n";
  return exit_status;
}

int Main(const std::vector<char*>& args) {
  const std::string command = args.size() > 1 ? args[1] : "";
  std::vector<std::string> files;
  for (std::size_t i = 2; i < args.size(); ++i) files.push_back(args[i]);
  const absl::StatusOr<RecordingPart> part = PartFromFlags();
  const absl::Status checked = CheckCommandLine(command, files, part.status());
  if (!checked.ok()) return Fail(2, checked.message());
  const absl::StatusOr<int> result = RunCommand(command, files, *part);
  if (!result.ok()) return Fail(1, result.status().message());
  std::cout << std::flush;
  return std::cout ? *result : Fail(1, "cannot write to standard output");
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  if (syncline::WantsHelp(argc, argv)) {
    std::cout << syncline::kUsage;
    return 0;
  }
  absl::SetProgramUsageMessage(syncline::kUsage);
  const absl::Status checked = syncline::CheckFlags(
      std::vector<std::string>(argv, argv + argc),
      {"from", "to", "streams", "out", "format", "sample_rate"});
  if (!checked.ok()) return syncline::Fail(2, checked.message());
  return syncline::Main(absl::ParseCommandLine(argc, argv));
}
