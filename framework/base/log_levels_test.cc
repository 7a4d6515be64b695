// Whose level counts: the rule for a name, then the config, then the process;
// glog's flags add to it; and highest_level is the highest of them.

#include "framework/base/log_levels.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/port/status_matchers.h"
#include "glog/logging.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class LogLevelsTest : public testing::Test {
 protected:
  void TearDown() override {
    FLAGS_v = 0;
    FLAGS_vmodule = "";
    SetLogLevel(LogLevel::kInfo);
  }
  static int HighestLevel() { return log_internal::highest_level.load(); }
};

TEST_F(LogLevelsTest, ALevelIsANameInAnyCaseOrANumber) {
  int level = 0;
  for (const char* const name :
       {"PANIC", "ERROR", "WARNING", "INFO", "DEBUG", "VERBOSE"}) {
    const auto expected = static_cast<LogLevel>(level);
    EXPECT_THAT(ParseLogLevel(name), IsOkAndHolds(expected));
    EXPECT_THAT(ParseLogLevel(std::to_string(level)), IsOkAndHolds(expected));
    ++level;
  }
  EXPECT_THAT(ParseLogLevel("debug"), IsOkAndHolds(LogLevel::kDebug));
}

TEST_F(LogLevelsTest, ATextThatIsNoLevelNamesTheNearest) {
  EXPECT_THAT(ParseLogLevel("DEBUGG"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"DEBUGG\""),
                             HasSubstr("Did you mean \"DEBUG\""))));
  for (const char* const text : {"", "6", "-1", "LOUD", "4.5"}) {
    EXPECT_THAT(ParseLogLevel(text),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
}

TEST_F(LogLevelsTest, ANodeHasTheLevelOfItsConfigAndElseThatOfTheProcess) {
  const NodeLogLevel silent("silent", "ERROR");
  const NodeLogLevel other("other", "");
  EXPECT_EQ(silent.Get(), LogLevel::kError);
  EXPECT_EQ(other.Get(), LogLevel::kInfo);
  SetLogLevel(LogLevel::kDebug);
  EXPECT_EQ(GetLogLevel(), LogLevel::kDebug);
  EXPECT_EQ(silent.Get(), LogLevel::kError);
  EXPECT_EQ(other.Get(), LogLevel::kDebug);
}

TEST_F(LogLevelsTest, ALevelSetForANameComesBeforeTheConfigUntilItIsTakenBack) {
  const NodeLogLevel node("detector", "ERROR");
  SetNodeLogLevel("detector", LogLevel::kVerbose);
  EXPECT_EQ(node.Get(), LogLevel::kVerbose);
  EXPECT_EQ(NodeLogLevel("detector", "").Get(), LogLevel::kVerbose);
  EXPECT_EQ(NodeLogLevel("detector_2", "").Get(), LogLevel::kInfo);
  EXPECT_EQ(log_internal::LevelOf("detector", "ERROR"), LogLevel::kVerbose);
  SetNodeLogLevel("detector", absl::nullopt);
  EXPECT_EQ(node.Get(), LogLevel::kError);
}

TEST_F(LogLevelsTest, APatternMeansManyNodesAndTheLastOneSetCounts) {
  const NodeLogLevel left("left__detector", "");
  const NodeLogLevel right("right__detector", "");
  SetNodeLogLevel("*__detector", LogLevel::kDebug);
  SetNodeLogLevel("left__*", LogLevel::kPanic);
  EXPECT_EQ(left.Get(), LogLevel::kPanic);
  EXPECT_EQ(right.Get(), LogLevel::kDebug);
  SetNodeLogLevel("*__detector", LogLevel::kVerbose);
  EXPECT_EQ(left.Get(), LogLevel::kVerbose);
  SetNodeLogLevel("*__detector", absl::nullopt);
  SetNodeLogLevel("left__*", absl::nullopt);
}

TEST_F(LogLevelsTest, TheCeilingIsTheHighestLevelThatAnythingHas) {
  SetLogLevel(LogLevel::kWarning);
  EXPECT_EQ(HighestLevel(), 2);
  {
    const NodeLogLevel loud("loud", "VERBOSE");
    EXPECT_EQ(HighestLevel(), 5);
    const NodeLogLevel silent("silent", "PANIC");
    EXPECT_EQ(HighestLevel(), 5);
  }
  EXPECT_EQ(HighestLevel(), 2);
  SetNodeLogLevel("no such node", LogLevel::kDebug);
  EXPECT_EQ(HighestLevel(), 4);
  SetNodeLogLevel("no such node", absl::nullopt);
  EXPECT_EQ(HighestLevel(), 2);
}

TEST_F(LogLevelsTest, GlogsFlagsShowMore) {
  SetLogLevel(LogLevel::kInfo);
  EXPECT_FALSE(log_internal::GlogShows(LogLevel::kDebug, "a/b.cc"));
  FLAGS_v = 1;
  log_internal::ReadGlogFlags();
  EXPECT_EQ(HighestLevel(), 4);
  EXPECT_TRUE(log_internal::GlogShows(LogLevel::kDebug, "a/b.cc"));
  EXPECT_FALSE(log_internal::GlogShows(LogLevel::kVerbose, "a/b.cc"));
}

TEST_F(LogLevelsTest, GlogsModulesShowMoreOfSomeFiles) {
  FLAGS_vmodule = "track*=2,detect=1,wrong,=,x=y";
  log_internal::ReadGlogFlags();
  EXPECT_EQ(HighestLevel(), 5);
  EXPECT_TRUE(log_internal::GlogShows(LogLevel::kVerbose, "a/tracker.cc"));
  EXPECT_TRUE(log_internal::GlogShows(LogLevel::kDebug, "detect.cc"));
  EXPECT_FALSE(log_internal::GlogShows(LogLevel::kVerbose, "detect.cc"));
  EXPECT_FALSE(log_internal::GlogShows(LogLevel::kDebug, "a/other.cc"));
}

TEST_F(LogLevelsTest, ACommandLineSetsTheProcessOrANode) {
  SYNCLINE_EXPECT_OK(SetLogLevelFromText("WARNING"));
  EXPECT_EQ(GetLogLevel(), LogLevel::kWarning);
  SYNCLINE_EXPECT_OK(SetLogLevelFromText("a=b=DEBUG"));
  EXPECT_EQ(NodeLogLevel("a=b", "").Get(), LogLevel::kDebug);
  SetNodeLogLevel("a=b", absl::nullopt);
  for (const char* const text : {"", "=", "a=", "=DEBUG", "a=LOUD"}) {
    EXPECT_THAT(SetLogLevelFromText(text),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
  EXPECT_EQ(GetLogLevel(), LogLevel::kWarning);
}

TEST_F(LogLevelsTest, LevelsChangeWhileNodesAskForThem) {
  const NodeLogLevel node("node", "");
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!done.load()) {
        const LogLevel level = node.Get();
        EXPECT_TRUE(level == LogLevel::kInfo || level == LogLevel::kDebug ||
                    level == LogLevel::kError);
        const NodeLogLevel own("other", "DEBUG");
        EXPECT_EQ(own.Get(), LogLevel::kDebug);
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    SetNodeLogLevel("node", LogLevel::kError);
    SetLogLevel(LogLevel::kDebug);
    SetNodeLogLevel("node", absl::nullopt);
    SetLogLevel(LogLevel::kInfo);
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(node.Get(), LogLevel::kInfo);
}

}  // namespace
}  // namespace syncline
