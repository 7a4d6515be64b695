// Extension: a set of components that one author offers together, with a
// description of each component and of the author.
//
//   SYNCLINE_EXTENSION(lamps) {
//     extension->SetInfo({0xd8629d822909316d, 0xa9ee7410c8c1a7b6}, "lamps",
//                        "Lamps of all kinds", "A. Smith", "1.0.0",
//                        "Apache-2.0");
//     extension->SetDisplayInfo("Lamps", "Light", "Lamps that blink and glow");
//     extension->Add<BlinkCalculator, CalculatorBase>(
//         {0xd39d70014cab3ecf, 0xb397c9d200cf9e8d}, "BlinkCalculator",
//         "Lets a lamp blink at a steady pace.", "Blink",
//         "A lamp that blinks");
//   }
//
// in one .cc file of the program or of a plug-in. This adds the components to
// the component factory (component_factory.h). To be usable in graphs, a type
// needs its own registration, such as REGISTER_CALCULATOR. The name here is the
// name that graphs use.
//
// RULES. Ids are unique over all extensions, and so are the names of
// extensions and those of components. A component has at most one base. In one
// extension a base is added before what derives from it; a base of another
// extension may also be registered later. A class has one component. An
// extension that breaks a rule is refused as a whole, and so is one with a base
// that never is registered (resolve_extensions.h).
//
// Thread rule: a value, filled by one thread.
// Tested by component_factory_test.

#ifndef SYNCLINE_FRAMEWORK_COMPONENT_EXTENSION_H_
#define SYNCLINE_FRAMEWORK_COMPONENT_EXTENSION_H_

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/base/source_location.h"
#include "framework/base/type_id.h"
#include "framework/component/component_id.h"
#include "framework/component/parameter.h"

namespace syncline {

// What is known of an extension.
struct ExtensionInfo {
  ComponentId id;
  std::string name;
  std::string description;
  std::string author;
  std::string version;
  std::string license;
  std::string display_name;
  std::string category;
  std::string brief;
  std::string origin;   // "file:line"
  std::string library;  // the file of the program or library that it is in
};

// What is known of a component.
struct ComponentInfo {
  ComponentId id;
  std::string name;  // in full: "a.b.X", without the top namespace
  std::string kind;  // "calculator", ...; "component" where no base says
  std::string base;  // the name of its base, or ""
  std::string display_name;
  std::string brief;
  std::string description;
  std::string origin;  // "file:line", with the library if it is not the program
  std::vector<ParameterInfo> parameters;
  std::shared_ptr<const ExtensionInfo> extension;
};

class Extension {
 public:
  // A component as it was added: the names are as they were written, and what
  // the factory finds out (`base`, `extension`) is empty. `kind` is "" if it is
  // that of the base.
  struct Component : ComponentInfo {
    TypeId type;
    TypeId base_type;     // void for none
    std::string problem;  // what is wrong with it by itself, or ""
  };

  void SetInfo(ComponentId id, absl::string_view name,
               absl::string_view description, absl::string_view author,
               absl::string_view version, absl::string_view license);
  void SetDisplayInfo(absl::string_view display_name,
                      absl::string_view category, absl::string_view brief);

  // Adds the class T, which derives from Base; without a base if that is void.
  // What T::Parameters registers, if there is such a type, are its parameters.
  template <typename T, typename Base = void>
  void Add(ComponentId id, absl::string_view name,
           absl::string_view description = "",
           absl::string_view display_name = "", absl::string_view brief = "",
           source_location location = source_location::current()) {
    Component component =
        MakeComponent(id, name, description, display_name, brief, location);
    component.type = TypeIdOf<T>();
    if constexpr (!std::is_void_v<Base>) {
      static_assert(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>,
                    "a component derives from its base");
      component.base_type = TypeIdOf<Base>();
    }
    if constexpr (requires {
                    requires HasParameters<typename T::Parameters>;
                  }) {
      AddParameters<typename T::Parameters>(&component);
    }
    components_.push_back(std::move(component));
  }

  // Adds a class without a base. Everything derived from it is of this kind:
  // "calculator", "executor", ...
  template <typename T>
  void AddKind(ComponentId id, absl::string_view name, absl::string_view kind,
               absl::string_view description = "",
               source_location location = source_location::current()) {
    Add<T>(id, name, description, "", "", location);
    components_.back().kind = std::string(kind);
  }

  // --- For the factory.

  const ExtensionInfo& info() const { return info_; }
  const std::vector<Component>& components() const { return components_; }
  void SetPlace(std::string origin, std::string library) {
    info_.origin = std::move(origin);
    info_.library = std::move(library);
  }

 private:
  static Component MakeComponent(ComponentId id, absl::string_view name,
                                 absl::string_view description,
                                 absl::string_view display_name,
                                 absl::string_view brief,
                                 source_location location);

  template <HasParameters P>
  static void AddParameters(Component* component) {
    P parameters;
    Registrar registrar;
    parameters.RegisterParameters(&registrar);
    component->parameters = registrar.infos();
    component->problem = std::string(registrar.status().message());
  }

  ExtensionInfo info_;
  std::vector<Component> components_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_COMPONENT_EXTENSION_H_
