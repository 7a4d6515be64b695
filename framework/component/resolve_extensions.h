// ResolveExtensions: says which registered extensions can be used, and of the
// others, why not. The rules are in extension.h.
//
// In one extension a base comes before what derives from it. The order of the
// extensions does not matter: a base of another one may be registered later. An
// extension whose base is not there is refused, as a whole, until somebody
// registers the base.
//
// Copies of one extension that several libraries brought along (the same id
// from the same file and line) count as one.
//
// Thread rule: a function; what it returns is constant.
// Tested by resolve_extensions_test.

#ifndef SYNCLINE_FRAMEWORK_COMPONENT_RESOLVE_EXTENSIONS_H_
#define SYNCLINE_FRAMEWORK_COMPONENT_RESOLVE_EXTENSIONS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/name_registry.h"
#include "framework/component/component_id.h"
#include "framework/component/extension.h"

namespace syncline {

struct ExtensionRegistration {
  std::uint64_t number = 0;
  bool is_static = false;
  Extension extension;
};
using ExtensionRegistrations =
    std::vector<std::shared_ptr<const ExtensionRegistration>>;

// What the registrations add up to.
struct ResolvedExtensions {
  NameRegistry component_names{"Component"};
  std::map<std::string, ComponentInfo> components;  // by full name
  std::map<ComponentId, std::string> names;         // of components, by id
  std::map<std::string, std::shared_ptr<const ExtensionInfo>> extensions;
  struct Problem {
    std::shared_ptr<const ExtensionRegistration> registration;
    absl::Status status;
  };
  std::vector<Problem> problems;
};

std::shared_ptr<const ResolvedExtensions> ResolveExtensions(
    const ExtensionRegistrations& registrations);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_COMPONENT_RESOLVE_EXTENSIONS_H_
