#include "examples/example_program.h"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "glog/logging.h"
#include "tools/check_flags.h"

namespace syncline {

int RunExample(int argc, char** argv, absl::string_view usage,
               const std::vector<std::string>& flags,
               const std::function<absl::Status(
                   const std::vector<std::string>& arguments)>& run) {
  // Without this the log would be written to files in a temporary folder.
  FLAGS_logtostderr = std::getenv("GLOG_log_dir") == nullptr;
  google::InitGoogleLogging(argv[0]);
  const absl::string_view path = argv[0];
  const absl::string_view name = path.substr(path.rfind('/') + 1);
  const std::vector<std::string> all(argv, argv + argc);
  for (const std::string& argument : all) {
    if (argument == "--") break;
    if (argument == "--help" || argument == "-h") {
      std::cout << usage;
      return 0;
    }
  }
  const absl::Status checked = CheckFlags(all, flags);
  if (!checked.ok()) {
    std::cerr << name << ": " << checked.message() << "\n";
    return 2;
  }
  absl::SetProgramUsageMessage(usage);
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  const absl::Status status =
      run(std::vector<std::string>(rest.begin() + 1, rest.end()));
  std::cout << std::flush;
  if (!status.ok()) std::cerr << name << ": " << status.message() << "\n";
  return status.ok() && std::cout ? 0 : 1;
}

}  // namespace syncline
