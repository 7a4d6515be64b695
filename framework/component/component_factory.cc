#include "framework/component/component_factory.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/library_file.h"
#include "framework/base/mutex.h"
#include "framework/base/name_registry.h"
#include "framework/base/plugin.h"
#include "framework/base/source_location.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/base/type_id.h"
#include "framework/component/component_id.h"
#include "framework/component/extension.h"
#include "glog/logging.h"

namespace syncline {
namespace {

constexpr char kNoKind[] = "component";

// Where an extension is, for people. Its library is asked for when it
// registers: later a lock may be held that the system's loader needs, too.
std::string PlaceText(absl::string_view origin, absl::string_view library) {
  static const std::string& program = *new std::string(
      LibraryOfAddress(reinterpret_cast<const void*>(&PlaceText)));
  if (library.empty() || library == program) return std::string(origin);
  return absl::StrCat(origin, " in \"", library, "\"");
}

std::string Quoted(absl::string_view text) {
  return absl::StrCat("\"", text.substr(0, 200), "\"");
}

}  // namespace

struct ComponentFactory::Contents {
  NameRegistry component_names{"Component"};
  std::map<std::string, ComponentInfo> components;  // by full name
  std::map<ComponentId, std::string> names;         // of components, by id
  std::map<std::string, std::shared_ptr<const ExtensionInfo>> extensions;
  struct Problem {
    std::shared_ptr<const Registration> registration;
    absl::Status status;
  };
  std::vector<Problem> problems;
};

// Makes new contents of registrations, one after the other.
class ComponentFactory::Resolver {
 public:
  // Goes over `registrations` until no more can be taken in: those whose bases
  // come later in the list are taken in the next round.
  std::shared_ptr<const Contents> Run(const Registrations& registrations) {
    Registrations waiting = registrations;
    bool goes_on = true;
    while (goes_on) {
      goes_on = false;
      contents_->problems.clear();
      Registrations refused;
      for (const auto& registration : waiting) {
        if (IsCopy(*registration)) continue;
        const absl::Status status = Check(registration->extension);
        if (status.ok()) {
          TakeIn(*registration);
          goes_on = true;
        } else {
          refused.push_back(registration);
          contents_->problems.push_back(
              {registration, Refused(registration->extension.info(), status)});
        }
      }
      waiting = std::move(refused);
    }
    return std::move(contents_);
  }

 private:
  // Who has an id, a name or a class, which only one can have.
  struct Owner {
    std::string what;   // `the component "X"`
    std::string place;  // "file:line"
  };
  struct Owners {
    std::map<ComponentId, Owner> ids;
    std::map<std::string, Owner> extensions;  // by name
    std::map<TypeId, Owner> types;
    NameRegistry names{"Component"};
  };

  static Owner OwnerOf(const ExtensionInfo& info) {
    return {absl::StrCat("the extension ", Quoted(info.name)),
            PlaceText(info.origin, info.library)};
  }
  static Owner OwnerOf(const ExtensionInfo& info,
                       const Extension::Component& component) {
    return {absl::StrCat("the component ", Quoted(component.name)),
            PlaceText(component.origin, info.library)};
  }

  static absl::Status Refused(const ExtensionInfo& info,
                              const absl::Status& why) {
    return PrefixStatus(
        absl::StrCat("The extension ", Quoted(info.name), " from ",
                     PlaceText(info.origin, info.library), " is refused: "),
        why);
  }

  template <typename Key>
  static absl::Status CheckFree(const std::map<Key, Owner>& table,
                                const Key& key, absl::string_view key_text,
                                const Owner& owner) {
    const auto found = table.find(key);
    if (found == table.end()) return absl::OkStatus();
    return TwoOwnersError(key_text, found->second, owner);
  }

  static absl::Status TwoOwnersError(absl::string_view what, const Owner& first,
                                     const Owner& second) {
    return absl::AlreadyExistsError(absl::StrCat(
        what, " has two owners: ", first.what, " from ", first.place, " and ",
        second.what, " from ", second.place, ". Each needs its own."));
  }

  // OK if none of the owners has the id, the class or the name of the
  // component.
  static absl::Status CheckFree(const Owners& owners,
                                const Extension::Component& component,
                                const Owner& owner) {
    SYNCLINE_RETURN_IF_ERROR(
        CheckFree(owners.ids, component.id,
                  absl::StrCat("The id ", component.id.ToString()), owner));
    SYNCLINE_RETURN_IF_ERROR(CheckFree(
        owners.types, component.type,
        absl::StrCat("The class ", Quoted(component.type.name())), owner));
    const auto other = owners.names.Find("", component.name);
    if (!other.ok()) return absl::OkStatus();
    return TwoOwnersError(absl::StrCat("The name ", Quoted(other->name)),
                          {"a component", other->origin}, owner);
  }

  static absl::Status Add(const Extension::Component& component,
                          const Owner& owner, Owners* owners) {
    // The token is dropped: names stay as long as the table.
    SYNCLINE_RETURN_IF_ERROR(
        owners->names.Register(component.name, 0, owner.place).status());
    owners->ids[component.id] = owner;
    owners->types[component.type] = owner;
    return absl::OkStatus();
  }

  bool IsCopy(const Registration& registration) const {
    if (!registration.is_static) return false;
    const ExtensionInfo& info = registration.extension.info();
    const auto same = static_origins_.find(info.id);
    return same != static_origins_.end() && same->second == info.origin;
  }

  // OK if the extension keeps the rules. Its own components are noted in a
  // table apart, so that nothing has to be undone when it breaks a rule.
  absl::Status Check(const Extension& extension) const {
    const ExtensionInfo& info = extension.info();
    if (info.name.empty() || info.id.IsZero()) {
      return absl::InvalidArgumentError(
          "it has no name or no id; call SetInfo().");
    }
    const Owner self = OwnerOf(info);
    SYNCLINE_RETURN_IF_ERROR(
        CheckFree(owners_.ids, info.id,
                  absl::StrCat("The id ", info.id.ToString()), self));
    SYNCLINE_RETURN_IF_ERROR(
        CheckFree(owners_.extensions, info.name,
                  absl::StrCat("The name ", Quoted(info.name)), self));
    Owners added;
    added.ids[info.id] = self;
    for (const Extension::Component& component : extension.components()) {
      const Owner owner = OwnerOf(info, component);
      if (component.id.IsZero() || !component.problem.empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat(owner.what, " from ", owner.place,
                         component.problem.empty() ? " has no id." : ": ",
                         component.problem));
      }
      for (const Owners* const owners : {&owners_, &std::as_const(added)}) {
        SYNCLINE_RETURN_IF_ERROR(CheckFree(*owners, component, owner));
      }
      if (component.base_type != TypeId() &&
          owners_.types.count(component.base_type) == 0 &&
          added.types.count(component.base_type) == 0) {
        return absl::FailedPreconditionError(absl::StrCat(
            "the base ", Quoted(component.base_type.name()), " of ", owner.what,
            " from ", owner.place,
            " is not registered. Add it before, or link the extension that "
            "has it."));
      }
      SYNCLINE_RETURN_IF_ERROR(Add(component, owner, &added));
    }
    return absl::OkStatus();
  }

  // REQUIRES: Check said OK.
  void TakeIn(const Registration& registration) {
    const auto info =
        std::make_shared<const ExtensionInfo>(registration.extension.info());
    contents_->extensions[info->name] = info;
    owners_.extensions[info->name] = OwnerOf(*info);
    owners_.ids[info->id] = OwnerOf(*info);
    if (registration.is_static) static_origins_[info->id] = info->origin;
    for (const Extension::Component& component :
         registration.extension.components()) {
      const Owner owner = OwnerOf(*info, component);
      const absl::Status added = Add(component, owner, &owners_);
      DCHECK(added.ok()) << added;
      const auto token =
          contents_->component_names.Register(component.name, 0, owner.place);
      ComponentInfo described = component;
      described.name = contents_->component_names.FullName("", component.name);
      const auto base = full_names_.find(component.base_type);
      if (base != full_names_.end()) described.base = base->second;
      full_names_[component.type] = described.name;
      if (described.kind.empty()) {
        described.kind = described.base.empty()
                             ? kNoKind
                             : contents_->components.at(described.base).kind;
      }
      described.origin = owner.place;
      described.extension = info;
      contents_->names[described.id] = described.name;
      contents_->components[described.name] = std::move(described);
    }
  }

  std::shared_ptr<Contents> contents_ = std::make_shared<Contents>();
  Owners owners_;  // of what is taken in
  std::map<TypeId, std::string> full_names_;
  std::map<ComponentId, std::string> static_origins_;  // by id of extension
};

ComponentFactory& ComponentFactory::Global() {
  static ComponentFactory& factory = *new ComponentFactory;
  return factory;
}

std::uint64_t ComponentFactory::Put(Extension extension, bool is_static,
                                    source_location location) {
  auto registration = std::make_shared<Registration>();
  registration->is_static = is_static;
  extension.SetPlace(location.ToString(),
                     LibraryOfAddress(location.file_name()));
  registration->extension = std::move(extension);
  MutexLock lock(&mutex_);
  registration->number = next_number_++;
  registrations_.push_back(registration);
  contents_ = nullptr;
  return registration->number;
}

void ComponentFactory::Remove(std::uint64_t number) {
  // Destroyed after the lock is released.
  std::shared_ptr<const Registration> removed;
  std::shared_ptr<const Contents> contents;
  MutexLock lock(&mutex_);
  const auto found = std::find_if(
      registrations_.begin(), registrations_.end(),
      [number](const auto& other) { return other->number == number; });
  if (found == registrations_.end()) return;
  removed = std::move(*found);
  registrations_.erase(found);
  contents = std::move(contents_);
  contents_ = nullptr;
}

std::shared_ptr<const ComponentFactory::Contents> ComponentFactory::Current()
    const {
  while (true) {
    Registrations registrations;
    {
      MutexLock lock(&mutex_);
      if (contents_ != nullptr) return contents_;
      registrations = registrations_;
    }
    std::shared_ptr<const Contents> contents = Resolver().Run(registrations);
    MutexLock lock(&mutex_);
    if (registrations != registrations_) continue;
    contents_ = contents;
    return contents;
  }
}

std::shared_ptr<const ComponentFactory::Contents> ComponentFactory::Used()
    const {
  std::shared_ptr<const Contents> contents = Current();
  if (contents->problems.empty()) return contents;
  std::vector<absl::Status> new_problems;
  {
    MutexLock lock(&mutex_);
    for (const Contents::Problem& problem : contents->problems) {
      if (told_.insert(problem.registration->number).second) {
        new_problems.push_back(problem.status);
      }
    }
  }
  for (const absl::Status& status : new_problems) {
    LOG(ERROR) << status.message();
  }
  return contents;
}

absl::StatusOr<RegistrationToken> ComponentFactory::Register(
    Extension extension, source_location location) {
  const std::uint64_t number =
      Put(std::move(extension), /*is_static=*/false, location);
  const std::shared_ptr<const Contents> contents = Current();
  for (const Contents::Problem& problem : contents->problems) {
    if (problem.registration->number != number) continue;
    absl::Status status = problem.status;
    Remove(number);
    return status;
  }
  return RegistrationToken([this, number] { Remove(number); });
}

RegistrationToken ComponentFactory::RegisterStatic(void (*fill)(Extension*),
                                                   source_location location) {
  static const bool checks_plugins = (AddPluginCheck(&CheckPlugin), true);
  static_cast<void>(checks_plugins);
  Extension extension;
  fill(&extension);
  const std::uint64_t number =
      Put(std::move(extension), /*is_static=*/true, location);
  RegistrationErrors::NoteNew();
  return TokenOrReport(RegistrationToken([this, number] { Remove(number); }));
}

absl::Status ComponentFactory::ProblemsOf(absl::string_view library) const {
  const std::shared_ptr<const Contents> contents = Current();
  std::string text;
  absl::StatusCode code = absl::StatusCode::kOk;
  for (const Contents::Problem& problem : contents->problems) {
    const ExtensionInfo& info = problem.registration->extension.info();
    if (!library.empty() && info.library != library) continue;
    if (code == absl::StatusCode::kOk) code = problem.status.code();
    absl::StrAppend(&text, text.empty() ? "" : "\n", problem.status.message());
  }
  return absl::Status(code, text);
}

absl::Status ComponentFactory::CheckPlugin(const std::string& library) {
  return Global().ProblemsOf(library);
}

absl::StatusOr<ComponentInfo> ComponentFactory::Find(
    absl::string_view name) const {
  const std::shared_ptr<const Contents> contents = Used();
  const auto entry = contents->component_names.Find("", name);
  if (!entry.ok()) return entry.status();
  return contents->components.at(entry->name);
}

absl::StatusOr<ComponentInfo> ComponentFactory::Find(ComponentId id) const {
  const std::shared_ptr<const Contents> contents = Used();
  const auto found = contents->names.find(id);
  if (found == contents->names.end()) {
    return absl::NotFoundError(absl::StrCat(
        "No component with the id ", id.ToString(),
        " is registered. Link its extension, or load its plug-in."));
  }
  return contents->components.at(found->second);
}

std::vector<ComponentInfo> ComponentFactory::Components() const {
  const std::shared_ptr<const Contents> contents = Used();
  std::vector<ComponentInfo> components;
  for (const auto& [name, component] : contents->components) {
    components.push_back(component);
  }
  return components;
}

std::vector<ExtensionInfo> ComponentFactory::Extensions() const {
  const std::shared_ptr<const Contents> contents = Used();
  std::vector<ExtensionInfo> extensions;
  for (const auto& [name, extension] : contents->extensions) {
    extensions.push_back(*extension);
  }
  return extensions;
}

absl::Status ComponentFactory::problems() const { return ProblemsOf(""); }

}  // namespace syncline
