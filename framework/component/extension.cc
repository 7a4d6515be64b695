#include "framework/component/extension.h"

#include <string>

#include "absl/strings/string_view.h"
#include "framework/base/source_location.h"
#include "framework/component/component_id.h"

namespace syncline {

void Extension::SetInfo(ComponentId id, absl::string_view name,
                        absl::string_view description, absl::string_view author,
                        absl::string_view version, absl::string_view license) {
  info_.id = id;
  info_.name = std::string(name);
  info_.description = std::string(description);
  info_.author = std::string(author);
  info_.version = std::string(version);
  info_.license = std::string(license);
}

void Extension::SetDisplayInfo(absl::string_view display_name,
                               absl::string_view category,
                               absl::string_view brief) {
  info_.display_name = std::string(display_name);
  info_.category = std::string(category);
  info_.brief = std::string(brief);
}

Extension::Component Extension::MakeComponent(ComponentId id,
                                              absl::string_view name,
                                              absl::string_view description,
                                              absl::string_view display_name,
                                              absl::string_view brief,
                                              source_location location) {
  Component component;
  component.id = id;
  component.name = std::string(name);
  component.description = std::string(description);
  component.display_name = std::string(display_name);
  component.brief = std::string(brief);
  component.origin = location.ToString();
  return component;
}

}  // namespace syncline
