#include "tools/packet_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/status_macros.h"
#include "framework/base/type_id.h"
#include "framework/graph_text/proto_text.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_proto.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace syncline {
namespace {

// --- One type each: its value from text, and the text of its value.

template <typename T>
bool ParseNumber(absl::string_view text, T* value) {
  return absl::SimpleAtoi(text, value);
}
bool ParseNumber(absl::string_view text, bool* value) {
  return absl::SimpleAtob(text, value);
}
bool ParseNumber(absl::string_view text, float* value) {
  return absl::SimpleAtof(text, value);
}
bool ParseNumber(absl::string_view text, double* value) {
  return absl::SimpleAtod(text, value);
}

std::string NumberText(bool value) { return value ? "true" : "false"; }
// Floating point numbers with as many digits as it takes to read the same
// number again.
template <typename T>
std::string NumberText(T value) {
  std::array<char, 64> text;
  const std::to_chars_result end =
      std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

template <typename T>
absl::StatusOr<Packet> NumberFromText(absl::string_view text) {
  T value;
  if (!ParseNumber(text, &value)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", absl::Utf8SafeCEscape(text), "\" is no ", TypeIdOf<T>().name()));
  }
  return MakePacket<T>(value);
}

template <typename T>
std::string TextOfNumber(const Packet& packet) {
  return NumberText(packet.Get<T>());
}

absl::StatusOr<Packet> StringFromText(absl::string_view text) {
  std::string value;
  std::string error;
  if (!absl::CUnescape(text, &value, &error)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the string does not read (", error, "): write a backslash as \\\\"));
  }
  return MakePacket<std::string>(std::move(value));
}

std::string TextOfString(const Packet& packet) {
  // Quotes need no escapes here.
  std::string text;
  absl::string_view left = packet.Get<std::string>();
  while (!left.empty()) {
    const std::size_t plain = std::min(left.find_first_of("\"'"), left.size());
    absl::StrAppend(&text, absl::Utf8SafeCEscape(left.substr(0, plain)),
                    left.substr(plain, 1));
    left.remove_prefix(std::min(plain + 1, left.size()));
  }
  return text;
}

struct TextType {
  TypeId type;
  absl::StatusOr<Packet> (*parse)(absl::string_view);
  std::string (*text)(const Packet&);
};

template <typename T>
TextType Number() {
  return {TypeIdOf<T>(), NumberFromText<T>, TextOfNumber<T>};
}

const TextType* FindTextType(TypeId type) {
  static const TextType kTypes[] = {
      Number<bool>(),
      Number<int>(),
      Number<unsigned int>(),
      Number<std::int64_t>(),
      Number<std::uint64_t>(),
      Number<float>(),
      Number<double>(),
      {TypeIdOf<std::string>(), StringFromText, TextOfString},
  };
  for (const TextType& candidate : kTypes) {
    if (candidate.type == type) return &candidate;
  }
  return nullptr;
}

// --- Protobuf messages

// As Protobuf has it.
std::string MessageName(absl::string_view type) {
  return absl::StrReplaceAll(type, {{"::", "."}});
}

// The message that the C++ type is, or null.
const google::protobuf::Descriptor* FindMessage(TypeId type) {
  const std::string name = MessageName(type.name());
  // Packets can carry those only that the program was built to carry.
  if (absl::IsNotFound(
          packet_internal::PacketFromDynamicProto(name, "").status())) {
    return nullptr;
  }
  return google::protobuf::DescriptorPool::generated_pool()
      ->FindMessageTypeByName(name);
}

absl::StatusOr<Packet> MessageFromText(
    const google::protobuf::Descriptor& descriptor, absl::string_view text) {
  const std::unique_ptr<google::protobuf::Message> message(
      google::protobuf::MessageFactory::generated_factory()
          ->GetPrototype(&descriptor)
          ->New());
  SYNCLINE_RETURN_IF_ERROR(ParseProtoText(text, "", message.get()));
  return packet_internal::PacketFromDynamicProto(descriptor.full_name(),
                                                 message->SerializeAsString());
}

absl::StatusOr<std::string> TextOfMessage(const Packet& packet) {
  const auto* message = dynamic_cast<const google::protobuf::Message*>(
      &packet.GetProtoMessageLite());
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  if (message == nullptr || !printer.PrintToString(*message, &text)) {
    return absl::UnimplementedError(absl::StrCat(
        "messages of type ", packet.DebugTypeName(), " have no text"));
  }
  return std::string(absl::StripTrailingAsciiWhitespace(text));
}

absl::Status HasNoText(absl::string_view type) {
  // The functions of a payload are there for types only that something makes.
  if (google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(
          MessageName(type)) != nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        "values of type ", type,
        " cannot be read from text here, as no code of this program makes "
        "packets of that message; link some that does "
        "(MakePacket<",
        type,
        ">()), or feed the graph from a program "
        "(framework/calculator_graph.h)"));
  }
  return absl::UnimplementedError(absl::StrCat(
      "values of type ", type,
      " cannot be written as text, only numbers, strings and Protobuf messages "
      "can; a program can feed and observe them "
      "(framework/calculator_graph.h)"));
}

// --- Timestamps

struct NamedTimestamp {
  absl::string_view name;
  Timestamp timestamp;
};
constexpr NamedTimestamp kNamedTimestamps[] = {
    {"PreStream", Timestamp::PreStream()},
    {"Min", Timestamp::Min()},
    {"Max", Timestamp::Max()},
    {"PostStream", Timestamp::PostStream()},
};

}  // namespace

absl::StatusOr<Timestamp> ParseTimestamp(absl::string_view text) {
  for (const NamedTimestamp& named : kNamedTimestamps) {
    if (text == named.name) return named.timestamp;
  }
  std::int64_t value;
  if (absl::SimpleAtoi(text, &value)) {
    const Timestamp timestamp = Timestamp::CreateNoErrorChecking(value);
    if (timestamp.IsAllowedInStream()) return timestamp;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", absl::Utf8SafeCEscape(text),
      "\" is no timestamp: one is a number, PreStream, Min, Max or "
      "PostStream"));
}

absl::StatusOr<TimestampRange> ParseTimestampRange(const std::string& from,
                                                   const std::string& to) {
  const auto parse = [](absl::string_view flag, const std::string& text,
                        Timestamp* timestamp) -> absl::Status {
    if (text.empty()) return absl::OkStatus();
    const absl::StatusOr<Timestamp> parsed = ParseTimestamp(text);
    if (!parsed.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, ": ", parsed.status().message()));
    }
    *timestamp = *parsed;
    return absl::OkStatus();
  };
  TimestampRange range;
  SYNCLINE_RETURN_IF_ERROR(parse("--from", from, &range.from));
  SYNCLINE_RETURN_IF_ERROR(parse("--to", to, &range.to));
  if (range.to != Timestamp::Unset() && range.from > range.to) {
    return absl::InvalidArgumentError(
        absl::StrCat("--from=", from, " lies behind --to=", to,
                     ": there is no packet between them"));
  }
  return range;
}

std::string TimestampText(Timestamp timestamp) {
  for (const NamedTimestamp& named : kNamedTimestamps) {
    if (timestamp == named.timestamp) return std::string(named.name);
  }
  return absl::StrCat(timestamp.Value());
}

absl::StatusOr<Packet> ParseValue(const PacketType& type,
                                  absl::string_view text) {
  if (type.Types().empty()) return StringFromText(text);
  for (const TypeId candidate : type.Types()) {
    if (const TextType* known = FindTextType(candidate)) {
      return known->parse(text);
    }
    if (const auto* descriptor = FindMessage(candidate)) {
      return MessageFromText(*descriptor, text);
    }
  }
  return HasNoText(type.DebugTypeName());
}

absl::Status CheckIsText(const PacketType& type) {
  if (type.Types().empty()) return absl::OkStatus();
  for (const TypeId candidate : type.Types()) {
    if (FindTextType(candidate) != nullptr) return absl::OkStatus();
    if (FindMessage(candidate) != nullptr) return absl::OkStatus();
  }
  return HasNoText(type.DebugTypeName());
}

bool IsBlankLine(absl::string_view line) {
  const absl::string_view text = absl::StripLeadingAsciiWhitespace(line);
  return text.empty() || text[0] == '#';
}

absl::StatusOr<Packet> ParsePacketLine(const PacketType& type,
                                       absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  absl::ConsumeSuffix(&line, "\r");
  const std::size_t space = line.find_first_of(" \t");
  const absl::StatusOr<Timestamp> timestamp =
      ParseTimestamp(line.substr(0, space));
  if (!timestamp.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        timestamp.status().message(), ", and a line is TIMESTAMP VALUE"));
  }
  if (space == absl::string_view::npos) {
    return absl::InvalidArgumentError(
        "there is no value: a line is TIMESTAMP VALUE, with one space or tab "
        "between them also before an empty string");
  }
  SYNCLINE_ASSIGN_OR_RETURN(const Packet value,
                            ParseValue(type, line.substr(space + 1)));
  return value.At(*timestamp);
}

absl::StatusOr<std::string> PacketLine(const Packet& packet) {
  std::string text;
  if (packet.IsEmpty()) return HasNoText("{empty}");
  if (const TextType* known = FindTextType(packet.GetTypeId())) {
    text = known->text(packet);
  } else if (packet.ValidateAsProtoMessageLite().ok()) {
    SYNCLINE_ASSIGN_OR_RETURN(text, TextOfMessage(packet));
  } else {
    return HasNoText(packet.DebugTypeName());
  }
  return absl::StrCat(TimestampText(packet.Timestamp()), " ", text, "\n");
}

}  // namespace syncline
