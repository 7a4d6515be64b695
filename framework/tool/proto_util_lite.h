// tool::ProtoUtilLite: fields of messages in their binary encoding, by number,
// for code that does not know their types.
//
// A field value is what stands between the tag of the field and the next tag,
// without the length of what has one: the bytes of a text or message, the
// varint of an integer.
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

  // A field, and which of its values.
  struct ProtoPathEntry {
    ProtoPathEntry(int field_id, int index)
        : field_id(field_id), index(index) {}
    int field_id;
    int index;
  };
  // From the outermost message inwards.
  using ProtoPath = std::vector<ProtoPathEntry>;

  // The values of one field of a message.
  class FieldAccess {
   public:
    FieldAccess(uint32_t field_id, FieldType field_type)
        : field_id_(static_cast<int>(field_id)), field_type_(field_type) {}
    // INVALID_ARGUMENT for bytes that are no message.
    absl::Status SetMessage(const std::string& message);
    // The message with the values as they are now.
    void GetMessage(std::string* result) const;
    std::vector<FieldValue>* mutable_field_values() { return &values_; }

   private:
    const int field_id_;
    const FieldType field_type_;
    WireMessage message_;
    std::vector<FieldValue> values_;
  };

  // Replaces `length` values from the place on that the path ends in; length 0
  // inserts. INVALID_ARGUMENT for bytes that are no message, and OUT_OF_RANGE
  // for a path that leads nowhere.
  static absl::Status ReplaceFieldRange(
      FieldValue* message, const ProtoPath& proto_path, int length,
      FieldType field_type, const std::vector<FieldValue>& field_values);
  // Copies them; length -1 for all that follow.
  static absl::Status GetFieldRange(const FieldValue& message,
                                    const ProtoPath& proto_path, int length,
                                    FieldType field_type,
                                    std::vector<FieldValue>* field_values);
  // How many values the field at the end of the path has.
  static absl::Status GetFieldCount(const FieldValue& message,
                                    const ProtoPath& proto_path,
                                    FieldType field_type, int* field_count);

  // Field values from texts, and back. INVALID_ARGUMENT for a text that is no
  // value of the type. Enums are numbers; messages have no text.
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
