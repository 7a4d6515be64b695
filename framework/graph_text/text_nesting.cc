#include "framework/graph_text/text_nesting.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "framework/graph_text/template_lexer.h"

namespace syncline {

size_t FindTooDeep(absl::string_view text, int max_depth) {
  int depth = 0;
  for (TemplateLexer lexer(text); lexer.token().kind != TemplateToken::kEnd;
       lexer.Next()) {
    const TemplateToken& token = lexer.token();
    if (token.Is("{") || token.Is("<")) {
      if (++depth > max_depth) return token.offset;
    } else if (token.Is("}") || token.Is(">")) {
      depth = std::max(0, depth - 1);
    }
  }
  return absl::string_view::npos;
}

}  // namespace syncline
