#include "framework/component/resolve_extensions.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/library_file.h"
#include "framework/base/name_registry.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/base/type_id.h"
#include "framework/component/component_id.h"
#include "framework/component/extension.h"
#include "glog/logging.h"

namespace syncline {
namespace {

constexpr char kNoKind[] = "component";

// The place of an extension, for error texts. Its library is asked for when it
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

// Takes registrations in, one after the other.
class Resolver {
 public:
  // Goes over `registrations` until no more can be taken in: those whose bases
  // come later in the list are taken in the next round.
  std::shared_ptr<const ResolvedExtensions> Run(
      const ExtensionRegistrations& registrations) {
    ExtensionRegistrations waiting = registrations;
    bool goes_on = true;
    while (goes_on) {
      goes_on = false;
      resolved_->problems.clear();
      ExtensionRegistrations refused;
      for (const auto& registration : waiting) {
        if (IsCopy(*registration)) continue;
        const absl::Status status = Check(registration->extension);
        if (status.ok()) {
          TakeIn(*registration);
          goes_on = true;
        } else {
          refused.push_back(registration);
          resolved_->problems.push_back(
              {registration, Refused(registration->extension.info(), status)});
        }
      }
      waiting = std::move(refused);
    }
    return std::move(resolved_);
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

  bool IsCopy(const ExtensionRegistration& registration) const {
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
  void TakeIn(const ExtensionRegistration& registration) {
    const auto info =
        std::make_shared<const ExtensionInfo>(registration.extension.info());
    resolved_->extensions[info->name] = info;
    owners_.extensions[info->name] = OwnerOf(*info);
    owners_.ids[info->id] = OwnerOf(*info);
    if (registration.is_static) static_origins_[info->id] = info->origin;
    for (const Extension::Component& component :
         registration.extension.components()) {
      const Owner owner = OwnerOf(*info, component);
      const absl::Status added = Add(component, owner, &owners_);
      DCHECK(added.ok()) << added;
      const auto token =
          resolved_->component_names.Register(component.name, 0, owner.place);
      ComponentInfo described = component;
      described.name = resolved_->component_names.FullName("", component.name);
      const auto base = full_names_.find(component.base_type);
      if (base != full_names_.end()) described.base = base->second;
      full_names_[component.type] = described.name;
      if (described.kind.empty()) {
        described.kind = described.base.empty()
                             ? kNoKind
                             : resolved_->components.at(described.base).kind;
      }
      described.origin = owner.place;
      described.extension = info;
      resolved_->names[described.id] = described.name;
      resolved_->components[described.name] = std::move(described);
    }
  }

  std::shared_ptr<ResolvedExtensions> resolved_ =
      std::make_shared<ResolvedExtensions>();
  Owners owners_;  // of what is taken in
  std::map<TypeId, std::string> full_names_;
  std::map<ComponentId, std::string> static_origins_;  // by id of extension
};

}  // namespace

std::shared_ptr<const ResolvedExtensions> ResolveExtensions(
    const ExtensionRegistrations& registrations) {
  return Resolver().Run(registrations);
}

}  // namespace syncline
