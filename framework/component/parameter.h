// Parameters: values that a component takes from outside, each registered with
// a key, a type and a description for users.
//
//   struct BlinkParameters {
//     Parameter<int> count;
//     Parameter<absl::Duration> period;
//     Parameter<std::vector<float>> gains;
//
//     void RegisterParameters(Registrar* registrar) {
//       registrar->Add(&count, {.key = "count",
//                               .headline = "Blinks",
//                               .description = "How often the lamp blinks.",
//                               .default_value = 3,
//                               .min = 1});
//       registrar->Add(&period, {.key = "period", .headline = "Period"});
//       registrar->Add(&gains, {.key = "gains",
//                               .flags = ParameterFlags::kOptional});
//     }
//   };
//
// A parameter is mandatory unless it has a default value or is optional. One
// that is dynamic may get another value later; the others keep theirs.
//
// TYPES. bool, integers of any size, float, double, std::string,
// absl::Duration, enumerations (whose names stand in the spec), and
// std::vector of each. Values come as messages (framework/config/
// parameters.proto) and are read as the type that was registered: a whole
// number serves where a number is asked for, if it is in range; a duration is a
// text with a unit, or a whole number of nanoseconds.
//
// A calculator reads its own by framework/calculator/node_parameters.h.
//
// Thread rule: a Registrar and what it fills belong to one thread; afterwards
// parameters are values.
// Tested by parameter_test.

#ifndef SYNCLINE_FRAMEWORK_COMPONENT_PARAMETER_H_
#define SYNCLINE_FRAMEWORK_COMPONENT_PARAMETER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/component/parameter_conversion.h"
#include "framework/config/parameters.pb.h"

namespace syncline {

enum class ParameterFlags : std::uint8_t {
  kNone = 0,
  kOptional = 1,  // may be left without a value
  kDynamic = 2,   // may get another value later
};
constexpr ParameterFlags operator|(ParameterFlags a, ParameterFlags b) {
  return static_cast<ParameterFlags>(static_cast<unsigned>(a) |
                                     static_cast<unsigned>(b));
}
constexpr bool HasFlag(ParameterFlags flags, ParameterFlags flag) {
  return (static_cast<unsigned>(flags) & static_cast<unsigned>(flag)) != 0;
}

// What a user is told of a parameter.
struct ParameterInfo {
  std::string key;
  std::string type;      // "int32", "list of string", "drop|keep"
  std::string headline;  // a few words; the key where it was not given
  std::string description;
  absl::optional<std::string> default_value;
  std::string range;  // "1 to 10", "at least 1", or ""
  bool optional = false;
  bool dynamic = false;

  bool mandatory() const { return !optional && !default_value.has_value(); }
};

// The value of a parameter, once a Registrar gave it one.
template <typename T>
class Parameter {
 public:
  bool has_value() const { return value_.has_value(); }
  // A misuse (base/misuse.h) if there is none: ask first if it is optional.
  const T& get() const {
    if (!value_.has_value()) parameter_internal::ReportNoValue(key_);
    return *value_;
  }
  const absl::optional<T>& try_get() const { return value_; }

 private:
  friend class Registrar;

  std::string key_;
  absl::optional<T> value_;
};

// How a parameter is registered.
template <typename T>
struct ParameterSpec {
  using Element = parameter_internal::ElementOf<T>;

  absl::string_view key;
  absl::string_view headline = "";
  absl::string_view description = "";
  absl::optional<T> default_value = absl::nullopt;
  ParameterFlags flags = ParameterFlags::kNone;
  // The limits of a number or duration, or of each element of a list of them.
  absl::optional<Element> min = absl::nullopt;
  absl::optional<Element> max = absl::nullopt;
  // All names of an enumeration; empty for other types.
  std::vector<std::pair<std::string, Element>> names = {};
};

class Registrar {
 public:
  // What parameters have once they are registered.
  enum class Start { kDefaultValues, kPresentValues };

  explicit Registrar(Start start = Start::kDefaultValues) : start_(start) {}
  Registrar(const Registrar&) = delete;
  Registrar& operator=(const Registrar&) = delete;

  // Registers `parameter`, which must not move while this object is used. What
  // is wrong with the spec (a key that is none or taken, a default out of
  // range) is in status().
  template <typename T>
  void Add(Parameter<T>* parameter, ParameterSpec<T> spec);

  // Whether all specs are good.
  absl::Status status() const;
  // In the order of registration.
  const std::vector<ParameterInfo>& infos() const { return infos_; }

  // Gives values to the parameters. INVALID_ARGUMENT with all that is wrong:
  // keys that are not known, values of the wrong type or out of range,
  // mandatory parameters without a value. Of a key that is there twice the last
  // value counts, and `warnings`, unless null, says so.
  absl::Status Assign(const Parameters& values,
                      std::vector<std::string>* warnings = nullptr);

  // Gives other values to dynamic parameters; those without one here keep
  // theirs. INVALID_ARGUMENT also for one that is not dynamic, and then nothing
  // has changed.
  absl::Status Update(const Parameters& values);

 private:
  // Reads the value; with `store`, keeps it.
  using AssignFunction =
      std::function<absl::Status(const ParameterValue& value, bool store)>;

  void AddSlot(ParameterInfo info, absl::Status problem, AssignFunction assign);
  // The values by place; adds to `errors` what has no place.
  std::vector<const ParameterValue*> Sort(
      const Parameters& values, std::vector<std::string>* errors,
      std::vector<std::string>* warnings) const;

  const Start start_;
  std::vector<ParameterInfo> infos_;
  std::vector<AssignFunction> assign_;  // of each
  std::vector<std::string> problems_;
};

// A type with parameters: see the head of this file.
template <typename P>
concept HasParameters = requires(P parameters, Registrar* registrar) {
  parameters.RegisterParameters(registrar);
};

// What a type with parameters registers.
template <HasParameters P>
std::vector<ParameterInfo> ParameterInfosOf() {
  P parameters;
  Registrar registrar;
  parameters.RegisterParameters(&registrar);
  return registrar.infos();
}

// --- Implementation

template <typename T>
void Registrar::Add(Parameter<T>* parameter, ParameterSpec<T> spec) {
  namespace internal = parameter_internal;
  using Element = typename ParameterSpec<T>::Element;
  const internal::Limits<Element> limits{
      std::move(spec.min), std::move(spec.max), std::move(spec.names)};
  ParameterInfo info;
  info.key = std::string(spec.key);
  info.type = internal::TypeText<T>(limits);
  info.headline = std::string(spec.headline.empty() ? spec.key : spec.headline);
  info.description = std::string(spec.description);
  info.range = internal::RangeText(limits);
  info.optional = HasFlag(spec.flags, ParameterFlags::kOptional);
  info.dynamic = HasFlag(spec.flags, ParameterFlags::kDynamic);
  absl::Status problem;
  if (spec.default_value.has_value()) {
    info.default_value = internal::ValueText(*spec.default_value, limits);
    problem = internal::CheckLimits(*spec.default_value, limits);
  }
  if (std::is_enum_v<Element> && limits.names.empty()) {
    problem = absl::InvalidArgumentError(
        "is an enumeration, and has to be registered with its names");
  }
  parameter->key_ = info.key;
  if (start_ == Start::kDefaultValues) {
    parameter->value_ = std::move(spec.default_value);
  }
  AddSlot(std::move(info), std::move(problem),
          [parameter, limits](const ParameterValue& value, bool store) {
            absl::StatusOr<T> read = internal::Read<T>(value, limits);
            if (read.ok() && store) parameter->value_ = *std::move(read);
            return read.status();
          });
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_COMPONENT_PARAMETER_H_
