// A calculator that comes with a shared library and leaves with it.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/plugin.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kPath[] = "framework/calculator/testdata/plugin_calculator.so";
constexpr char kName[] = "plugin_test.RepeatCalculator";

// Runs the calculator on one string.
void ExpectItRuns() {
  absl::StatusOr<std::unique_ptr<CalculatorBaseFactory>> factory =
      CalculatorBaseRegistry::CreateByName(kName);
  SYNCLINE_ASSERT_OK(factory);
  TestNode node(R"pb(calculator: "plugin_test.RepeatCalculator"
                     input_stream: "in"
                     output_stream: "out")pb",
                [&](CalculatorContract* cc) {
                  SYNCLINE_EXPECT_OK(InvokeGetContract(**factory, cc));
                });
  CalculatorContext& cc = node.Begin(CallPhase::kProcess, Timestamp(1));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<CalculatorBase> made,
                                InvokeCreate(**factory, &cc));
  cc.Inputs().Index(0).Fill(MakePacket<std::string>("ab").At(Timestamp(1)),
                            false);
  SYNCLINE_EXPECT_OK(InvokeProcess(made.get(), &cc));
  SYNCLINE_EXPECT_OK(cc.call().status());
  ASSERT_EQ(cc.Outputs().Index(0).packets().size(), 1);
  EXPECT_EQ(cc.Outputs().Index(0).packets()[0].Get<std::string>(), "abab");
  EXPECT_EQ(cc.GetCounter("calls")->Get(), 1);
}

TEST(CalculatorPluginTest, ACalculatorComesAndGoesWithItsLibrary) {
  EXPECT_FALSE(CalculatorBaseRegistry::IsRegistered(kName));
  for (int round = 0; round < 2; ++round) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Plugin plugin, Plugin::Open(kPath));
    EXPECT_TRUE(CalculatorBaseRegistry::IsRegistered(kName));
    ExpectItRuns();
  }
  EXPECT_FALSE(CalculatorBaseRegistry::IsRegistered(kName));
  EXPECT_THAT(CalculatorBaseRegistry::CreateByName(kName),
              StatusIs(absl::StatusCode::kNotFound));
}

// The library also brings the packet types that it and the program use.
TEST(CalculatorPluginTest, ACopyOfAnOpenLibraryIsSaidToAddNothing) {
  const std::string copy = ::testing::TempDir() + "/copy.so";
  std::filesystem::copy_file(kPath, copy,
                             std::filesystem::copy_options::overwrite_existing);
  testing::internal::CaptureStderr();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Plugin plugin, Plugin::Open(kPath));
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              Not(HasSubstr("adds nothing")));
  testing::internal::CaptureStderr();
  SYNCLINE_EXPECT_OK(Plugin::Open(copy));
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("copy.so\" adds nothing"));
}

}  // namespace
}  // namespace syncline
