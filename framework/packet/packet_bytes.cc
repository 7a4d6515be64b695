#include "framework/packet/packet_bytes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/status_macros.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_proto.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/type_map.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message_lite.h"

namespace syncline {
namespace {

using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

static_assert(std::endian::native == std::endian::little);

// Bytes of the longest varint.
constexpr std::size_t kMaxVarint = 10;

// --- One type each

template <typename T>
struct Bytes {
  static absl::StatusOr<Packet> Read(absl::string_view bytes) {
    if (bytes.size() != sizeof(T)) {
      return absl::InvalidArgumentError(
          absl::StrCat("a value of type \"", SynclineTypeStringOrDemangled<T>(),
                       "\" has ", sizeof(T), " bytes, not ", bytes.size()));
    }
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return MakePacket<T>(value);
  }
  static std::string Write(const Packet& packet) {
    return {reinterpret_cast<const char*>(&packet.Get<T>()), sizeof(T)};
  }
};

template <>
struct Bytes<bool> {
  static absl::StatusOr<Packet> Read(absl::string_view bytes) {
    if (bytes.size() != 1 || (bytes[0] != 0 && bytes[0] != 1)) {
      return absl::InvalidArgumentError(
          "a value of type \"bool\" is one byte, 0 or 1");
    }
    return MakePacket<bool>(bytes[0] == 1);
  }
  static std::string Write(const Packet& packet) {
    return std::string(1, packet.Get<bool>() ? 1 : 0);
  }
};

template <>
struct Bytes<std::string> {
  static absl::StatusOr<Packet> Read(absl::string_view bytes) {
    return MakePacket<std::string>(bytes);
  }
  static std::string Write(const Packet& packet) {
    return packet.Get<std::string>();
  }
};

template <typename T>
struct Bytes<std::vector<T>> {
  static absl::StatusOr<Packet> Read(absl::string_view bytes) {
    if (bytes.size() % sizeof(T) != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the bytes of a \"", SynclineTypeStringOrDemangled<std::vector<T>>(),
          "\" are a multiple of ", sizeof(T), ", not ", bytes.size()));
    }
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return MakePacket<std::vector<T>>(std::move(values));
  }
  static std::string Write(const Packet& packet) {
    const auto& values = packet.Get<std::vector<T>>();
    return {reinterpret_cast<const char*>(values.data()),
            values.size() * sizeof(T)};
  }
};

template <>
struct Bytes<std::vector<bool>> {
  static absl::StatusOr<Packet> Read(absl::string_view bytes) {
    std::vector<bool> values;
    values.reserve(bytes.size());
    for (const char byte : bytes) {
      if (byte != 0 && byte != 1) {
        return absl::InvalidArgumentError(
            "a \"::std::vector<bool>\" has a byte for each value, 0 or 1");
      }
      values.push_back(byte == 1);
    }
    return MakePacket<std::vector<bool>>(std::move(values));
  }
  static std::string Write(const Packet& packet) {
    const auto& values = packet.Get<std::vector<bool>>();
    return {values.begin(), values.end()};
  }
};

template <>
struct Bytes<std::vector<std::string>> {
  static absl::StatusOr<Packet> Read(absl::string_view bytes) {
    std::vector<std::string> values;
    while (!bytes.empty()) {
      CodedInputStream coded(
          reinterpret_cast<const std::uint8_t*>(bytes.data()),
          static_cast<int>(std::min<std::size_t>(bytes.size(), kMaxVarint)));
      std::uint64_t size = 0;
      const bool has_size = coded.ReadVarint64(&size);
      bytes.remove_prefix(static_cast<std::size_t>(coded.CurrentPosition()));
      if (!has_size || size > bytes.size()) {
        return absl::InvalidArgumentError(
            "a \"::std::vector<::std::string>\" has the length of each string "
            "in front of it");
      }
      values.emplace_back(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
    return MakePacket<std::vector<std::string>>(std::move(values));
  }
  static std::string Write(const Packet& packet) {
    std::string bytes;
    for (const std::string& value : packet.Get<std::vector<std::string>>()) {
      std::uint8_t size[kMaxVarint];
      const std::uint8_t* const end =
          CodedOutputStream::WriteVarint64ToArray(value.size(), size);
      bytes.append(reinterpret_cast<const char*>(size), end - size);
      bytes.append(value);
    }
    return bytes;
  }
};

struct BytesType {
  TypeId type;
  absl::StatusOr<Packet> (*read)(absl::string_view);
  std::string (*write)(const Packet&);
};

template <typename T>
constexpr BytesType TypeOf() {
  return {TypeIdOf<T>(), Bytes<T>::Read, Bytes<T>::Write};
}

const BytesType* FindBytesType(TypeId type) {
  static constexpr BytesType kTypes[] = {
      TypeOf<bool>(),
      TypeOf<char>(),
      TypeOf<int>(),
      TypeOf<unsigned int>(),
      TypeOf<std::int64_t>(),
      TypeOf<std::uint64_t>(),
      TypeOf<float>(),
      TypeOf<double>(),
      TypeOf<std::string>(),
      TypeOf<std::vector<bool>>(),
      TypeOf<std::vector<std::string>>(),
      TypeOf<std::vector<char>>(),
      TypeOf<std::vector<int>>(),
      TypeOf<std::vector<std::int64_t>>(),
      TypeOf<std::vector<float>>(),
      TypeOf<std::vector<double>>(),
  };
  for (const BytesType& known : kTypes) {
    if (known.type == type) return &known;
  }
  return nullptr;
}

// As SYNCLINE_REGISTER_TYPE may have it: with "::" in front, or without.
const SynclineTypeData* FindRegistered(absl::string_view type) {
  const absl::string_view plain = absl::StripPrefix(type, "::");
  for (const std::string& name :
       {std::string(type), std::string(plain), absl::StrCat("::", plain)}) {
    if (const auto* data = PacketTypeStringToSynclineTypeData::GetValue(name)) {
      return data;
    }
  }
  return nullptr;
}

// "::a::b::Message" -> "a.b.Message".
std::string MessageName(absl::string_view type) {
  return absl::StrReplaceAll(absl::StripPrefix(type, "::"), {{"::", "."}});
}

absl::Status HasNoBytes(absl::string_view type) {
  return absl::UnimplementedError(absl::StrCat(
      "values of type \"", type,
      "\" have no bytes: numbers, strings, vectors of numbers and messages do, "
      "and types that SYNCLINE_REGISTER_TYPE names with functions for it. Let "
      "a calculator of the graph turn it into one of those"));
}

// Whether packets of this program carry the message. A message inside of
// another one, a.Outer.Inner, is a::Outer_Inner in C++.
bool IsMessage(std::string name) {
  while (true) {
    // Bytes of no length are a message of any type, but for required fields.
    const absl::StatusOr<Packet> message =
        packet_internal::PacketFromDynamicProto(name, "");
    if (!absl::IsNotFound(message.status())) return true;
    const std::size_t inner = name.rfind('_');
    if (inner == name.npos) return false;
    name[inner] = '.';
  }
}

absl::StatusOr<std::string> BytesOfMessage(
    const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream sink(&bytes);
    CodedOutputStream coded(&sink);
    coded.SetSerializationDeterministic(true);
    if (!message.SerializePartialToCodedStream(&coded)) {
      return absl::InternalError(
          absl::StrCat("the message of type \"", message.GetTypeName(),
                       "\" is too large to be serialized"));
    }
  }
  return bytes;
}

absl::StatusOr<Packet> ReadRegistered(const SynclineTypeData& data,
                                      absl::string_view bytes) {
  if (const BytesType* known = FindBytesType(data.type_id)) {
    return known->read(bytes);
  }
  if (data.deserialize_fn != nullptr) {
    Packet packet;
    SYNCLINE_RETURN_IF_ERROR(data.deserialize_fn(std::string(bytes), &packet));
    return packet;
  }
  return HasNoBytes(data.type_string);
}

}  // namespace

absl::StatusOr<Packet> PacketFromBytes(absl::string_view type,
                                       absl::string_view bytes) {
  const SynclineTypeData* const data = FindRegistered(type);
  if (data != nullptr) {
    absl::StatusOr<Packet> packet = ReadRegistered(*data, bytes);
    // A message may have a name there, too.
    if (!absl::IsUnimplemented(packet.status())) return packet;
  }
  absl::StatusOr<Packet> message =
      packet_internal::PacketFromDynamicProto(MessageName(type), bytes);
  if (!absl::IsNotFound(message.status())) return message;
  if (data != nullptr) return HasNoBytes(type);
  return absl::NotFoundError(absl::StrCat("there is no type \"", type, "\". ",
                                          message.status().message()));
}

absl::StatusOr<Packet> PacketFromBytes(const PacketType& type,
                                       absl::string_view bytes) {
  for (const TypeId candidate : type.Types()) {
    absl::StatusOr<Packet> packet =
        PacketFromBytes(SynclineTypeStringOrDemangled(candidate), bytes);
    if (!absl::IsUnimplemented(packet.status()) &&
        !absl::IsNotFound(packet.status())) {
      return packet;
    }
  }
  if (type.Types().empty()) {
    return absl::InvalidArgumentError(
        "the graph takes values of any type here: name one");
  }
  return HasNoBytes(type.DebugTypeName());
}

std::string TypeNameOfPacket(const Packet& packet) {
  if (packet.IsEmpty()) return "";
  if (packet.RegisteredTypeName().empty() &&
      packet.ValidateAsProtoMessageLite().ok()) {
    return packet.GetProtoMessageLite().GetTypeName();
  }
  return packet.DebugTypeName();
}

absl::Status CheckHasBytes(TypeId type) {
  if (FindBytesType(type) != nullptr) return absl::OkStatus();
  const SynclineTypeData* const data =
      PacketTypeIdToSynclineTypeData::GetValue(type);
  if (data != nullptr && data->serialize_fn != nullptr) return absl::OkStatus();
  if (IsMessage(MessageName(type.name()))) return absl::OkStatus();
  return HasNoBytes(SynclineTypeStringOrDemangled(type));
}

absl::StatusOr<std::string> BytesOfPacket(const Packet& packet) {
  if (packet.IsEmpty()) return std::string();
  const TypeId type = packet.GetTypeId();
  if (const BytesType* known = FindBytesType(type)) return known->write(packet);
  const SynclineTypeData* const data =
      PacketTypeIdToSynclineTypeData::GetValue(type);
  if (data != nullptr && data->serialize_fn != nullptr) {
    std::string bytes;
    SYNCLINE_RETURN_IF_ERROR(data->serialize_fn(packet, &bytes));
    return bytes;
  }
  if (packet.ValidateAsProtoMessageLite().ok()) {
    return BytesOfMessage(packet.GetProtoMessageLite());
  }
  return HasNoBytes(packet.DebugTypeName());
}

}  // namespace syncline
