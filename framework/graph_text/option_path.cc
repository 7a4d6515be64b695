#include "framework/graph_text/option_path.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/normalize_names.h"
#include "google/protobuf/descriptor.h"

namespace syncline {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;

// Options of options of options: 5 are many.
constexpr size_t kMaxSteps = 64;

absl::Status BadPath(absl::string_view path, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("path ", Quoted(path), " ", what));
}

// "Ext::mediapipe::X", "[mediapipe.X.ext]" and the like: "syncline.X".
std::string TypeOf(absl::string_view part) {
  absl::ConsumePrefix(&part, "Ext::");
  if (absl::ConsumePrefix(&part, "[")) absl::ConsumeSuffix(&part, "]");
  absl::ConsumeSuffix(&part, ".ext");
  absl::ConsumePrefix(&part, "::");
  return NormalizedTypeName(absl::StrReplaceAll(part, {{"::", "."}}));
}

bool IsOptionsWord(absl::string_view part) {
  const std::string word = absl::AsciiStrToLower(part);
  return word == "options" || word == "node_options" || word == "graph_options";
}

// Takes "[3]" from the end of `part`, other than from an extension's name.
absl::Status TakeIndex(absl::string_view path, absl::string_view* part,
                       int* index) {
  const size_t bracket = part->rfind('[');
  if (bracket == absl::string_view::npos || bracket == 0) {
    return absl::OkStatus();
  }
  absl::string_view number = part->substr(bracket + 1);
  if (!absl::ConsumeSuffix(&number, "]") || !absl::SimpleAtoi(number, index) ||
      *index < 0) {
    return BadPath(path, absl::StrCat("has ", Quoted(part->substr(bracket)),
                                      " where an index such as [0] belongs."));
  }
  part->remove_suffix(part->size() - bracket);
  return absl::OkStatus();
}

}  // namespace

std::string OptionFieldText(const FieldDescriptor& field) {
  const std::string type = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE
                               ? field.message_type()->full_name()
                               : field.type_name();
  return absl::StrCat("field ", Quoted(field.full_name()), " (",
                      field.is_repeated() ? "repeated " : "", type, ")");
}

// --- Reading

absl::StatusOr<OptionSides> SplitOptionValue(absl::string_view text) {
  // Each ':' by itself; "::" is part of a type.
  std::vector<size_t> colons;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ':') continue;
    if (i + 1 < text.size() && text[i + 1] == ':') {
      ++i;
    } else {
      colons.push_back(i);
    }
  }
  if (colons.size() != 1 || colons[0] == 0 || colons[0] + 1 == text.size()) {
    return absl::InvalidArgumentError(
        "it has not two sides: write \"node_field:options/graph_field\".");
  }
  return OptionSides{text.substr(0, colons[0]), text.substr(colons[0] + 1)};
}

absl::StatusOr<OptionPath> ParseOptionPath(absl::string_view text) {
  OptionPath path;
  std::vector<absl::string_view> parts = absl::StrSplit(text, '/');
  if (parts.size() > kMaxSteps) return BadPath(text, "has too many parts.");
  size_t next = IsOptionsWord(parts[0]) ? 1 : 0;
  if (next < parts.size() && (absl::StartsWith(parts[next], "Ext::") ||
                              absl::StartsWith(parts[next], "["))) {
    path.type = TypeOf(parts[next++]);
  }
  for (; next < parts.size(); ++next) {
    absl::string_view part = parts[next];
    int index = -1;
    if (!path.steps.empty() && path.steps.back().index < 0 &&
        absl::SimpleAtoi(part, &index) && index >= 0) {
      path.steps.back().index = index;
      continue;
    }
    index = -1;
    SYNCLINE_RETURN_IF_ERROR(TakeIndex(text, &part, &index));
    if (part.empty()) return BadPath(text, "has an empty part.");
    path.steps.push_back({std::string(part), index});
  }
  return path;
}

absl::StatusOr<OptionValue> ParseOptionValue(absl::string_view text) {
  SYNCLINE_ASSIGN_OR_RETURN(const OptionSides sides, SplitOptionValue(text));
  OptionValue value;
  SYNCLINE_ASSIGN_OR_RETURN(value.node, ParseOptionPath(sides.node));
  SYNCLINE_ASSIGN_OR_RETURN(value.graph, ParseOptionPath(sides.graph));
  return value;
}

// --- Finding fields

const FieldDescriptor* FindOptionField(const Descriptor& type,
                                       absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "[")) {
    return type.FindFieldByName(std::string(name));
  }
  absl::ConsumeSuffix(&name, "]");
  const auto find = [&](const std::string& known) {
    return type.file()->pool()->FindExtensionByPrintableName(&type, known);
  };
  return find(NormalizedProtoName(
      name, [&](const std::string& known) { return find(known) != nullptr; }));
}

absl::StatusOr<FieldSteps> ResolveOptionPath(const OptionPath& path,
                                             const Descriptor& type) {
  FieldSteps steps;
  const Descriptor* message = &type;
  for (size_t i = 0; i < path.steps.size(); ++i) {
    const OptionPath::Step& step = path.steps[i];
    const FieldDescriptor* field = FindOptionField(*message, step.field);
    if (field == nullptr) {
      std::vector<std::string> known;
      for (int j = 0; j < message->field_count(); ++j) {
        known.push_back(message->field(j)->name());
      }
      return absl::InvalidArgumentError(absl::StrCat(
          "message ", Quoted(message->full_name()), " has no field ",
          Quoted(step.field), ".", DidYouMeanOrKnownText(step.field, known)));
    }
    if (step.index >= 0 && (!field->is_repeated() || field->is_map())) {
      return absl::InvalidArgumentError(
          absl::StrCat(OptionFieldText(*field), " takes no index."));
    }
    steps.push_back({field, step.index});
    if (i + 1 == path.steps.size()) break;
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      return absl::InvalidArgumentError(
          absl::StrCat(OptionFieldText(*field), " has no field ",
                       Quoted(path.steps[i + 1].field), " inside."));
    }
    if (field->is_repeated() && step.index < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          OptionFieldText(*field), " needs an index here, such as ",
          Quoted(absl::StrCat(step.field, "[0]")), "."));
    }
    message = field->message_type();
  }
  return steps;
}

}  // namespace syncline
