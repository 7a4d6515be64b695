#include "pages/model/json_writer.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "pages/model/picture_json.h"

namespace syncline {
namespace {

// Characters that stand for themselves, in a page too.
bool IsPlain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' &&
         c != '>' && c != '&';
}

}  // namespace

void JsonWriter::BeginValue() {
  if (needs_comma_) text_.push_back(',');
  needs_comma_ = true;
}

JsonWriter& JsonWriter::Begin(char bracket) {
  BeginValue();
  text_.push_back(bracket);
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::End(char bracket) {
  text_.push_back(bracket);
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::Key(absl::string_view name) {
  BeginValue();
  absl::StrAppend(&text_, "\"", name, "\":");
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::String(absl::string_view text) {
  BeginValue();
  if (std::all_of(text.begin(), text.end(), IsPlain)) {
    absl::StrAppend(&text_, "\"", text, "\"");
  } else {
    text_ += JsonText(std::string(text));
  }
  return *this;
}

JsonWriter& JsonWriter::Int(std::int64_t number) {
  BeginValue();
  absl::StrAppend(&text_, number);
  return *this;
}

JsonWriter& JsonWriter::Number(double number) {
  // Where thousandths can be counted.
  constexpr double kMost = 9e15;
  if (!(std::abs(number) < kMost)) return Null();
  const std::int64_t thousandths = std::llround(number * 1000);
  const std::int64_t size = std::abs(thousandths);
  BeginValue();
  absl::StrAppend(&text_, thousandths < 0 ? "-" : "", size / 1000);
  if (size % 1000 == 0) return *this;
  absl::StrAppend(&text_, ".", absl::Dec(size % 1000, absl::kZeroPad3));
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) {
  BeginValue();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null() {
  BeginValue();
  text_ += "null";
  return *this;
}

}  // namespace syncline
