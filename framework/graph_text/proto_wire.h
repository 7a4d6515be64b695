// Messages in their binary encoding, taken apart into the values of fields and
// put together again, for edits of messages whose type may not be linked in.
//
// A value is what stands between the tag of its field and the next tag, without
// the length of what has one.
//
// Thread rule: plain values and free functions.
// Tested by proto_wire_test and expand_template_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_PROTO_WIRE_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_PROTO_WIRE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"

namespace syncline {

struct WireValue {
  int wire_type = 0;  // as in google::protobuf::internal::WireFormatLite
  std::string bytes;
  // For whoever moves and copies values: where it came from. Not encoded.
  int origin = -1;
};

// All values of one field, in order.
struct WireField {
  int number = 0;
  std::vector<WireValue> values;
};

// Fields in the order in which they first appeared.
struct WireMessage {
  std::vector<WireField> fields;

  const WireField* Find(int number) const;
  std::string Serialize() const;
};

// INVALID_ARGUMENT for bytes that are no message. Packed values come out one by
// one where `type` says that they are packed; it may be null.
absl::StatusOr<WireMessage> SplitMessage(
    absl::string_view bytes, const google::protobuf::Descriptor* type);

// The values of a packed field of this FieldDescriptor::Type, one by one.
// INVALID_ARGUMENT for other bytes.
absl::StatusOr<std::vector<std::string>> UnpackValues(absl::string_view bytes,
                                                      int field_type);

// The wire type of a field's type, which is a FieldDescriptor::Type.
int WireTypeOf(int field_type);

// 0, "", false or an empty message, as the value of a field.
std::string ZeroValue(const google::protobuf::FieldDescriptor& field);

// Values by their encoding.
std::string VarintBytes(uint64_t value);
std::string Fixed32Bytes(uint32_t value);
std::string Fixed64Bytes(uint64_t value);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_PROTO_WIRE_H_
