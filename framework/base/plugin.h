// Plugin: a shared library with calculators or other registered types, which is
// opened while the program runs.
//
//   SYNCLINE_RETURN_IF_ERROR(LoadPlugin("./my_plugin.so"));
//   ... graphs may name what it registered, to the end of the process ...
//
//   SYNCLINE_ASSIGN_OR_RETURN(Plugin plugin, Plugin::Open("./my_plugin.so"));
//   ... graphs may, as long as `plugin` lives ...
//
// How the library and the program have to be linked is in name_registry.h. The
// file is checked before it is opened: a library that was built against another
// Syncline or another Protobuf, or that would bring a second framework or a
// second copy of a proto into the process, would end the process. Here it is an
// error with this reason.
//
// Thread rule: a Plugin is used by one thread at a time. Open and LoadPlugin
// may run on any thread.
// Tested by plugin_test and installed_plugin_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_PLUGIN_H_
#define SYNCLINE_FRAMEWORK_BASE_PLUGIN_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

class Plugin {
 public:
  // Opens the library at `path`, for itself only (RTLD_LOCAL), and runs its
  // registrations. A path without "/" is a file in the current folder.
  // NOT_FOUND: there is no such file. INVALID_ARGUMENT: it is no library, or it
  // cannot be opened (a symbol or a library that it needs is missing).
  // FAILED_PRECONDITION: it does not fit this program, or it registers nothing.
  // When a registration fails, Open returns its error, and closes the library
  // again.
  static absl::StatusOr<Plugin> Open(absl::string_view path);

  Plugin(Plugin&& other) noexcept
      : path_(std::move(other.path_)),
        handle_(std::exchange(other.handle_, nullptr)) {}
  Plugin& operator=(Plugin&& other) noexcept;

  // Closes the library: its registrations vanish. A library with protos of its
  // own stays, with its registrations: Protobuf keeps pointers into it.
  // REQUIRES: no object and no packet whose type or code is in the library is
  // left, nor any function of it in use.
  ~Plugin();

  // The address of a function or variable of the library; null when it has none
  // of that name.
  void* Symbol(const char* name) const;

  const std::string& path() const { return path_; }

 private:
  friend absl::Status LoadPlugin(absl::string_view path);

  Plugin(std::string path, void* handle)
      : path_(std::move(path)), handle_(handle) {}

  std::string path_;
  void* handle_;  // null after a move
};

// Makes Plugin::Open call `check` for each library, after the registrations of
// the library have run, with the path by which LibraryOfAddress knows it. If
// the check fails, Open returns its error, and closes the library again. This
// is for code that collects registrations first and checks them later. Checks
// are called on any thread, and stay to the end of the process.
void AddPluginCheck(absl::Status (*check)(const std::string& library));

// Opens the library as Plugin::Open does, and leaves it open. Loading it again
// is no error.
absl::Status LoadPlugin(absl::string_view path);

// Plug-ins that are installed beside the framework go by their names: "opencv"
// is /usr/lib/x86_64-linux-gnu/syncline/plugins/opencv.so. The folder is found
// from the place of the library with the framework, so that an installation can
// be moved; a program with the framework linked in has no such plug-ins.
std::string PluginFolder();

// The file of that plug-in in `folder`; "" if it is not there.
std::string InstalledPlugin(absl::string_view name, const std::string& folder);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_PLUGIN_H_
