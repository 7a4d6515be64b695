// A program without the devices of an exploration: a graph that needs them is
// refused, and one that does not is explored.

#include "testing/explored_devices.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/service.h"
#include "framework/calculator_framework.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gpu/known_names.h"
#include "testing/explore_schedules.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// Asks for the service by its key, as nodes on devices do.
constexpr GraphService<int> kDevice(gpu::kDeviceServiceKey);

class UsesDeviceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->UseService(kDevice).Optional();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(UsesDeviceCalculator);

class UsesNoDeviceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(UsesNoDeviceCalculator);

absl::Status ExploreGraphOf(absl::string_view calculator) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node { input_stream: "in" }
  )pb");
  config.mutable_node(0)->set_calculator(std::string(calculator));
  ScheduleInputs inputs;
  inputs.streams["in"] = {MakePacket<int>(1).At(Timestamp(0))};
  return ExploreSchedules(config, inputs, {.schedules = 3});
}

TEST(ExploredDevicesTest, WithoutThemAGraphWithDevicesIsRefused) {
  EXPECT_THAT(ExploreGraphOf("UsesDeviceCalculator"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("add //testing:explore_schedules to its "
                                 "deps")));
}

TEST(ExploredDevicesTest, WithoutThemAnyOtherGraphIsExplored) {
  SYNCLINE_EXPECT_OK(ExploreGraphOf("UsesNoDeviceCalculator"));
}

}  // namespace
}  // namespace syncline
