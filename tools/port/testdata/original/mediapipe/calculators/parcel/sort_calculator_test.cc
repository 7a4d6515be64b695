// Copyright 2023 The Acme Authors.

#include "mediapipe/calculators/parcel/parcel_test_helper.h"
#include "mediapipe/framework/calculator_runner.h"
#include "mediapipe/framework/port/gtest.h"
#include "mediapipe/framework/port/status_matchers.h"

namespace mediapipe {
namespace {

TEST(CorpusSortCalculatorTest, SortsByWeight) {
  CalculatorRunner runner(R"pb(
    calculator: "CorpusSortCalculator"
    input_stream: "parcel"
    output_stream: "LIGHT:light"
    output_stream: "HEAVY:heavy"
  )pb");
  for (const int32 grams : {10, 999, 1000}) {
    runner.MutableInputs()->Index(0).packets.push_back(
        MakePacket<CorpusParcel>(ParcelOf(grams)).At(Timestamp(grams)));
  }
  MP_ASSERT_OK(runner.Run());
  EXPECT_EQ(runner.Outputs().Tag("LIGHT").packets.size(), 2u);
  EXPECT_EQ(runner.Outputs().Tag("HEAVY").packets.size(), 1u);
}

}  // namespace
}  // namespace mediapipe
