// Registers the names of the types that packets carry most. For numbers,
// strings, times and standard containers of these it also registers how they
// become bytes. packet_bytes.h says what the bytes are. Linked into every
// program that has packets.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"

namespace syncline {
namespace {

using packet_internal::AppendNumber;
using packet_internal::AppendPiece;
using packet_internal::TakeNumber;
using packet_internal::TakePiece;

using PacketPair = std::pair<Packet, Packet>;
using PacketMap = std::map<std::string, Packet>;
using StringMap = std::map<std::string, std::string>;
using IntPair = std::pair<int, int>;
using Float4Array = std::array<float, 4>;
using Float16Array = std::array<float, 16>;

static_assert(std::endian::native == std::endian::little);

// The bytes of a value are those that it has in memory.
template <typename T>
constexpr bool kIsAsInMemory =
    std::is_arithmetic_v<T> || std::is_same_v<T, Timestamp> ||
    std::is_same_v<T, Float4Array> || std::is_same_v<T, Float16Array>;

// All values have equally many bytes, sizeof(T).
template <typename T>
constexpr bool kHasOneSize = kIsAsInMemory<T> || std::is_same_v<T, IntPair>;

template <typename T>
absl::Status NotOf(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("these are not the bytes of a value of type \"",
                   SynclineTypeStringOrDemangled<T>(), "\": ", why));
}

}  // namespace

template <typename T>
requires kIsAsInMemory<T>
struct ValueBytes<T> {
  static absl::StatusOr<T> Read(absl::string_view bytes) {
    if (bytes.size() != sizeof(T)) {
      return NotOf<T>(
          absl::StrCat("it has ", sizeof(T), " bytes, not ", bytes.size()));
    }
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  static void Append(const T& value, std::string* bytes) {
    bytes->append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
};

template <>
struct ValueBytes<bool> {
  static absl::StatusOr<bool> Read(absl::string_view bytes) {
    if (bytes.size() == 1 && (bytes[0] == 0 || bytes[0] == 1)) {
      return bytes[0] == 1;
    }
    return NotOf<bool>("it is one byte, 0 or 1");
  }
  static void Append(bool value, std::string* bytes) {
    bytes->push_back(static_cast<char>(value));
  }
};

template <>
struct ValueBytes<std::string> {
  static absl::StatusOr<std::string> Read(absl::string_view bytes) {
    return std::string(bytes);
  }
  static void Append(const std::string& value, std::string* bytes) {
    bytes->append(value);
  }
};

// One after the other.
template <>
struct ValueBytes<IntPair> {
  static absl::StatusOr<IntPair> Read(absl::string_view bytes) {
    IntPair pair;
    if (TakeNumber(&bytes, &pair.first) && TakeNumber(&bytes, &pair.second) &&
        bytes.empty()) {
      return pair;
    }
    return NotOf<IntPair>("it has 8 bytes");
  }
  static void Append(const IntPair& pair, std::string* bytes) {
    AppendNumber(pair.first, bytes);
    AppendNumber(pair.second, bytes);
  }
};

// Whole seconds and the rest in quarters of a nanosecond, which is the
// precision of absl::Duration; eight bytes each. An infinite duration has the
// extreme value in both.
template <>
struct ValueBytes<absl::Duration> {
  static absl::StatusOr<absl::Duration> Read(absl::string_view given) {
    absl::string_view bytes = given;
    std::int64_t seconds = 0;
    std::int64_t quarters = 0;
    if (TakeNumber(&bytes, &seconds) && TakeNumber(&bytes, &quarters)) {
      const absl::Duration value =
          absl::Seconds(seconds) + quarters * (absl::Nanoseconds(1) / 4);
      std::string form;
      Append(value, &form);
      // One value has one form.
      if (form == given) return value;
    }
    return NotOf<absl::Duration>("no seconds and quarters of nanoseconds");
  }
  static void Append(absl::Duration value, std::string* bytes) {
    absl::Duration rest;
    AppendNumber<std::int64_t>(
        absl::IDivDuration(value, absl::Seconds(1), &rest), bytes);
    AppendNumber<std::int64_t>(
        absl::IDivDuration(rest, absl::Nanoseconds(1) / 4, &rest), bytes);
  }
};

// Since the beginning of 1970.
template <>
struct ValueBytes<absl::Time> {
  static absl::StatusOr<absl::Time> Read(absl::string_view bytes) {
    SYNCLINE_ASSIGN_OR_RETURN(const absl::Duration since,
                              ValueBytes<absl::Duration>::Read(bytes));
    return absl::UnixEpoch() + since;
  }
  static void Append(absl::Time value, std::string* bytes) {
    ValueBytes<absl::Duration>::Append(value - absl::UnixEpoch(), bytes);
  }
};

// Values of one size need no length in front.
template <typename T>
requires kHasOneSize<T>
struct ValueBytes<std::vector<T>> {
  static absl::StatusOr<std::vector<T>> Read(absl::string_view bytes) {
    if (bytes.size() % sizeof(T) != 0) {
      return NotOf<std::vector<T>>(absl::StrCat(
          "they are a multiple of ", sizeof(T), ", not ", bytes.size()));
    }
    std::vector<T> values(bytes.size() / sizeof(T));
    if constexpr (kIsAsInMemory<T>) {
      if (!bytes.empty()) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
      }
    } else {
      for (T& value : values) {
        SYNCLINE_ASSIGN_OR_RETURN(
            value, ValueBytes<T>::Read(bytes.substr(0, sizeof(T))));
        bytes.remove_prefix(sizeof(T));
      }
    }
    return values;
  }
  static void Append(const std::vector<T>& values, std::string* bytes) {
    if constexpr (kIsAsInMemory<T>) {
      bytes->append(reinterpret_cast<const char*>(values.data()),
                    values.size() * sizeof(T));
    } else {
      for (const T& value : values) ValueBytes<T>::Append(value, bytes);
    }
  }
};

template <>
struct ValueBytes<std::vector<bool>> {
  static absl::StatusOr<std::vector<bool>> Read(absl::string_view bytes) {
    std::vector<bool> values;
    values.reserve(bytes.size());
    for (const char byte : bytes) {
      if (byte != 0 && byte != 1) {
        return NotOf<std::vector<bool>>("each is 0 or 1");
      }
      values.push_back(byte == 1);
    }
    return values;
  }
  static void Append(const std::vector<bool>& values, std::string* bytes) {
    bytes->append(values.begin(), values.end());
  }
};

// Key and value in turn, by keys.
template <>
struct ValueBytes<StringMap> {
  static absl::StatusOr<StringMap> Read(absl::string_view bytes) {
    StringMap map;
    while (!bytes.empty()) {
      SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view key, TakePiece(&bytes));
      SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view value,
                                TakePiece(&bytes));
      if (!map.empty() && map.rbegin()->first >= key) {
        return NotOf<StringMap>("keys are there once, and in order");
      }
      map.emplace_hint(map.end(), key, value);
    }
    return map;
  }
  static void Append(const StringMap& map, std::string* bytes) {
    for (const auto& [key, value] : map) {
      AppendPiece(key, bytes);
      AppendPiece(value, bytes);
    }
  }
};

namespace {

#define SYNCLINE_NAME_TYPE(type, name)                        \
  SYNCLINE_REGISTER_TYPE(type, name, (WriteValueBytes<type>), \
                         (ReadValueBytes<type>))

SYNCLINE_NAME_TYPE(bool, "bool");
SYNCLINE_NAME_TYPE(char, "char");
SYNCLINE_NAME_TYPE(double, "double");
SYNCLINE_NAME_TYPE(float, "float");
SYNCLINE_NAME_TYPE(int, "int");
SYNCLINE_NAME_TYPE(std::int64_t, "int64_t");
SYNCLINE_NAME_TYPE(std::string, "string");
SYNCLINE_NAME_TYPE(std::uint64_t, "uint64_t");
SYNCLINE_NAME_TYPE(unsigned int, "unsigned int");

SYNCLINE_NAME_TYPE(std::vector<bool>, "::std::vector<bool>");
SYNCLINE_NAME_TYPE(std::vector<char>, "::std::vector<char>");
SYNCLINE_NAME_TYPE(std::vector<double>, "::std::vector<double>");
SYNCLINE_NAME_TYPE(std::vector<float>, "::std::vector<float>");
SYNCLINE_NAME_TYPE(std::vector<int>, "::std::vector<int>");
SYNCLINE_NAME_TYPE(std::vector<std::int64_t>, "::std::vector<int64_t>");
SYNCLINE_NAME_TYPE(std::vector<std::string>, "::std::vector<::std::string>");
SYNCLINE_NAME_TYPE(std::vector<std::vector<float>>,
                   "::std::vector<::std::vector<float>>");
SYNCLINE_NAME_TYPE(std::vector<std::uint64_t>, "::std::vector<uint64_t>");
SYNCLINE_NAME_TYPE(IntPair, "::std::pair<int, int>");
SYNCLINE_NAME_TYPE(std::vector<IntPair>,
                   "::std::vector<::std::pair<int, int>>");
SYNCLINE_NAME_TYPE(Float4Array, "::std::array<float, 4>");
SYNCLINE_NAME_TYPE(Float16Array, "::std::array<float, 16>");
SYNCLINE_NAME_TYPE(std::vector<Float16Array>,
                   "::std::vector<::std::array<float, 16>>");
SYNCLINE_NAME_TYPE(StringMap, "::std::map<::std::string, ::std::string>");

SYNCLINE_NAME_TYPE(absl::Time, "::absl::Time");
SYNCLINE_NAME_TYPE(absl::Duration, "::absl::Duration");

SYNCLINE_NAME_TYPE(Timestamp, "::syncline::Timestamp");
SYNCLINE_NAME_TYPE(std::vector<Timestamp>,
                   "::std::vector<::syncline::Timestamp>");

#undef SYNCLINE_NAME_TYPE

// Packets have no bytes.
SYNCLINE_REGISTER_TYPE(Packet, "::syncline::Packet", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<Packet>, "::std::vector<::syncline::Packet>",
                       nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(PacketPair,
                       "::std::pair<::syncline::Packet, ::syncline::Packet>",
                       nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(PacketMap,
                       "::std::map<::std::string, ::syncline::Packet>", nullptr,
                       nullptr);

}  // namespace
}  // namespace syncline
