// Tokens of Protobuf text, and of the %...% rules in it.
//
// Names, numbers, strings and single symbols, with their places; white space
// and "# comments" in between are skipped. The reader of a template decides
// what a token means and whether it is allowed at its place.
//
// Thread rule: for one thread. The text must outlive it.
// Tested by template_lexer_test and template_text_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_LEXER_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_LEXER_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace syncline {

struct TemplateToken {
  enum Kind {
    kEnd,     // of the text
    kName,    // letters, digits and '_', not beginning with a digit
    kNumber,  // 12, 0x1F, 1.5e-3f
    kString,  // with its quotes, which may be missing at the end of a line
    kSymbol,  // any other character
  };
  Kind kind = kEnd;
  absl::string_view text;
  size_t offset = 0;
  // Counted from 1.
  int line = 1;
  int column = 1;

  size_t end() const { return offset + text.size(); }
  bool Is(absl::string_view symbol_or_name) const {
    return (kind == kSymbol || kind == kName) && text == symbol_or_name;
  }
};

// Copies are cheap: they serve to look ahead.
class TemplateLexer {
 public:
  explicit TemplateLexer(absl::string_view text) : text_(text) { Next(); }

  const TemplateToken& token() const { return token_; }
  void Next();
  // Makes everything up to the next ']', which is what follows "[", one token
  // of kind kName; without a ']' the rest of the line.
  void NextInBrackets();

 private:
  void SkipSpace();
  // Makes the next `length` bytes the token.
  void Take(TemplateToken::Kind kind, size_t length);
  size_t NumberLength() const;
  size_t StringLength() const;

  absl::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  size_t line_start_ = 0;
  TemplateToken token_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_LEXER_H_
