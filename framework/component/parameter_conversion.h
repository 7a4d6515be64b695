// From the values of parameters.proto to C++ types, and to text: what
// Registrar needs of each type of parameter.
//
// Everything goes through one scalar type, so the templates in this header are
// short, and the rules are in the .cc file.
//
// Thread rule: free functions.
// Tested by parameter_test.

#ifndef SYNCLINE_FRAMEWORK_COMPONENT_PARAMETER_CONVERSION_H_
#define SYNCLINE_FRAMEWORK_COMPONENT_PARAMETER_CONVERSION_H_

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/config/parameters.pb.h"

namespace syncline::parameter_internal {

// One value. Not a std::variant: of one with a string in it g++ 12 says in
// optimised builds that it may be uninitialised, which is not so.
class Scalar {
 public:
  Scalar(bool value) : kind_(Kind::kBool), bool_(value) {}  // NOLINT
  Scalar(std::int64_t value)
      : kind_(Kind::kSigned), signed_(value) {}  // NOLINT
  // A value that fits into an int64 is kept as one, so that both compare alike.
  Scalar(std::uint64_t value)  // NOLINT
      : kind_(std::in_range<std::int64_t>(value) ? Kind::kSigned
                                                 : Kind::kUnsigned),
        signed_(static_cast<std::int64_t>(value)),
        unsigned_(value) {}
  Scalar(double value) : kind_(Kind::kDouble), double_(value) {}  // NOLINT
  Scalar(std::string value)                                       // NOLINT
      : kind_(Kind::kString), string_(std::move(value)) {}

  // The value if it is a T, else null.
  template <typename T>
  const T* As() const {
    if constexpr (std::is_same_v<T, bool>) {
      return kind_ == Kind::kBool ? &bool_ : nullptr;
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      return kind_ == Kind::kSigned ? &signed_ : nullptr;
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      return kind_ == Kind::kUnsigned ? &unsigned_ : nullptr;
    } else if constexpr (std::is_same_v<T, double>) {
      return kind_ == Kind::kDouble ? &double_ : nullptr;
    } else {
      static_assert(std::is_same_v<T, std::string>);
      return kind_ == Kind::kString ? &string_ : nullptr;
    }
  }

 private:
  enum class Kind : std::uint8_t {
    kBool,
    kSigned,
    kUnsigned,
    kDouble,
    kString
  };

  Kind kind_;
  bool bool_ = false;
  std::int64_t signed_ = 0;
  std::uint64_t unsigned_ = 0;
  double double_ = 0;
  std::string string_;
};

// Ends the call: the parameter has no value.
[[noreturn]] void ReportNoValue(absl::string_view key);

// The value; INVALID_ARGUMENT when it is a list, or none at all.
absl::StatusOr<Scalar> ScalarOf(const ParameterValue& value);
// The list; INVALID_ARGUMENT when it is none, or one of several kinds.
absl::StatusOr<std::vector<Scalar>> ListOf(const ParameterValue& value);

absl::StatusOr<bool> ReadBool(const Scalar& scalar);
absl::StatusOr<std::int64_t> ReadSigned(const Scalar& scalar, std::int64_t min,
                                        std::int64_t max);
absl::StatusOr<std::uint64_t> ReadUnsigned(const Scalar& scalar,
                                           std::uint64_t max);
// `max`: what the type can hold.
absl::StatusOr<double> ReadDouble(const Scalar& scalar, double max);
absl::StatusOr<std::string> ReadString(const Scalar& scalar);
absl::StatusOr<absl::Duration> ReadDuration(const Scalar& scalar);
// The place among `names`, found by name or by number.
absl::StatusOr<int> ReadEnum(
    const Scalar& scalar,
    const std::vector<std::pair<std::string, std::int64_t>>& names);

std::string ScalarText(const Scalar& scalar);
std::string ListText(const std::vector<std::string>& elements);
// "1 to 10", "at least 1", "at most 10" or "".
std::string RangeText(const absl::optional<std::string>& min,
                      const absl::optional<std::string>& max);
absl::Status OutOfRangeError(absl::string_view value, absl::string_view range);

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename T>
struct Element {
  using type = T;
};
template <typename T>
struct Element<std::vector<T>> {
  using type = T;
};
template <typename T>
using ElementOf = typename Element<T>::type;

// What a value may be, beyond its type.
template <typename E>
struct Limits {
  absl::optional<E> min;
  absl::optional<E> max;
  std::vector<std::pair<std::string, E>> names;
};

template <typename E>
std::vector<std::pair<std::string, std::int64_t>> NumberedNames(
    const Limits<E>& limits) {
  std::vector<std::pair<std::string, std::int64_t>> numbered;
  for (const auto& [name, value] : limits.names) {
    numbered.emplace_back(name, static_cast<std::int64_t>(value));
  }
  return numbered;
}

template <typename E>
std::string ElementText(const E& value, const Limits<E>& limits) {
  if constexpr (std::is_enum_v<E>) {
    for (const auto& [name, named] : limits.names) {
      if (named == value) return name;
    }
    return ScalarText(static_cast<std::int64_t>(value));
  } else if constexpr (std::is_same_v<E, absl::Duration>) {
    return absl::FormatDuration(value);
  } else if constexpr (std::is_same_v<E, bool>) {
    return ScalarText(value);
  } else if constexpr (std::is_floating_point_v<E>) {
    return ScalarText(static_cast<double>(value));
  } else if constexpr (std::is_unsigned_v<E>) {
    return ScalarText(static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_integral_v<E>) {
    return ScalarText(static_cast<std::int64_t>(value));
  } else {
    return ScalarText(value);
  }
}

template <typename E>
std::string RangeText(const Limits<E>& limits) {
  const auto text = [&limits](const absl::optional<E>& limit) {
    return limit.has_value()
               ? absl::optional<std::string>(ElementText(*limit, limits))
               : absl::nullopt;
  };
  return RangeText(text(limits.min), text(limits.max));
}

template <typename E>
absl::Status CheckElement(const E& value, const Limits<E>& limits) {
  if constexpr (std::is_arithmetic_v<E> || std::is_same_v<E, absl::Duration>) {
    // Written so that a number that is none is out of every range.
    if ((limits.min.has_value() && !(value >= *limits.min)) ||
        (limits.max.has_value() && !(value <= *limits.max))) {
      return OutOfRangeError(ElementText(value, limits), RangeText(limits));
    }
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status CheckLimits(const T& value, const Limits<ElementOf<T>>& limits) {
  if constexpr (IsVector<T>::value) {
    for (const ElementOf<T>& element : value) {
      absl::Status status = CheckElement<ElementOf<T>>(element, limits);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  } else {
    return CheckElement(value, limits);
  }
}

template <typename T>
std::string ValueText(const T& value, const Limits<ElementOf<T>>& limits) {
  if constexpr (IsVector<T>::value) {
    std::vector<std::string> elements;
    for (const ElementOf<T>& element : value) {
      elements.push_back(ElementText<ElementOf<T>>(element, limits));
    }
    return ListText(elements);
  } else {
    return ElementText(value, limits);
  }
}

template <typename T>
std::string TypeText(const Limits<ElementOf<T>>& limits) {
  using E = ElementOf<T>;
  std::string text = IsVector<T>::value ? "list of " : "";
  if constexpr (std::is_enum_v<E>) {
    for (std::size_t i = 0; i < limits.names.size(); ++i) {
      text += (i == 0 ? "" : "|") + limits.names[i].first;
    }
  } else if constexpr (std::is_same_v<E, bool>) {
    text += "bool";
  } else if constexpr (std::is_floating_point_v<E>) {
    text += sizeof(E) == sizeof(float) ? "float" : "double";
  } else if constexpr (std::is_integral_v<E>) {
    text += (std::is_unsigned_v<E> ? "uint" : "int") +
            std::to_string(8 * sizeof(E));
  } else if constexpr (std::is_same_v<E, absl::Duration>) {
    text += "duration";
  } else {
    static_assert(std::is_same_v<E, std::string>,
                  "a parameter is a bool, a number, a string, a duration, an "
                  "enumeration, or a std::vector of one of them");
    text += "string";
  }
  return text;
}

template <typename E>
absl::StatusOr<E> ReadElement(const Scalar& scalar, const Limits<E>& limits) {
  const auto as_element = [](const auto& read) -> absl::StatusOr<E> {
    if (!read.ok()) return read.status();
    return static_cast<E>(*read);
  };
  if constexpr (std::is_enum_v<E>) {
    const absl::StatusOr<int> place = ReadEnum(scalar, NumberedNames(limits));
    if (!place.ok()) return place.status();
    return limits.names[static_cast<std::size_t>(*place)].second;
  } else if constexpr (std::is_same_v<E, bool>) {
    return ReadBool(scalar);
  } else if constexpr (std::is_floating_point_v<E>) {
    return as_element(
        ReadDouble(scalar, static_cast<double>(std::numeric_limits<E>::max())));
  } else if constexpr (std::is_unsigned_v<E>) {
    return as_element(ReadUnsigned(scalar, std::numeric_limits<E>::max()));
  } else if constexpr (std::is_integral_v<E>) {
    return as_element(ReadSigned(scalar, std::numeric_limits<E>::min(),
                                 std::numeric_limits<E>::max()));
  } else if constexpr (std::is_same_v<E, absl::Duration>) {
    return ReadDuration(scalar);
  } else {
    return ReadString(scalar);
  }
}

template <typename T>
absl::StatusOr<T> Read(const ParameterValue& value,
                       const Limits<ElementOf<T>>& limits) {
  using E = ElementOf<T>;
  T result;
  if constexpr (IsVector<T>::value) {
    const absl::StatusOr<std::vector<Scalar>> list = ListOf(value);
    if (!list.ok()) return list.status();
    for (const Scalar& scalar : *list) {
      absl::StatusOr<E> element = ReadElement<E>(scalar, limits);
      if (!element.ok()) return element.status();
      result.push_back(*std::move(element));
    }
  } else {
    const absl::StatusOr<Scalar> scalar = ScalarOf(value);
    if (!scalar.ok()) return scalar.status();
    absl::StatusOr<E> element = ReadElement<E>(*scalar, limits);
    if (!element.ok()) return element.status();
    result = *std::move(element);
  }
  const absl::Status status = CheckLimits(result, limits);
  if (!status.ok()) return status;
  return result;
}

}  // namespace syncline::parameter_internal

#endif  // SYNCLINE_FRAMEWORK_COMPONENT_PARAMETER_CONVERSION_H_
