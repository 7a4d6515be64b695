// Compiled twice: with static registration off, and as a dry run.

#include <memory>

#include "framework/base/typed_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

struct Shape {};
struct Circle : Shape {};

using ShapeRegistry = GlobalFactoryRegistry<std::unique_ptr<Shape>>;
using SwitchedRegistry = GlobalFactoryRegistry<std::shared_ptr<Shape>>;

REGISTER_FACTORY_FUNCTION_QUALIFIED(SwitchedRegistry, shape, Circle,
                                    std::make_shared<Circle>);

TEST(RegistrySwitchesTest, StaticRegistrationLeavesTheTableEmpty) {
  EXPECT_THAT(SwitchedRegistry::Names(), testing::IsEmpty());
}

TEST(RegistrySwitchesTest, RegistrationByCallWorksAllTheSame) {
  const Unregister registration(
      ShapeRegistry::Register("Shape", std::make_unique<Shape>));
  EXPECT_TRUE(ShapeRegistry::IsRegistered("Shape"));
}

#if SYNCLINE_ENABLE_STATIC_REGISTRATION_DRY_RUN
TEST(RegistrySwitchesTest, ADryRunWritesNameAndPlaceToTheLog) {
  testing::internal::CaptureStderr();
  REGISTER_FACTORY_FUNCTION_QUALIFIED(SwitchedRegistry, local, Circle,
                                      std::make_shared<Circle>);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::ContainsRegex(
                  "Would register \"Circle\" from .*switches_test.cc:"));
}
#endif

}  // namespace
}  // namespace syncline
