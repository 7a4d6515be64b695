#include "framework/graph_text/proto_wire.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/status_macros.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"

namespace syncline {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::internal::WireFormatLite;
using ::google::protobuf::io::CodedInputStream;
using ::google::protobuf::io::CodedOutputStream;

absl::Status BadBytes() {
  return absl::InvalidArgumentError("the bytes are no Protobuf message.");
}

// Reads one value and its end; `tag` is read already. `begin` is where the
// value begins in `bytes`.
bool SkipValue(uint32_t tag, CodedInputStream* input, int* begin, int* end) {
  *begin = input->CurrentPosition();
  uint32_t length = 0;
  switch (WireFormatLite::GetTagWireType(tag)) {
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
      if (!input->ReadVarint32(&length)) return false;
      *begin = input->CurrentPosition();
      if (!input->Skip(static_cast<int>(length))) return false;
      break;
    case WireFormatLite::WIRETYPE_END_GROUP:
      return false;
    default:
      if (!WireFormatLite::SkipField(input, tag)) return false;
  }
  *end = input->CurrentPosition();
  if (WireFormatLite::GetTagWireType(tag) ==
      WireFormatLite::WIRETYPE_START_GROUP) {
    *end -= static_cast<int>(CodedOutputStream::VarintSize32(tag));
  }
  return true;
}

}  // namespace

const WireField* WireMessage::Find(int number) const {
  for (const WireField& field : fields) {
    if (field.number == number) return &field;
  }
  return nullptr;
}

std::string WireMessage::Serialize() const {
  std::string bytes;
  for (const WireField& field : fields) {
    for (const WireValue& value : field.values) {
      const auto type = static_cast<WireFormatLite::WireType>(value.wire_type);
      bytes += VarintBytes(WireFormatLite::MakeTag(field.number, type));
      if (type == WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
        bytes += VarintBytes(value.bytes.size());
      }
      bytes += value.bytes;
      if (type == WireFormatLite::WIRETYPE_START_GROUP) {
        bytes += VarintBytes(WireFormatLite::MakeTag(
            field.number, WireFormatLite::WIRETYPE_END_GROUP));
      }
    }
  }
  return bytes;
}

absl::StatusOr<WireMessage> SplitMessage(absl::string_view bytes,
                                         const Descriptor* type) {
  WireMessage message;
  HashMap<int, size_t> places;
  CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                         static_cast<int>(bytes.size()));
  while (input.CurrentPosition() < static_cast<int>(bytes.size())) {
    const uint32_t tag = input.ReadTag();
    const int number = WireFormatLite::GetTagFieldNumber(tag);
    int begin = 0;
    int end = 0;
    if (number == 0 || !SkipValue(tag, &input, &begin, &end)) return BadBytes();
    const auto [place, is_new] =
        places.try_emplace(number, message.fields.size());
    if (is_new) message.fields.push_back({.number = number, .values = {}});
    WireField& field = message.fields[place->second];
    const absl::string_view value =
        bytes.substr(begin, static_cast<size_t>(end - begin));
    const int wire_type = WireFormatLite::GetTagWireType(tag);
    const FieldDescriptor* const known =
        type == nullptr ? nullptr : type->FindFieldByNumber(number);
    const int own_type =
        known == nullptr ? wire_type : WireTypeOf(known->type());
    if (wire_type == WireFormatLite::WIRETYPE_LENGTH_DELIMITED &&
        own_type != wire_type && known->is_repeated()) {
      SYNCLINE_ASSIGN_OR_RETURN(std::vector<std::string> unpacked,
                                UnpackValues(value, known->type()));
      for (std::string& one : unpacked) {
        field.values.push_back({own_type, std::move(one)});
      }
    } else {
      field.values.push_back({wire_type, std::string(value)});
    }
  }
  return message;
}

absl::StatusOr<std::vector<std::string>> UnpackValues(absl::string_view bytes,
                                                      int field_type) {
  CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                         static_cast<int>(bytes.size()));
  std::vector<std::string> values;
  while (input.CurrentPosition() < static_cast<int>(bytes.size())) {
    const int begin = input.CurrentPosition();
    uint64_t ignored;
    bool good = false;
    switch (WireTypeOf(field_type)) {
      case WireFormatLite::WIRETYPE_VARINT:
        good = input.ReadVarint64(&ignored);
        break;
      case WireFormatLite::WIRETYPE_FIXED32:
        good = input.Skip(4);
        break;
      case WireFormatLite::WIRETYPE_FIXED64:
        good = input.Skip(8);
        break;
      default:  // is never packed
        break;
    }
    if (!good) return BadBytes();
    const size_t length = static_cast<size_t>(input.CurrentPosition() - begin);
    values.emplace_back(bytes.substr(begin, length));
  }
  return values;
}

int WireTypeOf(int field_type) {
  if (field_type < 1 || field_type > FieldDescriptor::MAX_TYPE) {
    return WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
  }
  return WireFormatLite::WireTypeForFieldType(
      static_cast<WireFormatLite::FieldType>(field_type));
}

std::string ZeroValue(const FieldDescriptor& field) {
  switch (WireTypeOf(field.type())) {
    case WireFormatLite::WIRETYPE_VARINT:
      return VarintBytes(0);
    case WireFormatLite::WIRETYPE_FIXED32:
      return Fixed32Bytes(0);
    case WireFormatLite::WIRETYPE_FIXED64:
      return Fixed64Bytes(0);
    default:
      return "";
  }
}

std::string VarintBytes(uint64_t value) {
  uint8_t buffer[10];
  const uint8_t* const end =
      CodedOutputStream::WriteVarint64ToArray(value, buffer);
  return std::string(static_cast<const uint8_t*>(buffer), end);
}

std::string Fixed32Bytes(uint32_t value) {
  uint8_t buffer[4];
  CodedOutputStream::WriteLittleEndian32ToArray(value, buffer);
  return std::string(buffer, buffer + sizeof(buffer));
}

std::string Fixed64Bytes(uint64_t value) {
  uint8_t buffer[8];
  CodedOutputStream::WriteLittleEndian64ToArray(value, buffer);
  return std::string(buffer, buffer + sizeof(buffer));
}

}  // namespace syncline
