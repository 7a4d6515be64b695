// MessageJson: Protobuf messages of a recording as JSON.
//
// The recording describes its messages, so this program need not know them. But
// a recording may come from anybody, and Protobuf trusts such descriptions:
// some make it call itself without an end, or wait for ever. Messages of the
// following kinds therefore have no JSON here:
//   - very many messages that refer to each other, or Anys inside each other;
//   - well-known messages, such as google.protobuf.Struct, with fields of their
//     own, as Protobuf has JSON of its own for each;
//   - an Any whose message the recording does not describe;
//   - text that is no UTF-8, of which Protobuf would leave out the bad bytes.
//
// Thread rule: one thread at a time.
// Tested by message_json_test.

#ifndef SYNCLINE_TOOLS_RECORDING_MESSAGE_JSON_H_
#define SYNCLINE_TOOLS_RECORDING_MESSAGE_JSON_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/recording/recording_file.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/dynamic_message.h"
#include "google/protobuf/message.h"

namespace syncline {

class MessageJson {
 public:
  // `header` outlives it.
  explicit MessageJson(const RecordingHeader* header) : header_(*header) {}

  // One message of that name, or an array of such, each with its length in
  // front. UNIMPLEMENTED: it has no JSON. DATA_LOSS: the bytes are none.
  absl::StatusOr<std::string> Of(const std::string& name,
                                 absl::string_view bytes);
  absl::StatusOr<std::string> ArrayOf(const std::string& name,
                                      absl::string_view bytes);

 private:
  // Null where the recording has no such message, or none that is safe.
  const google::protobuf::Message* Prototype(const std::string& name);
  // Null where it is not safe.
  const google::protobuf::Message* PrototypeOf(
      const google::protobuf::Descriptor& type);
  // Whether a message, or one in it, has no JSON. `left`: so many Anys may
  // still be inside each other.
  bool HasNone(const google::protobuf::Message& message, int left);
  bool HasNone(const google::protobuf::Message& message,
               const google::protobuf::FieldDescriptor& field, int i, int left);
  bool IsBadAny(const google::protobuf::Message& any, int left);
  absl::StatusOr<std::string> JsonOf(const google::protobuf::Message& message);

  const RecordingHeader& header_;
  google::protobuf::DescriptorPool pool_;
  google::protobuf::DynamicMessageFactory factory_;
  // By what the recording calls them, and by what the pool has.
  std::map<std::string, const google::protobuf::Message*> named_;
  std::map<const google::protobuf::Descriptor*,
           const google::protobuf::Message*>
      prototypes_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RECORDING_MESSAGE_JSON_H_
