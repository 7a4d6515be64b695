#include "framework/packet/basic_bytes.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/packet/timestamp.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"

namespace syncline {
namespace packet_internal {
namespace {

static_assert(std::endian::native == std::endian::little);

template <typename T>
absl::Status NotOf(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("these are not the bytes of a value of type \"",
                   SynclineTypeStringOrDemangled<T>(), "\": ", why));
}

// As it is in memory.
template <typename T>
struct Bytes {
  static_assert(std::is_trivially_copyable_v<T>);

  static absl::StatusOr<T> Read(absl::string_view bytes) {
    if (bytes.size() != sizeof(T)) {
      return NotOf<T>(
          absl::StrCat("it has ", sizeof(T), " bytes, not ", bytes.size()));
    }
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  static std::string Write(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
  }
};

template <>
struct Bytes<bool> {
  static absl::StatusOr<bool> Read(absl::string_view bytes) {
    if (bytes.size() == 1 && (bytes[0] == 0 || bytes[0] == 1)) {
      return bytes[0] == 1;
    }
    return NotOf<bool>("it is one byte, 0 or 1");
  }
  static std::string Write(bool value) {
    return std::string(1, static_cast<char>(value));
  }
};

template <>
struct Bytes<std::string> {
  static absl::StatusOr<std::string> Read(absl::string_view bytes) {
    return std::string(bytes);
  }
  static std::string Write(const std::string& value) { return value; }
};

// One after the other.
template <>
struct Bytes<std::pair<int, int>> {
  using Pair = std::pair<int, int>;
  static absl::StatusOr<Pair> Read(absl::string_view bytes) {
    Pair pair;
    if (TakeNumber(&bytes, &pair.first) && TakeNumber(&bytes, &pair.second) &&
        bytes.empty()) {
      return pair;
    }
    return NotOf<Pair>("it has 8 bytes");
  }
  static std::string Write(const Pair& pair) {
    std::string bytes;
    AppendNumber(pair.first, &bytes);
    AppendNumber(pair.second, &bytes);
    return bytes;
  }
};

// Whole seconds, and what is left in quarters of a nanosecond, which is as fine
// as absl::Duration is; eight bytes each. Without end it is as many of both as
// there can be.
template <>
struct Bytes<absl::Duration> {
  static absl::StatusOr<absl::Duration> Read(absl::string_view given) {
    absl::string_view bytes = given;
    std::int64_t seconds = 0;
    std::int64_t quarters = 0;
    if (TakeNumber(&bytes, &seconds) && TakeNumber(&bytes, &quarters)) {
      const absl::Duration value =
          absl::Seconds(seconds) + quarters * (absl::Nanoseconds(1) / 4);
      // One value has one form.
      if (Write(value) == given) return value;
    }
    return NotOf<absl::Duration>("no seconds and quarters of nanoseconds");
  }
  static std::string Write(absl::Duration value) {
    absl::Duration rest;
    std::string bytes;
    AppendNumber<std::int64_t>(
        absl::IDivDuration(value, absl::Seconds(1), &rest), &bytes);
    AppendNumber<std::int64_t>(
        absl::IDivDuration(rest, absl::Nanoseconds(1) / 4, &rest), &bytes);
    return bytes;
  }
};

// Since the beginning of 1970.
template <>
struct Bytes<absl::Time> {
  static absl::StatusOr<absl::Time> Read(absl::string_view bytes) {
    SYNCLINE_ASSIGN_OR_RETURN(const absl::Duration since,
                              Bytes<absl::Duration>::Read(bytes));
    return absl::UnixEpoch() + since;
  }
  static std::string Write(absl::Time value) {
    return Bytes<absl::Duration>::Write(value - absl::UnixEpoch());
  }
};

// Values of one size, one after the other.
template <typename T>
struct Bytes<std::vector<T>> {
  static absl::StatusOr<std::vector<T>> Read(absl::string_view bytes) {
    if (bytes.size() % sizeof(T) != 0) {
      return NotOf<std::vector<T>>(absl::StrCat(
          "they are a multiple of ", sizeof(T), ", not ", bytes.size()));
    }
    std::vector<T> values(bytes.size() / sizeof(T));
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (!bytes.empty()) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
      }
    } else {
      for (T& value : values) {
        SYNCLINE_ASSIGN_OR_RETURN(value,
                                  Bytes<T>::Read(bytes.substr(0, sizeof(T))));
        bytes.remove_prefix(sizeof(T));
      }
    }
    return values;
  }
  static std::string Write(const std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      return {reinterpret_cast<const char*>(values.data()),
              values.size() * sizeof(T)};
    } else {
      std::string bytes;
      for (const T& value : values) bytes += Bytes<T>::Write(value);
      return bytes;
    }
  }
};

template <>
struct Bytes<std::vector<bool>> {
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
  static std::string Write(const std::vector<bool>& values) {
    return {values.begin(), values.end()};
  }
};

// Values of any size, each with its length in front.
template <typename T>
struct Pieces {
  static absl::StatusOr<std::vector<T>> Read(absl::string_view bytes) {
    std::vector<T> values;
    while (!bytes.empty()) {
      SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view piece,
                                TakePiece(&bytes));
      SYNCLINE_ASSIGN_OR_RETURN(values.emplace_back(), Bytes<T>::Read(piece));
    }
    return values;
  }
  static std::string Write(const std::vector<T>& values) {
    std::string bytes;
    for (const T& value : values) AppendPiece(Bytes<T>::Write(value), &bytes);
    return bytes;
  }
};

template <>
struct Bytes<std::vector<std::string>> : Pieces<std::string> {};
template <>
struct Bytes<std::vector<std::vector<float>>> : Pieces<std::vector<float>> {};

// Key and value in turn, by keys.
template <>
struct Bytes<std::map<std::string, std::string>> {
  using Map = std::map<std::string, std::string>;
  static absl::StatusOr<Map> Read(absl::string_view bytes) {
    Map map;
    while (!bytes.empty()) {
      SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view key, TakePiece(&bytes));
      SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view value,
                                TakePiece(&bytes));
      if (!map.empty() && map.rbegin()->first >= key) {
        return NotOf<Map>("keys are there once, and in order");
      }
      map.emplace_hint(map.end(), key, value);
    }
    return map;
  }
  static std::string Write(const Map& map) {
    std::string bytes;
    for (const auto& [key, value] : map) {
      AppendPiece(key, &bytes);
      AppendPiece(value, &bytes);
    }
    return bytes;
  }
};

template <typename T>
constexpr BasicBytes Of() {
  return {
      TypeIdOf<T>(),
      [](absl::string_view bytes) -> absl::StatusOr<Packet> {
        SYNCLINE_ASSIGN_OR_RETURN(T value, Bytes<T>::Read(bytes));
        return MakePacket<T>(std::move(value));
      },
      [](const Packet& packet) { return Bytes<T>::Write(packet.Get<T>()); }};
}

}  // namespace

const BasicBytes* FindBasicBytes(TypeId type) {
  static constexpr BasicBytes kTypes[] = {
      Of<bool>(),
      Of<char>(),
      Of<int>(),
      Of<unsigned int>(),
      Of<std::int64_t>(),
      Of<std::uint64_t>(),
      Of<float>(),
      Of<double>(),
      Of<std::string>(),
      Of<Timestamp>(),
      Of<absl::Time>(),
      Of<absl::Duration>(),
      Of<std::pair<int, int>>(),
      Of<std::array<float, 4>>(),
      Of<std::array<float, 16>>(),
      Of<std::map<std::string, std::string>>(),
      Of<std::vector<bool>>(),
      Of<std::vector<char>>(),
      Of<std::vector<int>>(),
      Of<std::vector<std::int64_t>>(),
      Of<std::vector<std::uint64_t>>(),
      Of<std::vector<float>>(),
      Of<std::vector<double>>(),
      Of<std::vector<Timestamp>>(),
      Of<std::vector<std::string>>(),
      Of<std::vector<std::pair<int, int>>>(),
      Of<std::vector<std::array<float, 16>>>(),
      Of<std::vector<std::vector<float>>>(),
  };
  for (const BasicBytes& known : kTypes) {
    if (known.type == type) return &known;
  }
  return nullptr;
}

}  // namespace packet_internal
}  // namespace syncline
