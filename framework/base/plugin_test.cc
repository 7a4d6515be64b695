#include "framework/base/plugin.h"

#include <dlfcn.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/testdata/shape.h"
#include "framework/base/type_id.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kCirclePlugin[] = "framework/base/testdata/circle_plugin.so";
constexpr char kSecondSquarePlugin[] =
    "framework/base/testdata/second_square_plugin.so";

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

// The path of a new file.
std::string Written(const std::string& name, const std::string& contents) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary | std::ios::trunc) << contents;
  return path;
}

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

TEST(PluginTest, TheErrorOfATakenNameNamesBothLibraries) {
  const absl::Status status = Plugin::Open(kSecondSquarePlugin).status();
  EXPECT_THAT(status.message(),
              HasSubstr(absl::StrCat("in \"", kSecondSquarePlugin, "\"")));
  EXPECT_THAT(std::string(status.message()),
              ContainsRegex("in \"[^\"]*plugin_test\""));
}

TEST(PluginTest, AFileThatIsNoLibraryIsAnErrorWithItsName) {
  EXPECT_THAT(Plugin::Open("/no/such/plugin.so"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("\"/no/such/plugin.so\"")));
  EXPECT_THAT(Plugin::Open("libc.so.6"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("libc.so.6")));
  EXPECT_THAT(Plugin::Open(""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Plugin::Open("framework/base/testdata"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no ordinary file")));
  const std::string text = Written("text.so", "not a library\n");
  EXPECT_THAT(Plugin::Open(text),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr(text), HasSubstr("no shared library"))));
  EXPECT_THAT(Plugin::Open("/proc/self/exe"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PluginTest, ALibraryThatIsCutOffIsAnError) {
  const std::string whole = Contents(kCirclePlugin);
  for (int part = 0; part < 20; ++part) {
    const std::string path =
        Written("part.so", whole.substr(0, whole.size() * part / 20));
    EXPECT_FALSE(Plugin::Open(path).ok()) << part;
  }
}

TEST(PluginTest, APluginOfAnotherVersionIsAnErrorWithBothVersions) {
  for (const char* name :
       {"other_version_plugin.so", "linked_with_other_version.so"}) {
    EXPECT_THAT(Plugin::Open(absl::StrCat("framework/base/testdata/", name)),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(name), HasSubstr("Syncline 9.9"),
                               HasSubstr("Syncline 0.1"),
                               HasSubstr("build it again"))));
  }
}

TEST(PluginTest, APluginOfAnotherProtobufIsAnErrorWithBoth) {
  EXPECT_THAT(
      Plugin::Open("framework/base/testdata/linked_with_other_protobuf.so"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("\"libprotobuf.so.9\""),
                     HasSubstr("\"libprotobuf.so.32\""))));
}

TEST(PluginTest, APluginThatNeedsASecondFrameworkIsAnError) {
  EXPECT_THAT(
      Plugin::Open("framework/base/testdata/linked_with_shared_framework.so"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("libsyncline_framework.so.0.1"),
                     HasSubstr("linked in"), HasSubstr("linkshared"))));
}

TEST(PluginTest, AMissingSymbolIsAnErrorWithItsName) {
  EXPECT_THAT(Plugin::Open("framework/base/testdata/missing_symbol_plugin.so"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("NameThatNobodyDefines")));
  EXPECT_FALSE(ShapeRegistry::IsRegistered("Triangle"));
}

TEST(PluginTest, ALibraryThatRegistersNothingIsAnError) {
  EXPECT_THAT(Plugin::Open("framework/base/testdata/libprotobuf.so.9"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("registers nothing")));
}

TEST(PluginTest, ACopyOfAnOpenLibraryIsSaidToAddNothing) {
  const std::string copy = Written("copy.so", Contents(kCirclePlugin));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Plugin plugin,
                                Plugin::Open(kCirclePlugin));
  testing::internal::CaptureStderr();
  SYNCLINE_EXPECT_OK(Plugin::Open(copy));
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("copy.so\" adds nothing"),
                    HasSubstr("copies of what the program has already")));
  testing::internal::CaptureStderr();
  SYNCLINE_EXPECT_OK(Plugin::Open(kCirclePlugin));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(PluginTest, ALoadedPluginStaysAndMayBeLoadedAgain) {
  constexpr char kSpeaker[] = "framework/base/testdata/speaker_plugin.so";
  SYNCLINE_EXPECT_OK(LoadPlugin(kSpeaker));
  SYNCLINE_EXPECT_OK(LoadPlugin(kSpeaker));
  SYNCLINE_EXPECT_OK(Plugin::Open(kSpeaker));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Shape> speaker,
                                ShapeRegistry::CreateByName("Speaker"));
  EXPECT_THAT(speaker->Name(), HasSubstr("spoken"));

  // Protobuf would end the process.
  EXPECT_THAT(
      LoadPlugin("framework/base/testdata/secondspeaker_plugin.so"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               HasSubstr("\"framework/base/testdata/plugin_message.proto\"")));
  EXPECT_FALSE(ShapeRegistry::IsRegistered("SecondSpeaker"));
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
