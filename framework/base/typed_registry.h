// Factories that are found by name: the typed face of name_registry.h, which
// has the rules of names, of duplicates and of shared libraries.
//
//   using ShapeRegistry =
//       GlobalFactoryRegistry<std::unique_ptr<Shape>, const ShapeOptions&>;
//   #define REGISTER_SHAPE(name) REGISTER_FACTORY_FUNCTION_QUALIFIED( ...
//       ShapeRegistry, shape, name, std::make_unique<name>)
//   ...
//   REGISTER_SHAPE(Circle);            // or ::my_project::Circle
//   ...
//   absl::StatusOr<std::unique_ptr<Shape>> shape =
//       ShapeRegistry::CreateByName("Circle", options);
//
// All registries with the same result and argument types are one.
//
// Thread rule: every function may run on any thread.
// Tested by typed_registry_test and registry_switches_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_TYPED_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_BASE_TYPED_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/base/no_destructor.h"
#include "framework/base/registration.h"
#include "framework/base/source_location.h"
#include "framework/base/type_id.h"

namespace syncline {

namespace registry_internal {

// What Invoke returns for a function that returns R: errors have to fit in.
template <typename R>
struct InvokeResult {
  using type = absl::StatusOr<R>;
};
template <typename R>
struct InvokeResult<absl::StatusOr<R>> {
  using type = absl::StatusOr<R>;
};
template <>
struct InvokeResult<absl::Status> {
  using type = absl::Status;
};
template <>
struct InvokeResult<void> {
  using type = absl::Status;
};

}  // namespace registry_internal

// Functions by name. By default the process-wide table of the signature.
template <typename R, typename... Args>
class FunctionRegistry {
 public:
  using Function = std::function<R(Args...)>;
  using ReturnType = typename registry_internal::InvokeResult<R>::type;

  // A table of its own, which has to outlive the tokens that it gives.
  FunctionRegistry()
      : owned_(std::make_unique<NameRegistry>(Kind())), names_(owned_.get()) {}

  // The process-wide table. Each library has a face of its own to the one
  // table: were the variable shared, the linker would keep a plug-in that
  // defines it in memory for good.
  __attribute__((visibility("hidden"))) static FunctionRegistry& Global() {
    static NoDestructor<FunctionRegistry> registry(&NameRegistry::Get(Kind()));
    return *registry;
  }

  // Registers `function`. A taken or impossible name is a misuse (misuse.h).
  RegistrationToken Register(
      absl::string_view name, Function function,
      source_location location = source_location::current()) {
    return TokenOrReport(TryRegister(name, std::move(function), location));
  }

  // The same for macros that give their place as __FILE__ and __LINE__.
  RegistrationToken Register(absl::string_view name, Function function,
                             absl::string_view file, std::uint64_t line) {
    return TokenOrReport(names_->Register(name, std::move(function),
                                          absl::StrCat(file, ":", line)));
  }

  // The same with a status: ALREADY_EXISTS names both places.
  absl::StatusOr<RegistrationToken> TryRegister(
      absl::string_view name, Function function,
      source_location location = source_location::current()) {
    return names_->Register(name, std::move(function), location.ToString(),
                            NameRegistry::Origin::kCode, location.file_name());
  }

  // For the static registration macros.
  RegistrationToken RegisterStatic(absl::string_view name, Function function,
                                   source_location location) {
    return TokenOrReport(
        names_->Register(name, std::move(function), location.ToString(),
                         NameRegistry::Origin::kStatic, location.file_name()));
  }

  // Calls the function of a full name. NOT_FOUND when there is none.
  ReturnType Invoke(absl::string_view name, Args... args) const {
    return Invoke("", name, std::forward<Args>(args)...);
  }
  // Calls the function that `name` means inside the package `ns`. The number of
  // arguments tells the two apart.
  ReturnType Invoke(absl::string_view ns, absl::string_view name,
                    Args... args) const {
    auto function = names_->template FindValue<Function>(ns, name);
    if (!function.ok()) return function.status();
    if constexpr (std::is_void_v<R>) {
      (**function)(std::forward<Args>(args)...);
      return absl::OkStatus();
    } else {
      return (**function)(std::forward<Args>(args)...);
    }
  }

  bool IsRegistered(absl::string_view ns, absl::string_view name) const {
    return names_->IsRegistered(ns, name);
  }
  bool IsRegistered(absl::string_view name) const {
    return names_->IsRegistered("", name);
  }

  std::unordered_set<std::string> GetRegisteredNames() const {
    std::vector<std::string> names = names_->Names();
    return std::unordered_set<std::string>(names.begin(), names.end());
  }

  // The full name that `name` means inside `ns`; `name` when there is none.
  std::string GetQualifiedName(absl::string_view ns,
                               absl::string_view name) const {
    return names_->FullName(ns, name);
  }

  NameRegistry& names() const { return *names_; }

 private:
  friend class NoDestructor<FunctionRegistry>;

  explicit FunctionRegistry(NameRegistry* names) : names_(names) {}

  static std::string Kind() { return TypeIdOf<R(Args...)>().name(); }

  std::unique_ptr<NameRegistry> owned_;
  NameRegistry* const names_;
};

// The process-wide table of factories that make an R from Args.
template <typename R, typename... Args>
class GlobalFactoryRegistry {
  using Functions = FunctionRegistry<R, Args...>;

 public:
  using Function = typename Functions::Function;
  using ReturnType = typename Functions::ReturnType;

  // As in FunctionRegistry.
  static RegistrationToken Register(
      absl::string_view name, Function function,
      source_location location = source_location::current()) {
    return functions()->Register(name, std::move(function), location);
  }
  static RegistrationToken Register(absl::string_view name, Function function,
                                    absl::string_view file,
                                    std::uint64_t line) {
    return functions()->Register(name, std::move(function), file, line);
  }
  static absl::StatusOr<RegistrationToken> TryRegister(
      absl::string_view name, Function function,
      source_location location = source_location::current()) {
    return functions()->TryRegister(name, std::move(function), location);
  }
  static RegistrationToken RegisterStatic(absl::string_view name,
                                          Function function,
                                          source_location location) {
    return functions()->RegisterStatic(name, std::move(function), location);
  }

  // Makes the object of a full name ...
  static ReturnType CreateByName(absl::string_view name, Args... args) {
    return functions()->Invoke("", name, std::forward<Args>(args)...);
  }
  // ... and of what a name means inside a package.
  static ReturnType CreateByNameInNamespace(absl::string_view ns,
                                            absl::string_view name,
                                            Args... args) {
    return functions()->Invoke(ns, name, std::forward<Args>(args)...);
  }

  static bool IsRegistered(absl::string_view name) {
    return functions()->IsRegistered(name);
  }
  static bool IsRegistered(absl::string_view ns, absl::string_view name) {
    return functions()->IsRegistered(ns, name);
  }

  // Sorted.
  static std::vector<std::string> Names() {
    return functions()->names().Names();
  }
  static std::vector<std::string> NearestNames(absl::string_view name,
                                               std::size_t max = 3) {
    return functions()->names().NearestNames(name, max);
  }

  static Functions* functions() { return &Functions::Global(); }

  GlobalFactoryRegistry() = delete;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_TYPED_REGISTRY_H_
