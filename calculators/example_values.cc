#include "calculators/example_values.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
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

// "[1 2 3]" without the brackets, as words.
std::vector<std::string> WordsIn(absl::string_view text) {
  EXPECT_TRUE(absl::ConsumePrefix(&text, "[") &&
              absl::ConsumeSuffix(&text, "]"))
      << text;
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

template <typename T>
std::vector<T> VectorOf(absl::string_view text) {
  std::vector<T> values;
  for (const std::string& word : WordsIn(text)) {
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
  const std::vector<std::string> words = WordsIn(text);
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

}  // namespace

const std::map<std::string, ExampleType>& ExampleTypes() {
  static const auto* const types = new std::map<std::string, ExampleType>{
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
      {"vector<float>", VectorType<float>()},
      {"vector<bool>", VectorType<bool>()},
      {"vector<uint64>", VectorType<std::uint64_t>()},
      {"Matrix",
       {[](absl::string_view text) {
          return MakePacket<Matrix>(MatrixOf(text));
        },
        [](const Packet& packet) { return TextOf(packet.Get<Matrix>()); }}},
  };
  return *types;
}

}  // namespace syncline
