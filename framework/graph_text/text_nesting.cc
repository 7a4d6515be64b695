#include "framework/graph_text/text_nesting.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"

namespace syncline {
namespace {

// Strings and comments end with their line also where that is an error: after
// such errors Protobuf reads on. Its tokenizer takes a zero for an end, too.
bool IsLineEnd(char c) { return c == '\n' || c == '\0'; }

size_t EndOfComment(absl::string_view text, size_t at) {
  while (at < text.size() && !IsLineEnd(text[at])) ++at;
  return at;
}

// `at` is its opening quote.
size_t EndOfString(absl::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == quote || IsLineEnd(text[at])) break;
    const bool is_escape = text[at] == '\\' && at + 1 < text.size();
    if (is_escape && !IsLineEnd(text[at + 1])) ++at;
  }
  return at;
}

}  // namespace

size_t FindTooDeep(absl::string_view text, int max_depth) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '{':
      case '<':
        if (++depth > max_depth) return i;
        break;
      case '}':
      case '>':
        depth = std::max(0, depth - 1);
        break;
      case '#':
        i = EndOfComment(text, i);
        break;
      case '"':
      case '\'':
        i = EndOfString(text, i);
        break;
      default:
        break;
    }
  }
  return absl::string_view::npos;
}

}  // namespace syncline
