// tool::ProtoUtilLite: reads and changes fields of messages in their binary
// encoding, by number, for code that does not know the types of the messages.
//
// A field value is the bytes from the tag of the field to the next tag, but
// without the length of a text or message. So it is the bytes of a text or
// message, or the varint of an integer.
//
// Thread rule: pure functions; a FieldAccess is for one thread.
// Tested by proto_util_lite_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_PROTO_UTIL_LITE_H_
#define SYNCLINE_FRAMEWORK_TOOL_PROTO_UTIL_LITE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/field_data.pb.h"
#include "framework/graph_text/proto_wire.h"
#include "google/protobuf/wire_format_lite.h"

namespace syncline {
namespace tool {

class ProtoUtilLite {
 public:
  using WireFormatLite = google::protobuf::internal::WireFormatLite;
  using FieldType = WireFormatLite::FieldType;
  using FieldValue = std::string;

  // The number of a field, and the index of one of its values.
  struct ProtoPathEntry {
    ProtoPathEntry(int field_id, int index)
        : field_id(field_id), index(index) {}
    int field_id;
    int index;
  };
  // The path to a field, from the outermost message inwards.
  using ProtoPath = std::vector<ProtoPathEntry>;

  // The values of one field of a message.
  class FieldAccess {
   public:
    FieldAccess(uint32_t field_id, FieldType field_type)
        : field_id_(static_cast<int>(field_id)), field_type_(field_type) {}
    // INVALID_ARGUMENT if the bytes are not a message.
    absl::Status SetMessage(const std::string& message);
    // The bytes of the message with the values as they are now.
    void GetMessage(std::string* result) const;
    std::vector<FieldValue>* mutable_field_values() { return &values_; }

   private:
    const int field_id_;
    const FieldType field_type_;
    WireMessage message_;
    std::vector<FieldValue> values_;
  };

  // Replaces `length` values, beginning with the value that the path leads to;
  // length 0 inserts before it. INVALID_ARGUMENT if the bytes are not a
  // message; OUT_OF_RANGE if the path does not lead to a value.
  static absl::Status ReplaceFieldRange(
      FieldValue* message, const ProtoPath& proto_path, int length,
      FieldType field_type, const std::vector<FieldValue>& field_values);
  // Copies `length` values; -1 copies all that follow.
  static absl::Status GetFieldRange(const FieldValue& message,
                                    const ProtoPath& proto_path, int length,
                                    FieldType field_type,
                                    std::vector<FieldValue>* field_values);
  // How many values the field at the end of the path has.
  static absl::Status GetFieldCount(const FieldValue& message,
                                    const ProtoPath& proto_path,
                                    FieldType field_type, int* field_count);

  // Converts texts to field values and back. INVALID_ARGUMENT for a text that
  // is not a value of the type. Enums are given as numbers; messages have no
  // text.
  static absl::Status Serialize(const std::vector<std::string>& text_values,
                                FieldType field_type,
                                std::vector<FieldValue>* result);
  static absl::Status Deserialize(const std::vector<FieldValue>& field_values,
                                  FieldType field_type,
                                  std::vector<std::string>* result);

  // The same with a FieldData. `message_type` is that of a message's value.
  static absl::Status WriteValue(const FieldData& value, FieldType field_type,
                                 std::string* field_bytes);
  static absl::Status ReadValue(absl::string_view field_bytes,
                                FieldType field_type,
                                absl::string_view message_type,
                                FieldData* result);
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_PROTO_UTIL_LITE_H_
