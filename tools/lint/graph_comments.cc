#include "tools/lint/graph_comments.h"

#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

class CommentScanner {
 public:
  explicit CommentScanner(absl::string_view text) : text_(text) {}

  GraphComments Scan() {
    while (at_ < text_.size()) Step();
    return std::move(found_);
  }

 private:
  void Step() {
    const char c = text_[at_];
    switch (c) {
      case '#':
        return TakeComment();
      case '"':
      case '\'':
        return SkipString(c);
      case '%':
        return SkipRule();
      case '{':
      case '<':
        if (depth_++ == 0) found_.blocks.push_back({word_line_, line_});
        break;
      case '}':
      case '>':
        if (depth_ > 0 && --depth_ == 0) found_.blocks.back().last_line = line_;
        break;
      default:
        break;
    }
    const bool is_word = absl::ascii_isalnum(c) || c == '_';
    if (is_word && !in_word_) word_line_ = line_;
    in_word_ = is_word;
    Advance();
  }

  void Advance() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  void TakeComment() {
    const std::size_t end = text_.find('\n', at_);
    const absl::string_view rest = text_.substr(at_ + 1);
    found_.comments.push_back({line_, end == absl::string_view::npos
                                          ? rest
                                          : rest.substr(0, end - at_ - 1)});
    at_ = end == absl::string_view::npos ? text_.size() : end;
    in_word_ = false;
  }

  // A string ends on its line.
  void SkipString(char quote) {
    Advance();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) Advance();
      Advance();
    }
    if (at_ < text_.size() && text_[at_] == quote) Advance();
    in_word_ = false;
  }

  // %...% of a template, in which '<' compares. Its strings may have a '%'.
  void SkipRule() {
    Advance();
    while (at_ < text_.size() && text_[at_] != '%') {
      if (text_[at_] == '"' || text_[at_] == '\'') {
        SkipString(text_[at_]);
      } else if (text_[at_] == '#') {
        TakeComment();
      } else {
        Advance();
      }
    }
    if (at_ < text_.size()) Advance();
    in_word_ = false;
  }

  const absl::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int depth_ = 0;
  // Where the last word began, which is the name of a field before a bracket.
  int word_line_ = 1;
  bool in_word_ = false;
  GraphComments found_;
};

}  // namespace

GraphComments FindGraphComments(absl::string_view text) {
  return CommentScanner(text).Scan();
}

}  // namespace syncline
