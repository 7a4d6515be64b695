// See the header.
#include "framework/tool/validate_name.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace syncline {
namespace tool {

absl::Status GetTagAndNameInfo(
    const proto_ns::RepeatedPtrField<ProtoString>& ports,
    TagAndNameInfo* info) {
  TagAndNameInfo found;
  for (const std::string& port : ports) {
    std::string tag, name;
    if (absl::Status status = ParseTagAndName(port, &tag, &name);
        !status.ok()) {
      return status;
    }
    if (!tag.empty()) found.tags.push_back(std::move(tag));
    found.names.push_back(std::move(name));
    if (!found.tags.empty() && found.tags.size() != found.names.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"", port, "\" is unlike the ports before it: either ",
                       "give every port a tag, or none"));
    }
  }
  *info = std::move(found);
  return absl::OkStatus();
}

absl::Status SetFromTagAndNameInfo(
    const TagAndNameInfo& info,
    proto_ns::RepeatedPtrField<ProtoString>* ports) {
  if (!info.tags.empty() && info.tags.size() != info.names.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", info.tags.size(), " tags for ",
                     info.names.size(), " names"));
  }
  proto_ns::RepeatedPtrField<ProtoString> made;
  for (size_t i = 0; i < info.names.size(); ++i) {
    absl::Status status = ValidateName(info.names[i]);
    if (status.ok() && !info.tags.empty()) status = ValidateTag(info.tags[i]);
    if (!status.ok()) return status;
    *made.Add() = info.tags.empty()
                      ? info.names[i]
                      : absl::StrCat(info.tags[i], ":", info.names[i]);
  }
  ports->Swap(&made);
  return absl::OkStatus();
}

}  // namespace tool
}  // namespace syncline
