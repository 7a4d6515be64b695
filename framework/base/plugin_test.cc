#include "framework/base/plugin.h"

#include <dlfcn.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/base/testdata/shape.h"
#include "framework/base/type_id.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kCirclePlugin[] = "framework/base/testdata/circle_plugin.so";
constexpr char kSecondSquarePlugin[] =
    "framework/base/testdata/second_square_plugin.so";

class Square : public Shape {
 public:
  std::string Name() const override { return "square"; }
};
REGISTER_SHAPE(Square);

TEST(PluginTest, TheProgramSeesWhatThePluginRegistersUntilItIsClosed) {
  EXPECT_THAT(ShapeRegistry::Names(), ElementsAre("Square"));
  {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Plugin plugin,
                                  Plugin::Open(kCirclePlugin));
    EXPECT_THAT(ShapeRegistry::Names(), ElementsAre("Circle", "Square"));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Shape> circle,
                                  ShapeRegistry::CreateByName("Circle"));
    EXPECT_EQ(circle->Name(), "circle");
  }
  EXPECT_THAT(ShapeRegistry::Names(), ElementsAre("Square"));
  EXPECT_THAT(ShapeRegistry::CreateByName("Circle"),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST(PluginTest, AClosedPluginLeavesTheProcess) {
  { SYNCLINE_ASSERT_OK(Plugin::Open(kCirclePlugin)); }
  EXPECT_EQ(dlopen(kCirclePlugin, RTLD_NOW | RTLD_NOLOAD), nullptr);
}

TEST(PluginTest, APluginCanBeOpenedAgainAfterItWasClosed) {
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Plugin plugin,
                                  Plugin::Open(kCirclePlugin));
    EXPECT_TRUE(ShapeRegistry::IsRegistered("Circle"));
  }
  EXPECT_FALSE(ShapeRegistry::IsRegistered("Circle"));
}

TEST(PluginTest, ANameThatTheProgramHasIsAnErrorWithBothPlaces) {
  EXPECT_THAT(
      Plugin::Open(kSecondSquarePlugin),
      StatusIs(absl::StatusCode::kAlreadyExists,
               AllOf(HasSubstr(kSecondSquarePlugin), HasSubstr("\"Square\""),
                     HasSubstr("base/plugin_test.cc:"),
                     HasSubstr("second_square_plugin.cc:"))));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Shape> square,
                                ShapeRegistry::CreateByName("Square"));
  EXPECT_EQ(square->Name(), "square");
}

TEST(PluginTest, AFileThatIsNoLibraryIsAnErrorWithItsName) {
  EXPECT_THAT(Plugin::Open("/no/such/plugin.so"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"/no/such/plugin.so\"")));
  EXPECT_THAT(Plugin::Open("framework/base/testdata/circle_plugin.cc"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("circle_plugin.cc")));
}

TEST(PluginTest, TypesMeanTheSameOnBothSides) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Plugin plugin,
                                Plugin::Open(kCirclePlugin));
  auto* get_type =
      reinterpret_cast<void (*)(TypeId*)>(plugin.Symbol("GetTypeOfShape"));
  ASSERT_NE(get_type, nullptr);
  TypeId type;
  get_type(&type);
  EXPECT_EQ(type, TypeIdOf<Shape>());
  EXPECT_EQ(type.hash_code(), TypeIdOf<Shape>().hash_code());
  EXPECT_EQ(plugin.Symbol("NoSuchSymbol"), nullptr);
}

TEST(PluginTest, MisuseInAPluginEndsTheGuardedCallOfTheProgram) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Plugin plugin,
                                Plugin::Open(kCirclePlugin));
  auto* report =
      reinterpret_cast<void (*)()>(plugin.Symbol("ReportMisuseInPlugin"));
  ASSERT_NE(report, nullptr);
  const absl::Status status = CallUserCode([report] {
    report();
    return absl::OkStatus();
  });
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kInvalidArgument, "from the plug-in"));
}

TEST(PluginTest, AMovedPluginIsClosedOnce) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(Plugin plugin, Plugin::Open(kCirclePlugin));
  {
    Plugin moved = std::move(plugin);
    EXPECT_TRUE(ShapeRegistry::IsRegistered("Circle"));
    EXPECT_EQ(moved.path(), kCirclePlugin);
  }
  EXPECT_FALSE(ShapeRegistry::IsRegistered("Circle"));
}

}  // namespace
}  // namespace syncline
