#include "tools/recording/value_json.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "framework/base/status_macros.h"
#include "framework/formats/matrix.h"
#include "framework/packet/packet.h"
#include "framework/packet/proto_vector_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/graph_player.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/dynamic_message.h"
#include "google/protobuf/util/json_util.h"

namespace syncline {
namespace {

// JSON has no infinities and no NaN; Protobuf writes them as strings.
template <typename T>
std::string NumberJson(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "\"NaN\"";
    if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    return absl::StrFormat("%.*g", sizeof(T) == 4 ? 9 : 17, value);
  } else if constexpr (sizeof(T) == 8) {
    return absl::StrCat("\"", value, "\"");
  } else {
    return absl::StrCat(value);
  }
}

template <typename T>
std::string ArrayJson(const T* values, std::size_t size) {
  return absl::StrCat("[",
                      absl::StrJoin(values, values + size, ",",
                                    [](std::string* out, const auto& value) {
                                      absl::StrAppend(out, NumberJson(value));
                                    }),
                      "]");
}

bool IsUtf8(absl::string_view text) {
  // Continuation bytes that the character still needs.
  int more = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (more > 0) {
      if ((byte & 0xc0) != 0x80) return false;
      --more;
    } else if (byte >= 0xc2 && byte < 0xf5) {
      more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    } else if (byte >= 0x80) {
      return false;
    }
  }
  return more == 0;
}

std::string TextJson(absl::string_view text) {
  return IsUtf8(text)
             ? JsonString(text)
             : absl::StrCat("{\"base64\":\"", absl::Base64Escape(text), "\"}");
}

template <typename T>
bool AppendArrayIf(const Packet& packet, std::string* json) {
  if (!packet.ValidateAsType<T>().ok()) return false;
  const auto& values = packet.Get<T>();
  *json = ArrayJson(values.data(), values.size());
  return true;
}

template <typename T>
bool AppendIf(const Packet& packet, std::string* json) {
  if (packet.ValidateAsType<T>().ok()) {
    *json = NumberJson(packet.Get<T>());
    return true;
  }
  return AppendArrayIf<std::vector<T>>(packet, json);
}

// Empty for other types.
std::string PlainJson(const Packet& packet) {
  std::string json;
  if (AppendIf<int>(packet, &json) || AppendIf<std::int64_t>(packet, &json) ||
      AppendIf<float>(packet, &json) || AppendIf<double>(packet, &json)) {
    return json;
  }
  if (packet.ValidateAsType<unsigned int>().ok()) {
    return NumberJson(packet.Get<unsigned int>());
  }
  if (AppendIf<std::uint64_t>(packet, &json) ||
      AppendArrayIf<std::array<float, 4>>(packet, &json) ||
      AppendArrayIf<std::array<float, 16>>(packet, &json)) {
    return json;
  }
  if (packet.ValidateAsType<std::pair<int, int>>().ok()) {
    const auto& [first, second] = packet.Get<std::pair<int, int>>();
    return absl::StrCat("[", first, ",", second, "]");
  }
  if (packet.ValidateAsType<Timestamp>().ok()) {
    return NumberJson(packet.Get<Timestamp>().Value());
  }
  if (packet.ValidateAsType<bool>().ok()) {
    return packet.Get<bool>() ? "true" : "false";
  }
  if (packet.ValidateAsType<std::string>().ok()) {
    return TextJson(packet.Get<std::string>());
  }
  if (packet.ValidateAsType<std::vector<std::string>>().ok()) {
    const auto& texts = packet.Get<std::vector<std::string>>();
    return absl::StrCat("[",
                        absl::StrJoin(texts, ",",
                                      [](std::string* out, const auto& text) {
                                        absl::StrAppend(out, TextJson(text));
                                      }),
                        "]");
  }
  if (packet.ValidateAsType<Matrix>().ok()) {
    const auto& matrix = packet.Get<Matrix>();
    return absl::StrCat(
        "{\"rows\":", matrix.rows(), ",\"cols\":", matrix.cols(), ",\"data\":",
        ArrayJson(matrix.data(), static_cast<std::size_t>(matrix.size())), "}");
  }
  return "";
}

absl::Status NotOfType(absl::string_view type) {
  return absl::DataLossError(
      absl::StrCat("the bytes are no value of type \"", type, "\""));
}

// Protobuf's writer of JSON calls itself for each Any inside an Any, and copies
// what is in it, without an end.
constexpr int kMaxAnyDepth = 32;

// Whether more Anys than `left` are inside each other in a message. What the
// pool of its descriptor does not know has no JSON, so it does not count.
bool HasDeepAnys(const google::protobuf::Message& message,
                 google::protobuf::MessageFactory* factory, int left) {
  const auto& descriptor = *message.GetDescriptor();
  const auto& reflection = *message.GetReflection();
  if (descriptor.full_name() == "google.protobuf.Any") {
    const auto* const url = descriptor.FindFieldByNumber(1);
    const auto* const value = descriptor.FindFieldByNumber(2);
    using Field = google::protobuf::FieldDescriptor;
    // A recording may describe an Any as it likes.
    for (const Field* const field : {url, value}) {
      if (field == nullptr || field->is_repeated() ||
          field->cpp_type() != Field::CPPTYPE_STRING) {
        return true;
      }
    }
    if (left == 0) return true;
    const std::string type = reflection.GetString(message, url);
    const auto* const inner = descriptor.file()->pool()->FindMessageTypeByName(
        type.substr(type.rfind('/') + 1));
    if (inner == nullptr) return false;
    const std::unique_ptr<google::protobuf::Message> parsed(
        factory->GetPrototype(inner)->New());
    return parsed->ParsePartialFromString(
               reflection.GetString(message, value)) &&
           HasDeepAnys(*parsed, factory, left - 1);
  }
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const auto* const field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) {
      if (HasDeepAnys(reflection.GetMessage(message, field), factory, left)) {
        return true;
      }
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      if (HasDeepAnys(reflection.GetRepeatedMessage(message, field, i), factory,
                      left)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::string JsonString(absl::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&json, "\\u%04x", c);
    } else {
      json += c;
    }
  }
  return json + "\"";
}

// Messages by the descriptors of a recording.
class ValueJson::Messages {
 public:
  explicit Messages(const RecordingReader* recording)
      : recording_(*recording) {}

  // Null if the recording has no such message.
  const google::protobuf::Message* Prototype(const std::string& name) {
    const auto [found, is_new] = prototypes_.emplace(name, nullptr);
    if (!is_new) return found->second;
    const auto& messages = recording_.header().messages;
    const auto bytes = messages.find(name);
    google::protobuf::FileDescriptorSet files;
    if (bytes == messages.end() || !files.ParseFromString(bytes->second)) {
      return nullptr;
    }
    for (const auto& file : files.file()) pool_.BuildFile(file);
    const auto* const descriptor = pool_.FindMessageTypeByName(name);
    if (descriptor != nullptr) {
      found->second = factory_.GetPrototype(descriptor);
    }
    return found->second;
  }

  absl::StatusOr<std::string> Json(const google::protobuf::Message& prototype,
                                   absl::string_view bytes) {
    const std::unique_ptr<google::protobuf::Message> message(prototype.New());
    if (!message->ParsePartialFromArray(bytes.data(),
                                        static_cast<int>(bytes.size()))) {
      return NotOfType(prototype.GetTypeName());
    }
    return JsonOf(*message);
  }

  // Each message with its length in front.
  absl::StatusOr<std::string> ArrayOf(
      const google::protobuf::Message& prototype, absl::string_view bytes) {
    std::string json = "[";
    while (!bytes.empty()) {
      const std::unique_ptr<google::protobuf::Message> message(prototype.New());
      if (!packet_internal::ReadDelimited(&bytes, message.get()).ok()) {
        return NotOfType(prototype.GetTypeName());
      }
      SYNCLINE_ASSIGN_OR_RETURN(const std::string one, JsonOf(*message));
      absl::StrAppend(&json, json.size() > 1 ? "," : "", one);
    }
    return json + "]";
  }

 private:
  absl::StatusOr<std::string> JsonOf(const google::protobuf::Message& message) {
    std::string json;
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    if (HasDeepAnys(message, &factory_, kMaxAnyDepth) ||
        !google::protobuf::util::MessageToJsonString(message, &json, options)
             .ok()) {
      // Such as an Any whose message the file does not describe.
      return absl::UnimplementedError(
          absl::StrCat("a ", message.GetTypeName(), " that has no JSON"));
    }
    return json;
  }

  const RecordingReader& recording_;
  google::protobuf::DescriptorPool pool_;
  google::protobuf::DynamicMessageFactory factory_;
  std::map<std::string, const google::protobuf::Message*> prototypes_;
};

ValueJson::ValueJson(const RecordingReader* recording)
    : messages_(std::make_unique<Messages>(recording)) {}
ValueJson::~ValueJson() = default;

absl::StatusOr<std::string> ValueJson::Of(const std::string& type,
                                          const std::string& data) {
  absl::string_view name = absl::StripPrefix(type, "::");
  const bool is_vector = absl::ConsumePrefix(&name, "std::vector<") &&
                         absl::ConsumeSuffix(&name, ">");
  const std::string message =
      absl::StrReplaceAll(absl::StripPrefix(name, "::"), {{"::", "."}});
  if (const auto* prototype = messages_->Prototype(message)) {
    const absl::StatusOr<std::string> json =
        is_vector ? messages_->ArrayOf(*prototype, data)
                  : messages_->Json(*prototype, data);
    if (!absl::IsUnimplemented(json.status())) return json;
  }
  const absl::StatusOr<Packet> packet = DecodeRecorded(type, data);
  if (absl::IsDataLoss(packet.status())) return packet.status();
  const std::string json = packet.ok() ? PlainJson(*packet) : "";
  if (!json.empty()) return json;
  return absl::StrCat("{\"type\":", JsonString(type), ",\"base64\":\"",
                      absl::Base64Escape(data), "\"}");
}

}  // namespace syncline
