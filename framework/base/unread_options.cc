#include "framework/base/unread_options.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/unknown_field_set.h"

namespace syncline {

absl::Status CheckOptionsAreRead(const google::protobuf::Message& options,
                                 absl::Span<const int> read,
                                 absl::string_view reader) {
  const google::protobuf::Reflection& reflection = *options.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> given;
  reflection.ListFields(options, &given);
  for (const auto* const field : given) {
    if (std::count(read.begin(), read.end(), field->number()) > 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "its options have [", field->full_name(), "], which this type of ",
        reader,
        " does not read. Remove them, or set the type that they belong to."));
  }
  // Only a binary graph can have unknown fields: a text with them is not read.
  const google::protobuf::UnknownFieldSet& unknown =
      reflection.GetUnknownFields(options);
  if (unknown.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "its options have the field ", unknown.field(0).number(),
      ", which no options type of this binary has. Add the target that defines "
      "it to the deps, or remove it."));
}

}  // namespace syncline
