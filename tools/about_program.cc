#include "tools/about_program.h"

#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/version.h"
#include "tools/check_flags.h"
#include "tools/exit_status.h"

namespace syncline {
namespace {

// Whether one of the two is among the flags.
bool IsGiven(int argc, char** argv, absl::string_view flag,
             absl::string_view other) {
  for (int i = 1; i < argc; ++i) {
    const absl::string_view arg = argv[i];
    if (arg == "--") return false;
    if (arg == flag || arg == other) return true;
  }
  return false;
}

}  // namespace

std::string VersionLine(const std::string& program) {
  return absl::StrCat(program, " (Syncline " SYNCLINE_VERSION_STRING ")\n");
}

absl::optional<int> PrintAboutProgram(int argc, char** argv,
                                      const AboutProgram& about) {
  if (IsGiven(argc, argv, "--help=all", "--helpfull")) {
    std::cout << (about.all_help.empty() ? about.help : about.all_help);
  } else if (WantsHelp(argc, argv)) {
    std::cout << about.help;
  } else if (IsGiven(argc, argv, "--version", "-version")) {
    std::cout << about.version;
  } else {
    return absl::nullopt;
  }
  std::cout << std::flush;
  return std::cout ? 0 : kFailed;
}

}  // namespace syncline
