// tool::OptionsSyntaxUtil: splits an option_value into its two paths, and reads
// the paths; see framework/graph_text/option_path.h.
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
  // The word that stands for the options message at the beginning of a path.
  explicit OptionsSyntaxUtil(const std::string& tag_name)
      : tag_name_(tag_name) {}

  // The path for a name in an option_value, with "OPTIONS" added at its
  // beginning.
  std::string OptionFieldsTag(const std::string& option_name) const;

  // The steps of a path, with one for the message itself at the beginning. They
  // end before the first field that the message does not have.
  options_field_util::FieldPath OptionFieldPath(
      absl::string_view tag, const Descriptor* descriptor) const;

  // The two paths of "a/b:options/c"; the whole text if it has no second path.
  std::vector<absl::string_view> StrSplitTags(
      absl::string_view tag_and_name) const;

 private:
  std::string tag_name_ = "OPTIONS";
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_OPTIONS_SYNTAX_UTIL_H_
