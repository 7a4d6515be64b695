#include "tools/run_page.h"

#include <poll.h>

#include <iostream>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/exit_status.h"
#include "tools/interruption.h"

namespace syncline {

absl::Status RunPage::Start(CalculatorGraph* graph) {
  if (!request_.is_wanted) return absl::OkStatus();
  LivePageOptions options;
  options.port = request_.port;
  options.address = request_.address;
  options.has_control = request_.has_control;
  options.title = title_;
  options.traces = is_traced_;
  absl::StatusOr<std::unique_ptr<LivePage>> page =
      LivePage::Serve(graph, std::move(options));
  if (!page.ok()) {
    return absl::Status(page.status().code(),
                        absl::StrCat("--page: ", page.status().message()));
  }
  page_ = *std::move(page);
  std::cerr << "run_graph: the page of the run is at " << page_->Url()
            << std::endl;
  return absl::OkStatus();
}

void RunPage::Stay() const {
  if (page_ == nullptr || !request_.stays) return;
  const Interruption interruption("run_graph", [] {});
  // Nothing would end the wait.
  if (interruption.fd() < 0) return;
  std::cerr << "run_graph: the run has ended, and its page stays until Ctrl-C: "
            << page_->Url() << std::endl;
  pollfd waiting = {.fd = interruption.fd(), .events = POLLIN, .revents = 0};
  while (interruption.signal() == 0) poll(&waiting, 1, /*timeout=*/-1);
}

}  // namespace syncline
