#include "framework/expansion/copy_option.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/option_path.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {

namespace pb = ::google::protobuf;

namespace {

// One value of a field. An int is the number of an enum.
using Value = std::variant<int64_t, uint64_t, double, bool, int, std::string,
                           const pb::Message*>;

Value ReadValue(const pb::Message& message, const pb::FieldDescriptor& field,
                int index) {
  const pb::Reflection& r = *message.GetReflection();
  const auto get = [&](auto get_one, auto get_repeated) {
    return index < 0 ? (r.*get_one)(message, &field)
                     : (r.*get_repeated)(message, &field, index);
  };
  using R = pb::Reflection;
  switch (field.cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_INT32:
      return int64_t{get(&R::GetInt32, &R::GetRepeatedInt32)};
    case pb::FieldDescriptor::CPPTYPE_INT64:
      return int64_t{get(&R::GetInt64, &R::GetRepeatedInt64)};
    case pb::FieldDescriptor::CPPTYPE_UINT32:
      return uint64_t{get(&R::GetUInt32, &R::GetRepeatedUInt32)};
    case pb::FieldDescriptor::CPPTYPE_UINT64:
      return uint64_t{get(&R::GetUInt64, &R::GetRepeatedUInt64)};
    case pb::FieldDescriptor::CPPTYPE_DOUBLE:
      return get(&R::GetDouble, &R::GetRepeatedDouble);
    case pb::FieldDescriptor::CPPTYPE_FLOAT:
      return double{get(&R::GetFloat, &R::GetRepeatedFloat)};
    case pb::FieldDescriptor::CPPTYPE_BOOL:
      return get(&R::GetBool, &R::GetRepeatedBool);
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      return int{get(&R::GetEnumValue, &R::GetRepeatedEnumValue)};
    case pb::FieldDescriptor::CPPTYPE_STRING:
      return get(&R::GetString, &R::GetRepeatedString);
    case pb::FieldDescriptor::CPPTYPE_MESSAGE:
      return index < 0 ? &r.GetMessage(message, &field)
                       : &r.GetRepeatedMessage(message, &field, index);
  }
  return false;
}

// The message at `step`, made where it is not set; an element may be the next
// new one.
pb::Message* MakeMessage(pb::Message* parent, const FieldStep& step) {
  const pb::Reflection& reflection = *parent->GetReflection();
  if (step.index < 0) return reflection.MutableMessage(parent, step.field);
  return step.index == reflection.FieldSize(*parent, step.field)
             ? reflection.AddMessage(parent, step.field)
             : reflection.MutableRepeatedMessage(parent, step.field,
                                                 step.index);
}

// Writes one value: into a singular field (index -1), over an element, or, with
// index == size, as a further element.
class Writer {
 public:
  Writer(pb::Message* message, const pb::FieldDescriptor& field, int index)
      : message_(message),
        reflection_(*message->GetReflection()),
        field_(&field),
        index_(index),
        adds_(index >= 0 && index == reflection_.FieldSize(*message, &field)) {}

  // False if the field cannot hold the value.
  bool Write(const Value& value) {
    using Field = pb::FieldDescriptor;
    switch (field_->cpp_type()) {
      case Field::CPPTYPE_INT32:
        return WriteInteger<int32_t>(value, &pb::Reflection::SetInt32,
                                     &pb::Reflection::SetRepeatedInt32,
                                     &pb::Reflection::AddInt32);
      case Field::CPPTYPE_INT64:
        return WriteInteger<int64_t>(value, &pb::Reflection::SetInt64,
                                     &pb::Reflection::SetRepeatedInt64,
                                     &pb::Reflection::AddInt64);
      case Field::CPPTYPE_UINT32:
        return WriteInteger<uint32_t>(value, &pb::Reflection::SetUInt32,
                                      &pb::Reflection::SetRepeatedUInt32,
                                      &pb::Reflection::AddUInt32);
      case Field::CPPTYPE_UINT64:
        return WriteInteger<uint64_t>(value, &pb::Reflection::SetUInt64,
                                      &pb::Reflection::SetRepeatedUInt64,
                                      &pb::Reflection::AddUInt64);
      case Field::CPPTYPE_DOUBLE:
        return WriteFraction<double>(value, &pb::Reflection::SetDouble,
                                     &pb::Reflection::SetRepeatedDouble,
                                     &pb::Reflection::AddDouble);
      case Field::CPPTYPE_FLOAT:
        return WriteFraction<float>(value, &pb::Reflection::SetFloat,
                                    &pb::Reflection::SetRepeatedFloat,
                                    &pb::Reflection::AddFloat);
      case Field::CPPTYPE_BOOL:
        return WriteSame<bool>(value, &pb::Reflection::SetBool,
                               &pb::Reflection::SetRepeatedBool,
                               &pb::Reflection::AddBool);
      case Field::CPPTYPE_ENUM:
        return WriteEnum(value);
      case Field::CPPTYPE_STRING:
        return WriteSame<std::string>(value, &pb::Reflection::SetString,
                                      &pb::Reflection::SetRepeatedString,
                                      &pb::Reflection::AddString);
      case Field::CPPTYPE_MESSAGE:
        return WriteMessage(value);
    }
    return false;
  }

 private:
  template <typename T, typename Set, typename SetRepeated, typename Add>
  void Put(const T& value, Set set, SetRepeated set_repeated, Add add) {
    if (adds_) {
      (reflection_.*add)(message_, field_, value);
    } else if (index_ >= 0) {
      (reflection_.*set_repeated)(message_, field_, index_, value);
    } else {
      (reflection_.*set)(message_, field_, value);
    }
  }

  // A value of the type that the field has.
  template <typename T, typename... Setters>
  bool WriteSame(const Value& value, Setters... setters) {
    const T* const same = std::get_if<T>(&value);
    if (same != nullptr) Put(*same, setters...);
    return same != nullptr;
  }

  template <typename T, typename... Setters>
  bool WriteInteger(const Value& value, Setters... setters) {
    return std::visit(
        [&](const auto& number) {
          using Given = std::decay_t<decltype(number)>;
          if constexpr (std::is_integral_v<Given> &&
                        !std::is_same_v<Given, bool>) {
            if (!std::in_range<T>(number)) return false;
            Put(static_cast<T>(number), setters...);
            return true;
          }
          return false;
        },
        value);
  }

  // Not the number of an enum.
  template <typename T, typename... Setters>
  bool WriteFraction(const Value& value, Setters... setters) {
    return std::visit(
        [&](const auto& given) {
          using Given = std::decay_t<decltype(given)>;
          if constexpr (std::is_arithmetic_v<Given> &&
                        !std::is_same_v<Given, bool> &&
                        !std::is_same_v<Given, int>) {
            const auto number = static_cast<double>(given);
            if (std::isfinite(number) &&
                std::abs(number) > std::numeric_limits<T>::max()) {
              return false;
            }
            Put(static_cast<T>(number), setters...);
            return true;
          }
          return false;
        },
        value);
  }

  bool WriteEnum(const Value& value) {
    const auto* const constant = std::get_if<int>(&value);
    const auto* const integer = std::get_if<int64_t>(&value);
    if (constant == nullptr && integer == nullptr) return false;
    const int64_t number = constant != nullptr ? *constant : *integer;
    if (!std::in_range<int>(number) ||
        field_->enum_type()->FindValueByNumber(static_cast<int>(number)) ==
            nullptr) {
      return false;
    }
    Put(static_cast<int>(number), &pb::Reflection::SetEnumValue,
        &pb::Reflection::SetRepeatedEnumValue, &pb::Reflection::AddEnumValue);
    return true;
  }

  bool WriteMessage(const Value& value) {
    const auto* source = std::get_if<const pb::Message*>(&value);
    if (source == nullptr ||
        (*source)->GetDescriptor() != field_->message_type()) {
      return false;
    }
    MakeMessage(message_, {field_, index_})->MergeFrom(**source);
    return true;
  }

  pb::Message* const message_;
  const pb::Reflection& reflection_;
  const pb::FieldDescriptor* const field_;
  const int index_;
  const bool adds_;
};

size_t SizeOf(const Value& value) {
  if (const auto* message = std::get_if<const pb::Message*>(&value)) {
    return (*message)->ByteSizeLong() + 1;
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return text->size() + 1;
  }
  return sizeof(int64_t);
}

std::string TextOf(const Value& value, const pb::FieldDescriptor* field) {
  if (field != nullptr) return OptionFieldText(*field);
  return absl::StrCat(
      "message ",
      Quoted(
          std::get<const pb::Message*>(value)->GetDescriptor()->full_name()));
}

// All values at the end of a path: none where nothing is set.
std::vector<Value> ReadValues(const pb::Message& message,
                              const FieldSteps& steps) {
  const pb::Message* at = &message;
  for (size_t i = 0; i < steps.size(); ++i) {
    const pb::FieldDescriptor& field = *steps[i].field;
    const pb::Reflection& reflection = *at->GetReflection();
    const int index = steps[i].index;
    const bool is_last = i + 1 == steps.size();
    if (!field.is_repeated()) {
      if (!reflection.HasField(*at, &field)) return {};
    } else if (index >= reflection.FieldSize(*at, &field)) {
      return {};
    } else if (index < 0) {
      std::vector<Value> values;
      for (int j = 0; j < reflection.FieldSize(*at, &field); ++j) {
        values.push_back(ReadValue(*at, field, j));
      }
      return values;
    }
    if (is_last) return {ReadValue(*at, field, index)};
    at = std::get<const pb::Message*>(ReadValue(*at, field, index));
  }
  return {at};
}

// The place of an element, which may be the next new one.
absl::Status CheckIndex(const pb::Message& message, const FieldStep& step) {
  if (step.index < 0) return absl::OkStatus();
  const int size = message.GetReflection()->FieldSize(message, step.field);
  if (step.index <= size) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(OptionFieldText(*step.field), " has ", size,
                   " values, so it gets none at index ", step.index, "."));
}

absl::Status WriteValues(const std::vector<Value>& values,
                         const pb::FieldDescriptor* from_field, pb::Message* to,
                         const FieldStep& step) {
  SYNCLINE_RETURN_IF_ERROR(CheckIndex(*to, step));
  const bool replaces_all = step.field->is_repeated() && step.index < 0;
  if (values.size() > 1 && !replaces_all) {
    return absl::InvalidArgumentError(
        absl::StrCat(OptionFieldText(*step.field), " takes one value, and ",
                     TextOf(values[0], from_field), " has ", values.size(),
                     ": give the index of one of them."));
  }
  if (replaces_all) to->GetReflection()->ClearField(to, step.field);
  for (size_t i = 0; i < values.size(); ++i) {
    const int index = replaces_all ? static_cast<int>(i) : step.index;
    if (!Writer(to, *step.field, index).Write(values[i])) {
      return absl::InvalidArgumentError(absl::StrCat(
          OptionFieldText(*step.field), " cannot take the value of ",
          TextOf(values[i], from_field), "."));
    }
  }
  return absl::OkStatus();
}

// The message that the last step is a field of; made where it is not set.
absl::StatusOr<pb::Message*> MakeParent(pb::Message* to,
                                        const FieldSteps& steps) {
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    SYNCLINE_RETURN_IF_ERROR(CheckIndex(*to, steps[i]));
    to = MakeMessage(to, steps[i]);
  }
  return to;
}

}  // namespace

absl::StatusOr<size_t> CopyOption(const pb::Message& from,
                                  const FieldSteps& from_steps, pb::Message* to,
                                  const FieldSteps& to_steps) {
  const std::vector<Value> values = ReadValues(from, from_steps);
  if (values.empty()) return size_t{0};
  const pb::FieldDescriptor* from_field =
      from_steps.empty() ? nullptr : from_steps.back().field;
  size_t bytes = 0;
  for (const Value& value : values) bytes += SizeOf(value);
  if (!to_steps.empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(pb::Message* const parent,
                              MakeParent(to, to_steps));
    SYNCLINE_RETURN_IF_ERROR(
        WriteValues(values, from_field, parent, to_steps.back()));
    return bytes;
  }
  const auto* source = std::get_if<const pb::Message*>(&values[0]);
  if (values.size() > 1 || source == nullptr ||
      (*source)->GetDescriptor() != to->GetDescriptor()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "options of type ", Quoted(to->GetDescriptor()->full_name()),
        " cannot take the value of ", TextOf(values[0], from_field), "."));
  }
  to->MergeFrom(**source);
  return bytes;
}

void ClearOption(pb::Message* message, const FieldSteps& steps) {
  for (size_t i = 0; i < steps.size(); ++i) {
    const pb::FieldDescriptor* const field = steps[i].field;
    const pb::Reflection& reflection = *message->GetReflection();
    if (field->is_repeated()
            ? steps[i].index >= reflection.FieldSize(*message, field)
            : !reflection.HasField(*message, field)) {
      return;
    }
    if (steps[i].index < 0 && i + 1 == steps.size()) {
      return reflection.ClearField(message, field);
    }
    if (field->cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) return;
    message = MakeMessage(message, steps[i]);
  }
  message->Clear();
}

}  // namespace syncline
