#include "framework/base/typed_registry.h"

#include "absl/strings/string_view.h"
#include "glog/logging.h"

namespace syncline {
namespace registry_internal {

void LogDryRun(absl::string_view name, source_location location) {
  LOG(INFO) << "Would register \"" << name << "\" from " << location.ToString()
            << ".";
}

}  // namespace registry_internal
}  // namespace syncline
