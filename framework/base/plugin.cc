#include "framework/base/plugin.h"

#include <dlfcn.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/name_registry.h"
#include "framework/base/status_text.h"

namespace syncline {

// A symbol to look for. (Inside the unnamed namespace it could not be found.)
extern "C" void SynclineSymbolOfferedToPlugins() {}

namespace {

// A library must not be opened by a program that does not offer its symbols: it
// would register in tables of its own, and protos that both have would end the
// process.
bool ProgramOffersItsSymbols() {
  return dlsym(RTLD_DEFAULT, "SynclineSymbolOfferedToPlugins") ==
         reinterpret_cast<void*>(&SynclineSymbolOfferedToPlugins);
}

}  // namespace

absl::StatusOr<Plugin> Plugin::Open(absl::string_view path) {
  const std::string file(path);
  const std::string prefix =
      absl::StrCat("Cannot open plug-in \"", path, "\": ");
  if (!ProgramOffersItsSymbols()) {
    return absl::FailedPreconditionError(absl::StrCat(
        prefix,
        "this program does not offer its symbols to plug-ins. Link it "
        "with linkopts = [\"-rdynamic\"]."));
  }
  absl::Status registrations;
  void* handle = nullptr;
  {
    RegistrationErrors errors;
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    registrations = errors.status();
  }
  if (handle == nullptr) {
    const char* const text = dlerror();
    return absl::InvalidArgumentError(
        absl::StrCat(prefix, text == nullptr ? "unknown error" : text));
  }
  Plugin plugin(file, handle);
  if (!registrations.ok()) return PrefixStatus(prefix, registrations);
  return plugin;
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

}  // namespace syncline
