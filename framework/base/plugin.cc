#include "framework/base/plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/library_file.h"
#include "framework/base/mutex.h"
#include "framework/base/name_registry.h"
#include "framework/base/plugin_check.h"
#include "framework/base/status_macros.h"
#include "glog/logging.h"

namespace syncline {
namespace {

using PluginCheck = absl::Status (*)(const std::string& library);

struct Checks {
  Mutex mutex;
  std::vector<PluginCheck> all ABSL_GUARDED_BY(mutex);
};

Checks& TheChecks() {
  static Checks& checks = *new Checks;
  return checks;
}

absl::Status RunChecks(const std::string& library) {
  std::vector<PluginCheck> checks;
  {
    MutexLock lock(&TheChecks().mutex);
    checks = TheChecks().all;
  }
  for (const PluginCheck check : checks) {
    SYNCLINE_RETURN_IF_ERROR(check(library));
  }
  return absl::OkStatus();
}

}  // namespace

void AddPluginCheck(PluginCheck check) {
  MutexLock lock(&TheChecks().mutex);
  TheChecks().all.push_back(check);
}

absl::StatusOr<Plugin> Plugin::Open(absl::string_view path) {
  // The system would look for a bare name in folders of its own.
  const std::string file =
      absl::StrCat(absl::StrContains(path, '/') ? "" : "./", path);
  const std::string prefix = absl::StrCat(
      "Cannot open plug-in \"", absl::Utf8SafeCHexEscape(path), "\": ");
  SYNCLINE_ASSIGN_OR_RETURN(const LibraryFile library, ReadPluginFile(file),
                            _.SetPrepend() << prefix);
  const bool was_open = [&file] {
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle != nullptr) dlclose(handle);
    return handle != nullptr;
  }();
  if (!was_open) {
    SYNCLINE_RETURN_IF_ERROR(CheckFitsThisProcess(library)).SetPrepend()
        << prefix;
  }
  absl::Status registrations;
  int count = 0;
  bool has_new = false;
  void* handle = nullptr;
  {
    RegistrationErrors errors;
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL |
                                      (HasProtos(library) ? RTLD_NODELETE : 0));
    registrations = errors.status();
    count = errors.count();
    has_new = errors.has_new();
  }
  if (handle == nullptr) {
    const char* const text = dlerror();
    return absl::InvalidArgumentError(
        absl::StrCat(prefix, text == nullptr ? "unknown error" : text));
  }
  Plugin plugin(std::string(path), handle);
  SYNCLINE_RETURN_IF_ERROR(registrations).SetPrepend() << prefix;
  if (!was_open) {
    SYNCLINE_RETURN_IF_ERROR(RunChecks(file)).SetPrepend() << prefix;
  }
  if (count == 0 && !was_open) {
    return absl::FailedPreconditionError(absl::StrCat(
        prefix,
        "it registers nothing: no calculator, subgraph, executor or the like "
        "is in it. Look whether it is linked with the object files that say "
        "REGISTER_CALCULATOR and the like, as a whole"));
  }
  if (count > 0 && !has_new) {
    LOG(WARNING) << "Plug-in \"" << absl::Utf8SafeCHexEscape(path)
                 << "\" adds nothing: all " << count
                 << " of its registrations are copies of what the program has "
                    "already, from the same lines. They wait until those are "
                    "taken back.";
  }
  return plugin;
}

absl::Status LoadPlugin(absl::string_view path) {
  absl::StatusOr<Plugin> plugin = Plugin::Open(path);
  // Never closed: graphs of other parts of the program may use it.
  if (plugin.ok()) plugin->handle_ = nullptr;
  return plugin.status();
}

Plugin& Plugin::operator=(Plugin&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(handle_, other.handle_);
  return *this;
}

Plugin::~Plugin() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* Plugin::Symbol(const char* name) const { return dlsym(handle_, name); }

std::string PluginFolder() {
  // A function of the framework.
  const std::filesystem::path library =
      LibraryOfAddress(reinterpret_cast<const void*>(&LibraryOfAddress));
  return (library.parent_path() / "syncline" / "plugins").string();
}

std::string InstalledPlugin(absl::string_view name, const std::string& folder) {
  std::string file = absl::StrCat(folder, "/", name, ".so");
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) ? file : "";
}

}  // namespace syncline
