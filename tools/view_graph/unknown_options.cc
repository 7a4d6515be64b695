#include "tools/view_graph/unknown_options.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "framework/graph_text/config_types.h"
#include "framework/graph_text/normalize_names.h"
#include "google/protobuf/descriptor.h"

namespace syncline {
namespace {

using google::protobuf::DescriptorPool;

// "a.b.C.ext" of an extension, or "type.googleapis.com/a.b.C" of an Any.
bool IsKnown(absl::string_view name) {
  const DescriptorPool& pool = *DescriptorPool::generated_pool();
  const std::size_t slash = name.rfind('/');
  if (slash != absl::string_view::npos) {
    const std::string type = NormalizedTypeName(name.substr(slash + 1), pool);
    return pool.FindMessageTypeByName(type) != nullptr;
  }
  const auto is_extension = [&pool](const std::string& known) {
    return pool.FindExtensionByName(known) != nullptr ||
           pool.FindMessageTypeByName(known) != nullptr;
  };
  return is_extension(NormalizedProtoName(name, is_extension));
}

class Taker {
 public:
  explicit Taker(std::string* text) : text_(*text) {}

  std::vector<UnknownOptions> Take() {
    // A name in brackets stands where a field does, and a list where a value
    // does, which is after ":".
    char before = '{';
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        SkipComment();
      } else if (c == '"' || c == '\'') {
        SkipString();
        before = c;
      } else if (c == '[' && before != ':') {
        TakeIfUnknown();
        before = ']';
      } else if (IsOfWord(c)) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && IsOfWord(text_[at_])) ++at_;
        word_ = absl::string_view(text_).substr(begin, at_ - begin);
        before = c;
      } else if (c == '{' || c == '<') {
        fields_.emplace_back(word_);
        before = c;
        ++at_;
      } else if (c == '}' || c == '>') {
        if (!fields_.empty()) fields_.pop_back();
        before = c;
        ++at_;
      } else {
        if (!absl::ascii_isspace(static_cast<unsigned char>(c))) before = c;
        ++at_;
      }
    }
    return std::move(taken_);
  }

 private:
  bool At(char c) const { return at_ < text_.size() && text_[at_] == c; }
  void SkipComment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  // A string ends at the end of its line at the latest.
  void SkipString() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + 1, text_.size());
  }
  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        SkipComment();
      } else if (absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else {
        return;
      }
    }
  }
  // A message or list, with all brackets in it; or one value. False: the text
  // ends within it.
  bool SkipValue() {
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        SkipComment();
      } else if (c == '"' || c == '\'') {
        SkipString();
        if (depth == 0) {
          SkipMoreStrings();
          return true;
        }
      } else if (c == '{' || c == '<' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == '>' || c == ']') {
        if (depth == 0) return true;
        ++at_;
        if (--depth == 0) return true;
      } else if (depth == 0 && IsEndOfWord(c)) {
        return true;
      } else {
        ++at_;
      }
    }
    return depth == 0;
  }
  static bool IsOfWord(char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  }
  static bool IsEndOfWord(char c) {
    return c == ',' || c == ';' ||
           absl::ascii_isspace(static_cast<unsigned char>(c));
  }
  // Strings that follow each other are one.
  void SkipMoreStrings() {
    while (true) {
      const std::size_t end = at_;
      SkipBlanks();
      if (!At('"') && !At('\'')) {
        at_ = end;
        return;
      }
      SkipString();
    }
  }

  void TakeIfUnknown();
  // Blanks from `begin` to here; ends of lines stay.
  void Blank(std::size_t begin) {
    for (std::size_t i = begin; i < at_; ++i) {
      if (text_[i] != '\n') text_[i] = ' ';
    }
  }
  int LineOf(std::size_t place) {
    line_ += static_cast<int>(
        std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                   text_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
    counted_ = place;
    return line_;
  }

  std::string& text_;
  std::size_t at_ = 0;
  // Lines are counted up to there.
  std::size_t counted_ = 0;
  int line_ = 1;
  // The last word, and those of the fields that are open here.
  absl::string_view word_;
  std::vector<std::string> fields_;
  std::vector<UnknownOptions> taken_;
};

void Taker::TakeIfUnknown() {
  const std::size_t begin = at_;
  const std::size_t close = text_.find(']', begin);
  if (close == std::string::npos) {
    at_ = text_.size();
    return;
  }
  std::string name = text_.substr(begin + 1, close - begin - 1);
  name.erase(std::remove_if(name.begin(), name.end(),
                            [](char c) {
                              return absl::ascii_isspace(
                                  static_cast<unsigned char>(c));
                            }),
             name.end());
  const bool is_name =
      !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
               absl::StrContains("._-/", c);
      });
  at_ = close + 1;
  if (is_name) word_ = absl::string_view(text_).substr(begin, at_ - begin);
  if (!is_name || IsKnown(name)) return;
  SkipBlanks();
  if (At(':')) ++at_;
  SkipBlanks();
  if (!SkipValue()) return;
  taken_.push_back({LineOf(begin), fields_, text_.substr(begin, at_ - begin)});
  // What ends a field may follow, and nothing that it would end is there now.
  const std::size_t end = at_;
  SkipBlanks();
  if (At(',') || At(';')) {
    ++at_;
  } else {
    at_ = end;
  }
  Blank(begin);
}

// Blanks that all lines but the first begin with, which has none.
std::size_t CommonIndent(const std::vector<absl::string_view>& lines) {
  std::size_t common = absl::string_view::npos;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    common = std::min(common, lines[i].find_first_not_of(" \t\r"));
  }
  return common;
}

}  // namespace

std::string InTheirFields(const UnknownOptions& unknown, std::size_t first) {
  std::string text;
  std::string indent;
  for (std::size_t i = first; i < unknown.fields.size(); ++i) {
    absl::StrAppend(&text, indent, unknown.fields[i], " {\n");
    indent += "  ";
  }
  const std::vector<absl::string_view> lines =
      absl::StrSplit(unknown.text, '\n');
  const std::size_t common = CommonIndent(lines);
  absl::StrAppend(&text, indent, lines[0], "\n");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    absl::StrAppend(&text, indent,
                    lines[i].substr(std::min(common, lines[i].size())), "\n");
  }
  while (!indent.empty()) {
    indent.resize(indent.size() - 2);
    absl::StrAppend(&text, indent, "}\n");
  }
  text.pop_back();
  return text;
}

std::vector<UnknownOptions> TakeUnknownOptions(std::string* text) {
  LinkConfigTypes();
  return Taker(text).Take();
}

}  // namespace syncline
