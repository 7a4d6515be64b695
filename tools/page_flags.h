// The flags of run_graph for the page of a run: --page and those that begin
// with it.
//
// Thread rule: one thread.
// Tested by page_flags_test and run_graph_page_test.

#ifndef SYNCLINE_TOOLS_PAGE_FLAGS_H_
#define SYNCLINE_TOOLS_PAGE_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace syncline {

// For CheckFlags; and the part of --help.
std::vector<std::string> PageFlagNames();
extern const char kPageFlagsHelp[];

// "--page" without a port as the flag library reads it, which knows no flags
// with a value that may be left out: "--page=0". With "--page 8080" it stands
// for that port.
std::vector<std::string> WithPagePort(std::vector<std::string> args);

struct PageRequest {
  bool is_wanted = false;
  int port = 0;
  std::string address = "127.0.0.1";
  bool has_control = false;
  // The page stays when the run has ended, until Ctrl-C.
  bool stays = false;
};

// INVALID_ARGUMENT names a flag that makes no sense.
absl::StatusOr<PageRequest> ReadPageFlags();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_PAGE_FLAGS_H_
