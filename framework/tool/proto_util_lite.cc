#include "framework/tool/proto_util_lite.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/config/field_data.pb.h"
#include "framework/graph_text/proto_wire.h"
#include "framework/graph_text/template_encoding.h"
#include "framework/graph_text/template_values.h"
#include "google/protobuf/io/coded_stream.h"

namespace syncline {
namespace tool {
namespace {

using Lite = ProtoUtilLite::WireFormatLite;
using FieldType = ProtoUtilLite::FieldType;
using FieldValue = ProtoUtilLite::FieldValue;
using ::google::protobuf::io::CodedInputStream;

// The type of the messages on a path, the last one excepted. A group is written
// where the message has a group.
constexpr FieldType kMessage = Lite::TYPE_MESSAGE;

absl::Status OutOfRange(int field, int index, size_t size) {
  return absl::OutOfRangeError(absl::StrCat(
      "field ", field, " has ", size, " values, and none at ", index, "."));
}

// The values of one field. A packed field is split into its values.
absl::StatusOr<std::vector<FieldValue>> ValuesOf(const WireMessage& message,
                                                 int field, FieldType type) {
  std::vector<FieldValue> values;
  const WireField* const found = message.Find(field);
  if (found == nullptr) return values;
  for (const WireValue& value : found->values) {
    if (value.wire_type == WireTypeOf(type) ||
        value.wire_type != Lite::WIRETYPE_LENGTH_DELIMITED) {
      values.push_back(value.bytes);
      continue;
    }
    SYNCLINE_ASSIGN_OR_RETURN(std::vector<std::string> unpacked,
                              UnpackValues(value.bytes, type));
    for (std::string& one : unpacked) values.push_back(std::move(one));
  }
  return values;
}

void SetValues(const std::vector<FieldValue>& values, int field, FieldType type,
               WireMessage* message) {
  auto target = std::find_if(
      message->fields.begin(), message->fields.end(),
      [field](const WireField& other) { return other.number == field; });
  if (target == message->fields.end()) {
    target = message->fields.insert(target, {.number = field, .values = {}});
  }
  target->values.clear();
  for (const FieldValue& value : values) {
    target->values.push_back({WireTypeOf(type), value});
  }
}

// The message that holds the last field of the path.
absl::StatusOr<FieldValue> Parent(const FieldValue& message,
                                  const ProtoUtilLite::ProtoPath& path) {
  if (path.empty()) return absl::InvalidArgumentError("the path is empty.");
  FieldValue parent = message;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    SYNCLINE_ASSIGN_OR_RETURN(const WireMessage whole,
                              SplitMessage(parent, nullptr));
    const WireField* const field = whole.Find(path[i].field_id);
    const size_t size = field == nullptr ? 0 : field->values.size();
    if (path[i].index < 0 || static_cast<size_t>(path[i].index) >= size) {
      return OutOfRange(path[i].field_id, path[i].index, size);
    }
    parent = field->values[static_cast<size_t>(path[i].index)].bytes;
  }
  return parent;
}

}  // namespace

absl::Status ProtoUtilLite::FieldAccess::SetMessage(
    const std::string& message) {
  SYNCLINE_ASSIGN_OR_RETURN(message_, SplitMessage(message, nullptr));
  SYNCLINE_ASSIGN_OR_RETURN(values_,
                            ValuesOf(message_, field_id_, field_type_));
  return absl::OkStatus();
}

void ProtoUtilLite::FieldAccess::GetMessage(std::string* result) const {
  WireMessage changed = message_;
  SetValues(values_, field_id_, field_type_, &changed);
  *result = changed.Serialize();
}

absl::Status ProtoUtilLite::ReplaceFieldRange(
    FieldValue* message, const ProtoPath& proto_path, int length,
    FieldType field_type, const std::vector<FieldValue>& field_values) {
  if (proto_path.empty()) {
    return absl::InvalidArgumentError("the path is empty.");
  }
  const ProtoPathEntry& first = proto_path.front();
  const bool is_last = proto_path.size() == 1;
  FieldAccess access(static_cast<uint32_t>(first.field_id),
                     is_last ? field_type : kMessage);
  SYNCLINE_RETURN_IF_ERROR(access.SetMessage(*message));
  std::vector<FieldValue>& values = *access.mutable_field_values();
  const size_t index = static_cast<size_t>(first.index);
  if (first.index < 0 || index > values.size() ||
      (!is_last && index == values.size())) {
    return OutOfRange(first.field_id, first.index, values.size());
  }
  if (!is_last) {
    SYNCLINE_RETURN_IF_ERROR(ReplaceFieldRange(
        &values[index], ProtoPath(proto_path.begin() + 1, proto_path.end()),
        length, field_type, field_values));
  } else {
    const size_t after = values.size() - index;
    if (length < 0 || static_cast<size_t>(length) > after) {
      return OutOfRange(first.field_id, first.index + length, values.size());
    }
    values.erase(values.begin() + first.index,
                 values.begin() + first.index + length);
    values.insert(values.begin() + first.index, field_values.begin(),
                  field_values.end());
  }
  access.GetMessage(message);
  return absl::OkStatus();
}

absl::Status ProtoUtilLite::GetFieldRange(
    const FieldValue& message, const ProtoPath& proto_path, int length,
    FieldType field_type, std::vector<FieldValue>* field_values) {
  SYNCLINE_ASSIGN_OR_RETURN(const FieldValue parent,
                            Parent(message, proto_path));
  const ProtoPathEntry& last = proto_path.back();
  FieldAccess access(static_cast<uint32_t>(last.field_id), field_type);
  SYNCLINE_RETURN_IF_ERROR(access.SetMessage(parent));
  const std::vector<FieldValue>& values = *access.mutable_field_values();
  const int size = static_cast<int>(values.size());
  if (last.index < 0 || last.index > size) {
    return OutOfRange(last.field_id, last.index, values.size());
  }
  if (length < 0) length = size - last.index;
  if (length > size - last.index) {
    return OutOfRange(last.field_id, last.index + length - 1, values.size());
  }
  field_values->insert(field_values->end(), values.begin() + last.index,
                       values.begin() + last.index + length);
  return absl::OkStatus();
}

absl::Status ProtoUtilLite::GetFieldCount(const FieldValue& message,
                                          const ProtoPath& proto_path,
                                          FieldType field_type,
                                          int* field_count) {
  SYNCLINE_ASSIGN_OR_RETURN(const FieldValue parent,
                            Parent(message, proto_path));
  FieldAccess access(static_cast<uint32_t>(proto_path.back().field_id),
                     field_type);
  SYNCLINE_RETURN_IF_ERROR(access.SetMessage(parent));
  *field_count = static_cast<int>(access.mutable_field_values()->size());
  return absl::OkStatus();
}

absl::Status ProtoUtilLite::Serialize(
    const std::vector<std::string>& text_values, FieldType field_type,
    std::vector<FieldValue>* result) {
  for (const std::string& text : text_values) {
    absl::optional<std::string> bytes =
        EncodeTemplateValue(field_type, nullptr, TemplateValue(text));
    if (!bytes.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", text, "\" is no value of field type ", field_type, "."));
    }
    result->push_back(*std::move(bytes));
  }
  return absl::OkStatus();
}

absl::Status ProtoUtilLite::Deserialize(
    const std::vector<FieldValue>& field_values, FieldType field_type,
    std::vector<std::string>* result) {
  for (const FieldValue& bytes : field_values) {
    FieldData data;
    SYNCLINE_RETURN_IF_ERROR(ReadValue(bytes, field_type, "", &data));
    switch (data.value_case()) {
      case FieldData::kInt32Value:
        result->push_back(absl::StrCat(data.int32_value()));
        break;
      case FieldData::kInt64Value:
        result->push_back(absl::StrCat(data.int64_value()));
        break;
      case FieldData::kUint32Value:
        result->push_back(absl::StrCat(data.uint32_value()));
        break;
      case FieldData::kUint64Value:
        result->push_back(absl::StrCat(data.uint64_value()));
        break;
      case FieldData::kDoubleValue:
        result->push_back(*TemplateValue(data.double_value()).AsText());
        break;
      case FieldData::kFloatValue:
        result->push_back(absl::StrCat(data.float_value()));
        break;
      case FieldData::kBoolValue:
        result->push_back(data.bool_value() ? "true" : "false");
        break;
      case FieldData::kEnumValue:
        result->push_back(absl::StrCat(data.enum_value()));
        break;
      case FieldData::kStringValue:
        result->push_back(data.string_value());
        break;
      default:
        return absl::InvalidArgumentError("a message has no text.");
    }
  }
  return absl::OkStatus();
}

absl::Status ProtoUtilLite::WriteValue(const FieldData& value,
                                       FieldType field_type,
                                       std::string* field_bytes) {
  const bool is_message =
      field_type == Lite::TYPE_MESSAGE || field_type == Lite::TYPE_GROUP;
  if (is_message != value.has_message_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the value is no value of field type ", field_type, "."));
  }
  if (is_message) {
    *field_bytes = value.message_value().value();
    return absl::OkStatus();
  }
  TemplateValue number;
  switch (value.value_case()) {
    case FieldData::kStringValue:
      number = TemplateValue(value.string_value());
      break;
    case FieldData::kDoubleValue:
      number = TemplateValue(value.double_value());
      break;
    case FieldData::kFloatValue:
      number = TemplateValue(static_cast<double>(value.float_value()));
      break;
    case FieldData::kBoolValue:
      number = TemplateValue(value.bool_value() ? 1 : 0);
      break;
    default:
      // Through text, which is exact for integers of all sizes.
      number = TemplateValue(absl::StrCat(
          value.has_uint64_value()
              ? absl::StrCat(value.uint64_value())
              : absl::StrCat(value.int64_value() + value.int32_value() +
                             value.uint32_value() + value.enum_value())));
  }
  const absl::optional<std::string> bytes =
      EncodeTemplateValue(field_type, nullptr, number);
  if (!bytes.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the value is no value of field type ", field_type, "."));
  }
  *field_bytes = *bytes;
  return absl::OkStatus();
}

namespace {

// A number as it is encoded: one of the three.
struct EncodedNumber {
  uint64_t varint = 0;
  uint32_t fixed32 = 0;
  uint64_t fixed64 = 0;
};

// False for bytes that are too few. A text or message is no number.
bool ReadNumber(absl::string_view bytes, FieldType type,
                EncodedNumber* number) {
  CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                         static_cast<int>(bytes.size()));
  switch (WireTypeOf(type)) {
    case Lite::WIRETYPE_VARINT:
      return input.ReadVarint64(&number->varint);
    case Lite::WIRETYPE_FIXED32:
      return input.ReadLittleEndian32(&number->fixed32);
    case Lite::WIRETYPE_FIXED64:
      return input.ReadLittleEndian64(&number->fixed64);
    default:
      return true;
  }
}

// False for types that are no numbers.
bool StoreNumber(const EncodedNumber& number, FieldType type,
                 FieldData* result) {
  switch (type) {
    case Lite::TYPE_INT32:
      result->set_int32_value(static_cast<int32_t>(number.varint));
      return true;
    case Lite::TYPE_SINT32:
      result->set_int32_value(
          Lite::ZigZagDecode32(static_cast<uint32_t>(number.varint)));
      return true;
    case Lite::TYPE_INT64:
      result->set_int64_value(static_cast<int64_t>(number.varint));
      return true;
    case Lite::TYPE_SINT64:
      result->set_int64_value(Lite::ZigZagDecode64(number.varint));
      return true;
    case Lite::TYPE_UINT32:
      result->set_uint32_value(static_cast<uint32_t>(number.varint));
      return true;
    case Lite::TYPE_UINT64:
      result->set_uint64_value(number.varint);
      return true;
    case Lite::TYPE_FIXED32:
      result->set_uint32_value(number.fixed32);
      return true;
    case Lite::TYPE_SFIXED32:
      result->set_int32_value(static_cast<int32_t>(number.fixed32));
      return true;
    case Lite::TYPE_FIXED64:
      result->set_uint64_value(number.fixed64);
      return true;
    case Lite::TYPE_SFIXED64:
      result->set_int64_value(static_cast<int64_t>(number.fixed64));
      return true;
    case Lite::TYPE_FLOAT:
      result->set_float_value(absl::bit_cast<float>(number.fixed32));
      return true;
    case Lite::TYPE_DOUBLE:
      result->set_double_value(absl::bit_cast<double>(number.fixed64));
      return true;
    case Lite::TYPE_BOOL:
      result->set_bool_value(number.varint != 0);
      return true;
    case Lite::TYPE_ENUM:
      result->set_enum_value(static_cast<int32_t>(number.varint));
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::Status ProtoUtilLite::ReadValue(absl::string_view field_bytes,
                                      FieldType field_type,
                                      absl::string_view message_type,
                                      FieldData* result) {
  result->Clear();
  EncodedNumber number;
  if (!ReadNumber(field_bytes, field_type, &number)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the bytes are no value of field type ", field_type, "."));
  }
  if (StoreNumber(number, field_type, result)) return absl::OkStatus();
  if (field_type == Lite::TYPE_STRING || field_type == Lite::TYPE_BYTES) {
    result->set_string_value(std::string(field_bytes));
    return absl::OkStatus();
  }
  result->mutable_message_value()->set_type_url(
      absl::StrCat("type.googleapis.com/", message_type));
  result->mutable_message_value()->set_value(std::string(field_bytes));
  return absl::OkStatus();
}

}  // namespace tool
}  // namespace syncline
