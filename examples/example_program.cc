#include "examples/example_program.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/parse.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "glog/logging.h"
#include "tools/about_program.h"
#include "tools/check_flags.h"
#include "tools/exit_status.h"

namespace syncline {
namespace {

constexpr char kExitStatus[] =
    "Exit status: 0 it has done that, 1 it has not, 2 the command line is "
    "wrong.\n";

// "--input=VALUE", and what is to be said of it.
struct FlagText {
  std::string flag;
  std::string help;
};

std::vector<FlagText> FlagTexts(const ExampleProgram& program) {
  std::vector<FlagText> texts;
  for (const std::string& name : program.flags) {
    const absl::CommandLineFlag* const flag = absl::FindCommandLineFlag(name);
    if (flag == nullptr) continue;
    texts.push_back(
        {absl::StrCat("--", name, flag->IsOfType<bool>() ? "" : "=VALUE"),
         flag->Help()});
  }
  texts.push_back({"--version", "of which Syncline it is"});
  return texts;
}

}  // namespace

std::string ExampleHelp(const std::string& name,
                        const ExampleProgram& program) {
  std::string help = absl::StrCat(program.summary, "\n\nusage: ", name,
                                  program.flags.empty() ? "" : " [OPTION...]",
                                  program.arguments.empty() ? "" : " ",
                                  program.arguments, "\n\n");
  const std::vector<FlagText> flags = FlagTexts(program);
  std::size_t width = 0;
  for (const FlagText& text : flags) width = std::max(width, text.flag.size());
  for (const FlagText& text : flags) {
    absl::StrAppend(&help, "  ", text.flag,
                    std::string(width + 2 - text.flag.size(), ' '), text.help,
                    "\n");
  }
  absl::StrAppend(&help, "\nExamples:\n");
  for (const std::string& example : program.examples) {
    absl::StrAppend(&help, "  ", example, "\n");
  }
  return absl::StrCat(help, "\n", kExitStatus);
}

int RunExample(int argc, char** argv, const ExampleProgram& program,
               const std::function<absl::Status(
                   const std::vector<std::string>& arguments)>& run) {
  // Without this the log would be written to files in a temporary folder.
  FLAGS_logtostderr = std::getenv("GLOG_log_dir") == nullptr;
  google::InitGoogleLogging(argv[0]);
  const absl::string_view path = argv[0];
  const std::string name(path.substr(path.rfind('/') + 1));
  const AboutProgram about = {.help = ExampleHelp(name, program),
                              .all_help = "",
                              .version = VersionLine(name)};
  if (const absl::optional<int> done = PrintAboutProgram(argc, argv, about)) {
    return *done;
  }
  const std::vector<std::string> all(argv, argv + argc);
  const absl::Status checked = CheckFlags(all, program.flags);
  if (!checked.ok()) return Fail(name, kUsageIsWrong, checked.message());
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  const std::vector<std::string> arguments(rest.begin() + 1, rest.end());
  if (program.arguments.empty() && !arguments.empty()) {
    return Fail(name, kUsageIsWrong,
                absl::StrCat("unexpected argument \"", ShownName(arguments[0]),
                             "\"; it takes none (see ", name, " --help)"));
  }
  const absl::Status status = run(arguments);
  std::cout << std::flush;
  if (!status.ok()) return Fail(name, kFailed, status.message());
  return std::cout ? 0 : Fail(name, kFailed, "cannot write to standard output");
}

}  // namespace syncline
