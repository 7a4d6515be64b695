#include "framework/component/parameter_conversion.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/misuse.h"
#include "framework/base/nearest_names.h"
#include "framework/config/parameters.pb.h"

namespace syncline::parameter_internal {
namespace {

// How much of a text an error repeats.
constexpr std::size_t kQuotedTextLength = 100;

absl::Status WrongTypeError(const Scalar& scalar, absl::string_view wanted) {
  return OutOfRangeError(ScalarText(scalar), wanted);
}

// The number if it is from `min` to `max`.
template <typename Integer>
absl::StatusOr<Integer> ReadInteger(const Scalar& scalar, Integer min,
                                    Integer max) {
  const auto convert = [&](auto number) -> absl::StatusOr<Integer> {
    if (std::cmp_less(number, min) || std::cmp_greater(number, max)) {
      return OutOfRangeError(ScalarText(scalar),
                             absl::StrCat(min, " to ", max));
    }
    return static_cast<Integer>(number);
  };
  if (const auto* const whole = scalar.As<std::int64_t>()) {
    return convert(*whole);
  }
  if (const auto* const large = scalar.As<std::uint64_t>()) {
    return convert(*large);
  }
  const auto* const real = scalar.As<double>();
  if (real == nullptr || std::trunc(*real) != *real) {
    return WrongTypeError(scalar, "a whole number (int_value)");
  }
  // The first double above the range of the type is a power of two.
  using Type = std::numeric_limits<Integer>;
  if (*real < static_cast<double>(Type::min()) ||
      *real >= std::ldexp(1.0, Type::digits)) {
    return OutOfRangeError(ScalarText(scalar), absl::StrCat(min, " to ", max));
  }
  return convert(static_cast<Integer>(*real));
}

// Appends values as scalars of type T; returns 1 if there are any.
template <typename T, typename Values>
int Append(const Values& values, std::vector<Scalar>* list) {
  for (const auto& value : values) list->push_back(T{value});
  return values.empty() ? 0 : 1;
}

}  // namespace

void ReportNoValue(absl::string_view key) {
  ReportMisuse(absl::FailedPreconditionError(
      key.empty()
          ? std::string("a parameter was read that was never registered; "
                        "register it in RegisterParameters()")
          : absl::StrCat("the parameter \"", key,
                         "\" has no value; ask has_value() first, as it is "
                         "optional")));
}

absl::StatusOr<Scalar> ScalarOf(const ParameterValue& value) {
  switch (value.value_case()) {
    case ParameterValue::kBoolValue:
      return Scalar(value.bool_value());
    case ParameterValue::kIntValue:
      return Scalar(std::int64_t{value.int_value()});
    case ParameterValue::kUintValue:
      return Scalar(std::uint64_t{value.uint_value()});
    case ParameterValue::kDoubleValue:
      return Scalar(value.double_value());
    case ParameterValue::kStringValue:
      return Scalar(value.string_value());
    case ParameterValue::kList:
      return absl::InvalidArgumentError(
          "is a list, and has to be a single value");
    case ParameterValue::VALUE_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      "has a key but no value; give int_value, double_value, bool_value, "
      "string_value or list");
}

absl::StatusOr<std::vector<Scalar>> ListOf(const ParameterValue& value) {
  if (value.value_case() != ParameterValue::kList) {
    return absl::InvalidArgumentError(
        "is no list, and has to be one: list { ... }");
  }
  const ParameterList& list = value.list();
  std::vector<Scalar> scalars;
  const int kinds = Append<bool>(list.bool_value(), &scalars) +
                    Append<double>(list.double_value(), &scalars) +
                    Append<std::string>(list.string_value(), &scalars) +
                    Append<std::int64_t>(list.int_value(), &scalars) +
                    Append<std::uint64_t>(list.uint_value(), &scalars);
  if (kinds > 1) {
    return absl::InvalidArgumentError(
        "is a list of values of several kinds, whose order is not known; give "
        "all of them as one kind");
  }
  return scalars;
}

absl::StatusOr<bool> ReadBool(const Scalar& scalar) {
  if (const bool* const value = scalar.As<bool>()) return *value;
  return WrongTypeError(scalar, "true or false (bool_value)");
}

absl::StatusOr<std::int64_t> ReadSigned(const Scalar& scalar, std::int64_t min,
                                        std::int64_t max) {
  return ReadInteger(scalar, min, max);
}

absl::StatusOr<std::uint64_t> ReadUnsigned(const Scalar& scalar,
                                           std::uint64_t max) {
  return ReadInteger(scalar, std::uint64_t{0}, max);
}

absl::StatusOr<double> ReadDouble(const Scalar& scalar, double max) {
  double number = 0;
  if (const auto* const real = scalar.As<double>()) {
    number = *real;
  } else if (const auto* const whole = scalar.As<std::int64_t>()) {
    number = static_cast<double>(*whole);
  } else if (const auto* const large = scalar.As<std::uint64_t>()) {
    number = static_cast<double>(*large);
  } else {
    return WrongTypeError(scalar, "a number (double_value)");
  }
  if (std::isfinite(number) && std::abs(number) > max) {
    return OutOfRangeError(ScalarText(scalar), absl::StrCat(-max, " to ", max));
  }
  return number;
}

absl::StatusOr<std::string> ReadString(const Scalar& scalar) {
  if (const auto* const text = scalar.As<std::string>()) return *text;
  return WrongTypeError(scalar, "a text (string_value)");
}

absl::StatusOr<absl::Duration> ReadDuration(const Scalar& scalar) {
  if (const auto* const nanoseconds = scalar.As<std::int64_t>()) {
    return absl::Nanoseconds(*nanoseconds);
  }
  absl::Duration duration;
  if (const auto* const text = scalar.As<std::string>();
      text != nullptr && absl::ParseDuration(*text, &duration)) {
    return duration;
  }
  return WrongTypeError(
      scalar,
      "a duration: a text with the unit ns, us, ms, s, m or h, such as "
      "\"20ms\", or a whole number of nanoseconds");
}

absl::StatusOr<int> ReadEnum(
    const Scalar& scalar,
    const std::vector<std::pair<std::string, std::int64_t>>& names) {
  const auto* const text = scalar.As<std::string>();
  const auto* const number = scalar.As<std::int64_t>();
  std::vector<std::string> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if ((text != nullptr && names[i].first == *text) ||
        (number != nullptr && names[i].second == *number)) {
      return static_cast<int>(i);
    }
    known.push_back(names[i].first);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("is ", ScalarText(scalar), ", which is none of its names.",
                   DidYouMeanOrKnownText(text == nullptr ? "" : *text, known)));
}

std::string ScalarText(const Scalar& scalar) {
  if (const bool* const truth = scalar.As<bool>()) {
    return *truth ? "true" : "false";
  }
  if (const auto* const whole = scalar.As<std::int64_t>()) {
    return absl::StrCat(*whole);
  }
  if (const auto* const large = scalar.As<std::uint64_t>()) {
    return absl::StrCat(*large);
  }
  if (const auto* const real = scalar.As<double>()) {
    return absl::StrCat(*real);
  }
  const std::string& text = *scalar.As<std::string>();
  return absl::StrCat("\"", text.substr(0, kQuotedTextLength),
                      text.size() > kQuotedTextLength ? "...\"" : "\"");
}

std::string ListText(const std::vector<std::string>& elements) {
  return absl::StrCat("[", absl::StrJoin(elements, ", "), "]");
}

std::string RangeText(const absl::optional<std::string>& min,
                      const absl::optional<std::string>& max) {
  if (min.has_value() && max.has_value()) {
    return absl::StrCat(*min, " to ", *max);
  }
  if (min.has_value()) return absl::StrCat("at least ", *min);
  if (max.has_value()) return absl::StrCat("at most ", *max);
  return "";
}

absl::Status OutOfRangeError(absl::string_view value, absl::string_view range) {
  return absl::InvalidArgumentError(
      absl::StrCat("is ", value, ", and has to be ", range));
}

}  // namespace syncline::parameter_internal
