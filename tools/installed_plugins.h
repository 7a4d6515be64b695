// Plug-ins that are installed beside the framework, and go by their names:
//
//   run_graph --plugin=opencv
//   /usr/lib/x86_64-linux-gnu/syncline/plugins/opencv.so
//
// The folder is found from the place of the library with the framework, so that
// an installation can be moved. A program with the framework linked in has
// none.
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

// Where this process looks for plug-ins by name.
std::string PluginFolder();

// The names of those in `folder`, sorted.
std::vector<std::string> PluginsIn(const std::string& folder);

// The file that --plugin=`given` means: the plug-in of that name in `folder`;
// or `given` itself where it is no bare name, or names a file. NOT_FOUND: it is
// a bare name of neither; the error lists those that there are.
absl::StatusOr<std::string> PluginFile(const std::string& given,
                                       const std::string& folder);

// A line for an error of a graph: which of the plug-ins in `folder` are not
// among `opened` (files), one of which may have what the graph names. "" if
// there are none.
std::string OtherPluginsHint(const std::vector<std::string>& opened,
                             const std::string& folder);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_INSTALLED_PLUGINS_H_
