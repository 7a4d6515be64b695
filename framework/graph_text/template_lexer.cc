#include "framework/graph_text/template_lexer.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

// Strings and comments end with their line also where that is an error: after
// such errors Protobuf reads on. Its tokenizer takes a zero for an end, too.
constexpr absl::string_view kLineEnds("\n\0", 2);

bool IsLineEnd(char c) { return c == '\n' || c == '\0'; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsNameChar(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace

void TemplateLexer::SkipSpace() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    } else if (c == '#') {
      at_ = std::min(text_.find_first_of(kLineEnds, at_), text_.size());
      continue;
    } else if (!absl::ascii_isspace(static_cast<unsigned char>(c))) {
      return;
    }
    ++at_;
  }
}

void TemplateLexer::Take(TemplateToken::Kind kind, size_t length) {
  token_ = {.kind = kind,
            .text = text_.substr(at_, length),
            .offset = at_,
            .line = line_,
            .column = static_cast<int>(at_ - line_start_) + 1};
  at_ += length;
}

size_t TemplateLexer::NumberLength() const {
  size_t i = at_;
  const auto is_sign = [&](size_t j) {
    return j < text_.size() && (text_[j] == '+' || text_[j] == '-');
  };
  const bool is_hex =
      text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
  while (i < text_.size()) {
    const char c = text_[i];
    const bool is_exponent = !is_hex && (c == 'e' || c == 'E');
    if (!IsNameChar(c) && c != '.') break;
    ++i;
    if (is_exponent && is_sign(i)) ++i;
  }
  return i - at_;
}

size_t TemplateLexer::StringLength() const {
  const char quote = text_[at_];
  size_t i = at_ + 1;
  while (i < text_.size() && !IsLineEnd(text_[i])) {
    const char c = text_[i++];
    if (c == quote) break;
    // The character after a backslash cannot end the string.
    if (c == '\\' && i < text_.size() && !IsLineEnd(text_[i])) ++i;
  }
  return i - at_;
}

void TemplateLexer::Next() {
  SkipSpace();
  if (at_ == text_.size()) return Take(TemplateToken::kEnd, 0);
  const char c = text_[at_];
  if (c == '"' || c == '\'')
    return Take(TemplateToken::kString, StringLength());
  const bool is_fraction =
      c == '.' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1]);
  if (IsDigit(c) || is_fraction) {
    return Take(TemplateToken::kNumber, NumberLength());
  }
  if (!IsNameChar(c)) return Take(TemplateToken::kSymbol, 1);
  size_t end = at_;
  while (end < text_.size() && IsNameChar(text_[end])) ++end;
  Take(TemplateToken::kName, end - at_);
}

void TemplateLexer::NextInBrackets() {
  SkipSpace();
  size_t end = at_;
  while (end < text_.size() && text_[end] != ']' && text_[end] != '\n') ++end;
  Take(TemplateToken::kName, end - at_);
}

}  // namespace syncline
