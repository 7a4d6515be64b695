#include "tools/option_parameters.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/component/parameter.h"
#include "framework/tool/options_registry.h"
#include "google/protobuf/descriptor.h"
#include "tools/option_comments.h"

namespace syncline {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::EnumDescriptor;
using ::google::protobuf::FieldDescriptor;

// Names that take more room stand behind the description.
constexpr std::size_t kShortNames = 24;
// An enumeration with more values goes by its own name.
constexpr int kFewValues = 12;

std::string Names(const EnumDescriptor& type, absl::string_view separator) {
  std::vector<std::string> names;
  for (int i = 0; i < type.value_count(); ++i) {
    names.push_back(type.value(i)->name());
  }
  return absl::StrJoin(names, separator);
}

std::string EnumText(const EnumDescriptor& type) {
  const std::string names = Names(type, "|");
  return names.size() > kShortNames ? "enum" : names;
}

// What the type leaves out.
std::string RangeText(const FieldDescriptor& field) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_ENUM ||
      EnumText(*field.enum_type()) != "enum") {
    return "";
  }
  return field.enum_type()->value_count() > kFewValues
             ? field.enum_type()->full_name()
             : Names(*field.enum_type(), " or ");
}

std::string TypeText(const FieldDescriptor& field) {
  std::string text = field.is_repeated() ? "list of " : "";
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_ENUM:
      return absl::StrCat(text, EnumText(*field.enum_type()));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return absl::StrCat(text, field.message_type()->full_name());
    default:
      return absl::StrCat(text, field.cpp_type_name());
  }
}

// A float as it was written, not as the double that it is.
std::string DefaultText(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return absl::StrCat(field.default_value_int32());
    case FieldDescriptor::CPPTYPE_INT64:
      return absl::StrCat(field.default_value_int64());
    case FieldDescriptor::CPPTYPE_UINT32:
      return absl::StrCat(field.default_value_uint32());
    case FieldDescriptor::CPPTYPE_UINT64:
      return absl::StrCat(field.default_value_uint64());
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return absl::StrCat(field.default_value_double());
    case FieldDescriptor::CPPTYPE_FLOAT:
      return absl::StrCat(field.default_value_float());
    case FieldDescriptor::CPPTYPE_BOOL:
      return field.default_value_bool() ? "true" : "false";
    case FieldDescriptor::CPPTYPE_ENUM:
      return field.default_value_enum()->name();
    case FieldDescriptor::CPPTYPE_STRING:
      return absl::StrCat("\"", absl::CHexEscape(field.default_value_string()),
                          "\"");
    case FieldDescriptor::CPPTYPE_MESSAGE:
      break;
  }
  return "";
}

ParameterInfo ParameterOf(const FieldDescriptor& field) {
  ParameterInfo info;
  info.key = field.name();
  info.type = TypeText(field);
  info.range = RangeText(field);
  info.optional = true;
  const std::string comment = FieldComment(field.full_name());
  const std::size_t end = comment.find(". ");
  info.headline = comment.empty() ? info.key : comment.substr(0, end);
  if (!info.headline.empty() && info.headline.back() == '.') {
    info.headline.pop_back();
  }
  if (end != comment.npos) info.description = comment.substr(end + 2);
  // A field of a oneof, or with presence and no default of its own, is absent.
  const bool has_default = field.has_default_value() || !field.has_presence() ||
                           field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM;
  if (!field.is_repeated() && has_default &&
      field.real_containing_oneof() == nullptr &&
      field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
    info.default_value = DefaultText(field);
  }
  return info;
}

}  // namespace

std::vector<ParameterInfo> OptionParameters(const Descriptor& type) {
  std::vector<ParameterInfo> parameters;
  for (int i = 0; i < type.field_count(); ++i) {
    parameters.push_back(ParameterOf(*type.field(i)));
  }
  return parameters;
}

std::vector<const Descriptor*> OptionTypes(
    absl::string_view type_name, const std::vector<std::string>& asked_for) {
  std::vector<std::string> names = asked_for;
  // Conditions have a second name, of GXF.
  std::string own_name(type_name);
  if (absl::ConsumeSuffix(&type_name, "SchedulingTerm")) {
    own_name = absl::StrCat(type_name, "Condition");
  }
  names.push_back(absl::StrCat(own_name, "Options"));
  names.push_back(absl::StrCat("syncline.", own_name, "Options"));
  std::vector<const Descriptor*> types;
  for (const std::string& name : names) {
    const Descriptor* const type = tool::GetProtobufDescriptor(name);
    if (type != nullptr &&
        std::find(types.begin(), types.end(), type) == types.end()) {
      types.push_back(type);
    }
  }
  return types;
}

}  // namespace syncline
