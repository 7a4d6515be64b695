// Plugin: a shared library that brings calculators or other registered things,
// opened while the program runs.
//
//   SYNCLINE_ASSIGN_OR_RETURN(Plugin plugin, Plugin::Open("./my_plugin.so"));
//   ... graphs may name what it registered ...
//
// How the library and the program have to be linked is in name_registry.h.
//
// Thread rule: used by one thread at a time.
// Tested by plugin_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_PLUGIN_H_
#define SYNCLINE_FRAMEWORK_BASE_PLUGIN_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

class Plugin {
 public:
  // Opens the library at `path`, for itself only (RTLD_LOCAL), and runs its
  // registrations. INVALID_ARGUMENT with the system's text when it cannot be
  // opened. When a registration fails, its error, and the library is closed
  // again. FAILED_PRECONDITION in a program that does not offer its symbols.
  static absl::StatusOr<Plugin> Open(absl::string_view path);

  Plugin(Plugin&& other) noexcept
      : path_(std::move(other.path_)),
        handle_(std::exchange(other.handle_, nullptr)) {}
  Plugin& operator=(Plugin&& other) noexcept;

  // Closes the library: its registrations vanish.
  // REQUIRES: no object and no packet whose type or code is in the library is
  // left, nor any function of it in use.
  ~Plugin();

  // The address of a function or variable of the library; null when it has none
  // of that name.
  void* Symbol(const char* name) const;

  const std::string& path() const { return path_; }

 private:
  Plugin(std::string path, void* handle)
      : path_(std::move(path)), handle_(handle) {}

  std::string path_;
  void* handle_;  // null after a move
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_PLUGIN_H_
