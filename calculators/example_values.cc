#include "calculators/example_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

template <typename T>
T NumberOf(absl::string_view text) {
  double value = 0;
  EXPECT_TRUE(absl::SimpleAtod(text, &value)) << text;
  return static_cast<T>(value);
}
template <>
bool NumberOf<bool>(absl::string_view text) {
  EXPECT_TRUE(text == "true" || text == "false") << text;
  return text == "true";
}
template <>
std::string NumberOf<std::string>(absl::string_view text) {
  return std::string(text);
}

template <typename T>
std::string TextOf(const T& value) {
  if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
  return absl::StrCat(value);
}

template <typename T>
std::vector<T> VectorOf(absl::string_view text) {
  std::vector<T> values;
  for (const std::string& word : WordsInBrackets(text)) {
    values.push_back(NumberOf<T>(word));
  }
  return values;
}
template <typename T>
std::string TextOf(const std::vector<T>& values) {
  std::vector<std::string> words;
  for (const T& value : values) words.push_back(TextOf(value));
  return absl::StrCat("[", absl::StrJoin(words, " "), "]");
}

// "[1 2; 3 4]" is a matrix of two rows.
Matrix MatrixOf(absl::string_view text) {
  const std::vector<std::string> words = WordsInBrackets(text);
  std::vector<std::vector<float>> rows = {{}};
  for (absl::string_view word : words) {
    const bool ends = absl::ConsumeSuffix(&word, ";");
    rows.back().push_back(NumberOf<float>(word));
    if (ends) rows.emplace_back();
  }
  Matrix matrix(static_cast<Eigen::Index>(rows.size()),
                static_cast<Eigen::Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].size(), rows[0].size()) << text;
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          rows[i][j];
    }
  }
  return matrix;
}
std::string TextOf(const Matrix& matrix) {
  std::vector<std::string> rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::vector<std::string> row;
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      // What is nearly 0 is 0; the rest has six digits.
      const float value = matrix(i, j);
      row.push_back(absl::StrCat(std::abs(value) < 1e-6f ? 0 : value));
    }
    rows.push_back(absl::StrJoin(row, " "));
  }
  return absl::StrCat("[", absl::StrJoin(rows, "; "), "]");
}

template <typename T>
ExampleType NumberType() {
  return {
      [](absl::string_view text) { return MakePacket<T>(NumberOf<T>(text)); },
      [](const Packet& packet) { return TextOf(packet.Get<T>()); }};
}
template <typename T>
ExampleType VectorType() {
  return {[](absl::string_view text) {
            return MakePacket<std::vector<T>>(VectorOf<T>(text));
          },
          [](const Packet& packet) {
            return TextOf(packet.Get<std::vector<T>>());
          }};
}

// An array of N floats: [1 2 3 4].
template <std::size_t N>
ExampleType ArrayType() {
  return {[](absl::string_view text) {
            const std::vector<float> values = VectorOf<float>(text);
            EXPECT_EQ(values.size(), N) << text;
            std::array<float, N> array = {};
            std::copy_n(values.begin(), std::min(N, values.size()),
                        array.begin());
            return MakePacket<std::array<float, N>>(array);
          },
          [](const Packet& packet) {
            const auto& array = packet.Get<std::array<float, N>>();
            std::vector<float> values;
            for (const float value : array) {
              values.push_back(std::abs(value) < 1e-6f ? 0 : value);
            }
            return TextOf(values);
          }};
}

// [640 480]
ExampleType IntPairType() {
  using IntPair = std::pair<int, int>;
  return {[](absl::string_view text) {
            std::vector<int> values = VectorOf<int>(text);
            EXPECT_EQ(values.size(), 2u) << text;
            values.resize(2);
            return MakePacket<IntPair>(values[0], values[1]);
          },
          [](const Packet& packet) {
            const auto& pair = packet.Get<IntPair>();
            return TextOf(std::vector<int>{pair.first, pair.second});
          }};
}

ExampleType BytesType() {
  return {[](absl::string_view text) {
            return MakePacket<std::string>(BytesOf(text));
          },
          [](const Packet& packet) {
            std::vector<std::string> words;
            for (const char byte : packet.Get<std::string>()) {
              words.push_back(absl::BytesToHexString({&byte, 1}));
            }
            return absl::StrCat("[", absl::StrJoin(words, " "), "]");
          }};
}

std::map<std::string, ExampleType> ValueTypes() {
  return {
      {"bytes", BytesType()},
      {"int", NumberType<int>()},
      {"int64", NumberType<std::int64_t>()},
      {"uint64", NumberType<std::uint64_t>()},
      {"float", NumberType<float>()},
      {"double", NumberType<double>()},
      {"bool", NumberType<bool>()},
      {"string", NumberType<std::string>()},
      {"Timestamp",
       {[](absl::string_view text) {
          return MakePacket<Timestamp>(NumberOf<std::int64_t>(text));
        },
        [](const Packet& packet) {
          return packet.Get<Timestamp>().DebugString();
        }}},
      {"vector<int>", VectorType<int>()},
      {"vector<int64>", VectorType<std::int64_t>()},
      {"vector<string>", VectorType<std::string>()},
      {"pair<int, int>", IntPairType()},
      {"array<float, 4>", ArrayType<4>()},
      {"array<float, 16>", ArrayType<16>()},
      {"vector<float>", VectorType<float>()},
      {"vector<bool>", VectorType<bool>()},
      {"vector<uint64>", VectorType<std::uint64_t>()},
      {"Matrix",
       {[](absl::string_view text) {
          return MakePacket<Matrix>(MatrixOf(text));
        },
        [](const Packet& packet) { return TextOf(packet.Get<Matrix>()); }}},
  };
}

}  // namespace

std::vector<std::string> WordsOf(absl::string_view text) {
  std::vector<std::string> words = {""};
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (depth > 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    }
    if (c == ' ' && depth == 0) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back().push_back(c);
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::vector<std::string> WordsInBrackets(absl::string_view text) {
  EXPECT_TRUE(absl::ConsumePrefix(&text, "[") &&
              absl::ConsumeSuffix(&text, "]"))
      << text;
  return WordsOf(text);
}

std::string BytesOf(absl::string_view text) {
  std::string bytes;
  for (absl::string_view word : WordsInBrackets(text)) {
    if (absl::ConsumePrefix(&word, "'")) {
      EXPECT_TRUE(absl::ConsumeSuffix(&word, "'")) << text;
      bytes.append(word.data(), word.size());
      continue;
    }
    const std::string byte = absl::HexStringToBytes(word);
    EXPECT_TRUE(word.size() == 2 && absl::BytesToHexString(byte) == word)
        << "\"" << word << "\" is no byte in two hex digits";
    bytes += byte;
  }
  return bytes;
}

absl::string_view WithoutBraces(absl::string_view text) {
  EXPECT_TRUE(absl::ConsumePrefix(&text, "{") &&
              absl::ConsumeSuffix(&text, "}"))
      << text;
  return text;
}

double SixDigits(double value) {
  double rounded = 0;
  EXPECT_TRUE(absl::SimpleAtod(absl::StrFormat("%.6g", value), &rounded));
  return std::abs(rounded) < 1e-6 ? 0 : rounded;
}

const std::map<std::string, ExampleType>& ExampleTypes() {
  static const auto* const types = [] {
    auto* const result = new std::map<std::string, ExampleType>(ValueTypes());
    AddMessageTypes(result);
    AddImageTypes(result);
    return result;
  }();
  return *types;
}

}  // namespace syncline
