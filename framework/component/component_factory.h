// ComponentFactory: the extensions of the process and their components, by name
// and by id.
//
//   absl::StatusOr<ComponentInfo> blink =
//       ComponentFactory::Global().Find("BlinkCalculator");
//
// It describes components, but does not make them: the registries of their
// kinds (calculators, executors, ...) do that for types with or without an
// extension.
//
// STATIC REGISTRATION. The order in which files of a program are initialised is
// not known, so extensions of SYNCLINE_EXTENSION are read at the first query,
// base types before derived types (resolve_extensions.h). An extension that
// breaks a rule (extension.h) is left out: the log reports it at the first use,
// and problems() at any time. If it is in a plug-in, Plugin::Open returns the
// error.
//
// The extensions of a library are removed when it is closed. Extensions that
// were refused only because of these are then accepted.
//
// Thread rule: any thread.
// Tested by component_factory_test.

#ifndef SYNCLINE_FRAMEWORK_COMPONENT_COMPONENT_FACTORY_H_
#define SYNCLINE_FRAMEWORK_COMPONENT_COMPONENT_FACTORY_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/base/name_registry.h"
#include "framework/base/source_location.h"
#include "framework/base/typed_registry.h"
#include "framework/component/component_id.h"
#include "framework/component/extension.h"
#include "framework/component/resolve_extensions.h"

namespace syncline {

class ComponentFactory {
 public:
  // The factory of the process. It lives forever.
  static ComponentFactory& Global();

  // A factory besides that one. It must outlive the tokens that it gives.
  ComponentFactory() = default;
  ComponentFactory(const ComponentFactory&) = delete;
  ComponentFactory& operator=(const ComponentFactory&) = delete;

  // Registers an extension, until its token unregisters it. An extension that
  // breaks a rule is refused: ALREADY_EXISTS for an id, a name or a class that
  // is taken, with both places; FAILED_PRECONDITION for a base that is not
  // registered; INVALID_ARGUMENT for what is wrong by itself.
  absl::StatusOr<RegistrationToken> Register(
      Extension extension,
      source_location location = source_location::current())
      ABSL_LOCKS_EXCLUDED(mutex_);

  // NOT_FOUND names the nearest names.
  absl::StatusOr<ComponentInfo> Find(absl::string_view name) const;
  absl::StatusOr<ComponentInfo> Find(ComponentId id) const;

  // By name.
  std::vector<ComponentInfo> Components() const;
  std::vector<ExtensionInfo> Extensions() const;

  // Why extensions of static registrations were left out; OK if none was.
  absl::Status problems() const;

  // For SYNCLINE_EXTENSION.
  RegistrationToken RegisterStatic(void (*fill)(Extension*),
                                   source_location location)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static absl::Status CheckPlugin(const std::string& library);
  // The problems of extensions in `library`; of all if that is "".
  absl::Status ProblemsOf(absl::string_view library) const;

  // Adds a registration, and returns its number.
  std::uint64_t Put(Extension extension, bool is_static,
                    source_location location) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(std::uint64_t number) ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const ResolvedExtensions> Current() const
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The same, for queries: problems go to the log, each of them once.
  std::shared_ptr<const ResolvedExtensions> Used() const
      ABSL_LOCKS_EXCLUDED(mutex_);

  mutable Mutex mutex_;
  ExtensionRegistrations registrations_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  // Null when registrations have changed.
  mutable std::shared_ptr<const ResolvedExtensions> contents_
      ABSL_GUARDED_BY(mutex_);
  // Numbers of the registrations whose problems are in the log already.
  mutable std::set<std::uint64_t> told_ ABSL_GUARDED_BY(mutex_);
};

// What the macro below registers with.
struct ExtensionRegistry {
  static RegistrationToken RegisterStatic(absl::string_view name,
                                          void (*fill)(Extension*),
                                          source_location location) {
    return ComponentFactory::Global().RegisterStatic(fill, location);
  }
};

}  // namespace syncline

// Followed by a block that fills `extension`: see extension.h. `name` is any
// identifier.
#define SYNCLINE_EXTENSION(name)                                              \
  static void SynclineFillExtension_##name(::syncline::Extension* extension); \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(::syncline::ExtensionRegistry,          \
                                      syncline_extension_##name, name,        \
                                      &SynclineFillExtension_##name);         \
  static void SynclineFillExtension_##name(::syncline::Extension* extension)

#endif  // SYNCLINE_FRAMEWORK_COMPONENT_COMPONENT_FACTORY_H_
