#include "framework/packet/proto_vector_bytes.h"

#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message_lite.h"

namespace syncline {
namespace packet_internal {
namespace {

using google::protobuf::MessageLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;

}  // namespace

absl::Status AppendDelimited(const MessageLite& message, std::string* bytes) {
  const std::size_t size = message.ByteSizeLong();
  if (size > std::numeric_limits<int>::max()) {
    return absl::InternalError(
        absl::StrCat("the message of type \"", message.GetTypeName(),
                     "\" is too large to be serialized"));
  }
  StringOutputStream sink(bytes);
  CodedOutputStream coded(&sink);
  // Maps in one order, so that equal messages have equal bytes.
  coded.SetSerializationDeterministic(true);
  coded.WriteVarint32(static_cast<std::uint32_t>(size));
  message.SerializePartialToCodedStream(&coded);
  return absl::OkStatus();
}

absl::Status ReadDelimited(absl::string_view* bytes, MessageLite* message) {
  const int available = static_cast<int>(
      std::min<std::size_t>(bytes->size(), std::numeric_limits<int>::max()));
  CodedInputStream coded(reinterpret_cast<const std::uint8_t*>(bytes->data()),
                         available);
  std::uint32_t size = 0;
  const bool has_size = coded.ReadVarint32(&size);
  const auto position = static_cast<std::size_t>(coded.CurrentPosition());
  if (!has_size || size > bytes->size() - position ||
      !message->ParsePartialFromArray(bytes->data() + position,
                                      static_cast<int>(size))) {
    return absl::InvalidArgumentError(
        absl::StrCat("the bytes are no messages of type \"",
                     message->GetTypeName(), "\" with their lengths"));
  }
  bytes->remove_prefix(position + size);
  return absl::OkStatus();
}

}  // namespace packet_internal
}  // namespace syncline
