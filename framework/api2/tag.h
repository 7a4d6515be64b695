// Tags of ports, as values and as types.
//
// A port without a tag has the tag "". Other tags consist of capital letters,
// digits and underscores, as in graphs. Any other tag does not compile, since
// no graph could name it.
//
//   constexpr auto kTag = MPP_TAG("IMAGE");   // a type for each tag
//   static_assert(kTag.str() == "IMAGE");
//   node.In(kTag)                             // wherever a tag is asked for
//
// Thread rule: values without state.
// Tested by port_test.

#ifndef SYNCLINE_FRAMEWORK_API2_TAG_H_
#define SYNCLINE_FRAMEWORK_API2_TAG_H_

#include <cstddef>
#include <type_traits>

#include "absl/strings/string_view.h"

namespace syncline {
namespace api2 {
namespace internal {

constexpr bool IsTagStart(char c) { return (c >= 'A' && c <= 'Z') || c == '_'; }

// Whether a graph can name the tag: [A-Z_][A-Z0-9_]*, or nothing.
constexpr bool IsValidTag(absl::string_view tag) {
  for (std::size_t i = 0; i < tag.size(); ++i) {
    const bool is_digit = tag[i] >= '0' && tag[i] <= '9';
    if (!IsTagStart(tag[i]) && (i == 0 || !is_digit)) return false;
  }
  return true;
}

// The characters of a literal, in a form that can be a template argument.
template <std::size_t kSize>
struct TagChars {
  constexpr TagChars(const char (&text)[kSize]) {  // NOLINT: from literals
    for (std::size_t i = 0; i < kSize; ++i) chars[i] = text[i];
  }
  constexpr absl::string_view view() const { return {chars, kSize - 1}; }
  char chars[kSize] = {};
};

template <TagChars kChars>
struct Tag {
  static_assert(IsValidTag(kChars.view()),
                "a tag consists of capital letters, digits and underscores, "
                "and does not begin with a digit");
  static constexpr absl::string_view str() { return kChars.view(); }
  constexpr operator absl::string_view() const { return str(); }  // NOLINT

  template <TagChars kOther>
  friend constexpr bool operator==(Tag, Tag<kOther>) {
    return std::is_same_v<Tag, Tag<kOther>>;
  }
};

// Whether `value` is a tag of MPP_TAG.
template <typename T>
constexpr bool is_tag(const T& value) {
  return false;
}
template <TagChars kChars>
constexpr bool is_tag(const Tag<kChars>&) {
  return true;
}

}  // namespace internal

// The tag of a literal, as an object whose type contains the tag.
#define MPP_TAG(literal) (::syncline::api2::internal::Tag<literal>{})

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_TAG_H_
