// tool::TemplateExpander: makes graphs of graph templates; see
// framework/graph_text/expand_template.h.
//
// Thread rule: for one thread.
// Tested by template_expander_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_TEMPLATE_EXPANDER_H_
#define SYNCLINE_FRAMEWORK_TOOL_TEMPLATE_EXPANDER_H_

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"

namespace syncline {
namespace tool {

class TemplateExpander {
 public:
  // Replaces the contents of `output`, or returns all errors of the template
  // and these arguments.
  absl::Status ExpandTemplates(const TemplateDict& args,
                               const CalculatorGraphTemplate& templ,
                               CalculatorGraphConfig* output);
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_TEMPLATE_EXPANDER_H_
