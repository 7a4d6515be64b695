// tool::OptionsSyntaxUtil: the two sides of an option_value, and the paths in
// them; see framework/graph_text/option_path.h.
//
// Thread rule: pure functions.
// Tested by options_field_util_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_OPTIONS_SYNTAX_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_OPTIONS_SYNTAX_UTIL_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/tool/options_field_util.h"
#include "framework/tool/options_registry.h"

namespace syncline {
namespace tool {

class OptionsSyntaxUtil {
 public:
  OptionsSyntaxUtil() = default;
  // What "options" is called in front of paths.
  explicit OptionsSyntaxUtil(const std::string& tag_name)
      : tag_name_(tag_name) {}

  // The path for a name as option_value gives it: with "OPTIONS" in front.
  std::string OptionFieldsTag(const std::string& option_name) const;

  // The steps of a path in a message, behind one for the message itself. Those
  // up to the first field that the message does not have.
  options_field_util::FieldPath OptionFieldPath(
      absl::string_view tag, const Descriptor* descriptor) const;

  // The two sides of "a/b:options/c", or the whole where there are not two.
  std::vector<absl::string_view> StrSplitTags(
      absl::string_view tag_and_name) const;

 private:
  std::string tag_name_ = "OPTIONS";
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_OPTIONS_SYNTAX_UTIL_H_
