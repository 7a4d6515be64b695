// NameRegistry: a table of things that are found by name: calculators,
// subgraphs, executors, input stream handlers, ...
//
// The process has one table for each kind of thing. typed_registry.h has
// typed registries over it; the table itself does not know the types that it
// holds, so that its code stands in one .cc file, which all libraries of the
// process share.
//
// NAMES. A full name is written "a.b.X", ".a.b.X", "a::b::X" or "::a::b::X";
// all four are the same. The top namespace `syncline`, and `mediapipe` as
// another word for it, may be left out: "syncline.X", "mediapipe.X" and "X" are
// the same. A name that is looked up inside the package "a.b" means the first
// that exists of a.b.X, a.X and X; with a leading "." or "::" it means itself
// only.
//
// DUPLICATES. Registering a name that is taken is an error that gives the
// places of both: file and line, and the libraries where those differ. There is
// one exception: static registrations (such as REGISTER_CALCULATOR) of the same
// name from the same file and line are copies of one piece of code that several
// libraries brought along. The first one is used; the others are kept, and the
// next one is used when the first is removed.
//
// SHARED LIBRARIES. A library that is opened with dlopen at run time registers
// in the table of the program that opens it if its symbols resolve to those of
// the program. For that
//  - the program is linked with linkopts = ["-rdynamic"], so that it offers its
//    symbols to what it opens (not needed where the framework itself is a
//    shared library that both link);
//  - the library is a cc_binary with linkshared = True, with ordinary deps. It
//    takes code that it has in common with the program from the program, and
//    brings all other code along. It may be opened with RTLD_LOCAL.
// The system keeps a library of g++ in memory after dlclose when it defines an
// inline variable (or a static one in an inline function) that the program does
// not have; none in our own headers has this effect. A library that is compiled
// with copts = ["-fno-gnu-unique"] is always unloaded.
// When a library is closed, its static registrations are removed. Objects and
// packets whose types came from it must be gone by then. plugin.h opens
// libraries and turns errors of their registrations into a status.
//
// Thread rule: every function may run on any thread at any time, static
// initialisation included.
// Tested by name_registry_test and plugin_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_NAME_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_BASE_NAME_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/base/registration.h"
#include "framework/base/type_id.h"

namespace syncline {

class NameRegistry {
 public:
  enum class Origin {
    kCode,    // a call
    kStatic,  // a static initialiser, which runs once in each library
  };

  // What a name stands for.
  struct Entry {
    std::string name;    // in full: "a.b.X", without the top namespace
    std::string origin;  // "file:line", or "" when not known
    TypeId type;         // of *value
    std::shared_ptr<const void> value;
  };

  // The process-wide table of a kind, such as "Executor". Made at the first
  // call; lives forever.
  static NameRegistry& Get(absl::string_view kind);

  // A table besides the process-wide ones. It must outlive the tokens that it
  // gives.
  explicit NameRegistry(absl::string_view kind);
  ~NameRegistry();
  NameRegistry(const NameRegistry&) = delete;
  NameRegistry& operator=(const NameRegistry&) = delete;

  // INVALID_ARGUMENT for a name that cannot be one, ALREADY_EXISTS for one
  // that is taken. `code` is an address in the library that registers, such as
  // its name of the source file; null when not known.
  absl::StatusOr<RegistrationToken> Register(absl::string_view name,
                                             TypeId type,
                                             std::shared_ptr<const void> value,
                                             absl::string_view origin,
                                             Origin origin_kind = Origin::kCode,
                                             const void* code = nullptr);

  template <typename T>
  absl::StatusOr<RegistrationToken> Register(absl::string_view name, T value,
                                             absl::string_view origin,
                                             Origin origin_kind = Origin::kCode,
                                             const void* code = nullptr) {
    return Register(name, TypeIdOf<T>(),
                    std::make_shared<const T>(std::move(value)), origin,
                    origin_kind, code);
  }

  // What `name` stands for inside the package `ns`, which may be empty.
  // NOT_FOUND names the nearest names.
  absl::StatusOr<Entry> Find(absl::string_view ns,
                             absl::string_view name) const;

  // The value of the name, which the caller shares. INTERNAL when it is not a
  // T.
  template <typename T>
  absl::StatusOr<std::shared_ptr<const T>> FindValue(
      absl::string_view ns, absl::string_view name) const {
    absl::StatusOr<std::shared_ptr<const Entry>> entry = FindEntry(ns, name);
    if (!entry.ok()) return entry.status();
    if ((*entry)->type != TypeIdOf<T>()) {
      return WrongTypeError(**entry, TypeIdOf<T>());
    }
    return std::static_pointer_cast<const T>((*entry)->value);
  }

  bool IsRegistered(absl::string_view ns, absl::string_view name) const;

  // The full name that `name` means inside `ns`; `name` itself when there is
  // none.
  std::string FullName(absl::string_view ns, absl::string_view name) const;

  // All names in full, sorted.
  std::vector<std::string> Names() const;

  // At most `max` names that resemble `name`, the nearest first.
  std::vector<std::string> NearestNames(absl::string_view name,
                                        std::size_t max = 3) const;

 private:
  struct Registration {
    std::uint64_t id;
    Origin origin_kind;
    const void* code;
    std::shared_ptr<const Entry> entry;
  };
  // The first is in use, the others are copies of it that wait.
  using Registrations = absl::InlinedVector<Registration, 1>;

  absl::StatusOr<std::shared_ptr<const Entry>> FindEntry(
      absl::string_view ns, absl::string_view name) const;
  // Null when there is none.
  std::shared_ptr<const Entry> Lookup(absl::string_view ns,
                                      absl::string_view name) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const Entry> LookupFullName(absl::string_view full_name) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status WrongTypeError(const Entry& entry, TypeId wanted) const;
  void Remove(const std::string& full_name, std::uint64_t id);

  const std::string kind_;
  mutable Mutex mutex_;
  absl::flat_hash_map<std::string, Registrations> registrations_
      ABSL_GUARDED_BY(mutex_);
  std::uint64_t next_id_ ABSL_GUARDED_BY(mutex_) = 1;
  // Longer names need not be looked up; keeps a lookup in a package of very
  // many parts short.
  std::size_t longest_name_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Collects the errors of static registrations that run on this thread while it
// exists, in place of ending the process: put it around dlopen.
class RegistrationErrors {
 public:
  RegistrationErrors();
  ~RegistrationErrors();
  RegistrationErrors(const RegistrationErrors&) = delete;
  RegistrationErrors& operator=(const RegistrationErrors&) = delete;

  // OK when there were none.
  absl::Status status() const;
  // How many registrations there were, good ones and others.
  int count() const { return count_; }
  // Whether one of this thread added something, also one that nobody counts.
  // The others are copies of what is registered already.
  bool has_new() const { return has_new_; }
  // For registries: the registration that is going on adds something.
  static void NoteNew();

 private:
  friend RegistrationToken TokenOrReport(absl::StatusOr<RegistrationToken>);

  RegistrationErrors* const outer_;
  std::vector<absl::Status> errors_;
  int count_ = 0;
  bool has_new_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_NAME_REGISTRY_H_
