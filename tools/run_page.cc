#include "tools/run_page.h"

#include <poll.h>

#include <iostream>

#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "framework/tool/graph_page.h"
#include "tools/interruption.h"

namespace syncline {

absl::Status RunPage::Start(CalculatorGraph* graph) {
  if (!request_.is_wanted) return absl::OkStatus();
  const GraphPageOptions options = {.port = request_.port,
                                    .address = request_.address,
                                    .has_control = request_.has_control,
                                    .title = title_,
                                    .traces = is_traced_};
  SYNCLINE_ASSIGN_OR_RETURN(page_, ServeGraphPage(graph, options),
                            _.SetPrepend() << "--page: ");
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
