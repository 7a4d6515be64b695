// The calculators of list messages, matrices and bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/vector_calculators_test.h"
#include "framework/calculator_framework.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/matrix.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// --- List messages

Packet Landmarks(int time, const std::vector<float>& xs) {
  LandmarkList list;
  for (const float x : xs) list.add_landmark()->set_x(x);
  return MakePacket<LandmarkList>(list).At(Timestamp(time));
}
std::vector<float> Xs(const Packet& packet) {
  std::vector<float> result;
  for (const Landmark& landmark : packet.Get<LandmarkList>().landmark()) {
    result.push_back(landmark.x());
  }
  return result;
}

TEST(ConcatenateListsTest, JoinsTheItemsOfMessages) {
  CalculatorHarness harness(Node("ConcatenateLandmarkListCalculator", 2, 1));
  harness.Feed(":0", {Landmarks(1, {1, 2})});
  harness.Feed(":1", {Landmarks(1, {3}), Landmarks(2, {4})});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("").size(), 2);
  EXPECT_THAT(Xs(harness.Output("")[0]), ElementsAre(1, 2, 3));
  EXPECT_THAT(Xs(harness.Output("")[1]), ElementsAre(4));
}

TEST(SplitListsTest, SendsPartsOrItems) {
  CalculatorHarness parts(
      Split(2, "ranges { begin: 0 end: 1 } ranges { begin: 1 end: 3 }",
            "SplitLandmarkListCalculator"));
  parts.Feed("", {Landmarks(1, {1, 2, 3})});
  SYNCLINE_ASSERT_OK(parts.Run());
  EXPECT_THAT(Xs(parts.Output(":0")[0]), ElementsAre(1));
  EXPECT_THAT(Xs(parts.Output(":1")[0]), ElementsAre(2, 3));

  CalculatorHarness items(Split(1,
                                "ranges { begin: 1 end: 2 } element_only: true",
                                "SplitLandmarkListCalculator"));
  items.Feed("", {Landmarks(1, {1, 2, 3})});
  SYNCLINE_ASSERT_OK(items.Run());
  EXPECT_EQ(items.Output("")[0].Get<Landmark>().x(), 2);

  CalculatorHarness combined(
      Split(1,
            "ranges { begin: 2 end: 3 } ranges { begin: 0 end: 1 } "
            "combine_outputs: true",
            "SplitLandmarkListCalculator"));
  combined.Feed("", {Landmarks(1, {1, 2, 3}), Landmarks(2, {1})});
  EXPECT_THAT(combined.Run().message(), HasSubstr("there are 1 elements"));
  EXPECT_THAT(Xs(combined.Output("")[0]), ElementsAre(3, 1));
}

// --- Matrices and bytes

TEST(MatrixTest, MultipliesSubtractsAndFlattens) {
  Matrix a(1, 2);
  a << 1, 2;
  Matrix b(2, 2);
  b << 1, 2, 3, 4;
  CalculatorHarness multiply(absl::StrCat(
      Node("MatrixMultiplyCalculator", 1, 1), " input_side_packet: \"a\""));
  multiply.SetSidePacket("", MakePacket<Matrix>(a));
  multiply.Feed("", {MakePacket<Matrix>(b).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(multiply.Run());
  EXPECT_EQ(multiply.Output("")[0].Get<Matrix>(), a * b);
  multiply.Feed("", {MakePacket<Matrix>(a).At(Timestamp(2))});
  EXPECT_THAT(multiply.Run().message(), HasSubstr("it needs 2 rows"));

  CalculatorHarness subtract(R"pb(
    calculator: "MatrixSubtractCalculator"
    input_stream: "SUBTRAHEND:b"
    input_side_packet: "MINUEND:a"
    output_stream: "difference"
  )pb");
  subtract.SetSidePacket("MINUEND", MakePacket<Matrix>(a));
  subtract.Feed("SUBTRAHEND", {MakePacket<Matrix>(2 * a).At(Timestamp(1)),
                               MakePacket<Matrix>(b).At(Timestamp(2))});
  EXPECT_THAT(subtract.Run().message(), HasSubstr("differ in size at 2"));
  EXPECT_EQ(subtract.Output("")[0].Get<Matrix>(), -a);

  CalculatorHarness flatten(Node("MatrixToVectorCalculator", 1, 1));
  flatten.Feed("", {MakePacket<Matrix>(b).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(flatten.Run());
  EXPECT_THAT(flatten.Output("")[0].Get<std::vector<float>>(),
              ElementsAre(1, 3, 2, 4));
}

std::string Quantize(const std::string& options) {
  return absl::StrCat(
      R"pb(calculator: "QuantizeFloatVectorCalculator"
           input_stream: "FLOAT_VECTOR:in"
           output_stream: "ENCODED:out"
           options {
             [syncline.QuantizeFloatVectorCalculatorOptions.ext] {)pb",
      options, "} }");
}

TEST(QuantizeTest, EachNumberIsAByteAndBackAgain) {
  CalculatorHarness quantize(
      Quantize("max_quantized_value: 64 min_quantized_value: -64"));
  const std::vector<float> values = {-100, -64, -32, 0, 32, 64, 100};
  quantize.Feed("FLOAT_VECTOR",
                {MakePacket<std::vector<float>>(values).At(Timestamp(1))});
  SYNCLINE_ASSERT_OK(quantize.Run());
  ASSERT_EQ(quantize.Output("ENCODED").size(), 1);
  EXPECT_EQ(quantize.Output("ENCODED")[0].Get<std::string>(),
            std::string("\x00\x00\x3f\x7f\xbf\xff\xff", 7));

  CalculatorHarness dequantize(R"pb(
    calculator: "DequantizeByteArrayCalculator"
    input_stream: "ENCODED:in"
    output_stream: "FLOAT_VECTOR:out"
    options {
      [syncline.DequantizeByteArrayCalculatorOptions.ext] {
        max_quantized_value: 64
        min_quantized_value: -64
      }
    }
  )pb");
  dequantize.Feed("ENCODED", {quantize.Output("ENCODED")[0]});
  SYNCLINE_ASSERT_OK(dequantize.Run());
  const auto& back =
      dequantize.Output("FLOAT_VECTOR")[0].Get<std::vector<float>>();
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(back[i], std::clamp(values[i], -64.0f, 64.0f), 128.0 / 255);
  }
}

TEST(QuantizeTest, NeedsARange) {
  CalculatorHarness missing(Quantize("max_quantized_value: 1"));
  EXPECT_THAT(missing.Run().message(), HasSubstr("must be provided"));
  for (const std::string range :
       {"max_quantized_value: 1 min_quantized_value: 1",
        "max_quantized_value: nan min_quantized_value: 1"}) {
    CalculatorHarness wrong{Quantize(range)};
    EXPECT_THAT(wrong.Run().message(), HasSubstr("must be greater than"));
  }
  CalculatorHarness endless(
      Quantize("max_quantized_value: inf min_quantized_value: 0"));
  EXPECT_THAT(endless.Run().message(), HasSubstr("must be finite"));
}

}  // namespace
}  // namespace syncline
