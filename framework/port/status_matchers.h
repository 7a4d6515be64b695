// Matchers and macros for tests of code that returns statuses.
//
//   SYNCLINE_EXPECT_OK(graph.Run());
//   SYNCLINE_ASSERT_OK_AND_ASSIGN(Packet packet, poller.Next());
//   EXPECT_THAT(Parse("1"), IsOkAndHolds(1));
//   EXPECT_THAT(Parse("x"), StatusIs(absl::StatusCode::kInvalidArgument,
//                                    HasSubstr("\"x\"")));
//
// A matcher takes an absl::Status, an absl::StatusOr or a reference to one.
// Tested by status_matchers_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_STATUS_MATCHERS_H_
#define SYNCLINE_FRAMEWORK_PORT_STATUS_MATCHERS_H_

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#define SYNCLINE_EXPECT_OK(expression) \
  EXPECT_THAT((expression), ::syncline::IsOk())
#define SYNCLINE_ASSERT_OK(expression) \
  ASSERT_THAT((expression), ::syncline::IsOk())

// In parentheses, `left` may contain commas.
#define SYNCLINE_ASSERT_OK_AND_ASSIGN(left, expression) \
  SYNCLINE_ASSERT_OK_AND_ASSIGN_NAMED_(                 \
      SYNCLINE_MACROS_JOIN_(syncline_value_or_, __LINE__), left, expression)
#define SYNCLINE_ASSERT_OK_AND_ASSIGN_NAMED_(name, left, expression) \
  auto name = (expression);                                          \
  ASSERT_THAT(name, ::syncline::IsOk());                             \
  SYNCLINE_MACROS_UNPARENTHESIZE_(left) = *::std::move(name)

namespace syncline {
namespace status_matchers_internal {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& status_or) {
  return status_or.status();
}

// Matches a status with this code and a matching text.
class StatusIsMatcher {
 public:
  StatusIsMatcher(testing::Matcher<absl::StatusCode> code,
                  testing::Matcher<std::string> message)
      : code_(std::move(code)), message_(std::move(message)) {}

  void DescribeTo(std::ostream* out) const {
    *out << "has a code that ";
    code_.DescribeTo(out);
    *out << " and a text that ";
    message_.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not match: ";
    DescribeTo(out);
  }
  template <typename StatusLike>
  bool MatchAndExplain(const StatusLike& value,
                       testing::MatchResultListener* listener) const {
    const absl::Status& status = StatusOf(value);
    *listener << "which is " << status;
    return code_.Matches(status.code()) &&
           message_.Matches(std::string(status.message()));
  }

 private:
  testing::Matcher<absl::StatusCode> code_;
  testing::Matcher<std::string> message_;
};

class IsOkMatcher {
 public:
  void DescribeTo(std::ostream* out) const { *out << "is OK"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "is not OK"; }
  template <typename StatusLike>
  bool MatchAndExplain(const StatusLike& value,
                       testing::MatchResultListener* listener) const {
    const absl::Status& status = StatusOf(value);
    if (!status.ok()) *listener << "which is " << status;
    return status.ok();
  }
};

// Matches an OK StatusOr with a value that matches `inner`.
template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  template <typename StatusOrRef>
  operator testing::Matcher<StatusOrRef>() const {  // NOLINT: implicit
    return testing::Matcher<StatusOrRef>(new Typed<StatusOrRef>(inner_));
  }

 private:
  template <typename StatusOrRef>
  class Typed : public testing::MatcherInterface<StatusOrRef> {
    using Value = typename std::remove_reference_t<StatusOrRef>::value_type;

   public:
    explicit Typed(const Inner& inner)
        : inner_(testing::SafeMatcherCast<const Value&>(inner)) {}

    void DescribeTo(std::ostream* out) const override {
      *out << "is OK and has a value that ";
      inner_.DescribeTo(out);
    }
    void DescribeNegationTo(std::ostream* out) const override {
      *out << "is not OK or has a value that ";
      inner_.DescribeNegationTo(out);
    }
    bool MatchAndExplain(
        StatusOrRef value,
        testing::MatchResultListener* listener) const override {
      if (!value.ok()) {
        *listener << "which is " << value.status();
        return false;
      }
      return inner_.MatchAndExplain(*value, listener);
    }

   private:
    const testing::Matcher<const Value&> inner_;
  };

  const Inner inner_;
};

}  // namespace status_matchers_internal

inline testing::PolymorphicMatcher<status_matchers_internal::IsOkMatcher>
IsOk() {
  return testing::MakePolymorphicMatcher(
      status_matchers_internal::IsOkMatcher());
}

// `value` may be a value or a matcher of a value.
template <typename Inner>
status_matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>> IsOkAndHolds(
    Inner&& inner) {
  return status_matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>>(
      std::forward<Inner>(inner));
}

inline testing::PolymorphicMatcher<status_matchers_internal::StatusIsMatcher>
StatusIs(testing::Matcher<absl::StatusCode> code,
         testing::Matcher<std::string> message = testing::_) {
  return testing::MakePolymorphicMatcher(
      status_matchers_internal::StatusIsMatcher(std::move(code),
                                                std::move(message)));
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_STATUS_MATCHERS_H_
