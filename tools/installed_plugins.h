// Installed plug-ins (framework/base/plugin.h) on a command line:
//
//   run_graph --plugin=opencv
//
// Thread rule: free functions.
// Tested by installed_plugins_test.

#ifndef SYNCLINE_TOOLS_INSTALLED_PLUGINS_H_
#define SYNCLINE_TOOLS_INSTALLED_PLUGINS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

// The names of those in `folder`, sorted.
std::vector<std::string> PluginsIn(const std::string& folder);

// The file that --plugin=`given` means: the plug-in of that name in `folder`;
// or `given` itself where it is no bare name, or names a file. NOT_FOUND: it is
// a bare name of neither; the error lists those that there are.
absl::StatusOr<std::string> PluginFile(const std::string& given,
                                       const std::string& folder);

// A line for an error of a graph: which of the plug-ins in `folder` that are
// for graphs are not among `opened` (files), one of which may have what the
// graph names. "" if there are none.
std::string OtherPluginsHint(const std::vector<std::string>& opened,
                             const std::string& folder);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_INSTALLED_PLUGINS_H_
