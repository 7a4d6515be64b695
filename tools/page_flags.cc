#include "tools/page_flags.h"

#include <cstddef>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "pages/server/listening_socket.h"
#include "tools/exit_status.h"

ABSL_FLAG(std::string, page, "",
          "serve a page that shows the run, at this port; 0 is any");
ABSL_FLAG(std::string, page_address, "127.0.0.1",
          "the address of this machine at which the page is, in numbers");
ABSL_FLAG(bool, page_control, false,
          "the page may start and stop traces of the run");
ABSL_FLAG(bool, page_stay, false,
          "the page stays when the run has ended, until Ctrl-C");

namespace syncline {

const char kPageFlagsHelp[] =
    R"(  --page[=PORT]        serve a page that shows the run in a browser: the graph
                       with packets, queues, times, latencies and who waits for
                       whom, and numbers for Prometheus at /metrics. Its address
                       is told when the run begins; docs/live_page.md
  --page_address=ADDRESS
                       where the page is, in numbers: 127.0.0.1, for this
                       machine alone, unless it is told otherwise; 0.0.0.0 for
                       all of its networks. Others need the token that is part
                       of the page's address
  --page_control       the page may start, stop and save traces of the run
  --page_stay          the page stays when the run has ended, until Ctrl-C
)";

std::vector<std::string> PageFlagNames() {
  return {"page", "page_address", "page_control", "page_stay"};
}

namespace {

bool IsNumber(absl::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> WithPagePort(std::vector<std::string> args) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--") {
      for (; i < args.size(); ++i) result.push_back(std::move(args[i]));
      break;
    }
    if (i == 0 || (args[i] != "--page" && args[i] != "-page")) {
      result.push_back(std::move(args[i]));
      continue;
    }
    const bool has_port = i + 1 < args.size() && IsNumber(args[i + 1]);
    result.push_back(absl::StrCat("--page=", has_port ? args[++i] : "0"));
  }
  return result;
}

absl::StatusOr<PageRequest> ReadPageFlags() {
  PageRequest request;
  const std::string port = absl::GetFlag(FLAGS_page);
  request.is_wanted = !port.empty();
  request.address = absl::GetFlag(FLAGS_page_address);
  request.has_control = absl::GetFlag(FLAGS_page_control);
  request.stays = absl::GetFlag(FLAGS_page_stay);
  if (!request.is_wanted) {
    if (!request.has_control && !request.stays &&
        request.address == PageRequest().address) {
      return request;
    }
    return absl::InvalidArgumentError(
        "the flags that begin with --page_ are for the page of a run: give "
        "--page, too");
  }
  if (!absl::SimpleAtoi(port, &request.port) || request.port < 0 ||
      request.port > 65535) {
    return absl::InvalidArgumentError(
        absl::StrCat("--page takes a port from 0 to 65535, not \"",
                     ShownName(port), "\"; alone it takes any that is free"));
  }
  const absl::Status address = CheckAddress(request.address);
  if (!address.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--page_address: ", address.message()));
  }
  return request;
}

}  // namespace syncline
