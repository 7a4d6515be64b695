#include "framework/tool/template_expander.h"

#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/expand_template.h"

namespace syncline {
namespace tool {

absl::Status TemplateExpander::ExpandTemplates(
    const TemplateDict& args, const CalculatorGraphTemplate& templ,
    CalculatorGraphConfig* output) {
  SYNCLINE_ASSIGN_OR_RETURN(*output, ExpandTemplate(templ, args));
  return absl::OkStatus();
}

}  // namespace tool
}  // namespace syncline
