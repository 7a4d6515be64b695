// tool::TemplateParser: reads graph templates from text; see
// framework/graph_text/template_text.h.
//
//   tool::TemplateParser::Parser parser;
//   CalculatorGraphTemplate graph_template;
//   if (!parser.ParseFromString(text, &graph_template)) return parser.status();
//
// Thread rule: for one thread.
// Tested by template_expander_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_TEMPLATE_PARSER_H_
#define SYNCLINE_FRAMEWORK_TOOL_TEMPLATE_PARSER_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "google/protobuf/io/zero_copy_stream.h"

namespace syncline {
namespace tool {

class TemplateParser {
 public:
  class Parser {
   public:
    // Replaces the contents of `output`. False for text that is no template:
    // the error is logged, and in status(); `output` is then empty.
    bool ParseFromString(absl::string_view input,
                         CalculatorGraphTemplate* output);
    // The same, with all that is left in a stream.
    bool Parse(google::protobuf::io::ZeroCopyInputStream* input,
               CalculatorGraphTemplate* output);

    // The error of the last call, with line and column; OK if there was none.
    const absl::Status& status() const { return status_; }

   private:
    absl::Status status_;
  };
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_TEMPLATE_PARSER_H_
