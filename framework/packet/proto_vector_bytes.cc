#include "framework/packet/proto_vector_bytes.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message_lite.h"

namespace syncline {
namespace packet_internal {

absl::StatusOr<std::string> BytesOfMessage(
    const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream sink(&bytes);
    google::protobuf::io::CodedOutputStream coded(&sink);
    coded.SetSerializationDeterministic(true);
    if (!message.SerializePartialToCodedStream(&coded)) {
      return absl::InternalError(
          absl::StrCat("the message of type \"", message.GetTypeName(),
                       "\" is too large to be serialized"));
    }
  }
  return bytes;
}

absl::Status ReadDelimited(absl::string_view* bytes,
                           google::protobuf::MessageLite* message) {
  const absl::StatusOr<absl::string_view> piece = TakePiece(bytes);
  if (!piece.ok() || piece->size() > std::numeric_limits<int>::max() ||
      !message->ParsePartialFromArray(piece->data(),
                                      static_cast<int>(piece->size()))) {
    return absl::InvalidArgumentError(
        absl::StrCat("the bytes are no messages of type \"",
                     message->GetTypeName(), "\" with their lengths"));
  }
  return absl::OkStatus();
}

}  // namespace packet_internal
}  // namespace syncline
