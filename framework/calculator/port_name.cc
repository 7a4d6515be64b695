#include "framework/calculator/port_name.h"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace tool {
namespace {

// What is quoted in an error: printable, and not longer than a line.
std::string Shown(absl::string_view text) {
  constexpr size_t kLongest = 80;
  const std::string escaped = absl::CHexEscape(text.substr(0, kLongest));
  return absl::StrCat("\"", escaped, text.size() > kLongest ? "..." : "", "\"");
}

bool IsLowerStart(char c) { return absl::ascii_islower(c) || c == '_'; }
bool IsUpperStart(char c) { return absl::ascii_isupper(c) || c == '_'; }

template <typename Start>
bool Matches(absl::string_view text, Start starts) {
  if (text.empty() || !starts(text[0])) return false;
  for (const char c : text) {
    if (!starts(c) && !absl::ascii_isdigit(c)) return false;
  }
  return true;
}

absl::Status ParseNumber(absl::string_view number, int* value) {
  SYNCLINE_RETURN_IF_ERROR(ValidateNumber(number));
  if (!absl::SimpleAtoi(number, value) || *value > kMaxCollectionItemId) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the index ", Shown(number), " is too large: indexes are below ",
        kMaxCollectionItemId));
  }
  return absl::OkStatus();
}

absl::Status PortError(absl::string_view port, absl::string_view form,
                       const absl::Status& reason) {
  return absl::InvalidArgumentError(
      absl::StrCat(Shown(port), " does not have the form ", form, ": ",
                   std::string(reason.message())));
}

// Splits a port of at most `most_parts` parts, 2 or 3; `form` is for the error.
absl::Status SplitPort(absl::string_view port, size_t most_parts,
                       absl::string_view form, PortParts* result) {
  constexpr size_t kMostParts = 3;
  std::array<absl::string_view, kMostParts> parts;
  size_t num_parts = 0;
  absl::string_view rest = port;
  size_t colon = rest.find(':');
  for (; colon != absl::string_view::npos && num_parts + 1 < most_parts;
       colon = rest.find(':')) {
    parts[num_parts++] = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
  }
  parts[num_parts++] = rest;
  int number = num_parts == 1 ? -1 : 0;
  absl::Status status;
  if (colon != absl::string_view::npos) {
    status = absl::InvalidArgumentError("there are too many \":\"");
  } else {
    if (num_parts >= 2) status = ValidateTag(parts[0]);
    if (status.ok() && num_parts == 3) status = ParseNumber(parts[1], &number);
    if (status.ok()) status = ValidateName(rest);
  }
  if (!status.ok()) return PortError(port, form, status);
  *result = {.tag = num_parts == 1 ? absl::string_view() : parts[0],
             .index = number,
             .name = rest};
  return absl::OkStatus();
}

absl::Status ParsePort(absl::string_view port, size_t most_parts,
                       absl::string_view form, std::string* tag, int* index,
                       std::string* name) {
  PortParts parts;
  SYNCLINE_RETURN_IF_ERROR(SplitPort(port, most_parts, form, &parts));
  *tag = std::string(parts.tag);
  *index = parts.index;
  *name = std::string(parts.name);
  return absl::OkStatus();
}

constexpr absl::string_view kPortForm =
    "\"TAG:index:name\", \"TAG:name\" or \"name\"";

}  // namespace

absl::Status ValidateName(absl::string_view name) {
  if (Matches(name, IsLowerStart)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the name ", Shown(name),
      " does not match \"[a-z_][a-z0-9_]*\" (lower case, digits, \"_\")"));
}

absl::Status ValidateTag(absl::string_view tag) {
  if (Matches(tag, IsUpperStart)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the tag ", Shown(tag),
      " does not match \"[A-Z_][A-Z0-9_]*\" (upper case, digits, \"_\")"));
}

absl::Status ValidateNumber(absl::string_view number) {
  bool digits = !number.empty() && (number.size() == 1 || number[0] != '0');
  for (const char c : number) digits = digits && absl::ascii_isdigit(c);
  if (digits) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the index ", Shown(number),
                   " does not match \"0|[1-9][0-9]*\" (no leading zeros)"));
}

absl::Status ParseTagAndName(absl::string_view port, std::string* tag,
                             std::string* name) {
  int index = 0;
  return ParsePort(port, 2, "\"TAG:name\" or \"name\"", tag, &index, name);
}

absl::Status ParseTagIndexName(absl::string_view port, std::string* tag,
                               int* index, std::string* name) {
  return ParsePort(port, 3, kPortForm, tag, index, name);
}

absl::Status SplitPortName(absl::string_view port, PortParts* parts) {
  return SplitPort(port, 3, kPortForm, parts);
}

absl::Status ParseTagIndex(absl::string_view tag_index, std::string* tag,
                           int* index) {
  const std::vector<absl::string_view> parts = absl::StrSplit(tag_index, ':');
  int number = 0;
  absl::Status status;
  if (parts.size() > 2) {
    status = absl::InvalidArgumentError("there are too many \":\"");
  } else {
    if (!parts[0].empty()) status = ValidateTag(parts[0]);
    if (status.ok() && parts.size() == 2) {
      status = ParseNumber(parts[1], &number);
    }
  }
  if (!status.ok()) {
    return PortError(tag_index, "\"TAG\", \"TAG:index\" or \":index\"", status);
  }
  *tag = std::string(parts[0]);
  *index = number;
  return absl::OkStatus();
}

std::string ParseNameFromStream(absl::string_view port) {
  std::string tag, name;
  int index;
  return ParseTagIndexName(port, &tag, &index, &name).ok() ? name : "";
}

std::pair<std::string, int> ParseTagIndexFromStream(absl::string_view port) {
  std::string tag, name;
  int index = -1;
  if (!ParseTagIndexName(port, &tag, &index, &name).ok()) return {"", -1};
  return {tag, index};
}

std::string CatTag(absl::string_view tag, int index) {
  return index <= 0 ? std::string(tag) : absl::StrCat(tag, ":", index);
}

std::string CatStream(const std::pair<std::string, int>& tag_index,
                      absl::string_view name) {
  const std::string tag = CatTag(tag_index.first, tag_index.second);
  return tag.empty() ? std::string(name) : absl::StrCat(tag, ":", name);
}

}  // namespace tool
}  // namespace syncline
