#include "tools/check_flags.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "tools/exit_status.h"

namespace syncline {
namespace {

absl::Status Unknown(absl::string_view given,
                     absl::Span<const std::string> own) {
  const std::vector<std::string> near = NearestNames(
      absl::StripPrefix(absl::StripPrefix(given, "-"), "-"), own, 1);
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no flag ", ShownName(given), ". ",
      near.empty() ? "" : absl::StrCat("Did you mean --", near[0], "? "),
      "--help lists them all"));
}

// What a flag with an empty text would ask for was meant to be something: the
// variable of a script has no value, say.
bool MayBeEmpty(const absl::CommandLineFlag& flag) {
  return !flag.IsOfType<std::string>() &&
         !flag.IsOfType<std::vector<std::string>>();
}

absl::Status Read(absl::CommandLineFlag* flag, absl::string_view value) {
  if (value.empty() && !MayBeEmpty(*flag)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", flag->Name(),
        " is empty: give it a value, or leave it out. It is: ", flag->Help()));
  }
  std::string error;
  if (flag->ParseFrom(value, &error)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag->Name(), " cannot be \"", ShownName(value),
                   "\". It is: ", flag->Help()));
}

// The library repeats values of its own flags as they are, in lines of its own.
absl::Status CheckForLibrary(absl::string_view name, absl::string_view value) {
  if (ShownName(value) == value) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--", name, " cannot be \"", ShownName(value),
                   "\": control characters are not for it"));
}

}  // namespace

absl::Status CheckFlags(absl::Span<const std::string> args,
                        absl::Span<const std::string> own) {
  for (std::size_t i = 1; i < args.size() && args[i] != "--"; ++i) {
    absl::string_view name = args[i];
    if (name.size() < 2 || !absl::ConsumePrefix(&name, "-")) continue;
    absl::ConsumePrefix(&name, "-");
    const std::size_t equals = name.find('=');
    const bool has_value = equals != absl::string_view::npos;
    const absl::string_view value = has_value ? name.substr(equals + 1) : "";
    name = name.substr(0, equals);
    absl::CommandLineFlag* const flag = absl::FindCommandLineFlag(name);
    if (flag == nullptr) {
      // The library answers these, and takes --nocheck for --check=false.
      if (absl::StartsWith(name, "help") || name == "version") continue;
      const bool is_negated = !has_value && absl::ConsumePrefix(&name, "no") &&
                              absl::FindCommandLineFlag(name) != nullptr;
      if (is_negated) continue;
      return Unknown(args[i].substr(0, args[i].find('=')), own);
    }
    if (std::find(own.begin(), own.end(), name) == own.end()) {
      SYNCLINE_RETURN_IF_ERROR(CheckForLibrary(
          name, has_value || i + 1 == args.size() ? value : args[i + 1]));
      continue;
    }
    if (has_value) {
      SYNCLINE_RETURN_IF_ERROR(Read(flag, value));
    } else if (!flag->IsOfType<bool>()) {
      if (++i == args.size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("--", name, " needs a value. It is: ", flag->Help()));
      }
      SYNCLINE_RETURN_IF_ERROR(Read(flag, args[i]));
    }
  }
  return absl::OkStatus();
}

bool WantsHelp(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const absl::string_view arg = argv[i];
    if (arg == "--") return false;
    if (arg == "--help" || arg == "-help" || arg == "-h") return true;
  }
  return false;
}

}  // namespace syncline
