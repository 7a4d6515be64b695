#include "framework/graph_text/template_encoding.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/base/casts.h"
#include "absl/strings/numbers.h"
#include "absl/types/optional.h"
#include "framework/graph_text/proto_wire.h"
#include "framework/graph_text/template_values.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/wire_format_lite.h"

namespace syncline {

namespace pb = ::google::protobuf;
using pb::internal::WireFormatLite;

namespace {

// A whole number within the range, from a text without rounding.
template <typename T>
absl::optional<T> Whole(const TemplateValue& value) {
  T whole = 0;
  const absl::optional<std::string> text = value.AsText();
  if (!text.has_value()) return absl::nullopt;
  if (absl::SimpleAtoi(*text, &whole)) return whole;
  const absl::optional<double> number = value.AsNumber();
  // The greatest value of T need not be exact as a double; the next power of
  // two is.
  if (!number.has_value() || *number != std::trunc(*number) ||
      *number < static_cast<double>(std::numeric_limits<T>::min()) ||
      *number >= std::ldexp(1.0, std::numeric_limits<T>::digits)) {
    return absl::nullopt;
  }
  return static_cast<T>(*number);
}

// The bytes of a negative number are those that an unsigned one of as many bits
// has: `encoder` takes it as that.
template <typename T, typename Encoder>
absl::optional<std::string> EncodeWhole(const TemplateValue& value,
                                        Encoder encoder) {
  const absl::optional<T> whole = Whole<T>(value);
  if (!whole.has_value()) return absl::nullopt;
  return encoder(*whole);
}

absl::optional<std::string> EncodeEnum(const pb::EnumDescriptor* type,
                                       const TemplateValue& value) {
  const absl::optional<std::string> name = value.AsText();
  if (type != nullptr && name.has_value()) {
    const pb::EnumValueDescriptor* const known = type->FindValueByName(*name);
    if (known != nullptr) return VarintBytes(known->number());
  }
  return EncodeWhole<int32_t>(value, VarintBytes);
}

absl::optional<std::string> EncodeFraction(bool is_float,
                                           const TemplateValue& value) {
  const absl::optional<double> number = value.AsNumber();
  if (!number.has_value()) return absl::nullopt;
  if (!is_float) return Fixed64Bytes(absl::bit_cast<uint64_t>(*number));
  if (std::abs(*number) > std::numeric_limits<float>::max()) {
    return absl::nullopt;
  }
  return Fixed32Bytes(absl::bit_cast<uint32_t>(static_cast<float>(*number)));
}

absl::optional<std::string> EncodeBool(const TemplateValue& value) {
  const absl::optional<std::string> text = value.AsText();
  if (text == "true" || text == "True" || text == "1") return VarintBytes(1);
  if (text == "false" || text == "False" || text == "0") {
    return VarintBytes(0);
  }
  return absl::nullopt;
}

}  // namespace

absl::optional<std::string> EncodeTemplateValue(
    int field_type, const pb::EnumDescriptor* enum_type,
    const TemplateValue& value) {
  switch (field_type) {
    case pb::FieldDescriptor::TYPE_STRING:
    case pb::FieldDescriptor::TYPE_BYTES:
      return value.AsText();
    case pb::FieldDescriptor::TYPE_INT32:
      return EncodeWhole<int32_t>(value, VarintBytes);
    case pb::FieldDescriptor::TYPE_INT64:
      return EncodeWhole<int64_t>(value, VarintBytes);
    case pb::FieldDescriptor::TYPE_UINT32:
      return EncodeWhole<uint32_t>(value, VarintBytes);
    case pb::FieldDescriptor::TYPE_UINT64:
      return EncodeWhole<uint64_t>(value, VarintBytes);
    case pb::FieldDescriptor::TYPE_SINT32:
      return EncodeWhole<int32_t>(value, [](int32_t v) {
        return VarintBytes(WireFormatLite::ZigZagEncode32(v));
      });
    case pb::FieldDescriptor::TYPE_SINT64:
      return EncodeWhole<int64_t>(value, [](int64_t v) {
        return VarintBytes(WireFormatLite::ZigZagEncode64(v));
      });
    case pb::FieldDescriptor::TYPE_FIXED32:
      return EncodeWhole<uint32_t>(value, Fixed32Bytes);
    case pb::FieldDescriptor::TYPE_FIXED64:
      return EncodeWhole<uint64_t>(value, Fixed64Bytes);
    case pb::FieldDescriptor::TYPE_SFIXED32:
      return EncodeWhole<int32_t>(value, Fixed32Bytes);
    case pb::FieldDescriptor::TYPE_SFIXED64:
      return EncodeWhole<int64_t>(value, Fixed64Bytes);
    case pb::FieldDescriptor::TYPE_FLOAT:
      return EncodeFraction(true, value);
    case pb::FieldDescriptor::TYPE_DOUBLE:
      return EncodeFraction(false, value);
    case pb::FieldDescriptor::TYPE_BOOL:
      return EncodeBool(value);
    case pb::FieldDescriptor::TYPE_ENUM:
      return EncodeEnum(enum_type, value);
    default:
      return absl::nullopt;
  }
}

}  // namespace syncline
