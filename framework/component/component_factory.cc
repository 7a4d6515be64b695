#include "framework/component/component_factory.h"

#include <algorithm>
#include <cstdint>
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
#include "framework/component/component_id.h"
#include "framework/component/extension.h"
#include "framework/component/resolve_extensions.h"
#include "glog/logging.h"

namespace syncline {

ComponentFactory& ComponentFactory::Global() {
  static ComponentFactory& factory = *new ComponentFactory;
  return factory;
}

std::uint64_t ComponentFactory::Put(Extension extension, bool is_static,
                                    source_location location) {
  auto registration = std::make_shared<ExtensionRegistration>();
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
  std::shared_ptr<const ExtensionRegistration> removed;
  std::shared_ptr<const ResolvedExtensions> contents;
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

std::shared_ptr<const ResolvedExtensions> ComponentFactory::Current() const {
  while (true) {
    ExtensionRegistrations registrations;
    {
      MutexLock lock(&mutex_);
      if (contents_ != nullptr) return contents_;
      registrations = registrations_;
    }
    std::shared_ptr<const ResolvedExtensions> contents =
        ResolveExtensions(registrations);
    MutexLock lock(&mutex_);
    if (registrations != registrations_) continue;
    contents_ = contents;
    return contents;
  }
}

std::shared_ptr<const ResolvedExtensions> ComponentFactory::Used() const {
  std::shared_ptr<const ResolvedExtensions> contents = Current();
  if (contents->problems.empty()) return contents;
  std::vector<absl::Status> new_problems;
  {
    MutexLock lock(&mutex_);
    for (const ResolvedExtensions::Problem& problem : contents->problems) {
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
  const std::shared_ptr<const ResolvedExtensions> contents = Current();
  for (const ResolvedExtensions::Problem& problem : contents->problems) {
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
  const std::shared_ptr<const ResolvedExtensions> contents = Current();
  std::string text;
  absl::StatusCode code = absl::StatusCode::kOk;
  for (const ResolvedExtensions::Problem& problem : contents->problems) {
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
  const std::shared_ptr<const ResolvedExtensions> contents = Used();
  const auto entry = contents->component_names.Find("", name);
  if (!entry.ok()) return entry.status();
  return contents->components.at(entry->name);
}

absl::StatusOr<ComponentInfo> ComponentFactory::Find(ComponentId id) const {
  const std::shared_ptr<const ResolvedExtensions> contents = Used();
  const auto found = contents->names.find(id);
  if (found == contents->names.end()) {
    return absl::NotFoundError(absl::StrCat(
        "No component with the id ", id.ToString(),
        " is registered. Link its extension, or load its plug-in."));
  }
  return contents->components.at(found->second);
}

std::vector<ComponentInfo> ComponentFactory::Components() const {
  const std::shared_ptr<const ResolvedExtensions> contents = Used();
  std::vector<ComponentInfo> components;
  for (const auto& [name, component] : contents->components) {
    components.push_back(component);
  }
  return components;
}

std::vector<ExtensionInfo> ComponentFactory::Extensions() const {
  const std::shared_ptr<const ResolvedExtensions> contents = Used();
  std::vector<ExtensionInfo> extensions;
  for (const auto& [name, extension] : contents->extensions) {
    extensions.push_back(*extension);
  }
  return extensions;
}

absl::Status ComponentFactory::problems() const { return ProblemsOf(""); }

}  // namespace syncline
