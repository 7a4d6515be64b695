#include "framework/graph_text/utf8.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::FileDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

// Length of the valid sequence at the start of `text`, 0 when there is none.
size_t SequenceLength(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const size_t length = first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
  if (text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  // The second byte tells overlong forms, surrogates and what is too large.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

std::string Find(const Message& message);

// The path below element `i` of `field` (-1: not repeated), with its name.
std::string FindInField(const Message& message, const FieldDescriptor* field,
                        int i) {
  const Reflection& reflection = *message.GetReflection();
  std::string path = field->is_extension()
                         ? absl::StrCat("[", field->full_name(), "]")
                         : field->name();
  if (i >= 0) absl::StrAppend(&path, "[", i, "]");

  if (field->type() == FieldDescriptor::TYPE_STRING) {
    std::string scratch;
    const std::string& value =
        i < 0 ? reflection.GetStringReference(message, field, &scratch)
              : reflection.GetRepeatedStringReference(message, field, i,
                                                      &scratch);
    return IsValidUtf8(value) ? "" : path;
  }
  const std::string below =
      Find(i < 0 ? reflection.GetMessage(message, field)
                 : reflection.GetRepeatedMessage(message, field, i));
  return below.empty() ? "" : absl::StrCat(path, ".", below);
}

std::string Find(const Message& message) {
  const bool checks_strings = message.GetDescriptor()->file()->syntax() ==
                              FileDescriptor::SYNTAX_PROTO3;
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const bool looks_inside =
        field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE ||
        (field->type() == FieldDescriptor::TYPE_STRING && checks_strings);
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

}  // namespace

bool IsValidUtf8(absl::string_view text) {
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string FindInvalidUtf8(const Message& message) { return Find(message); }

}  // namespace syncline
