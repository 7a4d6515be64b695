#include "tools/run_page.h"

#include <poll.h>

#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/plugin.h"
#include "framework/base/status_macros.h"
#include "tools/exit_status.h"
#include "tools/installed_plugins.h"
#include "tools/interruption.h"
#include "tools/page_service.h"

namespace syncline {

absl::Status ProvidePageService(const std::string& plugin_folder) {
  if (PageServices::IsRegistered(kPageService)) return absl::OkStatus();
  const std::string plugin = InstalledPlugin(kPagePlugin, plugin_folder);
  if (plugin.empty()) {
    return absl::NotFoundError(absl::StrCat(
        "the page is a part of its own, which is not installed: there is no "
        "plug-in \"",
        kPagePlugin, "\" in \"", ShownName(plugin_folder),
        "\". Install the package syncline-plugin-page; where Syncline is not "
        "installed by packages, install it again after ./setup --page"));
  }
  SYNCLINE_RETURN_IF_ERROR(LoadPlugin(plugin));
  if (PageServices::IsRegistered(kPageService)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("\"", ShownName(plugin),
                   "\" has no page: install the package syncline-plugin-page "
                   "again, in the version of the package syncline"));
}

absl::Status RunPage::Start(CalculatorGraph* graph) {
  if (!request_.is_wanted) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(ProvidePageService(PluginFolder())).SetPrepend()
      << "--page: ";
  SYNCLINE_ASSIGN_OR_RETURN(
      page_,
      PageServices::CreateByName(kPageService, graph, request_, title_,
                                 is_traced_),
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
