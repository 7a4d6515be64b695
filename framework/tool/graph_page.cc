#include "framework/tool/graph_page.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "framework/base/plugin.h"
#include "framework/base/status_macros.h"
#include "framework/graph/calculator_graph.h"

namespace syncline {
namespace internal {

absl::Status ProvideGraphPageService(const std::string& plugin_folder) {
  if (GraphPageServices::IsRegistered(kGraphPageService)) {
    return absl::OkStatus();
  }
  const std::string plugin = InstalledPlugin(kPagePlugin, plugin_folder);
  if (plugin.empty()) {
    return absl::NotFoundError(absl::StrCat(
        "the page is a part of its own, which is not installed: there is no "
        "plug-in \"",
        kPagePlugin, "\" in \"", absl::Utf8SafeCHexEscape(plugin_folder),
        "\". Install the package syncline-plugin-page; where Syncline is not "
        "installed by packages, install it again after ./setup --page"));
  }
  SYNCLINE_RETURN_IF_ERROR(LoadPlugin(plugin));
  if (GraphPageServices::IsRegistered(kGraphPageService)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "\"", absl::Utf8SafeCHexEscape(plugin),
      "\" has no page: install the package syncline-plugin-page again, in the "
      "version of the package libsyncline0"));
}

}  // namespace internal

absl::StatusOr<std::unique_ptr<GraphPage>> ServeGraphPage(
    CalculatorGraph* graph, const GraphPageOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(internal::ProvideGraphPageService(PluginFolder()));
  return GraphPageServices::CreateByName(internal::kGraphPageService, graph,
                                         options);
}

}  // namespace syncline
