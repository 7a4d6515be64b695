// Static registration: the part of the registries that every file with a
// registration includes. The tables and the rules of names are in
// typed_registry.h and name_registry.h.
//
// A build with SYNCLINE_DISABLE_STATIC_REGISTRATION=1 registers nothing by
// itself; one with SYNCLINE_ENABLE_STATIC_REGISTRATION_DRY_RUN=1 writes each
// name to the log in place of registering it, to see what would be linked in.
//
// Thread rule: every function may run on any thread. A token is for one thread.
// Tested by typed_registry_test and registry_switches_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_REGISTRATION_H_
#define SYNCLINE_FRAMEWORK_BASE_REGISTRATION_H_

#include <functional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/source_location.h"
#include "framework/base/version.h"

namespace syncline {

// Takes one registration back. Does so only when told: a token that is dropped
// leaves the registration in place.
class RegistrationToken {
 public:
  RegistrationToken() = default;
  explicit RegistrationToken(std::function<void()> unregister)
      : unregister_(std::move(unregister)) {}
  RegistrationToken(RegistrationToken&& other) noexcept
      : unregister_(std::exchange(other.unregister_, nullptr)) {}
  RegistrationToken& operator=(RegistrationToken&& other) noexcept {
    unregister_ = std::exchange(other.unregister_, nullptr);
    return *this;
  }

  // Does nothing the second time.
  void Unregister();

  static RegistrationToken Combine(std::vector<RegistrationToken> tokens);

 private:
  std::function<void()> unregister_;
};

// Takes a registration back at the end of its own life, or earlier.
class Unregister {
 public:
  Unregister() = default;
  explicit Unregister(RegistrationToken token) : token_(std::move(token)) {}
  ~Unregister() { token_.Unregister(); }
  Unregister(Unregister&&) = default;
  Unregister& operator=(Unregister&& other) noexcept {
    Reset(std::move(other.token_));
    return *this;
  }

  // Takes the registration back now; afterwards there is that of `token`.
  void Reset(RegistrationToken token = {}) {
    token_.Unregister();
    token_ = std::move(token);
  }

 private:
  RegistrationToken token_;
};

// The token; on an error an empty one, after the error went to the
// RegistrationErrors of this thread, and where there is none to ReportMisuse.
// Everything that registers refers to this function, so its symbol is the one
// that carries the version of the binary interface.
RegistrationToken TokenOrReport(
    absl::StatusOr<RegistrationToken> token) __asm__(SYNCLINE_ABI_SYMBOL);

namespace registry_internal {

template <Unregister*>
struct Use {};

// What a static registration in dry-run mode does.
void LogDryRun(absl::string_view name, source_location location);

}  // namespace registry_internal
}  // namespace syncline

#define SYNCLINE_REGISTRY_JOIN_(a, b) SYNCLINE_REGISTRY_JOIN_2_(a, b)
#define SYNCLINE_REGISTRY_JOIN_2_(a, b) a##b
#define REGISTRY_STATIC_VAR(var_name, line) \
  SYNCLINE_REGISTRY_JOIN_(var_name##_, line)

#if SYNCLINE_DISABLE_STATIC_REGISTRATION
#define SYNCLINE_REGISTRATION_(RegistryType, name, ...) \
  ::syncline::RegistrationToken()
#elif SYNCLINE_ENABLE_STATIC_REGISTRATION_DRY_RUN
#define SYNCLINE_REGISTRATION_(RegistryType, name, ...)          \
  (::syncline::registry_internal::LogDryRun(name, SYNCLINE_LOC), \
   ::syncline::RegistrationToken())
#else
#define SYNCLINE_REGISTRATION_(RegistryType, name, ...) \
  RegistryType::RegisterStatic(name, __VA_ARGS__, SYNCLINE_LOC)
#endif

// Registers the function of the last argument under `name`, which is written as
// code, unqualified or ::fully::qualified. `var_name` begins the name of a
// variable, and a counter ends it.
#define REGISTER_FACTORY_FUNCTION_QUALIFIED(RegistryType, var_name, name, ...) \
  [[maybe_unused]] static const ::syncline::Unregister REGISTRY_STATIC_VAR(    \
      var_name, __COUNTER__) {                                                 \
    SYNCLINE_REGISTRATION_(RegistryType, #name, __VA_ARGS__)                   \
  }

#define SYNCLINE_REGISTER_FACTORY_FUNCTION_QUALIFIED(RegistryType, var_name, \
                                                     name, ...)              \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(RegistryType, var_name, name, __VA_ARGS__)

// Defines a class template RegistratorName<T>. A class that derives from
// RegistratorName<T> registers by being defined: under the name that the
// expression `name` gives, the function of the last argument; both may use T.
#define SYNCLINE_STATIC_REGISTRATOR_TEMPLATE(RegistratorName, RegistryType, \
                                             name, ...)                     \
  template <typename T>                                                     \
  class RegistratorName {                                                   \
    /* A function of its own: its body is looked at when T is complete. */  \
    static ::syncline::Unregister Register();                               \
    static ::syncline::Unregister registration_;                            \
    /* Makes the compiler define, and so initialise, the variable. */       \
    using Used = ::syncline::registry_internal::Use<&registration_>;        \
  };                                                                        \
  template <typename T>                                                     \
  ::syncline::Unregister RegistratorName<T>::registration_ =                \
      RegistratorName<T>::Register();                                       \
  template <typename T>                                                     \
  ::syncline::Unregister RegistratorName<T>::Register() {                   \
    return ::syncline::Unregister(                                          \
        SYNCLINE_REGISTRATION_(RegistryType, name, __VA_ARGS__));           \
  }                                                                         \
  static_assert(true, "takes the semicolon")

#endif  // SYNCLINE_FRAMEWORK_BASE_REGISTRATION_H_
