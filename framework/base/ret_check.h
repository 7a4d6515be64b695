// RET_CHECK and its family: return an INTERNAL error unless a condition holds.
//
//   RET_CHECK(count > 0) << "no rows in " << path;
//   RET_CHECK_EQ(a.size(), b.size());
//   RET_CHECK_OK(Load(path));
//   RET_CHECK_FAIL() << "cannot happen";
//
// The text is "RET_CHECK failure (file:line) condition", then, for the
// comparisons, the two values, then what was streamed. For conditions that
// only a mistake in the program can break; what input can break deserves a
// better code and text. In a lambda the return type has to be written out.
// Tested by ret_check_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_RET_CHECK_H_
#define SYNCLINE_FRAMEWORK_BASE_RET_CHECK_H_

#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/source_location.h"
#include "framework/base/status_builder.h"
#include "framework/base/status_macros.h"

#define RET_CHECK(condition)               \
  while (ABSL_PREDICT_FALSE(!(condition))) \
  return ::syncline::RetCheckFail(SYNCLINE_LOC, #condition)

#define RET_CHECK_FAIL() return ::syncline::RetCheckFail(SYNCLINE_LOC, "")

#define RET_CHECK_OK(status)                                       \
  for (::absl::Status syncline_status_ =                           \
           ::syncline::status_macros_internal::ToStatus((status)); \
       ABSL_PREDICT_FALSE(!syncline_status_.ok());)                \
  return ::syncline::RetCheckFail(SYNCLINE_LOC, #status, syncline_status_)

#define RET_CHECK_EQ(a, b) SYNCLINE_RET_CHECK_COMPARE_(Equal, ==, a, b)
#define RET_CHECK_NE(a, b) SYNCLINE_RET_CHECK_COMPARE_(NotEqual, !=, a, b)
#define RET_CHECK_LE(a, b) SYNCLINE_RET_CHECK_COMPARE_(LessEqual, <=, a, b)
#define RET_CHECK_LT(a, b) SYNCLINE_RET_CHECK_COMPARE_(Less, <, a, b)
#define RET_CHECK_GE(a, b) SYNCLINE_RET_CHECK_COMPARE_(GreaterEqual, >=, a, b)
#define RET_CHECK_GT(a, b) SYNCLINE_RET_CHECK_COMPARE_(Greater, >, a, b)

// --- implementation

#define SYNCLINE_RET_CHECK_COMPARE_(Name, op, a, b)                \
  while (::absl::optional<::std::string> syncline_values_ =        \
             ::syncline::ret_check_internal::Compare(              \
                 ::syncline::ret_check_internal::Name(),           \
                 ::syncline::ret_check_internal::Value((a)),       \
                 ::syncline::ret_check_internal::Value((b))))      \
  return ::syncline::RetCheckFail(SYNCLINE_LOC, #a " " #op " " #b, \
                                  ::absl::string_view(*syncline_values_))

namespace syncline {

// The error of a failed check; what is streamed follows after a space.
StatusBuilder RetCheckFail(source_location location,
                           absl::string_view condition);
StatusBuilder RetCheckFail(source_location location,
                           absl::string_view expression,
                           const absl::Status& status);
StatusBuilder RetCheckFail(source_location location,
                           absl::string_view comparison,
                           absl::string_view values);

namespace ret_check_internal {

// A pointer may be compared with NULL, which is a number here.
template <typename A, typename B>
constexpr bool kPointerAndNumber = std::is_pointer_v<A>&& std::is_integral_v<B>;

// Comparing a size() with a plain literal is all right.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#define SYNCLINE_RET_CHECK_OPERATOR_(Name, op)      \
  struct Name {                                     \
    template <typename A, typename B>               \
    bool operator()(const A& a, const B& b) const { \
      if constexpr (kPointerAndNumber<A, B>) {      \
        return a op static_cast<A>(nullptr);        \
      } else {                                      \
        return a op b;                              \
      }                                             \
    }                                               \
  };
SYNCLINE_RET_CHECK_OPERATOR_(Equal, ==)
SYNCLINE_RET_CHECK_OPERATOR_(NotEqual, !=)
SYNCLINE_RET_CHECK_OPERATOR_(LessEqual, <=)
SYNCLINE_RET_CHECK_OPERATOR_(Less, <)
SYNCLINE_RET_CHECK_OPERATOR_(GreaterEqual, >=)
SYNCLINE_RET_CHECK_OPERATOR_(Greater, >)
#undef SYNCLINE_RET_CHECK_OPERATOR_
#pragma GCC diagnostic pop

// What is compared. Numbers are copied: a static constant of a class that is
// not defined anywhere has a value, but nothing that could be referred to.
template <typename T>
constexpr bool kCopied = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <typename T>
requires(kCopied<T>) T Value(T value) { return value; }
template <typename T>
requires(!kCopied<T>) const T& Value(const T& value) { return value; }

template <typename T>
void Print(const T& value, std::ostream& out) {
  if constexpr (requires { out << value; }) {
    out << value;
  } else if constexpr (std::is_enum_v<T>) {
    out << static_cast<long long>(value);
  } else {
    out << "?";
  }
}

// Nothing when the comparison holds, else a text with both values.
template <typename Operator, typename A, typename B>
absl::optional<std::string> Compare(Operator holds, const A& a, const B& b) {
  if (ABSL_PREDICT_TRUE(holds(a, b))) return absl::nullopt;
  std::ostringstream out;
  out << "(";
  Print(a, out);
  out << " vs. ";
  Print(b, out);
  out << ")";
  return out.str();
}

}  // namespace ret_check_internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_RET_CHECK_H_
