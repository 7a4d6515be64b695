// The wrapper as a calculator, without a graph around it.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

std::string Wrapper(const char* generator, const char* ports) {
  return absl::StrCat(
      "calculator: \"PacketGeneratorWrapperCalculator\" ", ports,
      " options { [syncline.PacketGeneratorWrapperCalculatorOptions.ext] {"
      " packet_generator: \"",
      generator, "\" } }");
}

TEST(PacketGeneratorWrapperCalculatorTest, GeneratesFromInputSidePackets) {
  CalculatorHarness harness(
      Wrapper("IntGenerator",
              "input_side_packet: \"A:a\" input_side_packet: \"B:b\" "
              "output_side_packet: \"OUT:c\""));
  harness.SetSidePacket("A", MakePacket<int>(1));
  harness.SetSidePacket("B", MakePacket<int>(2));
  const absl::Status status = harness.Run();
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(harness.OutputSidePacket("OUT").Get<int>(), 2)
      << "the generator counts its inputs";
}

TEST(PacketGeneratorWrapperCalculatorTest, AnUnknownGeneratorIsAnError) {
  CalculatorHarness harness(Wrapper("NoGenerator", ""));
  EXPECT_THAT(std::string(harness.Run().message()), HasSubstr("NoGenerator"));
}

TEST(PacketGeneratorWrapperCalculatorTest, GenerateThatFailsNamesTheGenerator) {
  CalculatorHarness harness(
      Wrapper("FailingGenerator", "output_side_packet: \"OUT:c\""));
  EXPECT_THAT(std::string(harness.Run().message()),
              HasSubstr("FailingGenerator::Generate() failed. no packets"));
}

}  // namespace
}  // namespace syncline
