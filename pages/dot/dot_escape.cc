#include "pages/dot/dot_escape.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/graph_text/utf8.h"

namespace syncline {
namespace {

constexpr char kReplacement[] = "\xef\xbf\xbd";

// The bytes of the character that `text` begins with; 0: it is no UTF-8.
std::size_t CharacterSize(absl::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t size = first < 0x80   ? 1
                           : first < 0xc2 ? 0
                           : first < 0xe0 ? 2
                           : first < 0xf0 ? 3
                           : first < 0xf5 ? 4
                                          : 0;
  if (size == 0 || size > text.size()) return 0;
  return IsValidUtf8(text.substr(0, size)) ? size : 0;
}

// Characters of these numbers say in which direction others are read, or end a
// line; a name with them may look like another one.
bool IsCommand(unsigned number) {
  return number == 0x61c || number == 0x200e || number == 0x200f ||
         (number >= 0x2028 && number <= 0x202e) ||
         (number >= 0x2066 && number <= 0x2069);
}

// Of a character of two or three bytes; else 0.
unsigned NumberOf(absl::string_view character) {
  const auto low = [character](std::size_t at) {
    return static_cast<unsigned char>(character[at]) & 0x3FU;
  };
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 2) return (first & 0x1FU) << 6 | low(1);
  if (character.size() != 3) return 0;
  return (first & 0xFU) << 12 | low(1) << 6 | low(2);
}

// Characters, those that are none or that command something made visible.
std::vector<std::string> Characters(absl::string_view text) {
  std::vector<std::string> characters;
  while (!text.empty()) {
    const std::size_t size = CharacterSize(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (size == 0) {
      characters.push_back(kReplacement);
      text.remove_prefix(1);
      continue;
    }
    // In two bytes, the controls above 0x7f. U+FFFE and U+FFFF are in no XML.
    const bool is_control = (size == 1 && (first < 0x20 || first == 0x7f)) ||
                            (size == 2 && first == 0xc2 &&
                             static_cast<unsigned char>(text[1]) < 0xa0);
    const bool is_no_character =
        size == 3 && (text.substr(0, 3) == "\xef\xbf\xbe" ||
                      text.substr(0, 3) == "\xef\xbf\xbf");
    const unsigned number = NumberOf(text.substr(0, size));
    if (is_no_character) {
      characters.push_back(kReplacement);
    } else if (IsCommand(number)) {
      characters.push_back(
          absl::StrCat("\\u", absl::Hex(number, absl::kZeroPad4)));
    } else if (is_control && first != '\n') {
      characters.push_back(absl::StrCat(
          "\\x", absl::Hex(static_cast<unsigned char>(text[size - 1]),
                           absl::kZeroPad2)));
    } else {
      characters.emplace_back(text.substr(0, size));
    }
    text.remove_prefix(size);
  }
  return characters;
}

}  // namespace

std::string DotMarkup(absl::string_view text) {
  std::string markup;
  for (const std::string& character : Characters(text)) {
    if (character == "&") {
      markup += "&amp;";
    } else if (character == "<") {
      markup += "&lt;";
    } else if (character == ">") {
      markup += "&gt;";
    } else if (character == "\"") {
      markup += "&quot;";
    } else if (character == "\n") {
      markup += R"(\\n)";
    } else if (character[0] == '\\') {
      markup += "\\" + character;
    } else {
      markup += character;
    }
  }
  return markup;
}

namespace {

// `backslash` stands for one.
std::string Quoted(absl::string_view text, absl::string_view backslash) {
  std::string quoted = "\"";
  for (const std::string& character : Characters(text)) {
    if (character == "&") {
      quoted += "&amp;";
    } else if (character == "\"") {
      quoted += "\\\"";
    } else if (character == "\n") {
      quoted += "\\n";
    } else if (character[0] == '\\') {
      absl::StrAppend(&quoted, backslash, character.substr(1));
    } else {
      quoted += character;
    }
  }
  return quoted + "\"";
}

}  // namespace

std::string DotQuoted(absl::string_view text) { return Quoted(text, R"(\\)"); }

std::string DotTooltip(absl::string_view text) {
  return Quoted(text, R"(\\\\)");
}

std::string Shortened(absl::string_view text, std::size_t most) {
  // A character has at least one byte.
  if (text.size() <= most) return std::string(text);
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    const std::size_t size = CharacterSize(text.substr(at));
    at += size == 0 ? 1 : size;
  }
  if (starts.size() <= most || most == 0) return std::string(text);
  const std::size_t tail = (most - 1) / 3;
  const std::size_t head = most - 1 - tail;
  return absl::StrCat(
      text.substr(0, starts[head]), "…",
      tail == 0 ? "" : text.substr(starts[starts.size() - tail]));
}

}  // namespace syncline
