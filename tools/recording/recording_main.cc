// recording: what is in a recording, a part of it, whether two are the same,
// and its packets for other programs.
//
// Exit status: 0 it was done, and what diff compares is the same; 1 it was not,
// or there is a difference; 2 the command line is wrong.
//
// Thread rule: single-threaded.
// Tested by recording_tool_test.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "tools/about_program.h"
#include "tools/check_flags.h"
#include "tools/exit_status.h"
#include "tools/packet_lines.h"
#include "tools/progress_line.h"
#include "tools/recording/commands.h"
#include "tools/standard_streams.h"

ABSL_FLAG(std::string, from, "", "the first timestamp");
ABSL_FLAG(std::string, to, "", "the last timestamp");
ABSL_FLAG(std::vector<std::string>, streams, {}, "these streams only");
ABSL_FLAG(std::string, out, "", "where to write to");
ABSL_FLAG(std::string, format, "", "of export: csv, json, images or wav");
ABSL_FLAG(std::int64_t, sample_rate, 0, "of export --format=wav, in Hz");

namespace syncline {
namespace {

constexpr char kProgram[] = "recording";

constexpr char kUsage[] =
    R"(Looks into recordings of Syncline graphs (run_graph --record).

usage: recording info FILE
       recording cut FILE --out=FILE [--from=T] [--to=T] [--streams=NAME,...]
       recording diff FILE FILE [--from=T] [--to=T] [--streams=NAME,...]
       recording export FILE [--format=FORMAT] [--streams=NAME] [--out=PATH]
                             [--from=T] [--to=T]

  info     what made it, how the run ended, and what each stream holds
  cut      writes a part to a new file, or what can be read of a damaged one
  diff     compares packets; prints the first difference of each stream
  export   writes packets for other programs:
             csv     timestamp,value, of one stream
             json    a line for each packet: stream, timestamp, value
             images  a file for each image of one stream, into the folder --out
             wav     the matrices of one stream, with the sample rate of the
                     stream's header, or --sample_rate=HZ
           csv and json go to standard output unless --out names a file

  --from=T, --to=T   packets of these timestamps only, both included
  --streams=NAME     these streams only
  --out=PATH         where cut and export write to
  --format=csv|json|images|wav
                     of export
  --sample_rate=HZ   of export --format=wav
  --version, --help  of which Syncline this is; this text

Examples:
  recording info run.syncline
  recording cut run.syncline --to=1000000 --out=first_second.syncline
  recording export run.syncline --streams=boxes --format=csv

Exit status: 0 done, and the same; 1 not, or different; 2 the command line is
wrong.
)";

absl::Status Wrong(absl::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat(message, " (see recording --help)"));
}

// What the command line asks for.
struct Arguments {
  std::vector<std::string> files;
  RecordingPart part;
  std::string out;
  ExportOptions export_options;
};

// On a terminal, while it works.
std::function<std::string()> Working(absl::string_view what,
                                     const Arguments& arguments) {
  return [text = absl::StrCat(what, " \"", ShownName(arguments.files[0]),
                              "\"")] { return text; };
}

// The exit status. What is printed is printed when the line of progress is
// gone.
absl::StatusOr<int> Info(const Arguments& arguments) {
  std::ostringstream text;
  absl::Status printed;
  {
    const ProgressLine progress(Working("reading", arguments));
    printed = PrintRecording(arguments.files[0], &text);
  }
  std::cout << text.str();
  SYNCLINE_RETURN_IF_ERROR(printed);
  return 0;
}

absl::StatusOr<int> Cut(const Arguments& arguments) {
  const ProgressLine progress(Working("copying", arguments));
  SYNCLINE_RETURN_IF_ERROR(
      CutRecording(arguments.files[0], arguments.part, arguments.out));
  return 0;
}

absl::StatusOr<int> Diff(const Arguments& arguments) {
  std::ostringstream text;
  absl::StatusOr<bool> same;
  {
    const ProgressLine progress(Working("comparing", arguments));
    same = DiffRecordings(arguments.files[0], arguments.files[1],
                          arguments.part, &text);
  }
  std::cout << text.str();
  SYNCLINE_RETURN_IF_ERROR(same.status());
  return *same ? 0 : 1;
}

absl::StatusOr<int> Export(const Arguments& arguments) {
  absl::optional<ProgressLine> progress;
  // What is exported to standard output may go to the same terminal.
  if (arguments.export_options.out != "-") {
    progress.emplace(Working("exporting", arguments));
  }
  SYNCLINE_RETURN_IF_ERROR(ExportRecording(arguments.files[0], arguments.part,
                                           arguments.export_options));
  return 0;
}

struct Command {
  absl::string_view name;
  std::size_t files;
  std::vector<absl::string_view> flags;
  absl::StatusOr<int> (*run)(const Arguments& arguments);
};

const std::vector<Command>& Commands() {
  static const auto& commands = *new std::vector<Command>{
      {"info", 1, {}, Info},
      {"cut", 1, {"from", "to", "streams", "out"}, Cut},
      {"diff", 2, {"from", "to", "streams"}, Diff},
      {"export",
       1,
       {"from", "to", "streams", "out", "format", "sample_rate"},
       Export},
  };
  return commands;
}

absl::StatusOr<const Command*> FindCommand(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : Commands()) {
    if (command.name == name) return &command;
    names.emplace_back(command.name);
  }
  if (name.empty()) return Wrong("say what to do: info, cut, diff or export");
  return Wrong(absl::StrCat("there is no command \"", ShownName(name), "\".",
                            DidYouMeanOrKnownText(name, names)));
}

// A flag that would have no effect is a mistake.
absl::Status CheckFlagsOf(const Command& command) {
  const std::vector<std::pair<absl::string_view, bool>> given = {
      {"from", !absl::GetFlag(FLAGS_from).empty()},
      {"to", !absl::GetFlag(FLAGS_to).empty()},
      {"streams", !absl::GetFlag(FLAGS_streams).empty()},
      {"out", !absl::GetFlag(FLAGS_out).empty()},
      {"format", !absl::GetFlag(FLAGS_format).empty()},
      {"sample_rate", absl::GetFlag(FLAGS_sample_rate) != 0},
  };
  for (const auto& [flag, is_given] : given) {
    if (!is_given || std::find(command.flags.begin(), command.flags.end(),
                               flag) != command.flags.end()) {
      continue;
    }
    return Wrong(absl::StrCat("--", flag, " is not for ", command.name));
  }
  return absl::OkStatus();
}

absl::StatusOr<ExportOptions> ExportFromFlags(const RecordingPart& part) {
  ExportOptions options;
  const std::string format = absl::GetFlag(FLAGS_format);
  const std::string out = absl::GetFlag(FLAGS_out);
  options.sample_rate = absl::GetFlag(FLAGS_sample_rate);
  if (!out.empty()) options.out = out;
  if (format == "wav") {
    options.format = ExportOptions::kWav;
  } else if (options.sample_rate != 0) {
    return Wrong("--sample_rate is for --format=wav");
  } else if (format == "json") {
    options.format = ExportOptions::kJson;
  } else if (format == "images") {
    options.format = ExportOptions::kImages;
  } else if (!format.empty() && format != "csv") {
    return Wrong(absl::StrCat("--format is csv, json, images or wav, not \"",
                              absl::Utf8SafeCHexEscape(format), "\""));
  }
  if (options.sample_rate < 0) return Wrong("--sample_rate is positive");
  if (options.format == ExportOptions::kJson) {
    if (part.streams.size() <= 1) return options;
    return Wrong("export takes one stream, or all of them");
  }
  if (part.streams.size() != 1) {
    return Wrong("name the stream to export: --streams=NAME");
  }
  if (options.format != ExportOptions::kCsv && options.out == "-") {
    return Wrong("name where images and sound go to: --out=PATH");
  }
  return options;
}

absl::StatusOr<Arguments> ReadArguments(const Command& command,
                                        std::vector<std::string> files) {
  if (files.size() != command.files) {
    return Wrong(absl::StrCat("name ", command.files == 1 ? "one" : "two",
                              command.files == 1 ? " recording" : " recordings",
                              ", not ", files.size()));
  }
  SYNCLINE_RETURN_IF_ERROR(CheckFlagsOf(command));
  Arguments arguments;
  arguments.files = std::move(files);
  arguments.part.streams = absl::GetFlag(FLAGS_streams);
  arguments.out = absl::GetFlag(FLAGS_out);
  SYNCLINE_ASSIGN_OR_RETURN(
      const TimestampRange range,
      ParseTimestampRange(absl::GetFlag(FLAGS_from), absl::GetFlag(FLAGS_to)));
  arguments.part.range.from = range.from;
  arguments.part.range.to = range.to;
  if (command.name == "cut" && arguments.out.empty()) {
    return Wrong("name the new recording: --out=FILE");
  }
  if (command.name == "export") {
    SYNCLINE_ASSIGN_OR_RETURN(arguments.export_options,
                              ExportFromFlags(arguments.part));
  }
  return arguments;
}

int Main(const std::vector<char*>& args) {
  const absl::StatusOr<const Command*> command =
      FindCommand(args.size() > 1 ? args[1] : "");
  if (!command.ok()) {
    return Fail(kProgram, kUsageIsWrong, command.status().message());
  }
  const absl::StatusOr<Arguments> arguments =
      ReadArguments(**command, {args.begin() + 2, args.end()});
  if (!arguments.ok()) {
    return Fail(kProgram, kUsageIsWrong, arguments.status().message());
  }
  const absl::StatusOr<int> result = (*command)->run(*arguments);
  if (!result.ok()) return Fail(kProgram, kFailed, result.status().message());
  std::cout << std::flush;
  return std::cout ? *result
                   : Fail(kProgram, kFailed, "cannot write to standard output");
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  syncline::KeepStandardStreamsApart();
  if (const auto status = syncline::PrintAboutProgram(
          argc, argv,
          {syncline::kUsage, "", syncline::VersionLine(syncline::kProgram)})) {
    return *status;
  }
  absl::SetProgramUsageMessage(syncline::kUsage);
  const absl::Status checked = syncline::CheckFlags(
      std::vector<std::string>(argv, argv + argc),
      {"from", "to", "streams", "out", "format", "sample_rate"});
  if (!checked.ok()) {
    return syncline::Fail(syncline::kProgram, syncline::kUsageIsWrong,
                          checked.message());
  }
  return syncline::Main(absl::ParseCommandLine(argc, argv));
}
