#include "framework/tool/options_syntax_util.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/graph_text/option_path.h"
#include "framework/tool/options_field_util.h"
#include "framework/tool/options_registry.h"

namespace syncline {
namespace tool {

std::string OptionsSyntaxUtil::OptionFieldsTag(
    const std::string& option_name) const {
  const absl::string_view first =
      absl::string_view(option_name).substr(0, option_name.find('/'));
  if (absl::AsciiStrToUpper(first) == absl::AsciiStrToUpper(tag_name_)) {
    return absl::StrCat(tag_name_, option_name.substr(first.size()));
  }
  return option_name.empty() ? tag_name_
                             : absl::StrCat(tag_name_, "/", option_name);
}

options_field_util::FieldPath OptionsSyntaxUtil::OptionFieldPath(
    absl::string_view tag, const Descriptor* descriptor) const {
  options_field_util::FieldPath result;
  // Code may write any word for the options; the parser knows only this one.
  std::string text = OptionFieldsTag(std::string(tag));
  text.replace(0, tag_name_.size(), "options");
  const auto path = ParseOptionPath(text);
  if (!path.ok()) return result;
  result.push_back({.extension_type = path->type.empty() ? "*" : path->type});
  for (const OptionPath::Step& step : path->steps) {
    if (descriptor == nullptr) break;
    const FieldDescriptor* const field =
        FindOptionField(*descriptor, step.field);
    if (field == nullptr) break;
    result.push_back({.field = field, .index = step.index});
    descriptor = field->message_type();
  }
  return result;
}

std::vector<absl::string_view> OptionsSyntaxUtil::StrSplitTags(
    absl::string_view tag_and_name) const {
  const auto sides = SplitOptionValue(tag_and_name);
  if (!sides.ok()) return {tag_and_name};
  return {sides->node, sides->graph};
}

}  // namespace tool
}  // namespace syncline
