#include "tools/recording/value_json.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "framework/formats/matrix.h"
#include "framework/graph_text/utf8.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/graph_player.h"
#include "nlohmann/json.hpp"
#include "tools/recording/message_json.h"

namespace syncline {
namespace {

// Not by nlohmann-json, which writes a float as the double that it is, and -1
// as -1.0. For the same reason whatever holds such numbers, or the JSON that
// Protobuf has made of a message, is put together from texts: nlohmann-json
// would have to read it first, and would then write other digits. JSON has no
// infinities and no NaN; Protobuf writes them as strings.
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

// JSON is UTF-8: other bytes, which a damaged recording may have in the names
// of its streams and types, become U+FFFD.
std::string Dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json TextJson(const std::string& text) {
  if (IsValidUtf8(text)) return text;
  return {{"base64", absl::Base64Escape(text)}};
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
    return Dump(nlohmann::ordered_json::array({first, second}));
  }
  if (packet.ValidateAsType<Timestamp>().ok()) {
    return NumberJson(packet.Get<Timestamp>().Value());
  }
  if (packet.ValidateAsType<bool>().ok()) {
    return Dump(packet.Get<bool>());
  }
  if (packet.ValidateAsType<std::string>().ok()) {
    return Dump(TextJson(packet.Get<std::string>()));
  }
  if (packet.ValidateAsType<std::vector<std::string>>().ok()) {
    auto array = nlohmann::ordered_json::array();
    for (const std::string& text : packet.Get<std::vector<std::string>>()) {
      array.push_back(TextJson(text));
    }
    return Dump(array);
  }
  if (packet.ValidateAsType<Matrix>().ok()) {
    const auto& matrix = packet.Get<Matrix>();
    return absl::StrCat(
        "{\"rows\":", matrix.rows(), ",\"cols\":", matrix.cols(), ",\"data\":",
        ArrayJson(matrix.data(), static_cast<std::size_t>(matrix.size())), "}");
  }
  return "";
}

}  // namespace

std::string JsonString(absl::string_view text) {
  return Dump(std::string(text));
}

ValueJson::ValueJson(const RecordingReader* recording)
    : messages_(std::make_unique<MessageJson>(&recording->header())) {}
ValueJson::~ValueJson() = default;

absl::StatusOr<std::string> ValueJson::Of(const std::string& type,
                                          const std::string& data) {
  absl::string_view name = absl::StripPrefix(type, "::");
  const bool is_vector = absl::ConsumePrefix(&name, "std::vector<") &&
                         absl::ConsumeSuffix(&name, ">");
  const std::string message =
      absl::StrReplaceAll(absl::StripPrefix(name, "::"), {{"::", "."}});
  absl::StatusOr<std::string> of_message =
      is_vector ? messages_->ArrayOf(message, data)
                : messages_->Of(message, data);
  if (!absl::IsUnimplemented(of_message.status())) return of_message;
  const absl::StatusOr<Packet> packet = DecodeRecorded(type, data);
  if (absl::IsDataLoss(packet.status())) return packet.status();
  const std::string json = packet.ok() ? PlainJson(*packet) : "";
  if (!json.empty()) return json;
  return Dump({{"type", type}, {"base64", absl::Base64Escape(data)}});
}

}  // namespace syncline
