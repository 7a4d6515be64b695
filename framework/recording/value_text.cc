#include "framework/recording/value_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/formats/image.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/matrix.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace syncline {
namespace {

constexpr std::size_t kMaxText = 300;
constexpr std::size_t kMaxValues = 8;

std::string Shortened(std::string text) {
  if (text.size() <= kMaxText) return text;
  return absl::StrCat(text.substr(0, kMaxText), "... (", text.size(),
                      " characters)");
}

// FNV-1a: enough to see that two values differ.
std::string Checksum(absl::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<std::uint8_t>(byte)) * 1099511628211u;
  }
  return absl::StrFormat("%016x", hash);
}

template <typename T>
bool AppendNumber(const Packet& packet, std::string* text) {
  if (!packet.ValidateAsType<T>().ok()) return false;
  absl::StrAppend(text, packet.Get<T>());
  return true;
}

// `Values`: a vector or an array.
template <typename Values>
bool AppendValues(const Packet& packet, std::string* text) {
  if (!packet.ValidateAsType<Values>().ok()) return false;
  const auto& values = packet.Get<Values>();
  const std::size_t shown = std::min(values.size(), kMaxValues);
  absl::StrAppend(
      text, "[", absl::StrJoin(values.begin(), values.begin() + shown, ", "),
      shown < values.size() ? absl::StrCat(", ... (", values.size(), " values)")
                            : std::string(),
      "]");
  return true;
}

// Each of these functions gives the text of a value of some types, and nothing
// for a value of another type.

std::string NumbersText(const Packet& packet) {
  std::string text;
  if (AppendNumber<int>(packet, &text) ||
      AppendNumber<unsigned int>(packet, &text) ||
      AppendNumber<std::int64_t>(packet, &text) ||
      AppendNumber<std::uint64_t>(packet, &text) ||
      AppendNumber<float>(packet, &text) ||
      AppendNumber<double>(packet, &text) ||
      AppendValues<std::vector<int>>(packet, &text) ||
      AppendValues<std::vector<std::int64_t>>(packet, &text) ||
      AppendValues<std::vector<std::uint64_t>>(packet, &text) ||
      AppendValues<std::vector<float>>(packet, &text) ||
      AppendValues<std::vector<double>>(packet, &text) ||
      AppendValues<std::array<float, 4>>(packet, &text) ||
      AppendValues<std::array<float, 16>>(packet, &text)) {
    return text;
  }
  if (packet.ValidateAsType<std::pair<int, int>>().ok()) {
    const auto& [first, second] = packet.Get<std::pair<int, int>>();
    return absl::StrCat("(", first, ", ", second, ")");
  }
  return "";
}

std::string PlainText(const Packet& packet) {
  if (packet.ValidateAsType<bool>().ok()) {
    return packet.Get<bool>() ? "true" : "false";
  }
  if (packet.ValidateAsType<Timestamp>().ok()) {
    return packet.Get<Timestamp>().DebugString();
  }
  if (packet.ValidateAsType<absl::Time>().ok()) {
    return absl::FormatTime(packet.Get<absl::Time>(), absl::UTCTimeZone());
  }
  if (packet.ValidateAsType<absl::Duration>().ok()) {
    return absl::FormatDuration(packet.Get<absl::Duration>());
  }
  if (packet.ValidateAsType<std::string>().ok()) {
    return absl::StrCat(
        "\"", Shortened(absl::Utf8SafeCEscape(packet.Get<std::string>())),
        "\"");
  }
  return "";
}

std::string ImageOf(int width, int height, ImageFormat::Format format,
                    const Packet& packet) {
  return absl::StrCat("an image of ", width, " x ", height, ", ",
                      ImageFormat::Format_Name(format), ", checksum ",
                      Checksum(BytesOfPacket(packet).value_or("")));
}

// Texts of images and matrices.
std::string ImageText(const Packet& packet) {
  if (packet.ValidateAsType<ImageFrame>().ok()) {
    const auto& frame = packet.Get<ImageFrame>();
    return ImageOf(frame.Width(), frame.Height(), frame.Format(), packet);
  }
  if (packet.ValidateAsType<Image>().ok()) {
    const auto& image = packet.Get<Image>();
    if (image == nullptr) return "no image";
    return ImageOf(image.width(), image.height(), image.image_format(), packet);
  }
  if (packet.ValidateAsType<Matrix>().ok()) {
    const auto& matrix = packet.Get<Matrix>();
    return absl::StrCat("a matrix of ", matrix.rows(), " x ", matrix.cols(),
                        ", checksum ",
                        Checksum(BytesOfPacket(packet).value_or("")));
  }
  return "";
}

std::string MessageText(const google::protobuf::MessageLite& lite) {
  const auto* message = dynamic_cast<const google::protobuf::Message*>(&lite);
  if (message == nullptr) return absl::StrCat("a ", lite.GetTypeName());
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  printer.PrintToString(*message, &text);
  return absl::StrCat("{ ", text, "}");
}

std::string MessagesText(const Packet& packet) {
  if (packet.ValidateAsProtoMessageLite().ok()) {
    return Shortened(MessageText(packet.GetProtoMessageLite()));
  }
  const auto messages = packet.GetVectorOfProtoMessageLitePtrs();
  if (!messages.ok()) return "";
  const auto append = [](std::string* out, const auto* message) {
    absl::StrAppend(out, MessageText(*message));
  };
  return Shortened(
      absl::StrCat("[", absl::StrJoin(*messages, ", ", append), "]"));
}

}  // namespace

std::string BytesText(absl::string_view bytes) {
  return absl::StrCat(bytes.size(), " bytes, checksum ", Checksum(bytes));
}

std::string ValueText(const Packet& packet) {
  if (packet.IsEmpty()) return "nothing";
  for (const auto text_of : {NumbersText, PlainText, ImageText, MessagesText}) {
    std::string text = text_of(packet);
    if (!text.empty()) return text;
  }
  const absl::StatusOr<std::string> bytes = BytesOfPacket(packet);
  return absl::StrCat(
      "a ", packet.DebugTypeName(),
      bytes.ok() ? absl::StrCat(" of ", BytesText(*bytes)) : std::string());
}

std::string ValueText(const std::string& type, const std::string& bytes) {
  const absl::StatusOr<Packet> packet = PacketFromBytes(type, bytes);
  return packet.ok() ? ValueText(*packet) : BytesText(bytes);
}

}  // namespace syncline
