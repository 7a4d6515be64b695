// SYNCLINE_RETURN_IF_ERROR and SYNCLINE_ASSIGN_OR_RETURN: pass an error on.
//
//   SYNCLINE_RETURN_IF_ERROR(Store(row)) << "while storing row " << i;
//   SYNCLINE_ASSIGN_OR_RETURN(Image image, LoadImage(path));
//   SYNCLINE_ASSIGN_OR_RETURN((const auto [width, height]), SizeOf(image),
//                             _ << "while measuring " << path);
//
// The first takes an absl::Status, an absl::StatusOr or a StatusBuilder. The
// second takes an absl::StatusOr; its optional third argument is what is
// returned on an error, where `_` is the StatusBuilder of the error. A left
// side with a comma in it stands in parentheses. In a lambda the return type
// has to be written out.
//
// The second expands to several statements: it cannot be the only statement of
// an `if` without braces.
// Tested by status_macros_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_STATUS_MACROS_H_
#define SYNCLINE_FRAMEWORK_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/source_location.h"
#include "framework/base/status_builder.h"

// A loop that runs at most once: unlike `if`, it leaves an `else` that follows
// to the `if` it was written for.
#define SYNCLINE_RETURN_IF_ERROR(expression)                           \
  for (::absl::Status syncline_status_ =                               \
           ::syncline::status_macros_internal::ToStatus((expression)); \
       ABSL_PREDICT_FALSE(!syncline_status_.ok());)                    \
  return ::syncline::StatusBuilder(::std::move(syncline_status_), SYNCLINE_LOC)

#define SYNCLINE_ASSIGN_OR_RETURN(...)                                      \
  SYNCLINE_MACROS_PICK_4TH_((__VA_ARGS__, SYNCLINE_ASSIGN_OR_RETURN_3_,     \
                             SYNCLINE_ASSIGN_OR_RETURN_2_, unused, unused)) \
  (__VA_ARGS__)

// --- implementation

#define SYNCLINE_MACROS_PICK_4TH_(arguments) \
  SYNCLINE_MACROS_PICK_4TH_2_ arguments
#define SYNCLINE_MACROS_PICK_4TH_2_(a, b, c, d, ...) d

#define SYNCLINE_MACROS_JOIN_(a, b) SYNCLINE_MACROS_JOIN_2_(a, b)
#define SYNCLINE_MACROS_JOIN_2_(a, b) a##b

#define SYNCLINE_ASSIGN_OR_RETURN_2_(left, expression) \
  SYNCLINE_ASSIGN_OR_RETURN_3_(left, expression, _)
#define SYNCLINE_ASSIGN_OR_RETURN_3_(left, expression, on_error)             \
  SYNCLINE_ASSIGN_OR_RETURN_NAMED_(                                          \
      SYNCLINE_MACROS_JOIN_(syncline_value_or_, __LINE__), left, expression, \
      on_error)
#define SYNCLINE_ASSIGN_OR_RETURN_NAMED_(name, left, expression, on_error)   \
  auto name = (expression);                                                  \
  if (ABSL_PREDICT_FALSE(!name.ok())) {                                      \
    [[maybe_unused]] ::syncline::StatusBuilder _(::std::move(name).status(), \
                                                 SYNCLINE_LOC);              \
    return (on_error);                                                       \
  }                                                                          \
  SYNCLINE_MACROS_UNPARENTHESIZE_(left) = *::std::move(name)

// `(a, b)` -> `a, b`; anything without parentheses around it stays as it is.
// Asking for the first word of what follows the probe tells the two apart.
#define SYNCLINE_MACROS_UNPARENTHESIZE_(left)                    \
  SYNCLINE_MACROS_JOIN_(SYNCLINE_MACROS_STRIP_,                  \
                        SYNCLINE_MACROS_IS_PARENTHESIZED_(left)) \
  (left)
#define SYNCLINE_MACROS_STRIP_0(left) left
#define SYNCLINE_MACROS_STRIP_1(left) SYNCLINE_MACROS_SPREAD_ left
#define SYNCLINE_MACROS_SPREAD_(...) __VA_ARGS__
#define SYNCLINE_MACROS_IS_PARENTHESIZED_(left) \
  SYNCLINE_MACROS_PICK_2ND_(SYNCLINE_MACROS_PROBE_ left, 0, unused)
#define SYNCLINE_MACROS_PROBE_(...) unused, 1
#define SYNCLINE_MACROS_PICK_2ND_(...) SYNCLINE_MACROS_PICK_2ND_2_(__VA_ARGS__)
#define SYNCLINE_MACROS_PICK_2ND_2_(a, b, ...) b

namespace syncline {
namespace status_macros_internal {

inline absl::Status ToStatus(const absl::Status& status) { return status; }
inline absl::Status ToStatus(absl::Status&& status) {
  return std::move(status);
}
inline absl::Status ToStatus(const StatusBuilder& builder) { return builder; }
template <typename T>
absl::Status ToStatus(const absl::StatusOr<T>& status_or) {
  return status_or.status();
}

}  // namespace status_macros_internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_STATUS_MACROS_H_
