// Expressions in the %...% rules of graph templates, from text to
// TemplateExpression.
//
//   "INPUT:" + name       size(items) > 2 && !dry_run       model.path
//
// Operators and their precedence are those of C: . ! * / + - > < >= <= == != &&
// ||, and parentheses. Functions: min, max, concat, lowercase, uppercase, size,
// list(a, b), dict("key": a, "other": b). Literals are numbers, strings, true
// and false. Any other name is a parameter.
//
// As a proto: a parameter is {param: NAME}, a literal {op: "literal" param:
// TEXT}, all else {op: NAME arg ...}, where equal operators in a row share one
// node, and the arguments of dict are keys and values in turn.
//
// Thread rule: free functions.
// Tested by template_expression_test and template_text_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_EXPRESSION_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_EXPRESSION_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/template_lexer.h"

namespace syncline {

// Reads one expression, as far as it goes. INVALID_ARGUMENT, with the place.
absl::StatusOr<TemplateExpression> ParseTemplateExpression(
    TemplateLexer* lexer, absl::string_view file);

// An error at a token: `file:3:7: message`.
absl::Status TemplateErrorAt(absl::string_view file, const TemplateToken& token,
                             absl::string_view message);

// Takes the token if it is `symbol`; else an error that says `where` it
// belongs, such as "in a list".
absl::Status TakeTemplateSymbol(absl::string_view symbol,
                                absl::string_view where, absl::string_view file,
                                TemplateLexer* lexer);

// A token in words, for errors: `"x"` or `the end of the text`.
std::string TokenText(const TemplateToken& token);

TemplateExpression TemplateLiteral(absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_EXPRESSION_H_
