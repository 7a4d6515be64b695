#include "framework/graph_text/utf8.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/common.h"

namespace syncline {
namespace {

namespace pb = ::google::protobuf;

// The path below element `i` of `field` (-1: not repeated), with its name.
std::string FindInField(const pb::Message& message,
                        const pb::FieldDescriptor* field, int i) {
  const pb::Reflection& reflection = *message.GetReflection();
  std::string path = field->is_extension()
                         ? absl::StrCat("[", field->full_name(), "]")
                         : field->name();
  if (i >= 0) absl::StrAppend(&path, "[", i, "]");

  if (field->type() == pb::FieldDescriptor::TYPE_STRING) {
    std::string scratch;
    const std::string& value =
        i < 0 ? reflection.GetStringReference(message, field, &scratch)
              : reflection.GetRepeatedStringReference(message, field, i,
                                                      &scratch);
    return IsValidUtf8(value) ? "" : path;
  }
  const std::string below =
      FindInvalidUtf8(i < 0 ? reflection.GetMessage(message, field)
                            : reflection.GetRepeatedMessage(message, field, i));
  return below.empty() ? "" : absl::StrCat(path, ".", below);
}

}  // namespace

bool IsValidUtf8(absl::string_view text) {
  return google::protobuf::internal::IsStructurallyValidUTF8(
      text.data(), static_cast<int>(text.size()));
}

std::string FindInvalidUtf8(const pb::Message& message) {
  const bool checks_strings = message.GetDescriptor()->file()->syntax() ==
                              pb::FileDescriptor::SYNTAX_PROTO3;
  std::vector<const pb::FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    const bool looks_inside =
        field->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE ||
        (field->type() == pb::FieldDescriptor::TYPE_STRING && checks_strings);
    if (!looks_inside) continue;
    const int size = field->is_repeated()
                         ? message.GetReflection()->FieldSize(message, field)
                         : 1;
    for (int i = 0; i < size; ++i) {
      std::string path =
          FindInField(message, field, field->is_repeated() ? i : -1);
      if (!path.empty()) return path;
    }
  }
  return "";
}

}  // namespace syncline
